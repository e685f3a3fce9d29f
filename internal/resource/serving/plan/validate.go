package plan

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Validate rejects invalid combinations of attributes, and what Kuscia would
// accept and then hang or fail on silently. Unknown values are checked again
// later, and what a manually created serving may have is left to Check.
func Validate(config model.Serving) (diags diag.Diagnostics) {
	ValidateConfigForms(config, &diags)
	if len(config.RedeployTriggers.Elements()) > 0 && !Redeployable(model.ConfigText(config)) {
		AddNotRedeployable(path.Root("redeploy_triggers"), &diags)
	}
	parties, missing := config.Parties.Items, false
	if len(parties) == 0 && !config.Parties.IsNull() && !config.Parties.IsUnknown() {
		diags.AddAttributeError(path.Root("parties"), "Missing party", "A serving needs at least one party. Add one, with the domain as key and its app_image.")
	}
	for _, p := range parties {
		if p.Null {
			missing = true
			diags.AddAttributeError(p.Path(), "Missing party",
				"The party is null. Remove it from the map, or set its app_image.")
		}
	}
	if missing {
		return diags
	}
	validateInitiator(config, parties, &diags)
	validateUnique(config, parties, &diags)
	for _, p := range parties {
		if p.Unknown {
			continue
		}
		at := p.Path()
		validateName(p, &diags)
		validateDeploymentName(config, p, at, &diags)
		validateStrategy(p.Strategy, at.AtName("update_strategy"), &diags)
		validateResources(p.Resources, at.AtName(model.AttrContainerResources), &diags)
	}
	return diags
}

// validateName checks a key of parties that is a domain_id, as Kuscia would.
func validateName(p model.Party, diags *diag.Diagnostics) {
	if p.DomainID.IsNull() && !party.RFC1123Label.MatchString(p.Name) {
		diags.AddAttributeError(p.Path(), "Invalid domain_id", fmt.Sprintf(
			"The key %s is the domain_id of the party, and it %s. Use the name of a domain, or set domain_id in the party.", tfvalue.Quote(p.Name), party.RFC1123LabelRule))
	}
}

// AddNotRedeployable adds the error for a restart with a text that is not JSON. cause is the
// attribute that restarts the pods.
func AddNotRedeployable(cause path.Path, diags *diag.Diagnostics) {
	instead := "remove redeploy_triggers and use replace_triggers"
	if !cause.Equal(path.Root("redeploy_triggers")) {
		instead = "set follow_app_image = false and use replace_triggers"
	}
	diags.AddAttributeError(cause, "Configuration text is not JSON",
		"Pods are restarted by sending serving_input_config again with different white space, which changes nothing only in JSON. Make serving_input_config JSON (\"{}\" is enough), or "+instead+".")
}

func validateInitiator(config model.Serving, parties []model.Party, diags *diag.Diagnostics) {
	if config.Initiator.IsNull() || config.Initiator.IsUnknown() || len(parties) == 0 {
		return
	}
	for _, p := range parties {
		if p.Unknown || p.DomainID.IsUnknown() || p.Key().DomainID == config.Initiator.ValueString() || !party.RFC1123Label.MatchString(config.Initiator.ValueString()) {
			return
		}
	}
	diags.AddAttributeError(path.Root("initiator"), "Initiator is not a party",
		fmt.Sprintf("%q is not the domain_id of any of the parties. Set the domain_id of one of them, or add a party for it.", config.Initiator.ValueString()))
}

func validateUnique(config model.Serving, parties []model.Party, diags *diag.Diagnostics) {
	type prefixed struct{ domainID, prefix string }
	keys, prefixes := map[string]party.Key{}, map[prefixed]model.Party{}
	for _, p := range parties {
		if p.KeyKnown() {
			keys[p.Name] = p.Key()
		}
	}
	duplicates := party.Duplicates(keys)
	for _, p := range parties {
		if !p.KeyKnown() {
			continue
		}
		if earlier, ok := duplicates[p.Name]; ok {
			diags.AddAttributeError(p.Path(), "Duplicate party", fmt.Sprintf(
				"%s has the same domain_id %q and role %q. Kuscia would accept the serving, which then never becomes available. Remove one of the two, or use different roles.",
				path.Root("parties").AtMapKey(earlier), p.Key().DomainID, p.Key().Role))
			continue
		}
		prefix := prefixed{p.Key().DomainID, servicePrefixOf(config, p)}
		if prefix.prefix == "" {
			continue
		}
		if earlier, ok := prefixes[prefix]; ok {
			if p.ServiceNamePrefix.ValueString() == "" {
				p, earlier = earlier, p
			}
			diags.AddAttributeError(p.Path().AtName("service_name_prefix"), "Duplicate service_name_prefix", fmt.Sprintf(
				"%s has the same prefix %q in the same domain; both would create the same Services. Use another prefix.", earlier.Path(), prefix.prefix))
		}
		prefixes[prefix] = p
	}
}

// servicePrefixOf returns the prefix of a party's Service names: its own prefix,
// or the name of its Deployment; "" while that is unknown.
func servicePrefixOf(config model.Serving, p model.Party) string {
	switch {
	case p.ServiceNamePrefix.IsUnknown(), p.ServiceNamePrefix.ValueString() != "":
		return p.ServiceNamePrefix.ValueString()
	case config.ServingID.IsUnknown() || p.Role.ValueString() == "":
		return config.ServingID.ValueString()
	default:
		return config.ServingID.ValueString() + "-" + p.Role.ValueString()
	}
}

// maxDeploymentName is the maximum length of a Kubernetes label value; Kuscia
// puts the name of a party's Deployment, serving_id or serving_id-role, into
// one.
const maxDeploymentName = 63

func validateDeploymentName(config model.Serving, p model.Party, at path.Path, diags *diag.Diagnostics) {
	if p.Role.ValueString() == "" || config.ServingID.IsUnknown() {
		return
	}
	if name := config.ServingID.ValueString() + "-" + p.Role.ValueString(); len(name) > maxDeploymentName {
		diags.AddAttributeError(at.AtName("role"), "Deployment name too long", fmt.Sprintf(
			"Kuscia names the party's Deployment %q: %d characters, and at most %d are possible. Shorten serving_id or role.", name, len(name), maxDeploymentName))
	}
}

func validateStrategy(s model.Strategy, at path.Path, diags *diag.Diagnostics) {
	if s.Null || s.Unknown || s.Type.IsUnknown() {
		return
	}
	if s.Type.ValueString() == kuscia.StrategyRecreate {
		for name, bound := range map[string]bool{"max_surge": !s.MaxSurge.IsNull(), "max_unavailable": !s.MaxUnavailable.IsNull()} {
			if bound {
				diags.AddAttributeError(at.AtName(name), "Attribute not used with Recreate",
					fmt.Sprintf("%s applies only to RollingUpdate; Kuscia ignores it for Recreate. Remove it, or use type = %q.", name, kuscia.StrategyRollingUpdate))
			}
		}
	}
}

func validateResources(resources model.Resources, at path.Path, diags *diag.Diagnostics) {
	for _, name := range slices.Sorted(maps.Keys(resources.Named)) {
		values := resources.Named[name]
		switch {
		case name == "":
			diags.AddAttributeError(at.AtMapKey(name), "Missing container name",
				"The key is the name of a container of the app image, and it is empty. For all containers use the attribute resources.")
		case values.Known() && values.SetsNothing():
			diags.AddAttributeError(at.AtMapKey(name), "Empty resources", fmt.Sprintf(
				"The entry for %s sets no value. Set at least one of min_cpu, max_cpu, min_memory and max_memory, or remove the entry.", model.DescribeContainer(name)))
		}
	}
}

// ValidateConfigForms rejects anything but one complete form. Unknown values are
// checked again once they are known.
func ValidateConfigForms(config model.Serving, diags *diag.Diagnostics) {
	text, hidden, version := config.ServingInputConfig, config.ServingInputConfigWO, config.ServingInputConfigVersion
	isSet := !hidden.IsNull() && !hidden.IsUnknown()
	switch {
	case isSet && hidden.ValueString() == "":
		diags.AddAttributeError(path.Root(model.AttrConfigWO), "Empty configuration text", fmt.Sprintf(
			"%s is empty, and Kuscia treats an empty text as none. Omit it and %s, or set a text, for example \"{}\".", model.AttrConfigWO, model.AttrConfigVersion))
	case isSet && !text.IsNull() && !text.IsUnknown():
		diags.AddAttributeError(path.Root(model.AttrConfigWO), "Conflicting attributes", fmt.Sprintf(
			"Both %s and %s are set, and a serving has one text. Keep %[2]s to keep the text out of plan and state, or %[1]s otherwise.", model.AttrConfig, model.AttrConfigWO))
	case isSet && version.IsNull():
		diags.AddAttributeError(path.Root(model.AttrConfigWO), "Missing version", fmt.Sprintf(
			"Terraform does not store %s, so it cannot detect a change of it. Set %s, for example to %d, and change it whenever the text changes.", model.AttrConfigWO, model.AttrConfigVersion, model.MinConfigVersion))
	case hidden.IsNull() && !version.IsNull() && !version.IsUnknown():
		diags.AddAttributeError(path.Root(model.AttrConfigVersion), "Missing configuration text", fmt.Sprintf(
			"%s is the version of %s, which is not set. Set both or neither.", model.AttrConfigVersion, model.AttrConfigWO))
	}
}
