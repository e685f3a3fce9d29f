package servingstatus

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// observerFunc is a DeploymentObserver with scripted observations.
type observerFunc func() (Observation, error)

func (e observerFunc) Observe(context.Context) (Observation, error) { return e() }

// sees is an observation of alice and bob.
func sees(alice, bob bool) Observation {
	return Observation{Parties: []PartyObservation{{DomainID: "alice", Done: alice}, {DomainID: "bob", Done: bob}}, Text: "what is there"}
}

// observedTarget is an update with an observer.
func observedTarget(look observerFunc) Target {
	target := since(rolling(RollingReplacement, named("glm")), runs)
	target.Observer = look
	return target
}

// TestObserver: with an observer neither replica counts nor time are enough, and
// no rollout start has to be observed.
func TestObserver(t *testing.T) {
	lag := func(d time.Duration, first, then Observation, err error) func() observerFunc {
		return func() observerFunc {
			began := time.Now()
			return func() (Observation, error) {
				if time.Since(began) < d {
					return first, err
				}
				return then, nil
			}
		}
	}
	done := sees(true, true)
	elsewhere := Observation{Parties: []PartyObservation{{DomainID: "alice", Done: true}, {DomainID: "bob", Elsewhere: true}}}
	for name, test := range map[string]struct {
		look    func() observerFunc
		after   time.Duration
		notSeen string
	}{
		"done at once":         {look: lag(0, done, done, nil), after: 0},
		"lags for long":        {look: lag(5*time.Minute, sees(false, false), done, nil), after: 5 * time.Minute},
		"one party lags":       {look: lag(5*time.Minute, sees(true, false), done, nil), after: 5 * time.Minute},
		"a party not observed": {look: lag(5*time.Minute, Observation{Parties: done.Parties[:1]}, done, nil), after: 5 * time.Minute},
		"nothing observed":     {look: lag(5*time.Minute, Observation{}, done, nil), after: 5 * time.Minute},
		"unavailable":          {look: lag(5*time.Minute, Observation{}, done, apierror.ErrUnavailable), after: 5 * time.Minute},
		"refused briefly":      {look: lag(20*time.Second, Observation{}, done, apierror.ErrUnauthorized), after: 20 * time.Second},
		"a party elsewhere":    {look: lag(0, elsewhere, elsewhere, nil), after: StartTimeout, notSeen: "bob"},
	} {
		t.Run(name, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				began := time.Now()
				source := &fakeSource{status: always(runs)}
				result, err := NewPoller(source).WaitRunning(t.Context(), observedTarget(test.look()))
				took := time.Since(began)
				if err != nil || result.Paused != "" || strings.Join(result.StartNotObserved, " ") != test.notSeen || took < test.after || took > test.after+6*time.Second {
					t.Errorf("after %s: %+v, %v", took, result, err)
				}
				if test.notSeen == "" && source.count() > 80+int(test.after/(2*time.Second)) {
					t.Errorf("%d status polls", source.count())
				}
			})
		})
	}
}

// TestEvidenceBesideTheStatus: the observer alone is not enough either: the
// status has the parties of other control planes and the state in Kuscia.
func TestEvidenceBesideTheStatus(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		source := &fakeSource{status: play(began, step{10 * time.Second, detail(partial, pods("alice", 2, 2, 0, 2), pods("bob", 1, 0, 1, 1))}, step{0, runs})}
		_, err := NewPoller(source).WaitRunning(t.Context(), observedTarget(func() (Observation, error) { return sees(true, true), nil }))
		if took := time.Since(began); err != nil || took < 10*time.Second || took > 12*time.Second {
			t.Errorf("after %s: %v", took, err)
		}
	})
}

// TestHeldRollout: a held rollout ends the wait without an error, since it has
// to be resumed manually.
func TestHeldRollout(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		held := sees(false, true)
		held.Paused = "held at step 1"
		result, err := NewPoller(&fakeSource{status: always(runs)}).WaitRunning(t.Context(), observedTarget(func() (Observation, error) {
			if time.Since(began) < 10*time.Second {
				return sees(false, true), nil
			}
			return held, nil
		}))
		if took := time.Since(began); err != nil || result.Paused != held.Paused || took < 10*time.Second || took > 12*time.Second {
			t.Errorf("after %s: %+v, %v", took, result, err)
		}
	})
}

// TestGivenUp: if Kuscia has given up a new serving, which its status does not
// show, the wait ends; after an update this may be old.
func TestGivenUp(t *testing.T) {
	inTime(t, func(t *testing.T) {
		observation := Observation{GivenUp: "given up", Text: "why it has given up"}
		target := named("glm")
		target.Observer = observerFunc(func() (Observation, error) { return observation, nil })
		began := time.Now()
		_, err := NewPoller(&fakeSource{status: always(nil)}).WaitRunning(t.Context(), target)
		var e *NotRunningError
		if !errors.As(err, &e) || e.Cause != CauseFailed || !strings.Contains(err.Error(), "why it has given up") || time.Since(began) < time.Second || time.Since(began) > 1500*time.Millisecond {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
		target = observedTarget(func() (Observation, error) {
			if time.Since(began) > 20*time.Second {
				return sees(true, true), nil
			}
			return observation, nil
		})
		if _, err = NewPoller(&fakeSource{status: always(runs)}).WaitRunning(t.Context(), target); err != nil {
			t.Error(err)
		}
	})
}

// TestStopped: a rollout that only a manual change continues ends the wait, also after an
// update.
func TestStopped(t *testing.T) {
	inTime(t, func(t *testing.T) {
		target := observedTarget(func() (Observation, error) {
			return Observation{Stopped: true, Text: "why it is stopped"}, nil
		})
		began := time.Now()
		_, err := NewPoller(&fakeSource{status: always(runs)}).WaitRunning(t.Context(), target)
		var e *NotRunningError
		if !errors.As(err, &e) || e.Cause != CauseFailed || !strings.Contains(err.Error(), "why it is stopped") || time.Since(began) > 5*time.Second {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
	})
}

// TestNoEvidence: a wait whose observer never succeeded ends with an error that
// mentions it, never successfully.
func TestNoEvidence(t *testing.T) {
	for name, test := range map[string]struct {
		look  observerFunc
		cause Cause
		says  string
		after time.Duration
	}{
		"away":    {func() (Observation, error) { return Observation{}, apierror.ErrUnavailable }, CauseTimedOut, "may be from before the update", 10 * time.Minute},
		"refused": {func() (Observation, error) { return Observation{}, apierror.ErrUnauthorized }, CauseRefused, "its Deployments", 30 * time.Second},
		"behind":  {func() (Observation, error) { return sees(true, false), nil }, CauseTimedOut, "the Deployment of party bob is not", 10 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				began := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
				defer cancel()
				_, err := NewPoller(&fakeSource{status: always(runs)}).WaitRunning(ctx, observedTarget(test.look))
				var e *NotRunningError
				if !errors.As(err, &e) || e.Cause != test.cause || !strings.Contains(err.Error(), test.says) {
					t.Fatalf("%v", err)
				}
				if e.Observation != nil && !strings.Contains(err.Error(), "In the cluster: what is there.") {
					t.Errorf("%v", err)
				}
				if took := time.Since(began); took < test.after || took > test.after+5*time.Second {
					t.Errorf("after %s", took)
				}
			})
		})
	}
}

// TestObserverOfOldDeployment: a Deployment that the observer reports as done is not
// stale, however old it appears.
func TestObserverOfOldDeployment(t *testing.T) {
	older := pods("bob", 1, 1, 0, 1)
	older.CreateTime = "2026-11-21T00:08:26Z"
	status := detail(available, pods("alice", 2, 2, 0, 2), older)
	target := desired(2)
	target.Observer = observerFunc(nil)
	for _, done := range []bool{false, true} {
		observation := sees(true, done)
		outcome, _ := Evaluate(status, target, History{Consecutive: 1, Observation: &observation})
		if want := map[bool]Outcome{false: {Blocker: StaleDeployment, Party: "bob"}, true: {Phase: Running}}[done]; outcome != want {
			t.Errorf("proven %t: %+v", done, outcome)
		}
	}
}

// TestEvidenceOfAnotherCluster: a KusciaDeployment of the same name with another
// creation time than the serving belongs to another Kuscia and is ignored; so is
// a cluster without one for a serving with a status in Kuscia. If that remains
// so for some seconds, the wait ends.
func TestEvidenceOfAnotherCluster(t *testing.T) {
	created, err := time.Parse(time.RFC3339, born)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		created time.Time
		held    string
		missing bool
		// behind is how long the observations are nevertheless of the serving.
		behind time.Duration
		ends   bool
		says   string
	}{
		"the serving's":            {created: created.Add(time.Second), ends: true},
		"unknown":                  {ends: true},
		"older":                    {created: created.Add(-time.Hour), says: "was created at"},
		"newer":                    {created: created.Add(time.Hour), says: "was created at"},
		"held, of another serving": {created: created.Add(time.Hour), held: "held at step 1", says: "was created at"},
		"held, the serving's":      {created: created, held: "held at step 1", ends: true},
		"held, in another zone":    {created: created.In(time.FixedZone("CST", 8*3600)), held: "held at step 1", ends: true},
		"missing":                  {missing: true, says: "has no KusciaDeployment of this name"},
		"missing briefly":          {missing: true, behind: 8 * time.Second, ends: true},
		"older briefly":            {created: created.Add(-time.Hour), behind: 8 * time.Second, ends: true},
	} {
		t.Run(name, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
				defer cancel()
				observation := sees(test.held == "", true)
				observation.Created, observation.Paused, observation.Missing = test.created, test.held, test.missing
				began := time.Now()
				result, err := NewPoller(&fakeSource{status: always(runs)}).WaitRunning(ctx, observedTarget(func() (Observation, error) {
					if test.behind > 0 && time.Since(began) > test.behind {
						return sees(true, true), nil
					}
					return observation, nil
				}))
				if test.ends {
					if err != nil || result.Paused != test.held {
						t.Errorf("%+v, %v", result, err)
					}
					return
				}
				var e *NotRunningError
				if took := time.Since(began); !errors.As(err, &e) || e.Cause != CauseOtherCluster || took < 10*time.Second || took > 15*time.Second {
					t.Errorf("after %s: %v", took, err)
				}
				for _, text := range []string{test.says, "does not refer to the cluster of this Kuscia"} {
					if !strings.Contains(fmt.Sprint(err), text) {
						t.Errorf("%q is not in %v", text, err)
					}
				}
			})
		})
	}
}

// TestOtherClusterWithoutStatus: the status from before an update identifies the
// cluster of another Kuscia even while Kuscia does not respond.
func TestOtherClusterWithoutStatus(t *testing.T) {
	inTime(t, func(t *testing.T) {
		source := &fakeSource{status: always(runs), fail: func([]string) error { return apierror.ErrUnavailable }}
		_, err := NewPoller(source).WaitRunning(t.Context(), observedTarget(func() (Observation, error) { return Observation{Created: time.Now()}, nil }))
		if !strings.Contains(fmt.Sprint(err), "created at a different time than the serving") {
			t.Error(err)
		}
	})
}

// TestMissingBeforeTheStatus: as long as Kuscia has no status, the cluster need
// not have the KusciaDeployment.
func TestMissingBeforeTheStatus(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		source := &fakeSource{status: play(began, step{time.Minute, nil}, step{0, runs})}
		target := named("glm")
		target.Observer = observerFunc(func() (Observation, error) {
			if time.Since(began) < time.Minute {
				return Observation{Missing: true}, nil
			}
			return sees(true, true), nil
		})
		if _, err := NewPoller(source).WaitRunning(t.Context(), target); err != nil {
			t.Error(err)
		}
	})
}
