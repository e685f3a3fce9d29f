package serving

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rollout"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// ModifyPlan decides the effect of each difference. It uses only the
// configuration and the prior state, and replaces the framework's proposed plan.
func (r *servingResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		prior := model.Get(ctx, req.State, &resp.Diagnostics)
		r.Clients.RecordDestroyed(servingKind.ResourceType(), prior.ServingID.ValueString())
		return
	}
	config := model.Get(ctx, req.Config, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	private, _ := model.PrivateKey.Load(ctx, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if req.State.Raw.IsNull() {
		r.planCreate(ctx, config, private, resp)
		return
	}

	prior := model.Get(ctx, req.State, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !requireRead(prior, private, &resp.Diagnostics) {
		return
	}
	planned, replace := plan.Update(config, prior, private, r.plannedImages(ctx))
	if len(replace) > 0 || !plan.KeepsRollout(planned, prior, private) {
		planned = r.withPossibleRelease(planned)
	}
	for _, reason := range replace {
		resp.RequiresReplace.Append(reason.Path)
		if reason.Why != "" {
			resp.Diagnostics.AddAttributeWarning(reason.Path, "Kuscia cannot change this on a live serving",
				check.WithPath(reason.Path, reason.Why)+" The serving will be deleted and created again.")
		}
	}
	if len(replace) > 0 {
		warnOfReleases(ctx, r.Clients, prior, "Serving %s is replaced during a release", &resp.Diagnostics)
	}
	if len(replace) == 0 {
		r.checkPlannedServings(ctx, planned, false, &resp.Diagnostics)
		recordPodChanges(ctx, r.Clients, planned, prior, private, &resp.Diagnostics)
		r.warnOfStarts(ctx, planned, prior, private, &resp.Diagnostics)
	}
	switch {
	case len(replace) > 0:
		recordStrategies(ctx, r.Clients, planned, &resp.Diagnostics)
		r.checkPlanned(ctx, config, planned, nil, model.Private{}, &resp.Diagnostics)
	case !model.SameReadable(planned, prior), plan.Redeploys(planned, prior, private):
		r.checkPlanned(ctx, config, planned, &prior, private, &resp.Diagnostics)
	}
	if len(replace) == 0 {
		rollout.WarnNotApplied(planned.Parties.Items, private, plan.ReachesPods(planned, prior, private), r.plannedImages(ctx), &resp.Diagnostics)
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, planned.Encode())...)
}

// planCreate plans a serving that does not exist.
func (r *servingResource) planCreate(ctx context.Context, config model.Serving, private model.Private, resp *resource.ModifyPlanResponse) {
	if model.KeepsObservedConfig(config, private) {
		definition.RefuseSecretLoss("serving", []path.Path{path.Root(model.AttrConfig)}, &resp.Diagnostics)
	}
	planned := r.withPossibleRelease(plan.Create(config))
	r.checkPlanned(ctx, config, planned, nil, model.Private{}, &resp.Diagnostics)
	r.checkPlannedServings(ctx, planned, true, &resp.Diagnostics)
	recordStrategies(ctx, r.Clients, planned, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.Plan.Set(ctx, planned.Encode())...)
}

// withPossibleRelease returns a planned serving that is created or updated.
func (r *servingResource) withPossibleRelease(planned model.Serving) model.Serving {
	if r.mayHaveKubernetes() {
		return plan.WithPossibleRelease(planned)
	}
	return planned
}

// mayHaveKubernetes reports whether the provider block has a cluster, or may have one that
// is not known yet.
func (r *servingResource) mayHaveKubernetes() bool {
	return r.Clients.HasKubernetes() || r.Clients != nil && len(r.Clients.Kubernetes.Unknown) > 0
}

// checkPlanned rejects in the plan what is known to fail at apply. prior is nil
// for a new serving.
func (r *servingResource) checkPlanned(ctx context.Context, config, planned model.Serving, prior *model.Serving, private model.Private, diags *diag.Diagnostics) {
	var found diag.Diagnostics
	if prior == nil {
		found = plan.Check(config, nil, nil, private)
	} else {
		found = plan.Check(config, &planned, prior, private)
	}
	diags.Append(check.ErrorsWithPath(found)...)
	if !found.HasError() {
		r.checkPlannedImages(ctx, planned, prior, private, diags)
	}
}

func (r *servingResource) checkPlannedImages(ctx context.Context, planned model.Serving, prior *model.Serving, private model.Private, diags *diag.Diagnostics) {
	if !r.Clients.ReachedKuscia(ctx, diags) || planned.Parties.IsUnknown() {
		return
	}
	var references []crud.Reference
	if prior == nil {
		references = domainReferences(planned)
	}
	for i, p := range planned.Parties.Items {
		if !p.KeyKnown() || p.AppImage.IsUnknown() {
			continue
		}
		at := path.Root("parties").AtListIndex(i)
		if prior == nil || plan.ReachesPods(planned, *prior, private) {
			references = append(references, imageReference(p, at))
		}
		image, err := r.Clients.AppImages.GetPlanned(ctx, p.AppImage.ValueString())
		if err != nil {
			// It is queried again, with errors reported, at apply.
			continue
		}
		problems := plan.CheckImage(p, image)
		if prior != nil {
			problems = r.checkPlannedUpdate(ctx, p, image, *prior, private)
		}
		addProblems(diags, at, problems)
	}
	var missing diag.Diagnostics
	crud.CheckReferences(ctx, r.Clients, references, &missing)
	diags.Append(check.WithResumeDestroy(missing)...)
}

// checkPlannedUpdate checks one party of a live serving. Kuscia checks all
// parties with every update, including those that do not change.
func (r *servingResource) checkPlannedUpdate(ctx context.Context, p model.Party, image *kuscia.AppImage, prior model.Serving, private model.Private) []plan.Problem {
	old, ok := model.FindParty(prior.Parties.Items, p.Key())
	if !ok {
		return plan.CheckImage(p, image)
	}
	change := plan.CompareParties(old, p, private)
	configured := plan.ConfiguredParty(p, change, private)
	var problems []plan.Problem
	if change.AppImage || change.TouchesResources() {
		problems = plan.CheckImage(configured, image)
	} else {
		problems = plan.CheckLive(configured, image, private.ContainersOf(p.Key()))
	}
	current, err := r.Clients.AppImages.Get(ctx, old.AppImage.ValueString())
	switch {
	case change.AppImage && err == nil:
		return append(problems, plan.CheckSwitch(p.Role.ValueString(), current, image)...)
	case change.AppImage:
		return problems
	}
	found := plan.CheckAllocated(p, image, private.Ports[p.Key().String()], prior.Endpoints)
	if len(found) == 0 && err == nil {
		found = plan.CheckSwitch(p.Role.ValueString(), current, image)
	}
	return append(problems, found...)
}

func addProblems(diags *diag.Diagnostics, at path.Path, problems []plan.Problem) {
	for _, found := range problems {
		attribute := at.AtName(found.Attribute)
		diags.AddAttributeError(attribute, found.Summary, check.WithPath(attribute, found.Detail))
	}
}
