package deployment

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
)

// plannedNames returns the names that a planned deployment uses; unknown ones are
// empty. paths are those of the parties.
func plannedNames(ctx context.Context, planned definition.Value, creates bool) (out clients.PlannedServing, paths []path.Path) {
	root, _ := definition.Read(planned, definition.Value{})
	out = clients.PlannedServing{IsKusciaDeployment: true, ServingID: root.String(attrName), Creates: creates, Config: fastpath.PlannedConfigHash(ctx)}
	for key, p := range root.ObjectMap(attrParties) {
		one := clients.PlannedParty{DomainID: p.String(attrDomainID), Role: p.String(attrRole), AppImage: p.String(attrAppImage), ServicePrefix: p.String(attrPrefix)}
		if out.ServingID != "" && p.Known(attrRole) {
			one.DeploymentName = party.DeploymentName(out.ServingID, one.Role)
		}
		if one.ServicePrefix == "" && p.Known(attrPrefix) {
			one.ServicePrefix = one.DeploymentName
		}
		out.Parties, paths = append(out.Parties, one), append(paths, partiesPath.AtMapKey(key))
	}
	return out, paths
}

// checkNames records the names of a planned deployment, and reports another
// deployment or serving of the same run with the same names: Kuscia fails to create
// the second one. images returns app images as planned, nil if they are not known.
func checkNames(ctx context.Context, c *clients.Clients, planned definition.Value, creates bool, images party.ImageLookup, diags *diag.Diagnostics) {
	if c == nil || c.PlannedServings == nil {
		return
	}
	names, paths := plannedNames(ctx, planned, creates)
	for _, clash := range c.PlannedServings.Record(names) {
		switch clash.Kind {
		case clients.SameServingID:
			diags.AddAttributeError(path.Root(attrName), "Duplicate name", fmt.Sprintf(
				"This name is already used by the %s of the same configuration, and Kuscia stores a serving as a KusciaDeployment too. Choose another name for one of the two.", clash.Other))
		case clients.SameDeployment:
			at := paths[clash.Party].AtName(attrRole)
			diags.AddAttributeError(at, "Two parties with one Deployment", check.WithPath(at, fmt.Sprintf(
				"Kuscia names the Deployment of a party NAME or NAME-ROLE: a party of the %[3]s and one of the %[4]s would both have the Deployment %[1]q in the domain %[2]q. Change the name or the role of one of them.",
				names.Parties[clash.Party].DeploymentName, names.Parties[clash.Party].DomainID, names, clash.Other)))
		case clients.SameServicePrefix:
			addPrefixClash(names, clash, paths[clash.Party].AtName(attrPrefix), images, diags)
		}
	}
	for i, p := range names.Parties {
		first := slices.IndexFunc(names.Parties, func(other clients.PlannedParty) bool {
			return other.DomainID == p.DomainID && other.ServicePrefix == p.ServicePrefix
		})
		if first < i && p.DomainID != "" && p.ServicePrefix != "" && names.Parties[first].Role != p.Role {
			addPrefixClash(names, clients.Clash{Other: names, Party: i, OtherParty: first}, paths[i].AtName(attrPrefix), images, diags)
		}
	}
}

// addPrefixClash adds an error if both parties have a port of the same name, nothing if
// they have none in common, and a warning if that is unknown.
func addPrefixClash(names clients.PlannedServing, clash clients.Clash, at path.Path, images party.ImageLookup, diags *diag.Diagnostics) {
	own, other := names.Parties[clash.Party], clash.Other.Parties[clash.OtherParty]
	summary, detail, certain := (party.ServiceClash{
		DomainID: own.DomainID, Prefix: own.ServicePrefix, Owner: names, Other: clash.Other,
		Template: images.Template(own.AppImage, own.Role), OtherTemplate: images.Template(other.AppImage, other.Role),
	}).Describe()
	check.AddClash(diags, at, summary, detail, certain)
}

// checkServiceNames rejects names of Services that are too long.
func checkServiceNames(image *kuscia.AppImage, p definition.Reader, at path.Path, diags *diag.Diagnostics) {
	template := templateOf(image, p)
	if template == nil {
		return
	}
	at = at.AtName(attrPrefix)
	for _, detail := range party.LongServiceNames(template, p.String(attrPrefix)) {
		diags.AddAttributeError(at, "Service name too long", check.WithPath(at, detail+" Kuscia would fail to create it (CreateServiceFailed)."))
	}
}

// warnOfConfig warns of an input_config that is too large for a container, or that
// shows secrets in plans.
func warnOfConfig(config definition.Value, diags *diag.Diagnostics) {
	for _, attribute := range []string{attrInputConfig, attrInputConfig + "_wo"} {
		if tooLarge := party.DescribeConfigSize(definition.StringAt(config, attribute)); tooLarge != "" {
			diags.AddAttributeWarning(path.Root(attribute), party.ConfigTooLargeSummary, tooLarge)
		}
	}
	if secrets := party.DescribeConfigSecrets(attrInputConfig, definition.StringAt(config, attrInputConfig)); secrets != "" {
		diags.AddAttributeWarning(path.Root(attrInputConfig), party.ConfigSecretsSummary, secrets)
	}
}
