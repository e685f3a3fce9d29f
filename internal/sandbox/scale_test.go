package sandbox

import (
	"encoding/json"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/serving"
)

// TestThousandsOfServings: rollouts of 2000 servings, with -short of 200, need no goroutines,
// and leave nothing. BenchmarkBatchStatus has the time.
func TestThousandsOfServings(t *testing.T) {
	servings := 2000
	if testing.Short() {
		servings = 200
	}
	s := frozen(t, Options{RecordLimit: -1})
	before := runtime.NumGoroutine()
	ids := make([]string, servings)
	for i := range ids {
		ids[i] = fmt.Sprint("s", i)
		put(t, s, ids[i], party("alice", imageV1, 2), party("bob", imageV1, 1))
	}
	s.Advance(10 * time.Second)
	request := &serving.BatchQueryServingStatusRequest{ServingIDs: ids}
	var data struct{ Servings []kuscia.ServingStatus }
	if err := json.Unmarshal(ask(s, "serving/status/batchQuery", request).Data, &data); err != nil || len(data.Servings) != servings {
		t.Fatalf("%d of %d servings returned", len(data.Servings), servings)
	}
	for _, one := range data.Servings {
		if one.Status == nil || one.Status.State != kuscia.StateAvailable {
			t.Fatalf("%s: %+v", one.ServingID, one.Status)
		}
	}
	for _, id := range ids {
		must(t, s.RemoveServing(id))
	}
	s.Advance(time.Minute)
	if left := serving.Of(s.node.ControlPlane).Memory().Objects() + s.node.ControlPlane.Pending(); left > 0 {
		t.Errorf("%d objects and events left", left)
	}
	if now := runtime.NumGoroutine(); now > before {
		t.Errorf("%d goroutines, %d before", now, before)
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
		if err := ask(s, "serving/status/batchQuery", &serving.BatchQueryServingStatusRequest{ServingIDs: ids}).err(); err != nil {
			b.Fatal(err)
		}
	}
}
