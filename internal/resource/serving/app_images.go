package serving

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/refresh"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rollout"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// plannedImages looks up app images in the form that they will have after the
// apply. What cannot be queried now is queried again, with errors reported, at
// apply.
func (r *servingResource) plannedImages(ctx context.Context) party.ImageLookup {
	var unused diag.Diagnostics
	if r.Clients == nil || !r.Clients.ReadyKuscia(&unused) {
		return func(string) *kuscia.AppImage { return nil }
	}
	return r.Clients.AppImages.LookupPlanned(ctx)
}

// requireImage returns the party's app image, or adds it to those that do not exist. A
// server without an app image API cannot be queried.
func requireImage(ctx context.Context, c *clients.Clients, p model.Party, at path.Path, missing *[]crud.Reference, diags *diag.Diagnostics) *kuscia.AppImage {
	name := p.AppImage.ValueString()
	image, err := c.AppImages.Get(ctx, name)
	switch {
	case err == nil:
		return image
	case errors.Is(err, kuscia.ErrUnsupported):
	case errors.Is(err, kuscia.ErrNotFound):
		*missing = append(*missing, imageReference(p, at))
	default:
		clients.AddAttributeError(diags, at.AtName("app_image"), fmt.Sprintf("Unable to look up app image %q", name), err)
	}
	return nil
}

// sourcesOf returns the sources for a request about a serving.
func sourcesOf(ctx context.Context, c *clients.Clients, id string) refresh.Sources {
	return refresh.Sources{
		Deployments: cachedDeploymentsOf(ctx, c, id),
		Cached:      c.AppImages.Lookup(ctx),
		Current: func(name string) *kuscia.AppImage {
			image, err := c.Kuscia.QueryAppImage(ctx, name)
			if err != nil {
				return nil
			}
			return image
		},
		Now: time.Now(),
	}
}

// imageChanges queries Kuscia only for app images that are not in the cache of
// this run.
func imageChanges(ctx context.Context, images *clients.AppImageCache) rollout.ImageChange {
	lookup := func(get func(context.Context, string) (*kuscia.AppImage, error)) func(string) *kuscia.AppImage {
		return func(name string) *kuscia.AppImage {
			image, err := get(ctx, name)
			if err != nil {
				return nil
			}
			return image
		}
	}
	return rollout.ImageChange{Before: lookup(images.GetPrior), Now: lookup(images.Get)}
}

// plannedImageChanges is imageChanges for a plan: the app images as they are now, and as
// this run changes them.
func plannedImageChanges(ctx context.Context, images *clients.AppImageCache) rollout.ImageChange {
	if images == nil {
		none := func(string) *kuscia.AppImage { return nil }
		return rollout.ImageChange{Before: none, Now: none}
	}
	planned := images.LookupPlanned(ctx)
	return rollout.ImageChange{
		Before: images.Lookup(ctx), Now: planned,
		Unknown: func(name string) bool { return images.IsPlanned(name) && planned(name) == nil },
	}
}
