package serving

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/application"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// plannedImages are app images in the form that they will have after the
// apply; none without a run. What cannot be queried now is queried again, with errors
// reported, at apply.
func plannedImages(ctx context.Context, c *run.Run) rules.Images {
	var unused diag.Diagnostics
	if c == nil || !c.ReadyKuscia(&unused) {
		return rules.KnownImages(func(string) *kuscia.AppImage { return nil })
	}
	return rules.Images{
		Definition: c.AppImages.LookupPlanned(ctx), IsPartner: isPartner(ctx, c), Applied: c.AppImages.IsApplied,
		Changed: func(name, seen string, part rules.ImagePart) (string, bool) {
			return c.AppImages.Changed(ctx, name, seen, run.AppImagePart(part))
		},
	}
}

// imagesFreshFor is for how long an app image that was queried during an apply is not
// queried again: Kuscia uses the one that it has when it gets the update.
const imagesFreshFor = 5 * time.Second

// currentImages are app images as they are now.
func currentImages(ctx context.Context, c *run.Run) rules.Images {
	since := time.Now().Add(-imagesFreshFor)
	return rules.Images{
		Definition: c.AppImages.Lookup(ctx), IsPartner: isPartner(ctx, c),
		Current: func(name string) (*kuscia.AppImage, bool) {
			image, err := c.AppImages.FindSince(ctx, name, since)
			return image, err == nil || errors.Is(err, run.ErrRefused)
		},
	}
}

// isPartner reports whether a domain belongs to another control plane, whose app images
// this one cannot read: unknown if the domain cannot be queried, or if this run changes that.
func isPartner(ctx context.Context, c *run.Run) func(domainID string) types.Bool {
	return func(domainID string) types.Bool {
		partner, err := c.Domains.IsPartner(ctx, domainID)
		if err != nil || c.Domains.ChangesRole(ctx, domainID) {
			return types.BoolUnknown()
		}
		return types.BoolValue(partner)
	}
}

// runsHere reports whether a domain belongs to this control plane, also after this run.
func runsHere(ctx context.Context, c *run.Run) application.RunsHere {
	return func(domain string) bool {
		if role, planned := c.Domains.PlannedRole(domain); planned {
			return role == ""
		}
		partner, err := c.Domains.IsPartner(ctx, domain)
		return err == nil && !partner
	}
}

// completePods returns a planned serving with the images and pod revisions that its plan did not
// know, and rejects an apply that would give pods something else than was planned. prior is nil for
// a create.
func completePods(ctx context.Context, c *run.Run, planned, config rules.Serving, prior *rules.Serving, private rules.Private, diags *diag.Diagnostics) rules.Serving {
	completed, changed := rules.CompletePods(planned, config, prior, private, currentImages(ctx, c))
	for _, at := range changed {
		addChangedImage(at, diags)
	}
	var missing []crud.Reference
	found := false
	completed = completed.WithParties(completed.Parties().Changed(func(p rules.Party) rules.Party {
		if !p.Image().IsUnknown() {
			return p
		}
		found = true // something was not found, or a query failed
		return p.WithPartyAttribute(rules.AttrImage, imageAtApply(ctx, c, p, &missing, diags))
	}))
	if crud.AddMissing(crud.InApply, missing, diags); !found || diags.HasError() {
		return completed
	}
	completed, _ = rules.CompletePods(completed, config, prior, private, currentImages(ctx, c))
	return completed
}

// addChangedImage rejects an apply to another app image than was planned.
func addChangedImage(at rules.ChangedImage, diags *diag.Diagnostics) {
	attribute, differs := rules.AttrImage, fmt.Sprintf("The plan gives the pods of party %q the image %.200q, and app image %q now has %.200q",
		at.Party.Name, at.Party.Image().ValueString(), at.Party.AppImage().ValueString(), httpapi.Text(at.Now.ValueString()))
	if at.Now.Equal(at.Party.Image()) {
		attribute, differs = party.AttrPodRevision, fmt.Sprintf("The plan has pod_revision %d for the pods of party %q, and app image %q now has other resources",
			at.Party.PodRevision().ValueInt64(), at.Party.Name, at.Party.AppImage().ValueString())
	}
	diags.AddAttributeError(at.Party.Path().AtName(attribute), party.ChangedAfterPlanSummary, party.DescribeChangedAfterPlan(differs, "serving"))
}

// imageAtApply returns the image of a party that cannot stay unknown.
func imageAtApply(ctx context.Context, c *run.Run, p rules.Party, missing *[]crud.Reference, diags *diag.Diagnostics) types.String {
	domain := p.Key().DomainID
	if c.IsMissingNow(ctx, run.DomainObjects, domain) { // an error of its own
		return rules.ReferenceOf(requireImage(ctx, c, p, p.Path(), missing, diags))
	}
	partner, err := c.Domains.IsPartner(ctx, domain)
	switch {
	case err != nil:
		message.AddAttributeError(diags, p.Path().AtName("domain_id"), "Unable to read domain", err)
		return types.StringNull()
	case partner:
		return types.StringNull()
	}
	return rules.ReferenceOf(requireImage(ctx, c, p, p.Path(), missing, diags))
}

// requireImage returns the party's app image, or adds it to those that do not exist. A
// server without an app image API cannot be queried.
func requireImage(ctx context.Context, c *run.Run, p rules.Party, at path.Path, missing *[]crud.Reference, diags *diag.Diagnostics) *kuscia.AppImage {
	name := p.AppImage().ValueString()
	image, err := c.AppImages.Get(ctx, name)
	switch {
	case err == nil:
		return image
	case errors.Is(err, kuscia.ErrUnsupported):
	case errors.Is(err, kuscia.ErrNotFound):
		*missing = append(*missing, imageReference(p, at))
	default:
		message.AddAttributeError(diags, at.AtName("app_image"), "Unable to read app image", err)
	}
	return nil
}

// sourcesWith returns the sources for a request about a serving with these Deployments.
func sourcesWith(ctx context.Context, c *run.Run, deployments *servingstatus.CachedObserver) rules.Sources {
	return rules.Sources{Deployments: deployments, Cached: c.AppImages.Lookup(ctx), IsPartner: isPartner(ctx, c), Now: time.Now()}
}
