package clients

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// AppImageSource answers what an app image is; *kuscia.Client does.
type AppImageSource interface {
	QueryAppImage(ctx context.Context, name string) (*kuscia.AppImage, error)
}

// AppImageCache looks up app images, each one once: many servings use the same
// one. Failures are not remembered. It is safe for concurrent use.
type AppImageCache struct {
	answers *cache[*kuscia.AppImage]

	mu sync.Mutex
	// planned are the definitions that this run is going to apply.
	planned map[string]*kuscia.AppImage
	// refused are the names that this Kuscia does not let anybody ask for.
	refused map[string]bool
	// replaced are the definitions that this run has changed or deleted.
	replaced map[string]*kuscia.AppImage
}

// NewAppImageCache returns an empty cache over a source.
func NewAppImageCache(source AppImageSource) *AppImageCache {
	return &AppImageCache{
		answers: newCache(source.QueryAppImage), planned: map[string]*kuscia.AppImage{},
		refused: map[string]bool{}, replaced: map[string]*kuscia.AppImage{},
	}
}

// Get returns the app image of a name. The value is shared: do not change it.
// A caller whose context ends stops waiting; others who asked for the same
// name still get the answer.
func (c *AppImageCache) Get(ctx context.Context, name string) (*kuscia.AppImage, error) {
	return c.answers.get(ctx, name)
}

// Learn notes an app image that was just asked for, so that nobody asks again
// in this run.
func (c *AppImageCache) Learn(name string, image *kuscia.AppImage) {
	c.answers.learn(name, image)
}

// Known returns a lookup of app images as the server has them that answers nil
// where it cannot be asked. A server that refuses, as a lite node does, is asked
// once a run.
func (c *AppImageCache) Known(ctx context.Context) func(name string) *kuscia.AppImage {
	return c.lookup(func(name string) (*kuscia.AppImage, error) { return c.Get(ctx, name) })
}

// KnownSince returns the same lookup of app images that were asked for at a time
// or later.
func (c *AppImageCache) KnownSince(ctx context.Context, since time.Time) func(name string) *kuscia.AppImage {
	return c.lookup(func(name string) (*kuscia.AppImage, error) { return c.answers.getSince(ctx, name, since) })
}

// Expected returns the same lookup of app images as they are going to be, see
// GetPlanned.
func (c *AppImageCache) Expected(ctx context.Context) func(name string) *kuscia.AppImage {
	return c.lookup(func(name string) (*kuscia.AppImage, error) { return c.GetPlanned(ctx, name) })
}

func (c *AppImageCache) lookup(get func(name string) (*kuscia.AppImage, error)) func(name string) *kuscia.AppImage {
	return func(name string) *kuscia.AppImage {
		c.mu.Lock()
		refused := c.refused[name]
		c.mu.Unlock()
		if refused {
			return nil
		}
		image, err := get(name)
		if errors.Is(err, kuscia.ErrUnauthorized) || errors.Is(err, kuscia.ErrUnsupported) {
			c.mu.Lock()
			c.refused[name] = true
			c.mu.Unlock()
		}
		if err != nil {
			return nil
		}
		return image
	}
}

// Forget drops what is known of a name, after the app image was created,
// changed or deleted.
func (c *AppImageCache) Forget(name string) {
	c.mu.Lock()
	delete(c.planned, name)
	delete(c.refused, name)
	c.mu.Unlock()
	c.answers.forget(name)
}

// Replaced notes what an app image was before this run changed or deleted it.
func (c *AppImageCache) Replaced(image *kuscia.AppImage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.replaced[image.Name] == nil {
		c.replaced[image.Name] = image
	}
}

// GetBefore returns the app image as it was before this run changed or deleted
// it: what the pods of servings have that were not rolled since.
func (c *AppImageCache) GetBefore(ctx context.Context, name string) (*kuscia.AppImage, error) {
	c.mu.Lock()
	image := c.replaced[name]
	c.mu.Unlock()
	if image != nil {
		return image, nil
	}
	return c.Get(ctx, name)
}

// Plan notes what an app image will be once the current plan is applied.
// Terraform plans an app image before the servings that refer to it, so that
// these can be checked against it although it is not on the server yet.
func (c *AppImageCache) Plan(image *kuscia.AppImage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.planned[image.Name] = image
}

// PlanUnknown notes that an app image is going to change into something that
// is not known yet, so that nothing is checked against what it is now.
func (c *AppImageCache) PlanUnknown(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.planned[name] = nil
}

// IsPlanned reports whether this run is going to apply an app image.
func (c *AppImageCache) IsPlanned(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, planned := c.planned[name]
	return planned
}

// ErrNotPlannedYet says that an app image is known only after apply.
var ErrNotPlannedYet = errors.New("the app image is known only after apply")

// GetPlanned returns the app image as planned in this run, else as the server
// has it; ErrNotPlannedYet when it is not known what it is going to be.
func (c *AppImageCache) GetPlanned(ctx context.Context, name string) (*kuscia.AppImage, error) {
	c.mu.Lock()
	image, ok := c.planned[name]
	c.mu.Unlock()
	switch {
	case ok && image == nil:
		return nil, ErrNotPlannedYet
	case ok:
		return image, nil
	}
	return c.Get(ctx, name)
}
