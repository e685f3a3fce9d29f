package serving

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// ModifyPlan decides the effect of each difference. It uses only the
// configuration and the prior state, and replaces the framework's proposed plan.
func (r *servingResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		r.Clients.RecordDestroyed(servingKind.ResourceType(), definition.StringAt(req.State.Raw, attrServingID))
		return
	}
	private, _ := rules.PrivateKey.Load(ctx, req.Private, &resp.Diagnostics)
	config, prior := rules.Of(req.Config.Raw), rules.Of(req.State.Raw)
	switch {
	case resp.Diagnostics.HasError():
		return
	case req.State.Raw.IsNull():
		resp.Plan.Raw = planCreate(ctx, r.Clients, config, private, &resp.Diagnostics).Value()
		return
	case !requireRead(prior, private, &resp.Diagnostics):
		return
	}
	p := planUpdate(ctx, r.Clients, config, prior, private)
	resp.RequiresReplace = p.reportReplacement(&resp.Diagnostics)
	p.check(ctx, r.Clients, &resp.Diagnostics)
	resp.Plan.Raw = p.planned.Value()
}

// updatePlan is the plan of an existing serving.
type updatePlan struct {
	config, prior, planned rules.Serving
	private                rules.Private
	replace                []rules.Replacement
	images                 rules.Images
}

// planUpdate plans an existing serving, from the configuration and the state alone.
func planUpdate(ctx context.Context, c *clients.Clients, config, prior rules.Serving, private rules.Private) updatePlan {
	p := updatePlan{config: config, prior: prior, private: private, images: plannedImages(ctx, c)}
	p.planned, p.replace = rules.PlanUpdate(config, prior, private, p.images)
	if len(p.replace) > 0 || !rules.KeepsRollout(p.planned, prior, private) {
		p.planned = withPossibleRelease(c, p.planned)
	}
	return p
}

// check adds what is to be said of a plan, and records it for the other plans of the run.
func (p updatePlan) check(ctx context.Context, c *clients.Clients, diags *diag.Diagnostics) {
	if len(p.replace) > 0 {
		warnOfReleases(ctx, c, p.prior, "Serving is replaced during a release", diags)
		recordStrategies(ctx, c, p.planned, diags)
		checkPlanned(ctx, c, p.config, plannedChange{planned: p.planned}, diags)
		return
	}
	recordParties(c, p.planned)
	reachesPods := false
	if !p.planned.Equal(p.prior) {
		rules.WarnTriggersStored(p.planned, p.prior, p.private, diags)
		warnOfNames(p.planned, p.prior, diags)
		reachesPods = rules.ReachesPods(p.planned, p.prior, p.private)
	}
	if reachesPods {
		recordPodChanges(ctx, c, p.planned, p.prior, p.private, diags)
		warnOfStarts(ctx, c, p.planned, p.prior, p.private, diags)
		checkPlanned(ctx, c, p.config, plannedChange{planned: p.planned, prior: &p.prior, private: p.private}, diags)
	}
	rules.WarnNotApplied(p.planned.Parties.Items, p.private, reachesPods, p.following(), p.images.Definition, diags)
}

// following returns whether a new image of an app image is rolled out.
func (p updatePlan) following() rules.Following {
	switch {
	case !rules.CanRedeploy(p.planned, p.config):
		return rules.CannotFollow
	case !rules.WithDefaults(p.config).FollowAppImage.ValueBool():
		return rules.FollowsNot
	}
	return rules.Follows
}

// reportReplacement returns where a replacement is needed, with a warning of what it does where
// Terraform's plan does not show that.
func (p updatePlan) reportReplacement(diags *diag.Diagnostics) (at path.Paths) {
	explained := false
	for _, reason := range p.replace {
		at.Append(reason.Path)
		if reason.Why != "" {
			explained = true
			diags.AddAttributeWarning(reason.Path, "Kuscia cannot change this on a live serving",
				check.WithPath(reason.Path, reason.Why)+p.describeReplacement())
		}
	}
	if len(p.replace) > 0 && !explained && p.planned.ServingID.Equal(p.prior.ServingID) {
		diags.AddAttributeWarning(at[0], "No party runs during the replacement", check.WithPath(at[0], strings.TrimSpace(p.describeReplacement())))
	}
	return at
}

// describeReplacement says what a replacement does. A serving with another ID may run before
// the old one is deleted.
func (p updatePlan) describeReplacement() string {
	if p.planned.ServingID.Equal(p.prior.ServingID) {
		return " The serving will be deleted and created again: no party runs in between, and Kuscia allocates all ports again."
	}
	return " The serving will be deleted and created again."
}

// planCreate plans a serving that does not exist.
func planCreate(ctx context.Context, c *clients.Clients, config rules.Serving, private rules.Private, diags *diag.Diagnostics) rules.Serving {
	if rules.KeepsObservedConfig(config, private) {
		definition.RefuseSecretLoss("serving", []path.Path{path.Root(rules.AttrConfig)}, diags)
	}
	planned := withPossibleRelease(c, rules.PlanCreate(config, plannedImages(ctx, nil)))
	checkPlanned(ctx, c, config, plannedChange{planned: planned}, diags)
	recordParties(c, planned)
	recordStrategies(ctx, c, planned, diags)
	if !diags.HasError() { // so that nothing is queried for a plan that fails
		planned.Parties = plannedImages(ctx, c).OfNew(planned.Parties)
	}
	return planned
}

// withPossibleRelease returns a planned serving that is created or updated.
func withPossibleRelease(c *clients.Clients, planned rules.Serving) rules.Serving {
	if mayHaveKubernetes(c) {
		return rules.WithPossibleRelease(planned)
	}
	return planned
}

// mayHaveKubernetes reports whether the provider block has a cluster, or may have one that
// is not known yet.
func mayHaveKubernetes(c *clients.Clients) bool {
	return c.HasKubernetes() || c != nil && len(c.Kubernetes.Unknown) > 0
}

// checkPlanned rejects in the plan what is known to fail at apply.
func checkPlanned(ctx context.Context, c *clients.Clients, config rules.Serving, change plannedChange, diags *diag.Diagnostics) {
	var planned *rules.Serving
	if change.prior != nil {
		planned = &change.planned
	}
	found := rules.CheckPlan(config, planned, change.prior, change.private)
	diags.Append(found...)
	if found.HasError() {
		return
	}
	c.ReachedKubernetes(ctx, diags) // the apply needs it for the wait
	if c.ReachedKuscia(ctx, diags) {
		checkParties(ctx, c, change, diags)
	}
}
