package rules

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// CheckPlan rejects in a plan what Kuscia stores and never runs. It is not part of
// Validate, since a serving that was created manually may have such values, and
// a configuration with them must be valid to be imported. prior and planned are
// those of an update in place, nil for a new serving. What a party already has
// and the update leaves unchanged becomes a warning, unless the update waits for
// it.
func CheckPlan(config Serving, planned, prior *Serving, private Private) diag.Diagnostics {
	issues := checkConfigText(config, prior)
	configured := config.Parties().Items
	for i, p := range configured {
		if p.IsUnknown() {
			continue
		}
		at, kept := p.Path(), false
		var change PartyChange
		if planned != nil {
			var old Party
			if old, p, kept = liveParty(p, planned, prior); kept {
				change = CompareParties(old, p, private)
			}
			p = p.WithResources(configured[i].Resources())
		}
		for _, found := range []struct {
			issues  []check.Issue
			changed bool
		}{
			{checkReplicas(p, at.AtName("replicas")), change.Replicas},
			{checkStrategy(p.Strategy(), at.AtName("update_strategy")), change.Strategy},
			{checkAllResources(p.Resources(), at), change.TouchesResources()},
		} {
			if kept && !found.changed {
				found.issues = downgradePreexisting(found.issues, planned.WaitForRollout().ValueBool())
			}
			issues = append(issues, found.issues...)
		}
	}
	return check.Plan(issues, nil)
}

// liveParty finds a party of the configuration in the state and in the plan of
// an update, which have the values that the configuration leaves out.
func liveParty(p Party, planned, prior *Serving) (before, after Party, ok bool) {
	if !p.KeyKnown() {
		return Party{}, p, false
	}
	before, wasThere := FindParty(prior.Parties().Items, p.Key())
	after, stays := FindParty(planned.Parties().Items, p.Key())
	if !wasThere || !stays {
		return Party{}, p, false
	}
	return before, after, true
}

// downgradePreexisting turns errors about a live serving that already existed
// into warnings. An update that waits until the serving runs would certainly
// fail, so its errors remain. What is a warning anyway was reported at the
// create.
func downgradePreexisting(found []check.Issue, waits bool) (preexisting []check.Issue) {
	for _, issue := range found {
		switch {
		case issue.Severity == check.Doubtful:
			continue
		case waits:
			issue.Detail += "\n\nThe existing serving already has this value, and the planned change waits for the serving to run. Correct this too, or set wait_for_rollout = false."
		default:
			issue.Severity = check.Doubtful
			issue.Detail += "\n\nThe existing object already has this value, so this is only a warning."
		}
		preexisting = append(preexisting, issue)
	}
	return preexisting
}

func checkReplicas(p Party, at path.Path) []check.Issue {
	if p.Replicas().IsNull() || p.Replicas().IsUnknown() || p.Replicas().ValueInt32() >= 1 {
		return nil
	}
	return []check.Issue{unusable(at, "Invalid number of replicas", fmt.Sprintf(
		"replicas is %d; it must be at least 1. Kuscia would accept it but never report the serving as available. Omit it for 1, or delete the serving to stop it.", p.Replicas().ValueInt32()))}
}

func checkStrategy(s Strategy, at path.Path) []check.Issue {
	if s.IsNull() || s.IsUnknown() || s.Type().IsUnknown() || s.Type().ValueString() == kuscia.StrategyRecreate {
		return nil
	}
	surge, _, surgeOK := tfvalue.ParseCountOrPercent(s.MaxSurge().ValueString())
	unavailable, _, unavailableOK := tfvalue.ParseCountOrPercent(s.MaxUnavailable().ValueString())
	if !surgeOK || !unavailableOK || surge > 0 || unavailable > 0 {
		return nil
	}
	return []check.Issue{unusable(at, "Rolling update cannot proceed",
		"max_surge and max_unavailable are both zero, so no pod could be added or removed. Kuscia would accept it and never deploy the serving. Make one of them at least 1 or 1%.")}
}

func checkAllResources(resources Resources, at path.Path) (issues []check.Issue) {
	checkResource := func(item ContainerResources, at path.Path, of string) {
		issues = append(issues, checkAmounts(item, at)...)
		issues = append(issues, checkBounds(item.Amounts(), of, "", at)...)
	}
	checkResource(resources.Common(), at.AtName(AttrResources), DescribeContainer(""))
	named := at.AtName(AttrContainerResources)
	for _, name := range resources.ContainerNames() {
		values, _ := resources.Named(name)
		checkResource(values, named.AtMapKey(name), DescribeContainer(name))
	}
	isError := func(i check.Issue) bool { return i.Severity == check.Unusable }
	if !resources.Known() || slices.ContainsFunc(issues, isError) {
		return issues
	}
	desired := resources.Spec()
	for _, name := range desired.Names() {
		issues = append(issues, checkBounds(desired.ForContainer(name), DescribeContainer(name), " (with the values for all containers)", named.AtMapKey(name))...)
	}
	return issues
}

// checkAmounts finds amounts that no container can have or that are certainly
// mistakes.
func checkAmounts(item ContainerResources, at path.Path) (issues []check.Issue) {
	for _, field := range item.Fields() {
		at, text := at.AtName(field.Name), field.Value.ValueString()
		if amount, err := tfvalue.ParseQuantity(text); err == nil && amount.Sign() < 0 {
			issues = append(issues, unusable(at, "Negative quantity", fmt.Sprintf(
				"%q is below zero. Kuscia would accept it and then never be able to start a pod; use zero or more.", text)))
		}
		if problem, impossible := tfvalue.QuantityOutOfRange(field.Of, text); impossible {
			issues = append(issues, unusable(at, "Quantity too large", problem))
		} else if problem != "" {
			issues = append(issues, check.Issue{At: at, Summary: "Quantity too small", Detail: problem, Severity: check.Doubtful})
		}
	}
	return issues
}

// checkConfigText warns of what is doubtful in a text, unless a live serving already has it.
func checkConfigText(config Serving, prior *Serving) []check.Issue {
	if prior != nil && sameText(config, *prior) {
		return nil
	}
	attribute := AttrConfig
	if !config.ServingInputConfigWO().IsNull() {
		attribute = AttrConfigWO
	}
	return party.CheckConfigText(attribute, ConfigText(config).ValueString(), attribute == AttrConfig)
}

// sameText reports whether a configuration leaves the text unchanged, by its
// version if it is write-only.
func sameText(config, prior Serving) bool {
	if prior.ConfigIsWriteOnly() {
		return config.ServingInputConfigVersion().Equal(prior.ServingInputConfigVersion())
	}
	return tfvalue.ConfigTextEqual(ConfigText(config).ValueString(), prior.ServingInputConfig().ValueString())
}
