package serving

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// warnOfStarts warns of what it costs that the start of a planned update has to be observed:
// of many updates, and of limits that are shorter than the time after which replica counts are accepted without an observed start of the rollout: the update
// can then fail although all pods run. With a cluster nothing has to be observed.
func warnOfStarts(c *run.Run, planned, prior rules.Serving, diags *diag.Diagnostics) {
	if !planned.WaitForRollout().ValueBool() || c == nil || mayHaveKubernetes(c) || planned.ServingID().IsUnknown() || !rules.ReplacesPods(planned, prior) {
		return
	}
	warn := func(at path.Path, limit time.Duration) {
		if limit < servingstatus.StartTimeout {
			diags.AddAttributeWarning(at, "Time limit shorter than an update may need", fmt.Sprintf(
				"The update of serving %q can replace pods, and %s is %s. Without kubernetes in the provider block, the provider has to observe the start of the rollout. If it does not, because the start was too short or Kuscia lags, "+
					"the replica counts are accepted after %s: with a shorter limit the apply fails although all pods run. Increase the limit to more than %s, or set kubernetes.",
				planned.ServingID().ValueString(), at, limit, servingstatus.StartTimeout, servingstatus.StartTimeout))
		}
	}
	warnManyStarts(c, planned, diags)
	warn(path.Root(definition.AttrTimeouts).AtName("update"), rules.Definition.Timeout(planned.Value(), definition.OnUpdate))
	if !planned.ProgressDeadline().IsUnknown() {
		warn(path.Root(rules.AttrProgressDeadline), rules.ProgressDeadline(planned))
	}
}

// warnOfGaps warns of parties that do not answer while their pods are replaced.
func warnOfGaps(planned, prior rules.Serving, diags *diag.Diagnostics) {
	for _, p := range rules.StopsAll(planned, prior) {
		diags.AddAttributeWarning(p.Path(), party.StopsAllSummary, check.WithPath(p.Path(), party.DescribeStopsAll(p.Name)))
	}
}

// manyStarts is the number of updates in a plan from which on it warns of their cost.
const manyStarts = 20

// warnManyStarts warns, once in a run, of many updates whose starts have to be observed.
func warnManyStarts(c *run.Run, planned rules.Serving, diags *diag.Diagnostics) {
	const withNewPods run.Key[*plannedStarts] = "servings with new pods"
	updates := run.Value(c, withNewPods, func() *plannedStarts { return new(plannedStarts) })
	if !updates.reaches(planned.ServingID().ValueString(), manyStarts) {
		return
	}
	diags.AddWarning("Many updates without kubernetes in the provider block", fmt.Sprintf(
		"This plan gives new pods to %d servings or more. Without kubernetes, the provider has to observe the start of each rollout in Kuscia's status, which shows it for about a second. "+
			"Each start that it does not observe, for example because Kuscia is busy, takes %s more, and a warning. With kubernetes it reads the Deployments, and needs no start.",
		manyStarts, servingstatus.StartTimeout))
}

// plannedStarts are the ids of planned servings.
type plannedStarts struct {
	mu  sync.Mutex
	ids map[string]bool
}

// reaches adds a serving, and reports whether their number reaches a limit with it.
func (p *plannedStarts) reaches(id string, limit int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ids == nil {
		p.ids = map[string]bool{}
	}
	before := len(p.ids)
	p.ids[id] = true
	return before < limit && len(p.ids) == limit
}

// releasesTimeout limits how long a cluster that does not respond delays a
// delete, which does not need it.
const releasesTimeout = 5 * time.Second

// warnOfReleases warns of Rollouts that are releasing a Deployment of a serving
// that is being deleted: what they leave behind makes the next release hang.
// There is no warning without a cluster or if it does not respond.
func warnOfReleases(ctx context.Context, c *run.Run, serving rules.Serving, summary string, diags *diag.Diagnostics) {
	if !c.HasKubernetes() {
		return
	}
	client, err := c.Kubernetes.Open()
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, releasesTimeout)
	defer cancel()
	id := serving.ServingID().ValueString()
	for _, p := range serving.Parties().Items {
		object, err := client.Get(ctx, kube.Deployments, p.DomainID().ValueString(), party.DeploymentName(id, p.Role().ValueString()))
		deployment := &kube.Deployment{}
		if err != nil || kube.Decode(object, deployment) != nil {
			continue
		}
		if left := party.LeftoverBatchRelease(deployment); left != "" {
			diags.AddWarning(summary, fmt.Sprintf("Serving %q: %s", id, client.Masker(ctx).Report(left)))
		}
	}
}
