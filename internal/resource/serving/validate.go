package serving

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// validate refuses what spans several attributes and what Kuscia would accept
// and then hang or fail on silently. What is unknown is looked at again later,
// and what a serving made by hand may have is left to judge.
func validate(config model) (diags diag.Diagnostics) {
	validateConfigForms(config, &diags)
	if len(config.RedeployTriggers.Elements()) > 0 && !redeployable(configText(config)) {
		addNotRedeployable(&diags)
	}
	parties, missing := config.Parties.items, false
	for i, p := range parties {
		if p.null {
			missing = true
			diags.AddAttributeError(path.Root("parties").AtListIndex(i), "Missing party",
				"The party is null. Remove it from the list, or give it a domain_id and an app_image.")
		}
	}
	if missing {
		return diags
	}
	validateInitiator(config, parties, &diags)
	validateUnique(config, parties, &diags)
	for i, p := range parties {
		if p.unknown {
			continue
		}
		at := path.Root("parties").AtListIndex(i)
		validateDeploymentName(config, p, at, &diags)
		validateStrategy(p.strategy, at.AtName("update_strategy"), &diags)
		validateResources(p.resources, at.AtName("resources"), &diags)
	}
	return diags
}

func addNotRedeployable(diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("redeploy_triggers"), "serving_input_config is not JSON",
		"Pods are restarted by sending serving_input_config again with other white space, which changes nothing only in JSON. Make serving_input_config JSON (\"{}\" is enough), or remove redeploy_triggers and use replace_triggers.")
}

func validateInitiator(config model, parties []party, diags *diag.Diagnostics) {
	if config.Initiator.IsNull() || config.Initiator.IsUnknown() || len(parties) == 0 {
		return
	}
	for _, p := range parties {
		if p.unknown || p.domainID.IsUnknown() || p.domainID.IsNull() || p.domainID.Equal(config.Initiator) || !label.MatchString(config.Initiator.ValueString()) {
			return
		}
	}
	diags.AddAttributeError(path.Root("initiator"), "Initiator is not a party",
		fmt.Sprintf("%q is not the domain_id of any of the parties. Use the domain_id of one of them, or add a party for it.", config.Initiator.ValueString()))
}

func validateUnique(config model, parties []party, diags *diag.Diagnostics) {
	type prefixed struct{ domainID, prefix string }
	seen, prefixes := map[partyKey]int{}, map[prefixed]int{}
	for i, p := range parties {
		if !p.keyKnown() {
			continue
		}
		at := path.Root("parties").AtListIndex(i)
		if earlier, ok := seen[p.key()]; ok {
			diags.AddAttributeError(at, "Duplicate party", fmt.Sprintf(
				"parties[%d] has the same domain_id %q and role %q. Kuscia would accept the serving, which then never becomes available. Remove one of the two, or give them different roles.",
				earlier, p.key().domainID, p.key().role))
			continue
		}
		seen[p.key()] = i
		prefix := prefixed{p.domainID.ValueString(), servicePrefixOf(config, p)}
		if prefix.prefix == "" {
			continue
		}
		if earlier, ok := prefixes[prefix]; ok {
			if p.serviceNamePrefix.ValueString() == "" {
				i, earlier = earlier, i
			}
			diags.AddAttributeError(path.Root("parties").AtListIndex(i).AtName("service_name_prefix"), "Duplicate service_name_prefix", fmt.Sprintf(
				"parties[%d] has the same prefix %q in the same domain; both would create the same Services. Use another prefix.", earlier, prefix.prefix))
		}
		prefixes[prefix] = i
	}
}

// servicePrefixOf is what the names of a party's Services start with: its
// prefix, or the name of its Deployment; "" as long as that is not known.
func servicePrefixOf(config model, p party) string {
	switch {
	case p.serviceNamePrefix.IsUnknown(), p.serviceNamePrefix.ValueString() != "":
		return p.serviceNamePrefix.ValueString()
	case config.ServingID.IsUnknown() || p.role.ValueString() == "":
		return config.ServingID.ValueString()
	default:
		return config.ServingID.ValueString() + "-" + p.role.ValueString()
	}
}

// maxDeploymentName is the length of a Kubernetes label value; Kuscia puts the
// name of a party's Deployment, serving_id or serving_id-role, into one.
const maxDeploymentName = 63

func validateDeploymentName(config model, p party, at path.Path, diags *diag.Diagnostics) {
	if p.role.ValueString() == "" || config.ServingID.IsUnknown() {
		return
	}
	if name := config.ServingID.ValueString() + "-" + p.role.ValueString(); len(name) > maxDeploymentName {
		diags.AddAttributeError(at.AtName("role"), "serving_id and role are too long", fmt.Sprintf(
			"Kuscia names the party's Deployment %q: %d characters, and at most %d are possible. Shorten serving_id or role.", name, len(name), maxDeploymentName))
	}
}

func validateStrategy(s strategy, at path.Path, diags *diag.Diagnostics) {
	if s.null || s.unknown || s.kind.IsUnknown() {
		return
	}
	if s.kind.ValueString() == kuscia.StrategyRecreate {
		for name, bound := range map[string]bool{"max_surge": !s.surge.IsNull(), "max_unavailable": !s.unavailable.IsNull()} {
			if bound {
				diags.AddAttributeError(at.AtName(name), "Not used with Recreate",
					fmt.Sprintf("%s belongs to RollingUpdate; Kuscia drops it for Recreate. Remove it, or use type = %q.", name, kuscia.StrategyRollingUpdate))
			}
		}
	}
}

func validateResources(list resourceList, at path.Path, diags *diag.Diagnostics) {
	if list.null || list.unknown {
		return
	}
	seen := map[string]int{}
	for i, item := range list.items {
		if !item.known() {
			continue
		}
		itemAt := at.AtListIndex(i)
		name := item.container.ValueString()
		if earlier, ok := seen[name]; ok {
			diags.AddAttributeError(itemAt.AtName("container_name"), "Duplicate resources", fmt.Sprintf(
				"resources[%d] is for %s too, and only the last one would count. Merge the two.", earlier, describeContainer(name)))
		}
		seen[name] = i
		if item.setsNothing() {
			diags.AddAttributeError(itemAt, "Empty resources", fmt.Sprintf(
				"The entry for %s sets no value. Set at least one of min_cpu, max_cpu, min_memory and max_memory, or remove the entry.", describeContainer(name)))
		}
	}
}
