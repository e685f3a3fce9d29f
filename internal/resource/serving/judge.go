package serving

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// judge refuses in a plan what Kuscia stores and never runs. It is not left to
// validate, since a serving made by hand may be like that, and a configuration
// that says so has to be valid to be imported. prior and planned are those of
// an update in place, nil where a new serving is made. What a party already is
// and the update leaves alone is excused, unless the update waits for it.
func judge(config model, planned, prior *model, private privateData) (diags diag.Diagnostics) {
	diags.Append(judgeConfigText(config, prior)...)
	written, _ := decodeParties(config.Parties)
	for i, p := range written {
		if p.unknown {
			continue
		}
		at, kept := path.Root("parties").AtListIndex(i), false
		var change partyChange
		if planned != nil {
			var old party
			if old, p, kept = liveParty(p.withDefaults(), planned, prior); kept {
				change = compareParties(old, p, private)
			}
			p.resources = written[i].resources
		}
		for _, found := range []struct {
			diags   diag.Diagnostics
			changed bool
		}{
			{judgeReplicas(p, at.AtName("replicas")), change.replicas},
			{judgeStrategy(p.strategy, at.AtName("update_strategy")), change.strategy},
			{judgeResources(p.resources, at.AtName("resources")), change.touchesResources()},
		} {
			if kept && !found.changed {
				found.diags = excuse(found.diags, planned.WaitForRollout.ValueBool())
			}
			diags.Append(found.diags...)
		}
	}
	return diags
}

// liveParty finds a party of the configuration in the state and in the plan of
// an update, where it has the values that it leaves out.
func liveParty(p party, planned, prior *model) (before, after party, ok bool) {
	if !p.keyKnown() {
		return party{}, p, false
	}
	old, _ := decodeParties(prior.Parties)
	next, _ := decodeParties(planned.Parties)
	before, wasThere := findParty(old, p.key())
	after, stays := findParty(next, p.key())
	if !wasThere || !stays {
		return party{}, p, false
	}
	return before, after, true
}

// excuse makes warnings of what is wrong with a live serving already. An update
// that waits until the serving runs would fail for certain. Of what is a warning
// anyway the create has told.
func excuse(found diag.Diagnostics, waits bool) (excused diag.Diagnostics) {
	for _, d := range found {
		with, ok := d.(diag.DiagnosticWithPath)
		switch {
		case d.Severity() == diag.SeverityWarning:
		case !ok:
			excused.Append(d)
		case waits:
			excused.AddAttributeError(with.Path(), d.Summary(), d.Detail()+
				"\n\nKuscia already holds it like this, and the change that is planned would wait for the serving to run. Correct this too, or set wait_for_rollout = false.")
		default:
			excused.AddAttributeWarning(with.Path(), d.Summary(), locate(with.Path(), d.Detail())+
				"\n\nKuscia already holds it like this, so it is not refused here.")
		}
	}
	return excused
}

func judgeReplicas(p party, at path.Path) (diags diag.Diagnostics) {
	if p.replicas.IsNull() || p.replicas.IsUnknown() || p.replicas.ValueInt32() >= 1 {
		return nil
	}
	diags.AddAttributeError(at, "Invalid number of replicas", fmt.Sprintf(
		"replicas is %d; it must be at least 1. Kuscia would accept it and never call the serving available. Leave it out for 1, or delete the serving to stop it.", p.replicas.ValueInt32()))
	return diags
}

func judgeStrategy(s strategy, at path.Path) (diags diag.Diagnostics) {
	if s.null || s.unknown || s.kind.IsUnknown() || s.kind.ValueString() == kuscia.StrategyRecreate {
		return nil
	}
	surge, _, surgeOK := tfvalue.ParseCountOrPercent(s.surge.ValueString())
	unavailable, _, unavailableOK := tfvalue.ParseCountOrPercent(s.unavailable.ValueString())
	if surgeOK && unavailableOK && surge == 0 && unavailable == 0 {
		diags.AddAttributeError(at, "Rolling update cannot move",
			"max_surge and max_unavailable are both zero, so that no pod may be added and none taken away. Kuscia would accept it and never deploy the serving. Make one of them at least 1 or 1%.")
	}
	return diags
}

func judgeResources(list resourceList, at path.Path) (diags diag.Diagnostics) {
	if list.null || list.unknown {
		return nil
	}
	for i, item := range list.items {
		if item.unknown {
			continue
		}
		judgeAmounts(item, at.AtListIndex(i), &diags)
		if !item.known() {
			continue
		}
		for _, found := range checkBounds(item.amounts(), describeContainer(item.container.ValueString()), "") {
			diags.AddAttributeError(at.AtListIndex(i), found.summary, found.detail)
		}
	}
	if !list.known() || diags.HasError() {
		return diags
	}
	wanted := list.form()
	for _, name := range wanted.names() {
		for _, found := range checkBounds(wanted.of(name), describeContainer(name), " (with the values for all containers)") {
			diags.AddAttributeError(at, found.summary, found.detail)
		}
	}
	return diags
}

// judgeAmounts finds amounts that no container can have, or that cannot be
// meant.
func judgeAmounts(item containerResources, at path.Path, diags *diag.Diagnostics) {
	for _, field := range []struct {
		name, of string
		value    tfvalue.Quantity
	}{
		{"min_cpu", tfvalue.CPU, item.minCPU}, {"max_cpu", tfvalue.CPU, item.maxCPU},
		{"min_memory", tfvalue.Memory, item.minMemory}, {"max_memory", tfvalue.Memory, item.maxMemory},
	} {
		at, text := at.AtName(field.name), field.value.ValueString()
		if amount, err := tfvalue.ParseQuantity(text); err == nil && amount.Sign() < 0 {
			diags.AddAttributeError(at, "Negative quantity", fmt.Sprintf(
				"%q is below zero. Kuscia would accept it and then never be able to start a pod; use zero or more.", text))
		}
		if problem, impossible := tfvalue.QuantityOutOfRange(field.of, text); impossible {
			diags.AddAttributeError(at, "Quantity too large", problem)
		} else if problem != "" {
			diags.AddAttributeWarning(at, "Quantity too small", locate(at, problem))
		}
	}
}
