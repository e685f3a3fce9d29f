package serving

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// fakeStatus returns batch status and records the requests.
type fakeStatus struct {
	mu     sync.Mutex
	asked  [][]string
	answer func(ids []string) ([]kuscia.ServingStatus, error)
}

func (f *fakeStatus) BatchQueryServingStatus(_ context.Context, ids []string) ([]kuscia.ServingStatus, error) {
	f.mu.Lock()
	f.asked = append(f.asked, slices.Clone(ids))
	f.mu.Unlock()
	return f.answer(ids)
}

func statusOf(id, state string) kuscia.ServingStatus {
	return kuscia.ServingStatus{ServingID: id, Status: &kuscia.ServingStatusDetail{State: state}}
}

func allAvailable(ids []string) (all []kuscia.ServingStatus, err error) {
	for _, id := range ids {
		all = append(all, statusOf(id, kuscia.StateAvailable))
	}
	return all, nil
}

func manyIDs(n int) (ids []string) {
	for i := range n {
		ids = append(ids, fmt.Sprintf("s%04d", i))
	}
	return ids
}

func TestBatchStatusChunks(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, statusChunk, statusChunk + 1, 3*statusChunk - 1} {
		fake := &fakeStatus{answer: allAvailable}
		ids := manyIDs(n)
		got, err := batchStatus(t.Context(), fake, ids)
		if err != nil || len(got) != n {
			t.Fatalf("%d ids: %d statuses, %v", n, len(got), err)
		}
		if want := (n + statusChunk - 1) / statusChunk; len(fake.asked) != want {
			t.Errorf("%d ids: %d requests, want %d", n, len(fake.asked), want)
		}
		if asked := slices.Sorted(slices.Values(slices.Concat(fake.asked...))); !slices.Equal(asked, ids) {
			t.Errorf("%d ids: other ids were requested", n)
		}
	}
}

// failing is a server that fails every batch with a certain id in it.
func failing(t *testing.T, id string, code int32, message string) *Scripted {
	t.Helper()
	return NewScripted(t, func(_, body string) Reply {
		var request struct {
			ServingIDs []string `json:"serving_ids"`
		}
		if err := json.Unmarshal([]byte(body), &request); err != nil || slices.Contains(request.ServingIDs, id) {
			return Reply{Code: code, Message: message}
		}
		statuses, _ := allAvailable(request.ServingIDs)
		return Reply{Data: map[string]any{"servings": statuses}}
	})
}

// TestBatchStatusNamesTheID: a chunk that fails is queried id by id.
func TestBatchStatusNamesTheID(t *testing.T) {
	t.Parallel()
	api := failing(t, "s0002", 11602, "out of order")
	_, err := batchStatus(t.Context(), api, manyIDs(4))
	if err == nil || !strings.Contains(err.Error(), "serving s0002") || !strings.Contains(err.Error(), "out of order") {
		t.Errorf("error is %v", err)
	}
}

// TestBatchStatusDoesNotInsist: if every single request would fail in the same
// way, there is no second round.
func TestBatchStatusDoesNotInsist(t *testing.T) {
	t.Parallel()
	for _, cause := range []error{kuscia.ErrUnauthorized, kuscia.ErrUnavailable, errors.New("no answer")} {
		fake := &fakeStatus{answer: func([]string) ([]kuscia.ServingStatus, error) { return nil, fmt.Errorf("x: %w", cause) }}
		if _, err := batchStatus(t.Context(), fake, manyIDs(3)); !errors.Is(err, cause) || len(fake.asked) != 1 {
			t.Errorf("%v: %v after %d requests", cause, err, len(fake.asked))
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	fake := &fakeStatus{answer: func([]string) ([]kuscia.ServingStatus, error) { cancel(); return nil, context.Canceled }}
	if _, err := batchStatus(ctx, fake, manyIDs(3)); !errors.Is(err, context.Canceled) || len(fake.asked) != 1 {
		t.Errorf("cancelled: %v after %d requests", err, len(fake.asked))
	}
}

func TestStatusesFor(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		ids      []string
		statuses []kuscia.ServingStatus
		states   map[string]string
		missing  []string
		all      bool
	}{
		"all":        {[]string{"b", "a", "b"}, []kuscia.ServingStatus{statusOf("b", "Available"), statusOf("a", "Available")}, map[string]string{"a": "Available", "b": "Available"}, nil, true},
		"one is not": {[]string{"a", "b"}, []kuscia.ServingStatus{statusOf("b", "Progressing"), statusOf("a", "Available")}, map[string]string{"a": "Available", "b": "Progressing"}, nil, false},
		"pending":    {[]string{"a"}, []kuscia.ServingStatus{{ServingID: "a"}}, map[string]string{"a": "Pending"}, nil, false},
		"missing":    {[]string{"c", "b", "a"}, []kuscia.ServingStatus{statusOf("b", "Available")}, map[string]string{"b": "Available"}, []string{"a", "c"}, false},
		"none":       {[]string{"a"}, nil, nil, []string{"a"}, false},
		"twice":      {[]string{"a"}, []kuscia.ServingStatus{statusOf("a", "Available"), statusOf("a", "Available")}, map[string]string{"a": "Available"}, nil, true},
	} {
		fake := &fakeStatus{answer: func([]string) ([]kuscia.ServingStatus, error) { return test.statuses, nil }}
		got, err := statusesFor(t.Context(), fake, test.ids)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		states := map[string]string{}
		for id, status := range got.found {
			states[id] = normalized(status).State
		}
		if fmt.Sprint(states) != fmt.Sprint(test.states) {
			t.Errorf("%s: states are %v, want %v", name, states, test.states)
		}
		if !slices.Equal(got.missing, test.missing) || got.missing == nil {
			t.Errorf("%s: missing are %v, want %v", name, got.missing, test.missing)
		}
		if got.available() != test.all {
			t.Errorf("%s: available is %t", name, got.available())
		}
	}
}
