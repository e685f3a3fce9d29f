package clients

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
)

// askAll queries the given number of names concurrently and checks each value.
func askAll(t *testing.T, g *batcher[string], count int, wrong string) {
	t.Helper()
	var all sync.WaitGroup
	for i := range count {
		all.Go(func() {
			name := fmt.Sprint("name-", i)
			value, err := g.get(t.Context(), name)
			if refused := name == wrong; refused != (err != nil) || !refused && value != "value of "+name {
				t.Errorf("%s is %q: %v", name, value, err)
			}
		})
	}
	all.Wait()
}

// TestBatcher: concurrent queries share a request, an invalid name fails for
// its caller only, and a single query waits for batchDelay at most.
func TestBatcher(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		count int
		wrong string
		asked int64
	}{
		"one":                 {1, "", 1},
		"a wrong one":         {1, "name-0", 1},
		"some":                {20, "", 1},
		"very many":           {250, "", 3},
		"a wrong one of many": {20, "name-7", 21},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var asked atomic.Int64
				g := &batcher[string]{query: func(_ context.Context, names []string) ([]string, error) {
					asked.Add(1)
					if slices.Contains(names, test.wrong) {
						return nil, errors.New("one of them is unknown")
					}
					var values []string
					for _, name := range names {
						values = append(values, "value of "+name)
					}
					return values, nil
				}}
				began := time.Now()
				askAll(t, g, test.count, test.wrong)
				if took := time.Since(began); took > batchDelay {
					t.Errorf("it took %s", took)
				}
				if asked.Load() != test.asked {
					t.Errorf("%d requests, want %d", asked.Load(), test.asked)
				}
			})
		})
	}
}

// TestGathererEnds: a caller whose context ends does not wait for the others.
func TestGathererEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := &batcher[string]{query: func(_ context.Context, names []string) ([]string, error) {
			time.Sleep(time.Minute)
			return names, nil
		}}
		defer time.Sleep(time.Hour)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if _, err := g.get(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
	})
}
