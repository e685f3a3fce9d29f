package sandbox

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// inParallel makes n concurrent calls and counts the responses.
func inParallel(n int, call func(i int) apiResponse) map[string]int {
	var group sync.WaitGroup
	var mu sync.Mutex
	responses := map[string]int{}
	for i := range n {
		group.Go(func() {
			a := call(i)
			mu.Lock()
			defer mu.Unlock()
			responses[fmt.Sprint(a.Status.Code, " ", a.Status.Message)]++
		})
	}
	group.Wait()
	return responses
}

func TestConcurrentWriters(t *testing.T) {
	// Long enough for all eight requests, even on a busy machine.
	s := startSandbox(t, Options{WriteWindow: 250 * time.Millisecond})
	putImages(t, s, fixtureImages(t))

	created := inParallel(8, func(int) apiResponse {
		return ask(s, "serving/create", &kuscia.CreateServingRequest{
			ServingID: "race", Initiator: "alice", Parties: []kuscia.ServingParty{party("alice", imageV1, 1)},
		})
	})
	if created["0 success"] != 1 || created[`11600 kusciadeployments.kuscia.secretflow "race" already exists`] != 7 {
		t.Errorf("8 parallel creates: %v", created)
	}

	s.Advance(time.Minute) // otherwise the controller's writes may conflict with all eight
	updated := inParallel(8, func(i int) apiResponse {
		return ask(s, "serving/update", &kuscia.UpdateServingRequest{ServingID: "race", ServingInputConfig: fmt.Sprint(i)})
	})
	conflicts := 0
	for message, count := range updated {
		if strings.HasPrefix(message, "11603 Operation cannot be fulfilled on kusciadeployments") {
			conflicts += count
		}
	}
	if updated["0 success"] < 1 || conflicts < 1 || updated["0 success"]+conflicts != 8 {
		t.Errorf("8 parallel updates: %v", updated)
	}
}

func TestWritesAreAtomicByDefault(t *testing.T) {
	s := startSandbox(t, Options{})
	putImages(t, s, fixtureImages(t))
	put(t, s, "calm", party("alice", imageV1, 1))
	updated := inParallel(24, func(i int) apiResponse {
		return ask(s, "serving/update", &kuscia.UpdateServingRequest{ServingID: "calm", ServingInputConfig: fmt.Sprint(i)})
	})
	if updated["0 success"] != 24 {
		t.Errorf("24 parallel updates: %v", updated)
	}
}
