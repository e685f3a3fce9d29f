package deployment

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// change is the planned change of a deployment.
type change struct {
	// planned is the value to plan. It equals the prior state if nothing
	// changes.
	planned definition.Value
	// replaces are the changes that require a replacement, sent those that have
	// to be sent to the cluster.
	replaces []definition.Replacement
	sent     []path.Path
	// keptValues are the values that the plan removes and Kuscia does not revert.
	keptValues []kept
}

// kept is a value that a Deployment keeps although Kuscia no longer sets it.
type kept struct {
	at   path.Path
	text string
}

// plan plans the difference between a configuration and the prior state. prior
// is null for a deployment that is to be created.
func plan(config, prior definition.Value, imported bool) change {
	options := definition.PlanOptions{Imported: imported}
	p := deployment.Plan(inOrderOf(config, prior), prior, options)
	if !prior.IsNull() && touches(p.Differences, attrParties) {
		// Terraform only lets a plan keep a prior value at the same list index.
		p = deployment.Plan(config, prior, options)
	}
	out := change{planned: p.Planned, replaces: p.Replaces, sent: p.Sent}
	// Any change that is sent makes Kuscia apply the app images in their
	// current form.
	rolls := prior.IsNull() || len(p.Replaces) > 0 || len(p.Sent) > 0
	// The wait may end at a step of a Rollout.
	unknown := tftypes.NewValue(tftypes.Bool, tftypes.UnknownValue)
	out.planned = deployment.WithRollout(out.planned, definition.PlannedRollout(prior, out.planned, rolls, unknown))
	if !prior.IsNull() && len(p.Replaces) == 0 {
		out.keptValues = keeps(prior, out.planned)
	}
	return out
}

// touches reports whether any of the paths begins with any of the attributes.
func touches(paths []path.Path, names ...string) bool {
	for _, at := range paths {
		for _, name := range names {
			if first, _ := at.Steps()[0].(path.PathStepAttributeName); string(first) == name {
				return true
			}
		}
	}
	return false
}

// keeps returns the values that a plan removes and a Deployment keeps.
func keeps(prior, planned definition.Value) []kept {
	var found []kept
	before := partiesByKey(prior)
	for i, party := range definition.ElementsOf(definition.FieldsOf(planned)[attrParties]) {
		fields := definition.FieldsOf(party)
		old := before[keyOf(fields)]
		if old == nil {
			continue
		}
		at := path.Root(attrParties).AtListIndex(i)
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

func textOf(fields map[string]definition.Value, name string) string {
	return definition.StringOf(fields[name])
}
