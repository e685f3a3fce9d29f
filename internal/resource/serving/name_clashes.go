package serving

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
)

func plannedParty(id, domainID, role, appImage, prefix string) clients.PlannedParty {
	planned := clients.PlannedParty{DomainID: domainID, Role: role, AppImage: appImage, ServicePrefix: prefix}
	if id != "" {
		planned.DeploymentName = party.DeploymentName(id, role)
	}
	if prefix == "" {
		planned.ServicePrefix = planned.DeploymentName
	}
	return planned
}

// plannedServing returns a planned serving for clients.PlannedServings; unknown values are
// empty.
func plannedServing(ctx context.Context, planned rules.Serving, creates bool) clients.PlannedServing {
	id := planned.ServingID.ValueString()
	serving := clients.PlannedServing{ServingID: id, Creates: creates, Config: fastpath.PlannedConfigHash(ctx)}
	parties := planned.Parties.Items
	for _, p := range parties {
		recorded := clients.PlannedParty{}
		if p.KeyKnown() {
			recorded = plannedParty(id, p.DomainID.ValueString(), p.Role.ValueString(), p.AppImage.ValueString(), p.ServiceNamePrefix.ValueString())
		}
		if p.ServiceNamePrefix.IsUnknown() {
			recorded.ServicePrefix = ""
		}
		serving.Parties = append(serving.Parties, recorded)
	}
	return serving
}

// checkPlannedServings records a planned serving and reports another one of the
// same run with the same names. Kuscia rejects a second serving with the same
// id, but not one whose Service names are taken: its Services then cannot be
// created.
func checkPlannedServings(ctx context.Context, c *clients.Clients, planned rules.Serving, creates bool, diags *diag.Diagnostics) {
	if c == nil || c.PlannedServings == nil {
		return
	}
	serving := plannedServing(ctx, planned, creates)
	for _, clash := range c.PlannedServings.Record(serving) {
		switch clash.Kind {
		case clients.SameServingID:
			if clash.Other.IsKusciaDeployment {
				diags.AddAttributeError(path.Root("serving_id"), "Serving and KusciaDeployment with one name", fmt.Sprintf(
					"A kuscia_deployment of this configuration has the name %q, and Kuscia stores a serving as a KusciaDeployment: choose another serving_id or name for one of the two.", serving.ServingID))
				continue
			}
			diags.AddAttributeError(path.Root("serving_id"), "Two resources for one serving", fmt.Sprintf(
				"Two kuscia_serving resources have the serving_id %q: this one, and another one that %s%s. A serving belongs to one resource: choose another serving_id for one of the two.",
				serving.ServingID, whereIs(clash.Other), describeParties(clash.Other)))
			continue
		case clients.SameDeployment:
			at := planned.Parties.Items[clash.Party].Path().AtName("role")
			diags.AddAttributeError(at, "Two parties with one Deployment", check.WithPath(at, fmt.Sprintf(
				"Kuscia names a party's Deployment serving_id or serving_id-role: a party of the serving %[3]s and one of the %[4]s would both have the Deployment %[1]q in the domain %[2]q. Change the serving_id, the name or the role of one of them.",
				serving.Parties[clash.Party].DeploymentName, serving.Parties[clash.Party].DomainID, quoteID(serving.ServingID), clash.Other)))
		case clients.SameServicePrefix:
			addPrefixClash(ctx, c, serving, clash, planned.Parties.Items[clash.Party].Path().AtName("service_name_prefix"), diags)
		}
	}
}

// addPrefixClash adds an error if both parties have a port of the same name,
// nothing if they have none in common, and a warning if that is unknown.
func addPrefixClash(ctx context.Context, c *clients.Clients, serving clients.PlannedServing, clash clients.Clash, at path.Path, diags *diag.Diagnostics) {
	own, other := serving.Parties[clash.Party], clash.Other.Parties[clash.OtherParty]
	images := plannedImages(ctx, c).Definition
	summary, detail, certain := (party.ServiceClash{
		DomainID: own.DomainID, Prefix: own.ServicePrefix, Owner: serving, Other: clash.Other,
		Template: images.Template(own.AppImage, own.Role), OtherTemplate: images.Template(other.AppImage, other.Role),
	}).Describe()
	check.AddClash(diags, at, summary, detail, certain)
}

func whereIs(other clients.PlannedServing) string {
	if other.Creates {
		return "is created too"
	}
	return "is in the state"
}

// describeParties describes a resource whose address is not known to the
// provider.
func describeParties(s clients.PlannedServing) string {
	if len(s.Parties) == 0 {
		return ""
	}
	var list []string
	for _, p := range s.Parties {
		list = append(list, fmt.Sprintf("domain_id %q with app_image %q", p.DomainID, p.AppImage))
	}
	return " (parties: " + strings.Join(list, ", ") + ")"
}

func quoteID(id string) string {
	if id == "" {
		return "whose serving_id is known only after apply"
	}
	return fmt.Sprintf("%q", id)
}

// warnOfNames warns of parties with another key than in the prior state.
func warnOfNames(planned, prior rules.Serving, diags *diag.Diagnostics) {
	if first, detail := party.DescribeRenamed(partyNames(prior), partyNames(planned)); detail != "" {
		diags.AddAttributeWarning(path.Root("parties").AtMapKey(first), party.RenamedSummary, detail)
	}
}

// partyNames returns what identifies the parties, as far as it is known, by their keys.
func partyNames(serving rules.Serving) map[string]party.Key {
	out := map[string]party.Key{}
	for _, p := range serving.Parties.Items {
		if p.KeyKnown() {
			out[p.Name] = p.Key()
		}
	}
	return out
}
