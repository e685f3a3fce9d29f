package deployment

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// checkApplication reports why the application would not start in the parties of a plan.
func checkApplication(ctx context.Context, c *run.Run, p crud.Planned) diag.Diagnostics {
	client, err := c.OpenKubernetes()
	if err != nil || len(p.Replaces) > 0 { // Terraform requests the plan of a create next
		return nil
	}
	var text *string
	fields := definition.FieldsOf(p.Planned)
	if fields[attrInputConfig].IsKnown() && fields[attrInputConfig+"_wo_version"].IsNull() {
		known := definition.StringOf(fields[attrInputConfig])
		text = &known
	}
	isChanged := p.Prior.IsNull() || !p.Unchanged && slices.ContainsFunc(p.Sent, changesApplication)
	if !checksApplication(p.Planned) {
		return nil
	}
	return applicationOf(p.Planned, text, planObjects(ctx, c, client, nil)).CheckPlan(isChanged)
}

// checkApplicationInApply is checkApplication right before a request, with what the plan did not
// know.
func checkApplicationInApply(change crud.Change[object], objects clusterObjects) diag.Diagnostics {
	text, version := definition.StringAt(change.Value, attrInputConfig), definition.FieldsOf(change.Value)[attrInputConfig+"_wo_version"]
	isSecret := !version.IsNull()
	if isSecret {
		text = definition.StringAt(change.Config, attrInputConfig+"_wo")
	}
	known := &text
	if isSecret && !change.Prior.IsNull() && definition.FieldsOf(change.Prior)[attrInputConfig+"_wo_version"].Equal(version) {
		known = nil // the cluster keeps its text
	}
	if !checksApplication(change.Value) {
		return nil
	}
	application := applicationOf(change.Value, known, objects)
	if isSecret {
		application.At, application.Secret = path.Root(attrInputConfig+"_wo"), true
	}
	return application.CheckApply(change.Prior.IsNull() || slices.ContainsFunc(change.Sent, changesApplication))
}

// changesApplication reports whether an attribute changes what a party starts: not its number of
// pods, nor labels of the object.
func changesApplication(sent path.Path) bool {
	last, _ := sent.Steps().LastStep()
	return last != path.PathStepAttributeName(attrReplicas) && sent.Steps()[0] != path.PathStepAttributeName(attrLabels)
}

// checksApplication reports whether the application is checked: not if that is not known yet.
func checksApplication(value definition.Value) bool {
	checks := definition.FieldsOf(value)[party.AttrCheckApplication]
	return checks.IsKnown() && (checks.IsNull() || definition.BoolOf(checks))
}

// applicationOf is a KusciaDeployment with its text, nil if that is not known.
func applicationOf(value definition.Value, text *string, objects clusterObjects) party.Application {
	fields := definition.FieldsOf(value)
	known := party.Application{
		ID: textOf(fields, attrName), Text: text, At: path.Root(attrInputConfig), Incomplete: !fields[attrParties].IsKnown(),
		Images: objects.plannedOrCurrent, RunsHere: func(domain string) bool { return runsHere(objects, domain) },
	}
	parties := definition.FieldsOf(fields[attrParties])
	for _, key := range slices.Sorted(maps.Keys(parties)) {
		p := definition.FieldsOf(parties[key])
		if !parties[key].IsKnown() || !isKnown(p) {
			known.Incomplete = true
			continue
		}
		known.Parties = append(known.Parties, party.ApplicationParty{
			Domain: textOf(p, attrDomainID), Role: textOf(p, attrRole), AppImage: textOf(p, attrAppImage), At: partiesPath.AtMapKey(key).AtName(attrAppImage),
		})
	}
	return known
}
