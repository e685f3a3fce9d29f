package wait

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// fakeSource is a Kuscia in the time of the test.
type fakeSource struct {
	// status returns the status of one id; unlisted is an id that does not
	// exist.
	status func(id string) (status *kuscia.ServingStatusDetail, listed bool)
	// fail fails a request when it returns an error.
	fail func(ids []string) error
	// takes is how long a request takes.
	takes time.Duration

	mu       sync.Mutex
	requests []request
	underWay int
	most     int
}

type request struct {
	at  time.Time
	ids []string
}

func (s *fakeSource) BatchQueryServingStatus(ctx context.Context, ids []string) ([]kuscia.ServingStatus, error) {
	s.mu.Lock()
	s.requests = append(s.requests, request{time.Now(), slices.Clone(ids)})
	s.underWay++
	s.most = max(s.most, s.underWay)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.underWay--
		s.mu.Unlock()
	}()
	if s.takes > 0 {
		select {
		case <-time.After(s.takes):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if s.fail != nil {
		if err := s.fail(ids); err != nil {
			return nil, err
		}
	}
	var out []kuscia.ServingStatus
	for _, id := range ids {
		if status, listed := s.status(id); listed {
			out = append(out, kuscia.ServingStatus{ServingID: id, Status: status})
		}
	}
	return out, nil
}

// all are the requests so far.
func (s *fakeSource) all() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

func (s *fakeSource) count() int { return len(s.all()) }

func always(status *kuscia.ServingStatusDetail) func(string) (*kuscia.ServingStatusDetail, bool) {
	return func(string) (*kuscia.ServingStatusDetail, bool) { return status, true }
}

var runs = detail(available, pods("alice", 2, 2, 0, 2), pods("bob", 1, 1, 0, 1))

func named(id string) Target {
	target := desired(2)
	target.ServingID = id
	return target
}

// refuses fails every request with a certain id.
func refuses(id string, with error) func([]string) error {
	return func(ids []string) error {
		if slices.Contains(ids, id) {
			return with
		}
		return nil
	}
}

// runAll waits for servings, all of which start to run, while rest runs
// concurrently.
func runAll(ctx context.Context, t *testing.T, poller *Poller, count int, beside ...func()) {
	t.Helper()
	var group sync.WaitGroup
	for _, do := range beside {
		group.Go(do)
	}
	for i := range count {
		group.Go(func() {
			if _, err := poller.WaitRunning(ctx, named(fmt.Sprintf("s%d", i))); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

// inTime runs a test in a synctest bubble. The bubble ends only when the poller
// has no goroutine left.
func inTime(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

func TestWaitRunning(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		source := &fakeSource{status: func(string) (*kuscia.ServingStatusDetail, bool) {
			status, _ := seriesStatus(recorded[0].series, int(time.Since(began).Milliseconds()))
			return status, true
		}}
		result, err := NewPoller(source).WaitRunning(t.Context(), named("glm"))
		if err != nil || result.Status.State != available {
			t.Fatalf("%+v, %v", result, err)
		}
		if took := time.Since(began); took < 1268*time.Millisecond || took > 1900*time.Millisecond {
			t.Errorf("the serving ran after 1.268 s, the wait took %s", took)
		}
		if first := source.all()[0].at.Sub(began); first < 200*time.Millisecond || first > 300*time.Millisecond {
			t.Errorf("the first poll was after %s", first)
		}
	})
}

// A wait for each recorded series, in real times, never ends before the last
// status.
func TestWaitRecordedSeries(t *testing.T) {
	for _, r := range recorded {
		t.Run(r.name, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				began := time.Now()
				source := &fakeSource{takes: 10 * time.Millisecond, status: func(string) (*kuscia.ServingStatusDetail, bool) {
					status, _ := seriesStatus(r.series, int(time.Since(began).Milliseconds()))
					return status, true
				}}
				target := r.target
				target.Since = began
				_, err := NewPoller(source).WaitRunning(t.Context(), target)
				end := time.Duration(r.series[len(r.series)-1].ms) * time.Millisecond
				// An update that is complete before it can be observed takes
				// until the status lag margin has passed.
				limit := max(end, 1500*time.Millisecond) + 700*time.Millisecond
				if took := time.Since(began); err != nil || took < end || took > limit {
					t.Errorf("done after %s, the wait took %s: %v", end, took, err)
				}
			})
		})
	}
}

// An update without a visible change ends after the status lag margin.
func TestSettleTime(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		target := updated(named("glm"))
		target.Since = began
		if _, err := NewPoller(&fakeSource{status: always(runs)}).WaitRunning(t.Context(), target); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took < 1500*time.Millisecond || took > 2*time.Second {
			t.Errorf("%s", took)
		}
	})
}

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
		{"no status", nil, named("glm"), []string{"no status", "(for 1m0s)", "app image", "domain that does not exist", "service_name_prefix"}},
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
		if !errors.As(err, &e) || e.Cause != CauseCancelled || !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "cancelled after 10s") {
			t.Errorf("%v", err)
		}
		// A wait whose context has already ended sends no query.
		asked := source.count()
		if _, err := NewPoller(source).WaitRunning(ctx, named("glm")); !errors.Is(err, context.Canceled) || source.count() != asked {
			t.Errorf("%v", err)
		}
	})
}

// A cancelled wait also cancels its only request.
func TestCancelInRequest(t *testing.T) {
	inTime(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		source := &fakeSource{takes: time.Hour, status: always(runs)}
		if _, err := NewPoller(source).WaitRunning(ctx, named("glm")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		synctest.Wait()
		if time.Since(began) > time.Second || source.underWay != 0 {
			t.Errorf("%d concurrent requests after %s", source.underWay, time.Since(began))
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
			source.fail = func([]string) error { return kind }
			began := time.Now()
			_, err := NewPoller(source).WaitRunning(t.Context(), named("glm"))
			took := time.Since(began)
			if !errors.As(err, &e) || e.Cause != CauseRefused || !errors.Is(err, kind) || took < 30*time.Second || took > 35*time.Second {
				t.Errorf("after %s: %v", took, err)
			}
		}
	})
}

// Many waits need one request per poll, never two concurrently, and each gets
// the status of its own serving.
func TestManyWaits(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		ready := func(id string) time.Duration {
			var n int
			_, _ = fmt.Sscanf(id, "s%d", &n)
			return time.Duration(n) * 20 * time.Millisecond // up to 10 s
		}
		source := &fakeSource{takes: 30 * time.Millisecond, status: func(id string) (*kuscia.ServingStatusDetail, bool) {
			if time.Since(began) < ready(id) {
				return detail(progress, pods("alice", 2, 0, 2, 2), pods("bob", 1, 0, 1, 1)), true
			}
			status := *runs
			status.Message = id
			return &status, true
		}}
		poller := NewPoller(source)
		var group sync.WaitGroup
		var mu sync.Mutex
		var delays []time.Duration
		for i := range 500 {
			group.Go(func() {
				id := fmt.Sprintf("s%d", i)
				result, err := poller.WaitRunning(t.Context(), named(id))
				if err != nil || result.Status.Message != id {
					t.Errorf("%s: %+v, %v", id, result, err)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				delays = append(delays, time.Since(began)-max(ready(id), 250*time.Millisecond))
			})
		}
		group.Wait()
		slices.Sort(delays)
		median, longest := delays[len(delays)/2], delays[len(delays)-1]
		t.Logf("%d requests for 500 waits of up to 10 s; median delay %s, longest %s", source.count(), median, longest)
		if median > 500*time.Millisecond || longest > time.Second {
			t.Errorf("median delay %s, longest %s", median, longest)
		}
		if source.most != 1 {
			t.Errorf("%d requests at a time", source.most)
		}
		for _, r := range source.all() {
			if len(r.ids) > 200 {
				t.Errorf("%d ids in one request", len(r.ids))
			}
		}
		// Three requests per poll at first, at least a quarter of a second apart
		// except for confirmations.
		if n := source.count(); n > 3*10*7 {
			t.Errorf("%d requests", n)
		}
	})
}

// A long wait polls rarely; a new one makes the polls frequent again.
func TestPollInterval(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		source := &fakeSource{status: func(id string) (*kuscia.ServingStatusDetail, bool) {
			if id == "new" && time.Since(began) > 604*time.Second {
				return runs, true
			}
			return nil, true
		}}
		poller := NewPoller(source)
		ctx, cancel := context.WithTimeout(t.Context(), 620*time.Second)
		defer cancel()
		var group sync.WaitGroup
		group.Go(func() { _, _ = poller.WaitRunning(ctx, named("long")) })
		time.Sleep(590 * time.Second)
		at10min := source.count()
		time.Sleep(10 * time.Second)
		// The next poll of the long wait is more than a second away.
		for looks := source.all(); time.Since(looks[len(looks)-1].at) > time.Second; looks = source.all() {
			time.Sleep(50 * time.Millisecond)
		}
		if n := source.count() - at10min; n < 3 || n > 6 {
			t.Errorf("%d polls in 10 s of a wait of 10 min", n)
		}
		if at10min > 400 {
			t.Errorf("%d polls in 10 min", at10min)
		}
		newBegan := time.Now()
		if _, err := poller.WaitRunning(ctx, named("new")); err != nil {
			t.Error(err)
		}
		for _, r := range source.all() {
			if slices.Contains(r.ids, "new") {
				if first := r.at.Sub(newBegan); first > 300*time.Millisecond {
					t.Errorf("the first poll for the new wait was after %s", first)
				}
				break
			}
		}
		if late := time.Since(began) - 604*time.Second; late > 700*time.Millisecond {
			t.Errorf("the new wait ended %s late", late)
		}
		group.Wait()
	})
}

// A slow server is not polled without a pause.
func TestSlowServer(t *testing.T) {
	inTime(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		source := &fakeSource{takes: 2 * time.Second, status: always(nil)}
		_, _ = NewPoller(source).WaitRunning(ctx, named("glm"))
		if n := source.count(); n > 16 || source.most != 1 {
			t.Errorf("%d requests of 2 s in a minute, %d at a time", n, source.most)
		}
	})
}

func TestWaitGone(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		source := &fakeSource{status: func(string) (*kuscia.ServingStatusDetail, bool) { return runs, time.Since(began) < 3*time.Second }}
		if err := NewPoller(source).WaitDeleted(t.Context(), "glm"); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took < 3*time.Second || took > 3500*time.Millisecond {
			t.Errorf("%s", took)
		}
		began = time.Now()
		source.status = func(string) (*kuscia.ServingStatusDetail, bool) { return nil, false }
		if err := NewPoller(source).WaitDeleted(t.Context(), "glm"); err != nil || time.Since(began) > 100*time.Millisecond {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
		source.status = always(runs)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err := NewPoller(source).WaitDeleted(ctx, "glm")
		var e *NotDeletedError
		if !errors.As(err, &e) || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "still listed 1m0s after") {
			t.Errorf("%v", err)
		}
		source.fail = func([]string) error { return kuscia.ErrUnavailable }
		ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err = NewPoller(source).WaitDeleted(ctx, "glm"); !errors.As(err, &e) || !strings.Contains(err.Error(), "is still unknown") {
			t.Errorf("%v", err)
		}
		source.fail = func([]string) error { return kuscia.ErrUnauthorized }
		if err = NewPoller(source).WaitDeleted(t.Context(), "glm"); !errors.As(err, &e) || !errors.Is(err, kuscia.ErrUnauthorized) {
			t.Errorf("%v", err)
		}
	})
}

// Servers up to v0.10 fail the whole request if one id does not exist: the
// others are not affected, and that one is deleted.
func TestOldServer(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		source := &fakeSource{status: always(runs)}
		source.fail = func(ids []string) error {
			if slices.Contains(ids, "gone") {
				if len(ids) == 1 {
					return fmt.Errorf("11602: %w", kuscia.ErrNotFound)
				}
				return errors.New("11602: something")
			}
			return nil
		}
		poller := NewPoller(source)
		var group sync.WaitGroup
		for i := range 20 {
			group.Go(func() {
				if _, err := poller.WaitRunning(t.Context(), named(fmt.Sprintf("s%d", i))); err != nil {
					t.Error(err)
				}
			})
		}
		group.Go(func() {
			if err := poller.WaitDeleted(t.Context(), "gone"); err != nil {
				t.Error(err)
			}
		})
		group.Wait()
		if took := time.Since(began); took > time.Second {
			t.Errorf("%s", took)
		}
	})
}

// An id that makes every request fail is queried singly from then on, so that
// the others continue at the usual cost.
func TestIDThatFailsBatches(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		source := &fakeSource{status: func(string) (*kuscia.ServingStatusDetail, bool) {
			if time.Since(began) > 30*time.Second {
				return runs, true
			}
			return nil, true
		}}
		source.fail = refuses("bad", errors.New("11602: odd"))
		poller := NewPoller(source)
		ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
		defer cancel()
		runAll(ctx, t, poller, 100, func() {
			var e *NotRunningError
			if _, err := poller.WaitRunning(ctx, named("bad")); !errors.As(err, &e) || !strings.Contains(err.Error(), "odd") {
				t.Errorf("%v", err)
			}
		})
		// One poll of 101 single requests, then two requests per poll.
		if n := source.count(); n > 101+2*40*5 {
			t.Errorf("%d requests", n)
		}
	})
}

// Two waits for one serving both get its status.
func TestTwoWaitsForOne(t *testing.T) {
	inTime(t, func(t *testing.T) {
		source := &fakeSource{status: always(runs)}
		poller := NewPoller(source)
		var group sync.WaitGroup
		for range 2 {
			group.Go(func() {
				if _, err := poller.WaitRunning(t.Context(), named("glm")); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		for _, r := range source.all() {
			if len(r.ids) != 1 {
				t.Errorf("%v", r.ids)
			}
		}
	})
}

// A Deployment older than the serving is awaited until it is replaced, or until
// it has run for so long that it will not be deleted.
func TestStaleDeployment(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		old := detail(available, pods("alice", 2, 2, 0, 2), pods("bob", 1, 1, 0, 1))
		old.CreateTime = "2026-11-21T00:09:00Z"
		source := &fakeSource{status: func(string) (*kuscia.ServingStatusDetail, bool) {
			if time.Since(began) > 5*time.Second {
				return runs, true
			}
			return old, true
		}}
		if _, err := NewPoller(source).WaitRunning(t.Context(), named("glm")); err != nil || time.Since(began) < 5*time.Second || time.Since(began) > 6*time.Second {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
		began = time.Now()
		source.status = always(old)
		if _, err := NewPoller(source).WaitRunning(t.Context(), named("glm")); err != nil || time.Since(began) < time.Minute || time.Since(began) > 65*time.Second {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
	})
}

// The log has one line for each change.
func TestProgressLines(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		pulling := detail(progress, pods("bob", 1, 1, 0, 1), pods("alice", 2, 0, 2, 2))
		pulling.Reason, pulling.Message = "domainID: alice, reason: ImagePullBackOff", "Back-off"
		source := &fakeSource{status: func(string) (*kuscia.ServingStatusDetail, bool) {
			switch since := time.Since(began); {
			case since < 3*time.Second:
				return nil, true
			case since < 9*time.Second:
				return pulling, true
			}
			return runs, true
		}}
		var output bytes.Buffer
		ctx := tflogtest.RootLogger(t.Context(), &output)
		if _, err := NewPoller(source).WaitRunning(ctx, named("glm")); err != nil {
			t.Fatal(err)
		}
		lines, err := tflogtest.MultilineJSONDecode(&output)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, line := range lines {
			if line["@level"] != "info" || line["serving_id"] != "glm" {
				t.Errorf("%v", line)
			}
			got = append(got, fmt.Sprint(line["@message"]))
		}
		want := []string{
			"serving glm: waiting until it runs: no status yet",
			"serving glm: waiting until it runs: Progressing (domainID: alice, reason: ImagePullBackOff), alice: 2 pods, 2 updated, 0 available, bob: 1 pods, 1 updated, 1 available. " + podHint("ImagePullBackOff"),
			"serving glm: waiting until it runs: Available, alice: 2 pods, 2 updated, 2 available, bob: 1 pods, 1 updated, 1 available",
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
	})
}

func TestTable(t *testing.T) {
	status := detail(partial, pods("carol", 1, 1, 0, 1), pods("bob-with-a-long-name", 12, 10, 2, 11))
	status.PartyStatuses[1].Role = "server"
	target := Target{Parties: []PartyTarget{{DomainID: "bob-with-a-long-name", Role: "server", Replicas: 12}, {DomainID: "alice", Replicas: 2}}}
	want := `  DOMAIN                ROLE    STATE             DESIRED  UPDATED  AVAILABLE  UNAVAILABLE
  bob-with-a-long-name  server  PartialAvailable  12       11       10         2
  carol                 -       Available         -        1        1          0
  alice                 -       no status         2        -        -          -
`
	if got := partyTable(status, target); got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
}

// Waits start and end at random, under the race detector.
func TestConcurrentWaits(t *testing.T) {
	source := &fakeSource{takes: time.Millisecond, status: func(id string) (*kuscia.ServingStatusDetail, bool) {
		if strings.HasPrefix(id, "never") {
			return nil, true
		}
		return runs, true
	}}
	poller := NewPoller(source, WithInterval(2*time.Millisecond, 5*time.Millisecond), WithChunkSize(7))
	var group sync.WaitGroup
	for i := range 200 {
		group.Go(func() {
			time.Sleep(time.Duration(i%17) * time.Millisecond)
			id := "s"
			if i%3 == 0 {
				id = "never"
			}
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			_, err := poller.WaitRunning(ctx, named(fmt.Sprintf("%s%d", id, i)))
			if id == "never" && err == nil {
				t.Errorf("%s%d runs", id, i)
			}
		})
	}
	group.Wait()
	for range 1000 {
		poller.mu.Lock()
		running := poller.running
		poller.mu.Unlock()
		if !running {
			break
		}
		time.Sleep(time.Millisecond)
	}
	poller.mu.Lock()
	defer poller.mu.Unlock()
	if poller.running || len(poller.waiters) != 0 || source.most != 1 {
		t.Errorf("running %v, %d waiters, %d requests at a time", poller.running, len(poller.waiters), source.most)
	}
}

// Progress is called once for each change.
func TestProgress(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		source := &fakeSource{status: func(string) (*kuscia.ServingStatusDetail, bool) {
			if time.Since(began) < 3*time.Second {
				return nil, true
			}
			return runs, true
		}}
		target := named("glm")
		var mu sync.Mutex
		var told []string
		target.Progress = func(text string) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, text)
		}
		if _, err := NewPoller(source).WaitRunning(t.Context(), target); err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		defer mu.Unlock()
		if want := []string{"no status yet", summary(runs)}; !slices.Equal(told, want) {
			t.Errorf("%q, want %q", told, want)
		}
	})
}
