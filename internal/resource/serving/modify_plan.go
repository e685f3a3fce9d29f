package serving

import (
	"context"
	"strings"

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
	images := plannedImages(ctx, r.Clients)
	planned, replace := plan.Update(config, prior, private, images)
	if len(replace) > 0 || !plan.KeepsRollout(planned, prior, private) {
		planned = r.withPossibleRelease(planned)
	}
	reportReplacement(planned, prior, replace, resp)
	if len(replace) > 0 {
		warnOfReleases(ctx, r.Clients, prior, "Serving is replaced during a release", &resp.Diagnostics)
	}
	if len(replace) == 0 {
		plan.WarnTriggersStored(planned, prior, private, &resp.Diagnostics)
		warnOfNames(planned, prior, &resp.Diagnostics)
		r.checkPlannedServings(ctx, planned, false, &resp.Diagnostics)
		recordPodChanges(ctx, r.Clients, planned, prior, private, &resp.Diagnostics)
		r.warnOfStarts(ctx, planned, prior, private, &resp.Diagnostics)
	}
	switch {
	case len(replace) > 0:
		recordStrategies(ctx, r.Clients, planned, &resp.Diagnostics)
		r.checkPlanned(ctx, config, planned, nil, model.Private{}, &resp.Diagnostics)
	case plan.ReachesPods(planned, prior, private):
		r.checkPlanned(ctx, config, planned, &prior, private, &resp.Diagnostics)
	}
	if len(replace) == 0 {
		rollout.WarnNotApplied(planned.Parties.Items, private, plan.ReachesPods(planned, prior, private), followingOf(planned, config), images.Definition, &resp.Diagnostics)
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, planned.Encode())...)
}

// reportReplacement adds the reasons for a replacement, with a warning of what it does where
// Terraform's plan does not show that.
func reportReplacement(planned, prior model.Serving, replace []plan.Replacement, resp *resource.ModifyPlanResponse) {
	explained := false
	for _, reason := range replace {
		resp.RequiresReplace.Append(reason.Path)
		if reason.Why != "" {
			explained = true
			resp.Diagnostics.AddAttributeWarning(reason.Path, "Kuscia cannot change this on a live serving",
				check.WithPath(reason.Path, reason.Why)+describeReplacement(planned, prior))
		}
	}
	if len(replace) > 0 && !explained && planned.ServingID.Equal(prior.ServingID) {
		at := replace[0].Path
		resp.Diagnostics.AddAttributeWarning(at, "No party runs during the replacement",
			check.WithPath(at, strings.TrimSpace(describeReplacement(planned, prior))))
	}
}

// describeReplacement says what a replacement does. A serving with another ID may run before
// the old one is deleted.
func describeReplacement(planned, prior model.Serving) string {
	if planned.ServingID.Equal(prior.ServingID) {
		return " The serving will be deleted and created again: no party runs in between, and Kuscia allocates all ports again."
	}
	return " The serving will be deleted and created again."
}

// planCreate plans a serving that does not exist.
func (r *servingResource) planCreate(ctx context.Context, config model.Serving, private model.Private, resp *resource.ModifyPlanResponse) {
	if model.KeepsObservedConfig(config, private) {
		definition.RefuseSecretLoss("serving", []path.Path{path.Root(model.AttrConfig)}, &resp.Diagnostics)
	}
	planned := r.withPossibleRelease(plan.Create(config, plannedImages(ctx, nil)))
	r.checkPlanned(ctx, config, planned, nil, model.Private{}, &resp.Diagnostics)
	r.checkPlannedServings(ctx, planned, true, &resp.Diagnostics)
	recordStrategies(ctx, r.Clients, planned, &resp.Diagnostics)
	if !resp.Diagnostics.HasError() { // so that nothing is queried for a plan that fails
		planned.Parties = plannedImages(ctx, r.Clients).OfNew(planned.Parties)
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, planned.Encode())...)
}

// followingOf returns whether a new image of an app image is rolled out.
func followingOf(planned, config model.Serving) rollout.Following {
	switch {
	case !plan.CanRedeploy(planned, config):
		return rollout.CannotFollow
	case !model.WithDefaults(config).FollowAppImage.ValueBool():
		return rollout.FollowsNot
	}
	return rollout.Follows
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
	r.Clients.ReachedKubernetes(ctx, diags) // the apply needs it for the wait
	if !r.Clients.ReachedKuscia(ctx, diags) || planned.Parties.IsUnknown() {
		return
	}
	var references []crud.Reference
	if prior == nil {
		references = domainReferences(planned)
	}
	for _, p := range planned.Parties.Items {
		if !p.KeyKnown() || p.AppImage.IsUnknown() {
			continue
		}
		at := p.Path()
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
