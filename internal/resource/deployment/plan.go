package deployment

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// kept is a value that a Deployment keeps although Kuscia no longer sets it.
type kept struct {
	at   path.Path
	text string
}

// checkPlan checks a plan against the other plans of the run, and warns of what it does not
// do.
func checkPlan(ctx context.Context, c *run.Run, p crud.Planned) (diags diag.Diagnostics) {
	c.CheckKubernetes(&diags, path.Root(attrName))
	isNew, replaced := p.Prior.IsNull(), len(p.Replaces) > 0
	if !replaced { // else Terraform requests the plan of a create next
		checkNames(c, p.Planned, plannedImages(ctx, c), &diags)
	}
	if p.Unchanged || !isNew && !replaced && len(p.Sent) == 0 {
		warnChangedInPlace(ctx, c, p.Planned, &diags)
	}
	diags.Append(checkApplication(ctx, c, p)...)
	if p.Unchanged {
		return diags
	}
	if isNew || touches(p.Sent, attrInputConfig, attrInputConfig+"_wo_version") {
		warnOfConfig(p.Config, &diags)
	}
	recordPodChanges(ctx, c, p, &diags)
	if client, err := c.OpenKubernetes(); err == nil && replaced {
		warnOfReleases(ctx, client, definition.StringAt(p.Prior, attrName), "KusciaDeployment is replaced during a release", &diags)
	}
	if isNew || replaced {
		return diags
	}
	if first, renamed := party.DescribeRenamed(mapKeys(p.Prior), mapKeys(p.Planned)); renamed != "" {
		diags.AddAttributeWarning(partiesPath.AtMapKey(first), party.RenamedSummary, renamed)
	}
	warnOfGaps(p.Planned, p.Prior, &diags)
	for _, kept := range keeps(p.Prior, p.Planned) {
		diags.AddAttributeWarning(kept.at, "Deployment keeps its current value", fmt.Sprintf("%s: %s", kept.at, kept.text))
	}
	return diags
}

// warnOfGaps warns of parties that do not answer while their pods are replaced. A party without a
// strategy keeps that of its Deployment, which is not read here.
func warnOfGaps(planned, prior definition.Value, diags *diag.Diagnostics) {
	before, parties := partiesByKey(prior), partiesOf(planned)
	for _, key := range replacedKeys(planned, prior) {
		fields := definition.FieldsOf(parties[key])
		strategy := fields[attrStrategy]
		replicas, _ := definition.NumberOf(fields[attrReplicas])
		old, _ := definition.NumberOf(before[keyOf(fields)][attrReplicas])
		if strategy.IsNull() || !strategy.IsFullyKnown() || replicas == 0 || old == 0 {
			continue
		}
		surge, unavailable := cmp.Or(definition.StringAt(strategy, attrMaxSurge), kuscia.DefaultMaxSurge), cmp.Or(definition.StringAt(strategy, attrMaxUnavailable), kuscia.DefaultMaxUnavailable)
		if party.StopsAll(definition.StringAt(strategy, "type"), surge, unavailable, int32(replicas), int32(replicas)) { //nolint:gosec // validated
			at := partiesPath.AtMapKey(key)
			diags.AddAttributeWarning(at, party.StopsAllSummary, check.WithPath(at, party.DescribeStopsAll(key)))
		}
	}
}

// plannedImages returns a lookup of app images as planned, or else in the cluster.
func plannedImages(ctx context.Context, c *run.Run) party.ImageLookup {
	client, err := c.OpenKubernetes()
	if err != nil {
		return func(string) *kuscia.AppImage { return nil } // those that need the client report the error
	}
	return planObjects(ctx, c, client, nil).plannedOrCurrent
}

// keeps returns the values that a plan removes and a Deployment keeps.
func keeps(prior, planned definition.Value) []kept {
	var found []kept
	before := partiesByKey(prior)
	parties := partiesOf(planned)
	for _, key := range slices.Sorted(maps.Keys(parties)) {
		fields := definition.FieldsOf(parties[key])
		old := before[keyOf(fields)]
		if old == nil {
			continue
		}
		at := partiesPath.AtMapKey(key)
		if isRemoved(old[attrReplicas], fields[attrReplicas]) {
			n, _ := definition.NumberOf(old[attrReplicas])
			found = append(found, kept{at.AtName(attrReplicas), fmt.Sprintf(
				"The Deployment of domain %q keeps its number of pods (%d, unless something else changed it): Kuscia no longer sets it and does not restore the number of the app image. To change it, set replicas.", textOf(fields, attrDomainID), n)})
		}
		if isRemoved(old[attrStrategy], fields[attrStrategy]) {
			found = append(found, kept{at.AtName(attrStrategy), fmt.Sprintf(
				"The Deployment of domain %q keeps its update strategy: Kuscia no longer sets it and does not restore the default. To change it, set update_strategy.", textOf(fields, attrDomainID))})
		}
	}
	if before, now := definition.FieldsOf(prior)[attrInitiator], definition.FieldsOf(planned)[attrInitiator]; now.IsKnown() && !before.Equal(now) {
		found = append(found, kept{initiatorPath,
			"The existing Deployments, Services and ConfigMaps keep the initiator with which they were created in their annotations: Kuscia sets it only on objects that it creates. If the new initiator is a domain of another control plane, the KusciaDeployment keeps the annotation of the previous one, too. If these objects were created with another initiator, replace the deployment to apply the change (terraform apply -replace=ADDRESS)."})
	}
	after := appType(planned)
	if definition.FieldsOf(planned)[attrLabels].IsKnown() && after.IsKnown() && definition.StringOf(appType(prior)) != definition.StringOf(after) {
		found = append(found, kept{path.Root(attrLabels), fmt.Sprintf(
			"Kuscia sets the label %s, and with the value serving the environment variable SERVING_ID, only on Deployments that it creates: the existing Deployments of this KusciaDeployment do not change. To apply it, replace the deployment (terraform apply -replace=ADDRESS).", kube.LabelAppType)})
	}
	return found
}

func appType(value definition.Value) definition.Value {
	return definition.FieldsOf(definition.FieldsOf(value)[attrLabels])[kube.LabelAppType]
}

func isRemoved(before, after definition.Value) bool {
	return before.Type() != nil && !before.IsNull() && after.Type() != nil && after.IsKnown() && after.IsNull()
}
