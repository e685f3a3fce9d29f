package servingstatus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

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
		if median, longest := delays[len(delays)/2], delays[len(delays)-1]; median > 500*time.Millisecond || longest > time.Second {
			t.Errorf("median delay %s, longest %s", median, longest)
		}
		if source.most != 1 {
			t.Errorf("%d requests at a time", source.most)
		}
		if slices.ContainsFunc(source.all(), func(r request) bool { return len(r.ids) > 200 }) {
			t.Error("a request has more than 200 ids")
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
		time.Sleep(600 * time.Second)
		if n := source.count(); n > 400 {
			t.Errorf("%d polls in 10 min", n)
		}
		if _, err := poller.WaitRunning(ctx, named("new")); err != nil {
			t.Error(err)
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

// TestFailingIDs: an id for which the batch request fails, with any code, does not affect the other
// ids; if every id fails, the server is not queried for each of them. Servers up to v0.10 fail the
// whole request if one id does not exist, which is then deleted.
func TestFailingIDs(t *testing.T) {
	bad := func(ids []string) bool { return slices.Contains(ids, "bad") }
	for name, test := range map[string]struct {
		fails   func(ids []string) bool
		with    error
		cause   Cause
		deleted bool
		most    int
	}{
		"refused":  {fails: bad, with: fmt.Errorf("11102: %w", kuscia.ErrUnauthorized), cause: CauseRefused, most: 80},
		"too slow": {fails: bad, with: fmt.Errorf("wrapped: %w", &kuscia.Error{Code: "11602", Message: "context deadline exceeded"}), cause: CauseTimedOut, most: 160},
		"old server": {
			fails: bad, with: errors.New("11602: something"), deleted: true, most: 45,
		},
		"all": {fails: func([]string) bool { return true }, with: errors.New("11602: odd"), cause: CauseTimedOut, most: (1 + wait.MinFailures) * 60 * 5},
	} {
		t.Run(name, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				source := &fakeSource{status: always(runs), fail: func(ids []string) error {
					if !test.fails(ids) {
						return nil
					}
					if test.deleted && len(ids) == 1 {
						return fmt.Errorf("11602: %w", kuscia.ErrNotFound)
					}
					return test.with
				}}
				poller := NewPoller(source)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				var group sync.WaitGroup
				for i := range 30 {
					group.Go(func() {
						if _, err := poller.WaitRunning(ctx, named(fmt.Sprint("s", i))); (err != nil) != (name == "all") {
							t.Error(err)
						}
					})
				}
				var e *NotRunningError
				if test.deleted {
					if err := poller.WaitDeleted(ctx, "bad"); err != nil {
						t.Error(err)
					}
				} else if _, err := poller.WaitRunning(ctx, named("bad")); !errors.As(err, &e) || e.Cause != test.cause {
					t.Error(err)
				}
				group.Wait()
				if n := source.count(); n > test.most {
					t.Errorf("%d requests", n)
				}
			})
		})
	}
}

// TestConcurrentWaits: waits start and end at random, also under the race detector, after which the
// poller ends.
func TestConcurrentWaits(t *testing.T) {
	source := &fakeSource{takes: time.Millisecond, status: func(id string) (*kuscia.ServingStatusDetail, bool) {
		if strings.HasPrefix(id, "never") {
			return nil, true
		}
		return runs, true
	}}
	poller := NewPoller(source, WithInterval(2*time.Millisecond, 5*time.Millisecond), WithChunkSize(7))
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Millisecond)
	defer cancel()
	var group sync.WaitGroup
	for i := range 200 {
		group.Go(func() {
			time.Sleep(time.Duration(i%17) * time.Millisecond)
			id := []string{"never", "s", "s"}[i%3]
			if _, err := poller.WaitRunning(ctx, named(fmt.Sprint(id, i))); id == "never" && err == nil {
				t.Errorf("%s%d runs", id, i)
			}
		})
	}
	group.Wait()
	idle := func() bool {
		poller.mu.Lock()
		defer poller.mu.Unlock()
		return !poller.running && len(poller.subscriptions) == 0
	}
	for i := 0; !idle() && i < 1000; i++ {
		time.Sleep(time.Millisecond)
	}
	if !idle() || source.most != 1 {
		t.Errorf("%d requests at a time, or the poller still runs", source.most)
	}
}

// TestToPoll: a request for what is due takes along all that ask, but while only starts of
// rollouts are observed, the other servings are asked about as seldom as before.
func TestToPoll(t *testing.T) {
	t.Parallel()
	now := time.Now()
	slow := func(due time.Duration) *Subscription {
		return &Subscription{id: "slow", due: now.Add(due), pause: 4 * time.Second}
	}
	fast := &Subscription{id: "fast", due: now, pause: 200 * time.Millisecond, fast: true}
	later := &Subscription{id: "later", due: now.Add(time.Hour), pause: time.Second}
	for name, test := range map[string]struct {
		asking []*Subscription
		want   string
	}{
		"a slow one is due":           {[]*Subscription{slow(0), fast, later}, "slow fast later "},
		"only a fast one is due":      {[]*Subscription{slow(3 * time.Second), fast, later}, "fast "},
		"a slow one is almost due":    {[]*Subscription{slow(time.Second), fast, later}, "slow fast "},
		"a fast one alone":            {[]*Subscription{fast}, "fast "},
		"nothing is due for a moment": {[]*Subscription{later}, ""},
	} {
		got := ""
		for _, s := range toPoll(test.asking, now) {
			got += s.id + " "
		}
		if got != test.want {
			t.Errorf("%s: polls %q, want %q", name, got, test.want)
		}
	}
}
