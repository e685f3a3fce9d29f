package rules

import (
	"context"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Validate rejects invalid values and combinations of them, and what Kuscia would
// accept and then hang or fail on silently. Unknown values are checked again
// later, and what a manually created serving may have is left to Check.
func Validate(config definition.Value) diag.Diagnostics {
	c := &validator{config: Of(config)}
	c.serving()
	parties := definition.FieldsOf(definition.FieldsOf(config)["parties"])
	for _, name := range slices.Sorted(maps.Keys(parties)) {
		c.replicas(definition.FieldsOf(parties[name])["replicas"], path.Root("parties").AtMapKey(name).AtName("replicas"))
	}
	diags := check.Validate(c.IndependentOf(nil))
	for _, problem := range Definition.Problems(config) {
		diags.AddAttributeError(problem.Path, problem.Summary, check.WithPath(problem.Path, problem.Detail))
	}
	return diags
}

// validator collects what is invalid in a configuration.
type validator struct {
	check.Checker

	config Serving
}

func (c *validator) refuse(at path.Path, summary, detail string) {
	c.Add(check.Refused, at, "", summary, detail)
}

// label refuses a text that is not a label. An unset one is valid.
func (c *validator) label(at path.Path, name string, value types.String, pattern *regexp.Regexp, rule string) {
	if !value.IsNull() && !value.IsUnknown() && !pattern.MatchString(value.ValueString()) {
		c.refuse(at, "Invalid "+name, fmt.Sprintf("%s is not allowed; it %s.", tfvalue.Quote(value.ValueString()), rule))
	}
}

// oneOf refuses a text that is not one of those that are allowed. An unset one is valid.
func (c *validator) oneOf(at path.Path, value types.String, allowed ...string) {
	if !value.IsNull() && !value.IsUnknown() && !slices.Contains(allowed, value.ValueString()) {
		c.refuse(at, tfvalue.ValueNotAllowed, tfvalue.NotAllowed(value.ValueString(), allowed))
	}
}

// replicas refuses a number that is not whole or too large.
func (c *validator) replicas(number definition.Value, at path.Path) {
	if number.Type() == nil {
		return // of a party that is not known
	}
	for _, found := range (tfvalue.Int32Type{Min: 1, Max: math.MaxInt32}).Validate(context.Background(), number, at) {
		c.refuse(at, found.Summary(), found.Detail())
	}
}

func (c *validator) serving() {
	c.label(path.Root("serving_id"), "serving_id", c.config.ServingID(), party.RFC1123Label, party.RFC1123LabelRule)
	c.label(path.Root("initiator"), "initiator", c.config.Initiator(), party.RFC1123Label, party.RFC1123LabelRule)
	c.oneOf(path.Root("affinity_mode"), c.config.String("affinity_mode"), kuscia.AffinityNone, kuscia.Affinity, kuscia.AntiAffinity)
	if deadline := c.config.ProgressDeadline(); !deadline.IsNull() && !deadline.IsUnknown() {
		if _, err := tfvalue.ParseTimeLimit(deadline.ValueString()); err != nil {
			c.refuse(path.Root(AttrProgressDeadline), tfvalue.InvalidTimeLimit, err.Error()+".")
		}
	}
	if len(c.config.RedeployTriggers().Elements()) > 0 && !Redeployable(ConfigText(c.config)) {
		problem := notRedeployable(path.Root("redeploy_triggers"))
		c.refuse(problem.At, problem.Summary, problem.Detail)
	}
	parties, missing := c.config.Parties().Items, false
	if len(parties) == 0 && !c.config.Parties().IsNull() && !c.config.Parties().IsUnknown() {
		c.refuse(path.Root("parties"), "Missing party", "A serving needs at least one party. Add one, with the domain as key and its app_image.")
	}
	for _, p := range parties {
		if p.IsNull() {
			missing = true
			c.refuse(p.Path(), "Missing party", "The party is null. Remove it from the map, or set its app_image.")
		}
	}
	if !missing {
		c.parties(parties)
	}
}

func (c *validator) parties(parties []Party) {
	c.initiator(parties)
	c.unique(parties)
	for _, p := range parties {
		if p.IsUnknown() {
			continue
		}
		at := p.Path()
		c.name(p)
		c.label(at.AtName("domain_id"), "domain_id", p.DomainID(), party.RFC1123Label, party.RFC1123LabelRule)
		c.label(at.AtName("role"), "role", p.Role(), party.OptionalRFC1123Label, "must be empty or "+party.LabelForm)
		c.label(at.AtName("service_name_prefix"), "service_name_prefix", p.ServiceNamePrefix(), party.ServiceNamePrefixPattern, party.ServiceNamePrefixRule)
		if p.AppImage().Equal(types.StringValue("")) {
			c.refuse(at.AtName("app_image"), "Invalid app_image", "\"\" is not allowed; it must not be empty.")
		}
		c.deploymentName(p, at)
		c.strategy(p.Strategy(), at.AtName("update_strategy"))
		c.amounts(p.Resources().Common(), at.AtName(AttrResources))
		c.containers(p.Resources(), at.AtName(AttrContainerResources))
	}
}

// name checks a key of parties that is a domain_id, as Kuscia would.
func (c *validator) name(p Party) {
	if p.DomainID().IsNull() && !party.RFC1123Label.MatchString(p.Name) {
		c.refuse(p.Path(), "Invalid domain_id", fmt.Sprintf(
			"The key %s is the domain_id of the party, and it %s. Use the name of a domain, or set domain_id in the party.", tfvalue.Quote(p.Name), party.RFC1123LabelRule))
	}
}

// AddNotRedeployable adds the error for a restart with a text that is not JSON. cause is the
// attribute that restarts the pods.
func AddNotRedeployable(cause path.Path, diags *diag.Diagnostics) {
	found := notRedeployable(cause)
	diags.AddAttributeError(found.At, found.Summary, check.WithPath(found.At, found.Detail))
}

func notRedeployable(cause path.Path) check.Issue {
	instead := "remove redeploy_triggers and use replace_triggers"
	if !cause.Equal(path.Root("redeploy_triggers")) {
		instead = "set follow_app_image = false and use replace_triggers"
	}
	return check.Issue{At: cause, Summary: "Configuration text is not JSON",
		Detail: "Pods are restarted by sending serving_input_config again with different white space, which changes nothing only in a JSON object or array. Make serving_input_config JSON (\"{}\" is enough), or " + instead + "."}
}

func (c *validator) initiator(parties []Party) {
	config := c.config
	if config.Initiator().IsNull() || config.Initiator().IsUnknown() || len(parties) == 0 {
		return
	}
	for _, p := range parties {
		if p.IsUnknown() || p.DomainID().IsUnknown() || p.Key().DomainID == config.Initiator().ValueString() || !party.RFC1123Label.MatchString(config.Initiator().ValueString()) {
			return
		}
	}
	c.refuse(path.Root("initiator"), "Initiator is not a party",
		fmt.Sprintf("%q is not the domain_id of any of the parties. Set the domain_id of one of them, or add a party for it.", config.Initiator().ValueString()))
}

func (c *validator) unique(parties []Party) {
	type prefixed struct{ domainID, prefix string }
	keys, prefixes := map[string]party.Key{}, map[prefixed]Party{}
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
			c.refuse(p.Path(), "Duplicate party", fmt.Sprintf(
				"%s has the same domain_id %q and role %q. Kuscia would accept the serving, which then never becomes available. Remove one of the two, or use different roles.",
				path.Root("parties").AtMapKey(earlier), p.Key().DomainID, p.Key().Role))
			continue
		}
		_, services := p.Names(c.config.ServingID())
		prefix := prefixed{p.Key().DomainID, services}
		if prefix.prefix == "" {
			continue
		}
		if earlier, ok := prefixes[prefix]; ok {
			if p.ServiceNamePrefix().ValueString() == "" {
				p, earlier = earlier, p
			}
			c.refuse(p.Path().AtName("service_name_prefix"), "Duplicate service_name_prefix", fmt.Sprintf(
				"%s has the same prefix %q in the same domain; both would create the same Services. Use another prefix.", earlier.Path(), prefix.prefix))
		}
		prefixes[prefix] = p
	}
}

// maxDeploymentName is the maximum length of a Kubernetes label value; Kuscia
// puts the name of a party's Deployment, serving_id or serving_id-role, into
// one.
const maxDeploymentName = 63

func (c *validator) deploymentName(p Party, at path.Path) {
	if p.Role().ValueString() == "" {
		return
	}
	if name, _ := p.Names(c.config.ServingID()); len(name) > maxDeploymentName {
		c.refuse(at.AtName("role"), "Deployment name too long", fmt.Sprintf(
			"Kuscia names the party's Deployment %q: %d characters, and at most %d are possible. Shorten serving_id or role.", name, len(name), maxDeploymentName))
	}
}

func (c *validator) strategy(s Strategy, at path.Path) {
	c.oneOf(at.AtName("type"), s.Type(), kuscia.StrategyRollingUpdate, kuscia.StrategyRecreate)
	c.countOrPercent(at.AtName("max_surge"), s.MaxSurge(), 0)
	c.countOrPercent(at.AtName("max_unavailable"), s.MaxUnavailable(), 100)
	if s.Type().ValueString() == kuscia.StrategyRecreate {
		c.unusedWithRecreate(at, "max_surge", s.MaxSurge())
		c.unusedWithRecreate(at, "max_unavailable", s.MaxUnavailable())
	}
}

// unusedWithRecreate refuses a bound of a rolling update.
func (c *validator) unusedWithRecreate(at path.Path, name string, bound types.String) {
	if !bound.IsNull() {
		c.refuse(at.AtName(name), "Attribute not used with Recreate",
			fmt.Sprintf("%s applies only to RollingUpdate; Kuscia ignores it for Recreate. Remove it, or use type = %q.", name, kuscia.StrategyRollingUpdate))
	}
}

// countOrPercent refuses a text that is neither a number of pods nor a percentage of at most
// limit, 0 for any.
func (c *validator) countOrPercent(at path.Path, value types.String, limit int) {
	if value.IsNull() || value.IsUnknown() {
		return
	}
	number, percent, valid := tfvalue.ParseCountOrPercent(value.ValueString())
	if valid && (!percent || limit == 0 || number <= limit) {
		return
	}
	allowed := "a percentage such as \"25%\""
	if limit > 0 {
		allowed = fmt.Sprintf("a percentage from \"0%%\" to \"%d%%\"", limit)
	}
	c.refuse(at, "Invalid number or percentage", fmt.Sprintf("%s must be a whole number such as \"1\" or %s.", tfvalue.Quote(value.ValueString()), allowed))
}

// amounts refuses texts that are no quantities. Negative ones are left to Check.
func (c *validator) amounts(values ContainerResources, at path.Path) {
	for _, field := range values.Fields() {
		if field.Value.IsNull() || field.Value.IsUnknown() {
			continue
		}
		if _, err := tfvalue.ParseQuantity(field.Value.ValueString()); err != nil {
			c.refuse(at.AtName(field.Name), "Invalid quantity", tfvalue.InvalidQuantity(field.Value.ValueString())+"; to leave it unset, omit the attribute.")
		}
	}
}

func (c *validator) containers(resources Resources, at path.Path) {
	for _, name := range resources.ContainerNames() {
		values, _ := resources.Named(name)
		c.amounts(values, at.AtMapKey(name))
		switch {
		case name == "":
			c.refuse(at.AtMapKey(name), "Missing container name",
				"The key is the name of a container of the app image, and it is empty. For all containers use the attribute resources.")
		case values.Known() && values.SetsNothing():
			c.refuse(at.AtMapKey(name), "Empty resources", fmt.Sprintf(
				"The entry for %s sets no value. Set at least one of min_cpu, max_cpu, min_memory and max_memory, or remove the entry.", DescribeContainer(name)))
		}
	}
}
