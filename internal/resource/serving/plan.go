package serving

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/application"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// planned is the plan of a serving.
type planned struct {
	config, planned rules.Serving
	// prior is nil for a new serving, and problems are what is wrong with its configuration then.
	prior    *rules.Serving
	problems diag.Diagnostics
	private  rules.Private
	replace  []definition.Replacement
	images   rules.Images
}

// Plan plans a serving, from the configuration and the state alone.
func (steps) Plan(ctx context.Context, c *run.Run, from crud.Planned) crud.Planned {
	p := &planned{config: rules.Of(from.Config), private: privateOf(from.Memory, from.Imported), images: plannedImages(ctx, c)}
	from.CrossCheck, from.MayEndOtherwise = p.check, p.mayEndOtherwise
	if from.Prior.IsNull() {
		images := p.images
		if p.problems = rules.CheckPlan(p.config, nil, nil, p.private); p.problems.HasError() {
			images = plannedImages(ctx, nil) // so that nothing is queried for a plan that fails
		}
		p.planned = rules.PlanCreate(p.config, images)
		from.Plan = definition.Plan{Planned: p.planned.Value()}
		return from
	}
	prior := rules.Of(from.Prior)
	p.prior = &prior
	p.planned, p.replace = rules.PlanUpdate(p.config, prior, p.private, p.images)
	if len(p.replace) == 0 && rules.NeedsStoredText(p.planned, prior, p.config, p.private) {
		p.config = p.config.WithServingAttribute(rules.AttrConfigWO, storedText(ctx, c, prior))
		p.planned, p.replace = rules.PlanUpdate(p.config, prior, p.private, p.images)
	}
	if len(p.replace) == 0 && p.planned.Equal(prior) {
		from.Plan = definition.Plan{Planned: from.Prior, Unchanged: true}
		return from
	}
	from.Plan = definition.Plan{Planned: p.planned.Value(), Replaces: p.explained()}
	if len(p.replace) == 0 && rules.ReachesPods(p.planned, prior, p.private) {
		from.Sent = []path.Path{rules.RedeployCause(p.planned, prior)}
	}
	return from
}

// storedText is the configuration text in Kuscia, unknown if it cannot be queried.
func storedText(ctx context.Context, c *run.Run, prior rules.Serving) types.String {
	var unused diag.Diagnostics
	if c == nil || !c.ReadyKuscia(&unused) {
		return types.StringUnknown()
	}
	stored, err := c.Kuscia.QueryServing(ctx, prior.ServingID().ValueString())
	if err != nil {
		return types.StringUnknown()
	}
	return types.StringValue(stored.ServingInputConfig)
}

// check adds what is to be said of a plan, and records it for the other plans of the run.
func (p *planned) check(ctx context.Context, c *run.Run, from crud.Planned) (diags diag.Diagnostics) {
	switch {
	case p.prior == nil:
		checkPlanned(ctx, c, p.problems, plannedChange{planned: p.planned, moment: from.Moment()}, &diags)
		recordParties(c, p.planned)
		recordStrategies(ctx, c, p.planned, &diags)
		diags.Append(application.CheckPlan(p.planned, p.images.Definition, runsHere(ctx, c), true)...)
	case len(p.replace) > 0:
		p.warnReplaced(&diags)
		warnOfReleases(ctx, c, *p.prior, "Serving is replaced during a release", &diags)
		recordStrategies(ctx, c, p.planned, &diags)
		checkPlanned(ctx, c, rules.CheckPlan(p.config, nil, nil, rules.Private{}), plannedChange{planned: p.planned, moment: crud.InReplacement}, &diags)
	default:
		p.checkUpdate(ctx, c, &diags)
	}
	return diags
}

// checkUpdate is check for an update in place, or none.
func (p *planned) checkUpdate(ctx context.Context, c *run.Run, diags *diag.Diagnostics) {
	recordParties(c, p.planned)
	reachesPods := false
	if !p.planned.Equal(*p.prior) {
		rules.WarnTriggersStored(p.planned, *p.prior, p.private, diags)
		warnOfNames(p.planned, *p.prior, diags)
		reachesPods = rules.ReachesPods(p.planned, *p.prior, p.private)
		if rules.Redeploys(p.planned, *p.prior, p.private) && !rules.CanRedeploy(p.planned, p.config) {
			rules.AddNotRedeployable(rules.RedeployCause(p.planned, *p.prior), diags)
		}
		rules.WarnAllRestart(p.planned, *p.prior, p.private, diags)
	}
	if reachesPods {
		recordPodChanges(ctx, c, p.planned, *p.prior, diags)
		warnOfStarts(c, p.planned, *p.prior, diags)
		warnOfGaps(p.planned, *p.prior, diags)
		checkPlanned(ctx, c, rules.CheckPlan(p.config, &p.planned, p.prior, p.private), plannedChange{planned: p.planned, prior: p.prior, private: p.private}, diags)
	}
	diags.Append(application.CheckPlan(p.planned, p.images.Definition, runsHere(ctx, c), rules.ChangesApplication(p.planned, *p.prior))...)
	rules.WarnNotApplied(p.planned.Parties().Items, p.private, reachesPods, p.following(), p.images.Definition, diags)
}

// following returns whether what an app image has now is rolled out.
func (p *planned) following() rules.Following {
	switch {
	case !p.config.WithDefaults().FollowAppImage().ValueBool():
		return rules.FollowsNot
	case !rules.CanFollow(p.planned, p.config):
		return rules.CannotFollow
	}
	return rules.Follows
}

// explained returns the reasons for a replacement, with what it does where one is explained.
func (p *planned) explained() []definition.Replacement {
	all := make([]definition.Replacement, len(p.replace))
	for i, reason := range p.replace {
		if reason.Why != "" {
			reason.Why += " The serving will be deleted and created again"
			if p.keepsID() {
				reason.Why += noneRuns
			}
			reason.Why += "."
			if i == 0 {
				reason.Why += p.imagesStay()
			}
		}
		all[i] = reason
	}
	return all
}

// noneRuns is what a replacement with the same ID does. One with another ID may run before the old
// one is deleted.
const noneRuns = ": no party runs in between, and Kuscia allocates all ports again"

func (p *planned) keepsID() bool { return p.planned.ServingID().Equal(p.prior.ServingID()) }

// warnReplaced warns of a replacement that Terraform's plan does not explain.
func (p *planned) warnReplaced(diags *diag.Diagnostics) {
	for _, reason := range p.replace {
		if reason.Why != "" {
			return
		}
	}
	if at := p.replace[0].Path; p.keepsID() {
		diags.AddAttributeWarning(at, "No party runs during the replacement", check.WithPath(at, "The serving will be deleted and created again"+noneRuns+"."+p.imagesStay()))
	}
}

// imagesStay says which parties keep their images in a replacement, where the plan cannot show it: the
// apply plans the new serving once more, and another client may have changed the app image by then.
func (p *planned) imagesStay() string {
	var stay []string
	for _, of := range p.planned.Parties().Items {
		before, ok := rules.FindParty(p.prior.Parties().Items, of.Key())
		if ok && of.KeyKnown() && of.Image().IsUnknown() && of.AppImage().Equal(before.AppImage()) && !before.Image().IsNull() {
			stay = append(stay, fmt.Sprintf("%s %.200s", of.Name, httpapi.Text(before.Image().ValueString())))
		}
	}
	if len(stay) == 0 {
		return ""
	}
	if more := len(stay) - mostNamed; more > 0 {
		stay = append(stay[:mostNamed], fmt.Sprintf("and %d more", more))
	}
	return " image is (known after apply) only because the serving is a new one; this plan does not change it: " + strings.Join(stay, ", ") + "."
}

// mostNamed is how many parties a warning names.
const mostNamed = 5

// mayEndOtherwise reports whether no plan knows if the rollout will be complete: where pods are
// replaced, so that the plan shows it, and with a cluster, where an OpenKruise Rollout may pause one
// that is not complete yet.
func (p *planned) mayEndOtherwise(c *run.Run, from crud.Planned) bool {
	if p.prior != nil && rules.ReplacesPods(p.planned, *p.prior) {
		return true
	}
	return mayHaveKubernetes(c) && (len(p.replace) > 0 || !definition.IsRolloutComplete(from.Prior))
}

// checkPlanned rejects in the plan what is known to fail at apply. problems are those of the
// configuration; without an error, the plan is checked against the servers.
func checkPlanned(ctx context.Context, c *run.Run, problems diag.Diagnostics, change plannedChange, diags *diag.Diagnostics) {
	if diags.Append(problems...); problems.HasError() {
		return
	}
	c.ReachedKubernetes(ctx, diags) // the apply needs it for the wait
	if c.ReachedKuscia(ctx, diags) {
		checkParties(ctx, c, change, diags)
	}
}
