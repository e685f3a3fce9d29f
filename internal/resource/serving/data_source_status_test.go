package serving

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

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

func allAvailable(ids []string) (all []kuscia.ServingStatus, err error) {
	for _, id := range ids {
		all = append(all, kuscia.ServingStatus{ServingID: id, Status: &kuscia.ServingStatusDetail{State: kuscia.StateAvailable}})
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

// TestBatchStatusNamesTheID: a chunk that fails is queried id by id.
func TestBatchStatusNamesTheID(t *testing.T) {
	t.Parallel()
	fake := &fakeStatus{answer: func(ids []string) ([]kuscia.ServingStatus, error) {
		if slices.Contains(ids, "s0002") {
			return nil, &kuscia.Error{Code: "11602", Message: "out of order"}
		}
		return allAvailable(ids)
	}}
	_, err := batchStatus(t.Context(), fake, manyIDs(4))
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
		t.Errorf("canceled: %v after %d requests", err, len(fake.asked))
	}
}
