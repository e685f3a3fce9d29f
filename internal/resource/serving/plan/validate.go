package plan

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
)

// Validate rejects invalid combinations of attributes, and what Kuscia would
// accept and then hang or fail on silently. Unknown values are checked again
// later, and what a manually created serving may have is left to Check.
func Validate(config model.Serving) (diags diag.Diagnostics) {
	ValidateConfigForms(config, &diags)
	if len(config.RedeployTriggers.Elements()) > 0 && !Redeployable(model.ConfigText(config)) {
		AddNotRedeployable(&diags)
	}
	parties, missing := config.Parties.Items, false
	for i, p := range parties {
		if p.Null {
			missing = true
			diags.AddAttributeError(path.Root("parties").AtListIndex(i), "Missing party",
				"The party is null. Remove it from the list, or set its domain_id and app_image.")
		}
	}
	if missing {
		return diags
	}
	validateInitiator(config, parties, &diags)
	validateUnique(config, parties, &diags)
	for i, p := range parties {
		if p.Unknown {
			continue
		}
		at := path.Root("parties").AtListIndex(i)
		validateDeploymentName(config, p, at, &diags)
		validateStrategy(p.Strategy, at.AtName("update_strategy"), &diags)
		validateResources(p.Resources, at.AtName("resources"), &diags)
	}
	return diags
}

// AddNotRedeployable adds the error for redeploy_triggers with a text that is
// not JSON.
func AddNotRedeployable(diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("redeploy_triggers"), "serving_input_config is not JSON",
		"Pods are restarted by sending serving_input_config again with different white space, which changes nothing only in JSON. Make serving_input_config JSON (\"{}\" is enough), or remove redeploy_triggers and use replace_triggers.")
}

func validateInitiator(config model.Serving, parties []model.Party, diags *diag.Diagnostics) {
	if config.Initiator.IsNull() || config.Initiator.IsUnknown() || len(parties) == 0 {
		return
	}
	for _, p := range parties {
		if p.Unknown || p.DomainID.IsUnknown() || p.DomainID.IsNull() || p.DomainID.Equal(config.Initiator) || !party.RFC1123Label.MatchString(config.Initiator.ValueString()) {
			return
		}
	}
	diags.AddAttributeError(path.Root("initiator"), "Initiator is not a party",
		fmt.Sprintf("%q is not the domain_id of any of the parties. Use the domain_id of one of them, or add a party for it.", config.Initiator.ValueString()))
}

func validateUnique(config model.Serving, parties []model.Party, diags *diag.Diagnostics) {
	type prefixed struct{ domainID, prefix string }
	seen, prefixes := map[party.Key]int{}, map[prefixed]int{}
	for i, p := range parties {
		if !p.KeyKnown() {
			continue
		}
		at := path.Root("parties").AtListIndex(i)
		if earlier, ok := seen[p.Key()]; ok {
			diags.AddAttributeError(at, "Duplicate party", fmt.Sprintf(
				"parties[%d] has the same domain_id %q and role %q. Kuscia would accept the serving, which then never becomes available. Remove one of the two, or use different roles.",
				earlier, p.Key().DomainID, p.Key().Role))
			continue
		}
		seen[p.Key()] = i
		prefix := prefixed{p.DomainID.ValueString(), servicePrefixOf(config, p)}
		if prefix.prefix == "" {
			continue
		}
		if earlier, ok := prefixes[prefix]; ok {
			if p.ServiceNamePrefix.ValueString() == "" {
				i, earlier = earlier, i
			}
			diags.AddAttributeError(path.Root("parties").AtListIndex(i).AtName("service_name_prefix"), "Duplicate service_name_prefix", fmt.Sprintf(
				"parties[%d] has the same prefix %q in the same domain; both would create the same Services. Use another prefix.", earlier, prefix.prefix))
		}
		prefixes[prefix] = i
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
		diags.AddAttributeError(at.AtName("role"), "serving_id and role are too long", fmt.Sprintf(
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
				diags.AddAttributeError(at.AtName(name), "Not used with Recreate",
					fmt.Sprintf("%s applies only to RollingUpdate; Kuscia ignores it for Recreate. Remove it, or use type = %q.", name, kuscia.StrategyRollingUpdate))
			}
		}
	}
}

func validateResources(list model.ResourceList, at path.Path, diags *diag.Diagnostics) {
	if list.Null || list.Unknown {
		return
	}
	seen := map[string]int{}
	for i, item := range list.Items {
		if !item.Known() {
			continue
		}
		itemAt := at.AtListIndex(i)
		name := item.Container.ValueString()
		if earlier, ok := seen[name]; ok {
			diags.AddAttributeError(itemAt.AtName("container_name"), "Duplicate resources", fmt.Sprintf(
				"resources[%d] is for %s too, and only the last one would take effect. Merge the two.", earlier, model.DescribeContainer(name)))
		}
		seen[name] = i
		if item.SetsNothing() {
			diags.AddAttributeError(itemAt, "Empty resources", fmt.Sprintf(
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
	case isSet && version.IsNull():
		diags.AddAttributeError(path.Root(model.AttrConfigWO), "Version is missing", fmt.Sprintf(
			"Terraform does not store %s, so it cannot detect a change of it. Set %s, for example to %d, and change it whenever the text changes.", model.AttrConfigWO, model.AttrConfigVersion, model.MinConfigVersion))
	case hidden.IsNull() && !version.IsNull() && !version.IsUnknown():
		diags.AddAttributeError(path.Root(model.AttrConfigVersion), "Configuration text is missing", fmt.Sprintf(
			"%s is the version of %s, which is not set. Set both or neither.", model.AttrConfigVersion, model.AttrConfigWO))
	}
	if isSet && !text.IsNull() && !text.IsUnknown() {
		diags.AddAttributeError(path.Root(model.AttrConfigWO), "Two configuration texts", fmt.Sprintf(
			"%s and %s are both set, and a serving has one text. Keep %s to keep the text out of plan and state, or %s otherwise.", model.AttrConfig, model.AttrConfigWO, model.AttrConfigWO, model.AttrConfig))
	}
}
