package servingstatus

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

func TestFailedEnds(t *testing.T) {
	inTime(t, func(t *testing.T) {
		status := detail(failed, pods("bob", 1, 1, 0, 1))
		status.Reason, status.Message = "CreateServiceFailed", "domain alice service shared-internal already exist"
		began := time.Now()
		_, err := NewPoller(&fakeSource{status: always(status)}).WaitRunning(t.Context(), named("glm"))
		var e *NotRunningError
		if !errors.As(err, &e) || e.Cause != CauseFailed || e.Last != status || time.Since(began) < time.Second || time.Since(began) > 1600*time.Millisecond {
			t.Fatalf("after %s: %v", time.Since(began), err)
		}
		for _, part := range []string{`serving "glm" failed`, "CreateServiceFailed", "shared-internal already exist", "  alice   -     no status  2        -        -          -", "  bob     -     Available  1        1        1          0"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q is not in\n%v", part, err)
			}
		}
	})
}

// The state Failed from before a repairing update is ignored; one that stays is
// not, and neither is a new one.
func TestFailedAfterUpdate(t *testing.T) {
	for name, c := range map[string]struct {
		before       *kuscia.ServingStatusDetail
		atLeast, max time.Duration
	}{
		"as before": {detail(failed), StartTimeout, StartTimeout + 3*time.Second},
		"new":       {runs, 1500 * time.Millisecond, 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				began := time.Now()
				target := since(rolling(RollingReplacement, named("glm")), c.before)
				target.Since = began
				_, err := NewPoller(&fakeSource{status: always(detail(failed))}).WaitRunning(t.Context(), target)
				var e *NotRunningError
				if took := time.Since(began); !errors.As(err, &e) || e.Cause != CauseFailed || took < c.atLeast || took > c.max {
					t.Errorf("after %s: %v", took, err)
				}
			})
		})
	}
}

func TestTimeout(t *testing.T) {
	cases := []struct {
		name   string
		status *kuscia.ServingStatusDetail
		target Target
		parts  []string
	}{
		{"no status", nil, named("glm"), []string{"no status", "(for 1m0s)", "app image", "a domain does not exist", "service_name_prefix"}},
		{"held rollout", detail(available, pods("alice", 2, 2, 0, 0), pods("bob", 1, 1, 0, 1)), updated(named("glm")),
			[]string{"state Available", "party alice has fewer updated pods than desired", "Kruise Rollout", "do not start"}},
		{"old replicas", detail(available, pods("alice", 3, 3, 0, 3), pods("bob", 1, 1, 0, 1)), updated(named("glm")),
			[]string{"does not run the desired number of pods", "could not apply the update"}},
		{"pods that do not become ready", detail(progress, pods("alice", 2, 0, 2, 2), pods("bob", 1, 1, 0, 1)), named("glm"),
			[]string{"do not become available", "readiness probe"}},
		{"a party missing", detail(progress, pods("alice", 2, 2, 0, 2)), named("glm"), []string{"nothing for party bob", "no status"}},
		{"image", func() *kuscia.ServingStatusDetail {
			s := detail(progress, pods("alice", 2, 0, 2, 2), pods("bob", 1, 1, 0, 1))
			s.Reason, s.Message = "domainID: alice, reason: ImagePullBackOff", `Back-off pulling image "example/broken:1"`
			return s
		}(), named("glm"), []string{"ImagePullBackOff", `Back-off pulling image "example/broken:1"`, "cannot be pulled", "registry"}},
		{"crash", func() *kuscia.ServingStatusDetail {
			s := detail(progress, pods("alice", 2, 0, 2, 2), pods("bob", 1, 1, 0, 1))
			s.Reason = "domainID: alice, reason: CrashLoopBackOff"
			return s
		}(), named("glm"), []string{"starts and exits again"}},
		{"stale Deployment", func() *kuscia.ServingStatusDetail {
			s := detail(available, pods("alice", 2, 2, 0, 2), pods("bob", 1, 1, 0, 1))
			s.CreateTime = "2026-11-21T00:08:28Z"
			return s
		}(), named("glm"), []string{"older than the serving", "earlier serving with the same ID"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				_, err := NewPoller(&fakeSource{status: always(c.status)}, WithStaleDeploymentTimeout(2*time.Minute)).WaitRunning(ctx, c.target)
				var e *NotRunningError
				if !errors.As(err, &e) || e.Cause != CauseTimedOut || !errors.Is(err, context.DeadlineExceeded) {
					t.Fatalf("%v", err)
				}
				for _, part := range append(c.parts, "does not run as configured after 1m0s") {
					if !strings.Contains(err.Error(), part) {
						t.Errorf("%q is not in\n%v", part, err)
					}
				}
				if c.status != nil && !strings.Contains(err.Error(), "  DOMAIN  ROLE  STATE") {
					t.Errorf("no table in\n%v", err)
				}
			})
		})
	}
}

func TestCancel(t *testing.T) {
	inTime(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Second, cancel)
		source := &fakeSource{status: always(detail(progress, pods("alice", 2, 1, 1, 2)))}
		_, err := NewPoller(source).WaitRunning(ctx, named("glm"))
		var e *NotRunningError
		if !errors.As(err, &e) || e.Cause != CauseCancelled || !errors.Is(err, context.Canceled) || !errors.Is(err, wait.ErrCancelled) || !strings.Contains(err.Error(), "cancelled after 10s") ||
			strings.Contains(err.Error(), "do not become available") {
			t.Errorf("%v", err)
		}
		begun, stop := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Second, stop)
		if _, err := NewPoller(&fakeSource{status: always(nil)}).WaitRunning(begun, named("glm")); !errors.Is(err, wait.ErrCancelled) || strings.Contains(err.Error(), "Likely") {
			t.Errorf("without a status: %v", err)
		}
		// A wait whose context has already ended sends no query.
		asked := source.count()
		if _, err := NewPoller(source).WaitRunning(ctx, named("glm")); !errors.Is(err, context.Canceled) || source.count() != asked {
			t.Errorf("%v", err)
		}
	})
}

// A wait for a serving that is deleted ends; one for a serving that is not
// listed yet does not.
func TestGoneWhileWaiting(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		source := &fakeSource{status: func(string) (*kuscia.ServingStatusDetail, bool) {
			return detail(progress, pods("alice", 2, 0, 2, 2)), time.Since(began) < 5*time.Second
		}}
		_, err := NewPoller(source).WaitRunning(t.Context(), named("glm"))
		var e *NotRunningError
		if !errors.As(err, &e) || e.Cause != CauseDeleted || !strings.Contains(err.Error(), "it was deleted") {
			t.Errorf("%v", err)
		}
		if took := time.Since(began); took > 6*time.Second {
			t.Errorf("%s", took)
		}

		began = time.Now()
		source.status = func(string) (*kuscia.ServingStatusDetail, bool) { return runs, time.Since(began) > time.Second }
		if _, err := NewPoller(source).WaitRunning(t.Context(), named("glm")); err != nil {
			t.Errorf("%v", err)
		}

		// One response without the serving is not enough.
		looks := 0
		source.status = func(string) (*kuscia.ServingStatusDetail, bool) {
			looks++
			return runs, looks < 10 || looks > 10
		}
		target := updated(named("glm"))
		target.Parties[0].Replicas = 7
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if _, err = NewPoller(source).WaitRunning(ctx, target); !errors.As(err, &e) || e.Cause != CauseTimedOut {
			t.Errorf("%v", err)
		}
	})
}

// Failed polls do not end a wait, and the last failure is in the error of a
// timeout; a refusal ends it.
func TestFailedPolls(t *testing.T) {
	unavailable := fmt.Errorf("connection refused: %w", kuscia.ErrUnavailable)
	inTime(t, func(t *testing.T) {
		began := time.Now()
		source := &fakeSource{status: always(runs), fail: func([]string) error {
			if time.Since(began) < 20*time.Second {
				return unavailable
			}
			return nil
		}}
		if _, err := NewPoller(source).WaitRunning(t.Context(), named("glm")); err != nil {
			t.Errorf("%v", err)
		}

		source.fail = func([]string) error { return unavailable }
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		_, err := NewPoller(source).WaitRunning(ctx, named("glm"))
		var e *NotRunningError
		if !errors.As(err, &e) || e.Cause != CauseTimedOut || e.StatusErr == nil || !strings.Contains(err.Error(), "connection refused") {
			t.Errorf("%v", err)
		}

		for _, kind := range []error{kuscia.ErrUnauthorized, kuscia.ErrInvalid, kuscia.ErrUnsupported} {
			began := time.Now()
			source.fail = func([]string) error { // a reload of a gateway or a new token ends no wait
				if time.Since(began) < 20*time.Second {
					return kind
				}
				return nil
			}
			if _, err := NewPoller(source).WaitRunning(t.Context(), named("glm")); err != nil {
				t.Errorf("%v", err)
			}
			source.fail = func([]string) error { return kind }
			began = time.Now()
			_, err := NewPoller(source).WaitRunning(t.Context(), named("glm"))
			took := time.Since(began)
			if !errors.As(err, &e) || e.Cause != CauseRefused || !errors.Is(err, kind) || took < 30*time.Second || took > 35*time.Second {
				t.Errorf("after %s: %v", took, err)
			}
		}
	})
}
