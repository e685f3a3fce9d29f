package review

import (
	"maps"
	"path"
	"slices"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/planconfig"
)

// notes reports what is beside the changes of objects.
func (b *builder) notes(plan *Plan) {
	r := &b.report
	for _, change := range plan.ResourceDrift {
		if change == nil || !isOurs(change.Type) || change.Mode == tfjson.DataResourceMode {
			continue
		}
		other := newOther(newObject(change))
		r.Drift = append(r.Drift, other)
		b.find(Finding{Address: other.Address, Categories: []Category{Drifted}, Effect: concat(say("without Terraform: "), other.phrase()), kind: objectDrifted})
	}
	for _, deferred := range plan.DeferredChanges {
		if deferred != nil && deferred.ResourceChange != nil {
			b.deferred(newOther(newObject(deferred.ResourceChange)), deferred.Reason)
		}
	}
	for _, deferred := range plan.DeferredActions {
		if deferred != nil && deferred.Action != nil {
			b.deferred(Other{Address: deferred.Action.Address, Kind: deferred.Action.Type, Action: None}, deferred.Reason)
		}
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

func (b *builder) deferred(other Other, reason string) {
	other.Cause = deferredCause(reason)
	b.report.Deferred = append(b.report.Deferred, other)
	b.find(Finding{Address: other.Address, Categories: []Category{Incomplete}, Effect: concat(say("left for another plan: "), other.Cause), kind: changeDeferred})
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
	open := 0
	for _, check := range checks {
		switch check.Status {
		case tfjson.CheckStatusPass:
			continue
		case tfjson.CheckStatusFail, tfjson.CheckStatusError:
		default:
			open++
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
	if open > 0 {
		b.report.Notes = append(b.report.Notes, concat(count(open, "check is", "checks are"), say(" not evaluated in this plan.")))
	}
}

// noteProvider notes a publisher's other name of this provider.
func (b *builder) noteProvider(name string) {
	if name == "" || path.Base(name) == "kuscia" {
		return
	}
	note := concat(say("Resources of the provider "), show(name), say(" are reviewed as those of kuscia."))
	if !slices.ContainsFunc(b.report.Notes, func(other phrase) bool { return slices.Equal(note, other) }) {
		b.report.Notes = append(b.report.Notes, note)
	}
}

// applyable notes where the CLI and this review do not agree whether there is anything to apply.
func (b *builder) applyable(plan *Plan) {
	r := &b.report
	switch {
	case plan.Applyable == nil || *plan.Applyable == r.Changes || r.Errored:
	case *plan.Applyable:
		r.onlyState, r.Changes = true, true
	default:
		r.Notes = append(r.Notes, say("Terraform marks this plan as one that cannot be applied."))
	}
}

// actions reports the actions that the apply invokes, such as kuscia_serving_redeploy.
func (b *builder) actions(plan *Plan) {
	for _, action := range plan.ActionInvocations {
		switch {
		case action == nil:
		case isOurs(action.Type):
			b.noteProvider(action.ProviderName)
			b.action(action)
		default:
			b.report.OtherActions++
			b.report.Notes = append(b.report.Notes, concat(say("The action "), show(action.Address), say(" of another provider is invoked, which may do anything.")))
			b.find(Finding{Address: action.Address, Categories: []Category{Provisioned}, Effect: say("invoked"), kind: programRuns})
		}
	}
}

func (b *builder) action(action *tfjson.ActionInvocation) {
	config := value{raw: action.ConfigValues, unknown: action.ConfigUnknown, hidden: [2]any{action.ConfigSensitive, nil}}
	f := Finding{Address: action.Address, kind: otherChanged, Effect: say("invoked")}
	switch action.Type {
	case "kuscia_serving_redeploy":
		f.kind, f.Categories, f.subject = servingRestarts, []Category{Restarted}, shown(config.at("serving_id").text())
		if b.redeployStops(config.at("serving_id")) {
			f.kind, f.Categories = servingInterrupted, []Category{Interrupted, Restarted}
		}
		b.note(say("The action "), action.Address, say(" restarts the serving "), config.at("serving_id"))
	case "kuscia_rollout_approve":
		f.kind, f.Categories, f.subject = stepApproved, []Category{Released}, concat(shown(config.at("step").text()), say(" of "), shown(objectName(config)))
		b.note(say("The action "), action.Address, say(" approves a step of the Rollout "), config.at("name"))
	default:
		b.note(say("The action "), action.Address, say(" is invoked"), value{})
	}
	b.find(f)
}

// redeployStops reports whether all pods of a party of a serving may stop before new ones
// start, as those of one that is not in the plan may.
func (b *builder) redeployStops(id value) bool {
	found := false
	for _, w := range b.workloads {
		if w.kind != "kuscia_serving" || id.id() == "" || w.latest().at("serving_id").id() != id.id() {
			continue
		}
		found = true
		if slices.ContainsFunc(partiesOf(w.latest()), func(p keyed) bool { return stopsAll(p.value, p.value) != no }) {
			return true
		}
	}
	return !found
}

func (b *builder) note(before phrase, address string, between phrase, name value) {
	b.report.Notes = append(b.report.Notes, concat(before, show(address), between, shown(name.text()), say(".")))
}

// provisioners reports the provisioners of a block that the apply may run: that of a create
// is not told from that of a destroy.
func (b *builder) provisioners(o object, block planconfig.Block) {
	if len(block.Provisioners) == 0 || !slices.Contains([]Action{Create, Replace, Delete}, o.action) {
		return
	}
	var kinds []string
	for _, p := range block.Provisioners {
		kinds = append(kinds, p.Type)
	}
	runs := concat(say("runs the provisioner "), join(", ", values(compact(kinds), 4)...))
	b.report.Notes = append(b.report.Notes, concat(say("The apply "), runs, say(" of "), show(o.address), say(", which may do anything.")))
	b.find(Finding{Address: o.address, Categories: []Category{Provisioned}, Effect: runs, kind: programRuns})
}
