package deployment

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secretflow"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// checkApplication reports why the application would not start in the parties of a plan.
func checkApplication(ctx context.Context, c *clients.Clients, p crud.Planned) diag.Diagnostics {
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
	isChanged := p.Prior.IsNull() || !p.Unchanged && len(p.Sent) > 0
	return check.Plan(applicationIssues(p.Planned, text, false, planObjects(ctx, c, client, nil), isChanged), nil)
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
	found := check.Plan(applicationIssues(change.Value, known, isSecret, objects, true), nil)
	if isSecret {
		return found
	}
	return found.Errors() // the plan has warned
}

func applicationIssues(value definition.Value, text *string, isSecret bool, objects clusterObjects, isChanged bool) []check.Issue {
	fields := definition.FieldsOf(value)
	if checks := fields[party.AttrCheckApplication]; !checks.IsKnown() || !checks.IsNull() && !definition.BoolOf(checks) {
		return nil
	}
	application := secretflow.Serving{ID: textOf(fields, attrName), Text: text, Incomplete: !fields[attrParties].IsKnown()}
	paths := map[string]path.Path{}
	parties := definition.FieldsOf(fields[attrParties])
	for _, key := range slices.Sorted(maps.Keys(parties)) {
		p := definition.FieldsOf(parties[key])
		if !parties[key].IsKnown() || !isKnown(p) {
			application.Incomplete = true
			continue
		}
		known := secretflow.Party{Domain: textOf(p, attrDomainID), Role: textOf(p, attrRole)}
		if name := textOf(p, attrAppImage); name != "" {
			known.Image = party.ApplicationImage(objects.plannedOrCurrent(name), known.Role)
		}
		if known.Image != nil && secretflow.IsServing(known.Image) && !runsHere(objects, known.Domain) {
			known.Image = nil // an app image of this name is another one than the partner's
		}
		paths[known.Domain] = partiesPath.AtMapKey(key).AtName(attrAppImage)
		application.Parties = append(application.Parties, known)
	}
	at := path.Root(attrInputConfig)
	if isSecret {
		at = path.Root(attrInputConfig + "_wo")
	}
	return party.CheckApplication(application, party.ApplicationText{At: at, Secret: isSecret, AppImage: func(domain string) path.Path { return paths[domain] }}, isChanged)
}
