package servingstatus

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// slowKuscia is a Kuscia that handles one request at a time, and whose status queries
// take a time for each serving. A rollout is visible for a second.
type slowKuscia struct {
	perServing, visible time.Duration
	busy                chan struct{}

	mu      sync.Mutex
	started map[string]time.Time
	looks   int
}

func newSlowKuscia(perServing, visible time.Duration) *slowKuscia {
	return &slowKuscia{perServing: perServing, visible: visible, busy: make(chan struct{}, 1), started: map[string]time.Time{}}
}

// occupy makes other requests wait until the returned function is called.
func (s *slowKuscia) occupy() (end func()) {
	s.busy <- struct{}{}
	return func() { <-s.busy }
}

func (s *slowKuscia) BatchQueryServingStatus(ctx context.Context, ids []string) ([]kuscia.ServingStatus, error) {
	defer s.occupy()()
	var out []kuscia.ServingStatus
	for _, id := range ids {
		if !wait.Sleep(ctx, s.perServing) {
			return nil, ctx.Err()
		}
		s.mu.Lock()
		s.looks++
		status := detail(available, pods("alice", 1, 1, 0, 1))
		if since := time.Since(s.started[id]); since >= 0 && since < s.visible {
			status = detail(available, pods("alice", 2, 1, 1, 1))
		}
		s.mu.Unlock()
		out = append(out, kuscia.ServingStatus{ServingID: id, Status: status})
	}
	return out, nil
}

// prepare makes the requests that the resource makes before an update.
func (s *slowKuscia) prepare(requests int) {
	for range requests {
		func() {
			defer s.occupy()()
			time.Sleep(s.perServing)
		}()
	}
}

// begin is the update: its rollout starts soon.
func (s *slowKuscia) begin(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.started[id] = time.Now().Add(50*time.Millisecond + rand.N(250*time.Millisecond))
}

// updateMany updates servings, ten at a time as Terraform does, and returns how long it
// took and how many starts were not observed.
func updateMany(t *testing.T, s *slowKuscia, count int) (took time.Duration, missed int) {
	poller, began := NewPoller(s), time.Now()
	slots := make(chan struct{}, 10)
	var group sync.WaitGroup
	var mu sync.Mutex
	for i := range count {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			id := fmt.Sprintf("s%d", i)
			s.prepare(4)
			slot := poller.AcquireStart(t.Context())
			defer slot.Release()
			s.begin(id)
			status := detail(available, pods("alice", 1, 1, 0, 1))
			result, err := poller.WaitRunning(t.Context(), Target{
				Slot: slot, ServingID: id, Updated: true, Before: &Snapshot{Status: status}, Since: time.Now(),
				Parties: []PartyTarget{{DomainID: "alice", Replicas: 1, Replacement: RollingReplacement}},
			})
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if len(result.StartNotObserved) > 0 {
				missed++
			}
		})
	}
	group.Wait()
	return time.Since(began), missed
}

// TestManyUpdates: the starts of many updates are observed on a server that handles one
// request at a time and takes 14 ms for each serving, as was measured on a busy node.
func TestManyUpdates(t *testing.T) {
	const busy = 14 * time.Millisecond
	for _, test := range []struct {
		each    time.Duration
		count   int
		visible time.Duration
		// missed is how many starts may be missed.
		missed int
	}{
		{busy, 10, time.Second, 0}, {busy, 60, time.Second, 0}, {busy, 60, 400 * time.Millisecond, 0}, {busy, 10, 200 * time.Millisecond, 1}, {busy, 60, 200 * time.Millisecond, 2},
		{time.Millisecond, 60, time.Second, 0},
	} {
		t.Run(fmt.Sprintf("%d for %s, %s each", test.count, test.visible, test.each), func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				s := newSlowKuscia(test.each, test.visible)
				took, missed := updateMany(t, s, test.count)
				t.Logf("%s, %d not observed, %d looks", took.Round(100*time.Millisecond), missed, s.looks)
				if missed > test.missed || missed == 0 && took > 20*time.Second {
					t.Errorf("%d starts were not observed, in %s", missed, took)
				}
			})
		})
	}
}

// TestStartSlots: a server that answers quickly gets more updates at a time, a slow one fewer.
func TestStartSlots(t *testing.T) {
	o := options{minStarts: 1, quickLook: ms, slowLook: second}
	next, later := make(chan struct{}), make(chan struct{})
	s := startSlots{limit: 1, held: 1, waiting: []chan struct{}{next, later}}
	for _, test := range []struct {
		took           time.Duration
		limit, waiting int
	}{{100 * ms, 1, 2}, {0, 2, 1}, {2 * second, 1, 1}, {2 * second, 1, 1}, {0, 2, 1}, {0, 3, 0}, {0, 3, 0}} {
		if s.adjust(test.took, o); s.limit != test.limit || len(s.waiting) != test.waiting {
			t.Errorf("after %s: %d slots, %d updates wait", test.took, s.limit, len(s.waiting))
		}
	}
}
