package sandbox

import (
	"fmt"
	"runtime"
	"testing"
	"time"
)

// TestThousandsOfServings: rollouts of 3000 servings cost no goroutines and
// little time.
func TestThousandsOfServings(t *testing.T) {
	const servings = 3000
	s := frozen(t, Options{RecordLimit: -1})
	before := runtime.NumGoroutine()
	started := time.Now()
	ids := make([]string, servings)
	for i := range ids {
		ids[i] = fmt.Sprint("s", i)
		put(t, s, ids[i], party("alice", imageV1, 2), party("bob", imageV1, 1))
	}
	s.Advance(10 * time.Second)
	request := &BatchQueryServingStatusRequest{ServingIDs: ids}
	data, ok := s.batchQueryServingStatus(caller{}, request).data.(struct {
		Servings []servingStatusData `json:"servings"`
	})
	if !ok || len(data.Servings) != servings {
		t.Fatalf("%d of %d servings answered", len(data.Servings), servings)
	}
	for _, one := range data.Servings {
		if one.Status == nil || one.Status.State != phaseAvailable {
			t.Fatalf("%s: %+v", one.ServingID, one.Status)
		}
	}
	for _, id := range ids {
		must(t, s.RemoveServing(id))
	}
	s.Advance(time.Minute)
	if left := len(s.world.deployments) + len(s.world.services) + len(s.world.byOwner) + len(s.world.owned) + len(s.world.events); left > 0 {
		t.Errorf("%d objects and events left", left)
	}
	if now := runtime.NumGoroutine(); now > before {
		t.Errorf("%d goroutines, %d before", now, before)
	}
	// Far above what it takes, also on a busy machine: a guard against work
	// that grows with the square.
	if took := time.Since(started); took > time.Minute {
		t.Errorf("took %s", took)
	}
}

func BenchmarkBatchStatus(b *testing.B) {
	s := frozen(b, Options{RecordLimit: -1})
	ids := make([]string, 1000)
	for i := range ids {
		ids[i] = fmt.Sprint("s", i)
		put(b, s, ids[i], party("alice", imageV1, 2), party("bob", imageV1, 1))
	}
	s.Advance(10 * time.Second)
	for b.Loop() {
		if _, err := s.batchQueryServingStatus(caller{}, &BatchQueryServingStatusRequest{ServingIDs: ids}).body(); err != nil {
			b.Fatal(err)
		}
	}
}
