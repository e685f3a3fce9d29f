package run

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// source returns app images and counts queries. If gate is set, every query
// waits until it is closed.
type source struct {
	asked atomic.Int32
	gate  chan struct{}
}

func (s *source) QueryAppImage(ctx context.Context, name string) (*kuscia.AppImage, error) {
	n := s.asked.Add(1)
	if s.gate != nil {
		select {
		case <-s.gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return &kuscia.AppImage{Name: name, Image: kuscia.AppImageInfo{Tag: strconv.Itoa(int(n))}}, nil
}

// TestAppImageCacheForgetDuringARequest: a response to a query from before a
// change is stale. It is neither cached nor returned to callers after the
// change.
func TestAppImageCacheForgetDuringARequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &source{gate: make(chan struct{})}
		cache := NewAppImageCache(s)
		var callers sync.WaitGroup
		ask := func() {
			callers.Go(func() {
				if _, err := cache.Get(t.Context(), "a"); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		ask()
		cache.Forget("a")
		ask()
		if got := s.asked.Load(); got != 2 {
			t.Errorf("%d queries; the second caller must not get the response to the first", got)
		}
		cache.Forget("a")
		close(s.gate)
		callers.Wait()
		if _, err := cache.Get(t.Context(), "a"); err != nil || s.asked.Load() != 3 {
			t.Errorf("a stale response was cached (%v)", err)
		}
	})
}

// TestAppImageCacheCanceledCaller: the other callers still get the response
// after one caller is canceled.
func TestAppImageCacheCanceledCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &source{gate: make(chan struct{})}
		cache := NewAppImageCache(s)
		ctx, cancel := context.WithCancel(t.Context())
		var callers sync.WaitGroup
		callers.Go(func() {
			if _, err := cache.Get(ctx, "a"); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		synctest.Wait()
		callers.Go(func() {
			if _, err := cache.Get(t.Context(), "a"); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		cancel()
		synctest.Wait()
		close(s.gate)
		callers.Wait()
		if got := s.asked.Load(); got != 1 {
			t.Errorf("%d queries", got)
		}
	})
}

// TestAppImageCacheChanged: whether this run changes an app image. With -refresh=false its plan
// may have the image that the server has already, and the state another one.
func TestAppImageCacheChanged(t *testing.T) {
	of := func(tag string) *kuscia.AppImage {
		return &kuscia.AppImage{Name: "a", Image: kuscia.AppImageInfo{Tag: tag}}
	}
	one, two := of("1").Reference(), of("2").Reference()
	for name, test := range map[string]struct {
		planned *kuscia.AppImage
		seen    string
		want    string
		ok      bool
		asked   int32
	}{
		"not planned":      {nil, one, "", false, 0},
		"as seen":          {of("1"), one, one, true, 0},
		"another one":      {of("2"), one, two, true, 1},
		"on the server":    {of("1"), two, "", true, 1},
		"of a new serving": {of("1"), "", "", false, 1},
	} {
		s := &source{} // which has the tag 1
		cache := NewAppImageCache(s)
		if test.planned != nil {
			cache.RecordPlanned(test.planned)
		}
		if image, ok := cache.Changed(t.Context(), "a", test.seen, (*kuscia.AppImage).Reference); image != test.want || ok != test.ok || s.asked.Load() != test.asked {
			t.Errorf("%s: %q, %t after %d queries", name, image, ok, s.asked.Load())
		}
		cache.RecordPrior(of("1"))
		cache.RecordPrior(of("2")) // a second change
		if prior := cache.Prior("a"); prior == nil || prior.Image.Tag != "1" {
			t.Errorf("before this run it was %v", prior)
		}
	}
}
