package serving

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// ModifyPlan decides what a difference means. It works from configuration and
// prior state alone and replaces whatever the framework proposed.
func (r *servingResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	var config model
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if req.State.Raw.IsNull() {
		planned := planCreate(config)
		r.checkPlanned(ctx, config, planned, nil, privateData{}, &resp.Diagnostics)
		r.checkPlannedServings(ctx, planned, true, &resp.Diagnostics)
		resp.Diagnostics.Append(resp.Plan.Set(ctx, &planned)...)
		return
	}

	var prior model
	resp.Diagnostics.Append(req.State.Get(ctx, &prior)...)
	private, _ := loadPrivate(ctx, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !requireRead(prior, private, &resp.Diagnostics) {
		return
	}
	planned, replace := planUpdate(config, prior, private, r.plannedImages(ctx))
	for _, reason := range replace {
		resp.RequiresReplace.Append(reason.path)
		if reason.why != "" {
			resp.Diagnostics.AddAttributeWarning(reason.path, "Kuscia cannot change this on a live serving",
				locate(reason.path, reason.why)+" The serving will be deleted and created again.")
		}
	}
	if len(replace) > 0 && keepsConfig(config, private) {
		resp.Diagnostics.AddAttributeWarning(path.Root(attrConfig), "The new serving gets no configuration text",
			"serving_input_config of the imported serving was never written into the configuration, and the serving that takes its place starts without. Set serving_input_config or serving_input_config_wo.")
	}
	if len(replace) == 0 {
		r.checkPlannedServings(ctx, planned, false, &resp.Diagnostics)
		noteReleases(r.clients, planned, prior, &resp.Diagnostics)
	}
	switch {
	case len(replace) > 0:
		r.checkPlanned(ctx, config, planned, nil, privateData{}, &resp.Diagnostics)
	case !sameReadable(planned, prior), redeploys(planned, prior, private):
		r.checkPlanned(ctx, config, planned, &prior, private, &resp.Diagnostics)
	}
	if len(replace) == 0 {
		parties, _ := decodeParties(planned.Parties)
		warnUndeployed(parties, private, reachesPods(planned, prior, private), r.plannedImages(ctx), &resp.Diagnostics)
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &planned)...)
}

// plannedImages looks app images up as they will be when the plan is applied.
// What cannot be asked now is asked again, and reported, at apply.
func (r *servingResource) plannedImages(ctx context.Context) imageLookup {
	var unused diag.Diagnostics
	if r.clients == nil || !r.clients.Ready(&unused) {
		return func(string) *kuscia.AppImage { return nil }
	}
	return r.clients.AppImages.Expected(ctx)
}

// checkPlanned refuses at plan what is known to fail at apply. prior is nil
// where a new serving is made.
func (r *servingResource) checkPlanned(ctx context.Context, config, planned model, prior *model, private privateData, diags *diag.Diagnostics) {
	var found diag.Diagnostics
	if prior == nil {
		found = judge(config, nil, nil, private)
	} else {
		found = judge(config, &planned, prior, private)
	}
	diags.Append(located(found)...)
	if !found.HasError() {
		r.checkPlannedImages(ctx, planned, prior, private, diags)
	}
}

func (r *servingResource) checkPlannedImages(ctx context.Context, planned model, prior *model, private privateData, diags *diag.Diagnostics) {
	var unused diag.Diagnostics
	parties, known := decodeParties(planned.Parties)
	if !known || r.clients == nil || !r.clients.Ready(&unused) {
		return
	}
	if prior == nil {
		checkDomains(ctx, r.clients, planned, diags)
	}
	for i, p := range parties {
		if !p.keyKnown() || p.appImage.IsUnknown() {
			continue
		}
		at := path.Root("parties").AtListIndex(i)
		image, err := r.clients.AppImages.GetPlanned(ctx, p.appImage.ValueString())
		switch {
		case errors.Is(err, kuscia.ErrNotFound) && needsImage(p, prior, private):
			addMissingImage(p.appImage.ValueString(), at, diags)
			continue
		case err != nil:
			// It is asked again, and reported, at apply.
			continue
		}
		problems := checkImage(p, image)
		if prior != nil {
			problems = r.checkPlannedUpdate(ctx, p, image, *prior, private)
		}
		addProblems(diags, at, problems)
	}
}

// needsImage reports whether Kuscia looks for a party's app image when the plan
// is applied: for a new serving, and for what an update sends of the party.
func needsImage(p party, prior *model, private privateData) bool {
	if prior == nil {
		return true
	}
	before, _ := decodeParties(prior.Parties)
	old, ok := findParty(before, p.key())
	if !ok {
		return true
	}
	change := compareParties(old, p, private)
	return change.appImage || change.touchesResources()
}

// checkPlannedUpdate checks one party of a live serving. Kuscia looks at all
// parties with every update, also at those that do not change.
func (r *servingResource) checkPlannedUpdate(ctx context.Context, p party, image *kuscia.AppImage, prior model, private privateData) []problem {
	before, _ := decodeParties(prior.Parties)
	old, ok := findParty(before, p.key())
	if !ok {
		return checkImage(p, image)
	}
	change := compareParties(old, p, private)
	asked := p.asked(change, private)
	var problems []problem
	if change.appImage || change.touchesResources() {
		problems = checkImage(asked, image)
	} else {
		problems = checkLive(asked, image, private.containers(p.key()))
	}
	current, err := r.clients.AppImages.Get(ctx, old.appImage.ValueString())
	switch {
	case change.appImage && err == nil:
		return append(problems, checkSwitch(p.role.ValueString(), current, image)...)
	case change.appImage:
		return problems
	}
	fresh := checkAllocated(p, image, private.Ports[p.key().String()], prior.Endpoints)
	if len(fresh) == 0 && err == nil {
		fresh = checkSwitch(p.role.ValueString(), current, image)
	}
	return append(problems, fresh...)
}

func addProblems(diags *diag.Diagnostics, at path.Path, problems []problem) {
	for _, found := range problems {
		attribute := at.AtName(found.attribute)
		diags.AddAttributeError(attribute, found.summary, locate(attribute, found.detail))
	}
}
