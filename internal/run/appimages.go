package run

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// AppImageSource queries app images; *kuscia.Client implements it.
type AppImageSource interface {
	QueryAppImage(ctx context.Context, name string) (*kuscia.AppImage, error)
}

// AppImageCache caches app images: many servings use the same one. Errors are
// not cached. It is safe for concurrent use.
type AppImageCache struct {
	responses *cache[*kuscia.AppImage]

	mu sync.Mutex
	// planned are the definitions that this run is going to apply.
	planned map[string]*kuscia.AppImage
	// applied are the definitions that this run has applied.
	applied map[string]*kuscia.AppImage
	// partial are those of which only the container image is known yet.
	partial map[string]*kuscia.AppImage
	// refused are the names that this Kuscia refuses to return.
	refused map[string]bool
	// replaced are the previous definitions of app images that this run has
	// changed or deleted.
	replaced map[string]*kuscia.AppImage
}

// NewAppImageCache returns an empty cache.
func NewAppImageCache(source AppImageSource) *AppImageCache {
	return &AppImageCache{
		responses: newCache(source.QueryAppImage), planned: map[string]*kuscia.AppImage{}, partial: map[string]*kuscia.AppImage{}, applied: map[string]*kuscia.AppImage{},
		refused: map[string]bool{}, replaced: map[string]*kuscia.AppImage{},
	}
}

// Get returns an app image. The value is shared and must not be changed. A
// caller whose context ends stops waiting; other callers for the same name
// still get the response.
func (c *AppImageCache) Get(ctx context.Context, name string) (*kuscia.AppImage, error) {
	return c.responses.get(ctx, name)
}

// Store caches an app image that was queried elsewhere.
func (c *AppImageCache) Store(name string, image *kuscia.AppImage) {
	c.responses.store(name, image)
}

// Lookup returns a function that looks up app images on the server, and returns
// nil if that is not possible. A server that refuses, as a lite node does, is
// queried once per run.
func (c *AppImageCache) Lookup(ctx context.Context) func(name string) *kuscia.AppImage {
	return c.lookup(ctx, c.Get)
}

// LookupSince is Lookup for responses to queries made at or after a time.
func (c *AppImageCache) LookupSince(ctx context.Context, since time.Time) func(name string) *kuscia.AppImage {
	return c.lookup(ctx, func(ctx context.Context, name string) (*kuscia.AppImage, error) {
		return c.responses.getSince(ctx, name, since)
	})
}

// LookupPlanned is Lookup for app images as they are planned, see GetPlanned.
func (c *AppImageCache) LookupPlanned(ctx context.Context) func(name string) *kuscia.AppImage {
	return c.lookup(ctx, c.GetPlanned)
}

func (c *AppImageCache) lookup(ctx context.Context, get AppImageQuery) func(name string) *kuscia.AppImage {
	return LookupBy(ctx, func(ctx context.Context, name string) (*kuscia.AppImage, error) {
		return c.unlessRefused(ctx, name, get)
	})
}

// AppImageQuery returns an app image, or an error.
type AppImageQuery func(ctx context.Context, name string) (*kuscia.AppImage, error)

// LookupBy returns a function that looks up app images by a query, and returns nil for an
// error.
func LookupBy(ctx context.Context, get AppImageQuery) func(name string) *kuscia.AppImage {
	return func(name string) *kuscia.AppImage {
		image, err := get(ctx, name)
		if err != nil {
			return nil
		}
		return image
	}
}

// unlessRefused gets an app image, unless the server has refused to return it before in
// this run.
func (c *AppImageCache) unlessRefused(ctx context.Context, name string, get AppImageQuery) (*kuscia.AppImage, error) {
	c.mu.Lock()
	refused := c.refused[name]
	c.mu.Unlock()
	if refused {
		return nil, ErrRefused
	}
	image, err := get(ctx, name)
	if errors.Is(err, kuscia.ErrUnauthorized) || errors.Is(err, kuscia.ErrUnsupported) {
		c.mu.Lock()
		c.refused[name] = true
		c.mu.Unlock()
		return nil, errors.Join(ErrRefused, err)
	}
	return image, err
}

// ErrRefused is returned for an app image that this Kuscia refuses to return, as a lite
// node does.
var ErrRefused = errors.New("this Kuscia refuses to return app images")

// FindSince returns an app image as it is on the server, queried at or after a time;
// ErrRefused if the server refuses to return it.
func (c *AppImageCache) FindSince(ctx context.Context, name string, since time.Time) (*kuscia.AppImage, error) {
	return c.unlessRefused(ctx, name, func(ctx context.Context, name string) (*kuscia.AppImage, error) {
		return c.responses.getSince(ctx, name, since)
	})
}

// Forget removes an app image from the cache, after it was created, changed or
// deleted.
func (c *AppImageCache) Forget(name string) {
	c.mu.Lock()
	// A change whose response is lost, and a replacement, forget it twice.
	if planned, ok := c.planned[name]; ok {
		c.applied[name] = planned
	}
	delete(c.planned, name)
	delete(c.refused, name)
	c.mu.Unlock()
	c.responses.forget(name)
}

// RecordPrior records the definition of an app image before this run changed or
// deleted it.
func (c *AppImageCache) RecordPrior(image *kuscia.AppImage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.replaced[image.Name] == nil {
		c.replaced[image.Name] = image
	}
}

// Prior returns the definition of an app image before this run changed or deleted it, nil
// if it did neither. The pods of servings that were not rolled out since then still have it.
func (c *AppImageCache) Prior(name string) *kuscia.AppImage {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.replaced[name]
}

// GetPrior is Prior, or the definition of an app image that this run does not change.
func (c *AppImageCache) GetPrior(ctx context.Context, name string) (*kuscia.AppImage, error) {
	if image := c.Prior(name); image != nil {
		return image, nil
	}
	return c.Get(ctx, name)
}

// RecordPlanned records the planned definition of an app image. Terraform plans an app
// image before the servings that refer to it, so that these can be checked
// against the plan before it is applied.
func (c *AppImageCache) RecordPlanned(image *kuscia.AppImage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.planned[image.Name] = image
}

// RecordPlannedUnknown records that the planned definition of an app image is unknown,
// so that nothing is checked against the current one. image is its container image, nil if
// that is unknown too.
func (c *AppImageCache) RecordPlannedUnknown(name string, image *kuscia.AppImageInfo) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.planned[name], c.partial[name] = nil, nil
	if image != nil {
		c.partial[name] = &kuscia.AppImage{Name: name, Image: *image}
	}
}

// Changed returns a part of an app image that this run is going to change, or has changed, as
// planned; "" if it is not known yet, or if the server has the planned one already and the last
// refresh has seen another one. ok is false if the run does not change it. seen is the part at the
// last refresh, "" if unknown: an app image that is planned with the same one is not queried.
func (c *AppImageCache) Changed(ctx context.Context, name, seen string, part AppImagePart) (value string, ok bool) {
	c.mu.Lock()
	applied := c.applied[name]
	definition, planned := c.planned[name]
	if definition == nil {
		definition = c.partial[name]
	}
	c.mu.Unlock()
	switch {
	case applied != nil:
		return part(applied), true
	case !planned:
		return "", false
	case definition != nil:
		value = part(definition)
	}
	if value == "" || value == seen {
		return value, true
	}
	current, err := c.Get(ctx, name)
	switch {
	case err != nil || part(current) != value:
		return value, true
	case seen == "":
		return "", false
	}
	return "", true // with -refresh=false the run may update it or not
}

// AppImagePart returns a part of an app image as a text, "" if the app image does not have it.
type AppImagePart func(image *kuscia.AppImage) string

// IsApplied reports whether this run has applied an app image whose plan was known.
func (c *AppImageCache) IsApplied(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.applied[name] != nil
}

// IsPlanned reports whether this run is going to apply an app image.
func (c *AppImageCache) IsPlanned(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, planned := c.planned[name]
	return planned
}

// ErrNotPlannedYet is returned for an app image that is known only after apply.
var ErrNotPlannedYet = errors.New("the app image is known only after apply")

// GetPlanned returns the app image as planned in this run, else from the
// server; ErrNotPlannedYet if the plan is unknown.
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
