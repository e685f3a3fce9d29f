package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// TestBatcher: concurrent queries share a request, an invalid name fails for its caller only, and a
// single query waits for batchDelay at most. A caller whose context ends does not wait for the others.
func TestBatcher(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		count int
		wrong string
		asked int64
	}{
		"one":                 {1, "", 1},
		"a wrong one":         {1, "name-0", 1},
		"very many":           {250, "", 3},
		"a wrong one of many": {20, "name-7", 21},
		"one that hangs":      {1, "hangs", 1},
		"many, no answer":     {20, "unavailable", 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var asked atomic.Int64
				g := &batcher[string]{query: func(_ context.Context, names []string) ([]string, error) {
					asked.Add(1)
					if test.wrong == "hangs" {
						time.Sleep(time.Minute)
					}
					if test.wrong == "unavailable" {
						return nil, fmt.Errorf("query: %w", apierror.ErrUnavailable)
					}
					if slices.Contains(names, test.wrong) {
						return nil, errors.New("one of them is unknown")
					}
					return names, nil
				}}
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				began, limit := time.Now(), batchDelay
				if test.wrong == "hangs" {
					limit = time.Second
				}
				var all sync.WaitGroup
				for i := range test.count {
					all.Go(func() {
						name := fmt.Sprint("name-", i)
						value, err := g.get(ctx, name)
						if refused := name == test.wrong || test.wrong == "hangs" || test.wrong == "unavailable"; refused != (err != nil) || !refused && value != name {
							t.Errorf("%s is %q: %v", name, value, err)
						}
					})
				}
				all.Wait()
				if took := time.Since(began); took > limit || asked.Load() != test.asked {
					t.Errorf("it took %s and %d requests, want %d", took, asked.Load(), test.asked)
				}
				time.Sleep(time.Hour) // the request that hangs ends
			})
		})
	}
}
