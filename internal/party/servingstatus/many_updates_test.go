package servingstatus

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
)

// updateMany updates servings, ten at a time as Terraform does, on a server that handles one request
// at a time and takes a time for each serving. It returns how long it took and how many starts, each
// of which is visible for a time, were not observed.
func updateMany(t *testing.T, each, visible time.Duration, count int) (took time.Duration, missed int) {
	busy, slots := make(chan struct{}, 1), make(chan struct{}, 10)
	occupy := func(servings int) {
		busy <- struct{}{}
		time.Sleep(time.Duration(servings) * each)
		<-busy
	}
	var mu sync.Mutex
	started := map[string]time.Time{}
	ran := detail(available, pods("alice", 1, 1, 0, 1))
	poller, began := NewPoller(&fakeSource{
		fail: func(ids []string) error { occupy(len(ids)); return nil },
		status: func(id string) (*kuscia.ServingStatusDetail, bool) {
			mu.Lock()
			defer mu.Unlock()
			if since := time.Since(started[id]); since >= 0 && since < visible {
				return detail(available, pods("alice", 2, 1, 1, 1)), true
			}
			return ran, true
		},
	}), time.Now()
	var group sync.WaitGroup
	for i := range count {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			id := fmt.Sprintf("s%d", i)
			for range 4 {
				occupy(1) // what the resource requests before an update
			}
			slot := poller.AcquireStart(t.Context())
			defer slot.Release()
			mu.Lock()
			started[id] = time.Now().Add(50*time.Millisecond + rand.N(250*time.Millisecond))
			mu.Unlock()
			result, err := poller.WaitRunning(t.Context(), Target{
				Slot: slot, ServingID: id, Updated: true, Before: &Snapshot{Status: ran}, Since: time.Now(),
				Parties: []PartyTarget{{DomainID: "alice", Replicas: 1, Replacement: judge.RollingReplacement}},
			})
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			missed += min(len(result.StartNotObserved), 1)
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
				took, missed := updateMany(t, test.each, test.visible, test.count)
				t.Logf("%s, %d not observed", took.Round(100*time.Millisecond), missed)
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

// TestStartLimits: three updates have a slot on a server that answers neither quickly nor slowly,
// for two seconds while their start is not observed. Four requests for starts are sent at a time.
func TestStartLimits(t *testing.T) {
	inTime(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 4*second)
		defer cancel()
		poller, began := NewPoller(&fakeSource{takes: 150 * ms, status: always(runs)}), time.Now()
		many := NewPoller(&fakeSource{takes: second, status: always(runs)})
		var waited [6]time.Duration
		var group sync.WaitGroup
		for i := range waited {
			target := since(rolling(judge.RollingReplacement, named(fmt.Sprint(i))), runs)
			group.Go(func() { _, _ = many.WaitRunning(ctx, target) })
			group.Go(func() {
				slot := poller.AcquireStart(ctx)
				defer slot.Release()
				waited[i] = time.Since(began)
				target.Slot = slot
				_, _ = poller.WaitRunning(ctx, target)
			})
		}
		group.Wait()
		slices.Sort(waited[:])
		if waited[2] != 0 || waited[3] < 2*second || waited[5] > 3*second {
			t.Errorf("the updates wait for a slot for %v", waited)
		}
		if most := many.source.(*fakeSource).most; most != 4 {
			t.Errorf("%d requests at a time", most)
		}
	})
}
