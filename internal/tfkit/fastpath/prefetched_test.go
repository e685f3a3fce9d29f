package fastpath_test

import (
	"context"
	"errors"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
)

// TestPrefetched: a context has the response, or the error, of one object.
func TestPrefetched(t *testing.T) {
	t.Parallel()
	failed := errors.New("failed")
	ctx := fastpath.Prefetched[int]{Key: "a", Response: 1}.With(t.Context())
	ctx = fastpath.Prefetched[string]{Key: "a", Err: failed}.With(ctx)
	if found, ok := fastpath.PrefetchedOf[int](ctx, "a"); !ok || found.Response != 1 || found.Err != nil {
		t.Errorf("%v %t", found, ok)
	}
	if found, ok := fastpath.PrefetchedOf[string](ctx, "a"); !ok || !errors.Is(found.Err, failed) {
		t.Errorf("%v %t", found, ok)
	}
	for name, other := range map[string]context.Context{"another object": ctx, "no response": t.Context()} {
		if found, ok := fastpath.PrefetchedOf[int](other, "b"); ok {
			t.Errorf("%s: %v", name, found)
		}
	}
}
