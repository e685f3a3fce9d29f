package review

import (
	"maps"
	"path"
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
)

// notes reports what is beside the changes of objects.
func (b *builder) notes(plan *Plan) {
	r := &b.report
	for _, change := range plan.ResourceDrift {
		if change == nil || !isOurs(change) || change.Mode == tfjson.DataResourceMode {
			continue
		}
		other := newOther(newObject(change))
		r.Drift = append(r.Drift, other)
		b.find(Finding{Address: other.Address, Categories: []Category{Drifted}, Effect: concat(say("without Terraform: "), other.phrase()), kind: objectDrifted})
	}
	for _, deferred := range plan.DeferredChanges {
		if deferred == nil || deferred.ResourceChange == nil {
			continue
		}
		other := newOther(newObject(deferred.ResourceChange))
		other.Cause = deferredCause(deferred.Reason)
		r.Deferred = append(r.Deferred, other)
		b.find(Finding{Address: other.Address, Categories: []Category{Incomplete}, Effect: concat(say("left for another plan: "), other.Cause), kind: changeDeferred})
	}
	if len(r.Deferred) == 0 && plan.Complete != nil && !*plan.Complete && !plan.Errored {
		r.Notes = append(r.Notes, say("The plan is not complete, for example because of -target: other changes may be left."))
		b.find(Finding{Categories: []Category{Incomplete}, Effect: say("the plan is not complete"), kind: changeDeferred})
	}
	for _, name := range slices.Sorted(maps.Keys(plan.OutputChanges)) {
		if change := plan.OutputChanges[name]; change != nil && actionOf(change.Actions) != None {
			r.Outputs = append(r.Outputs, name)
		}
	}
	b.checks(plan.Checks)
}

var deferredCauses = map[string]words{
	"resource_config_unknown":   "its configuration is known after apply",
	"provider_config_unknown":   "the configuration of its provider is known after apply",
	"instance_count_unknown":    "count or for_each is known after apply",
	"absent_prereq":             "something that it needs does not exist yet",
	"deferred_prereq":           "something that it depends on is left for another plan",
	"deferred_by_configuration": "the configuration says so",
}

func deferredCause(reason string) phrase {
	if text, ok := deferredCauses[reason]; ok {
		return say(text)
	}
	return show(reason)
}

func (b *builder) checks(checks []tfjson.CheckResultStatic) {
	for _, check := range checks {
		if check.Status != tfjson.CheckStatusFail && check.Status != tfjson.CheckStatusError {
			continue
		}
		c := Check{Address: check.Address.ToDisplay}
		for _, instance := range check.Instances {
			for _, problem := range instance.Problems {
				c.Problems = append(c.Problems, problem.Message)
			}
		}
		b.report.Checks = append(b.report.Checks, c)
		b.find(Finding{Address: c.Address, Categories: []Category{Checked}, Effect: concat(say("fails: "), join(" ", values(c.Problems, 3)...)), kind: checkFails})
	}
}

// actions reports the actions of the provider that the apply invokes, such as
// kuscia_serving_redeploy.
func (b *builder) actions(plan *Plan) {
	for _, action := range plan.ActionInvocations {
		if action == nil || !strings.HasPrefix(action.Type, "kuscia_") || path.Base(action.ProviderName) != "kuscia" {
			continue
		}
		config := value{raw: action.ConfigValues, unknown: action.ConfigUnknown, hidden: [2]any{action.ConfigSensitive, nil}}
		f := Finding{Address: action.Address, kind: otherChanged, Effect: say("invoked")}
		switch action.Type {
		case "kuscia_serving_redeploy":
			f.kind, f.Categories, f.subject = servingRestarts, []Category{Restarted}, shown(config.at("serving_id").text())
			b.note(say("The action "), action.Address, say(" restarts the serving "), config.at("serving_id"))
		case "kuscia_rollout_approve":
			f.kind, f.Categories, f.subject = stepApproved, []Category{Released}, concat(shown(config.at("step").text()), say(" of "), shown(rolloutName(config, "name")))
			b.note(say("The action "), action.Address, say(" approves a step of the Rollout "), config.at("name"))
		default:
			b.note(say("The action "), action.Address, say(" is invoked"), value{})
		}
		b.find(f)
	}
}

func (b *builder) note(before phrase, address string, between phrase, name value) {
	b.report.Notes = append(b.report.Notes, concat(before, show(address), between, shown(name.text()), say(".")))
}
