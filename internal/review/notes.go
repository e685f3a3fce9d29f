package review

import (
	"maps"
	"path"
	"slices"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/planconfig"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/strategy"
)

// notes reports what is beside the changes of objects.
func (b *builder) notes(from *plan.Plan) {
	r := &b.report
	for _, deferred := range from.DeferredChanges {
		if deferred != nil && deferred.ResourceChange != nil {
			b.deferred(newOther(plan.NewObject(deferred.ResourceChange)), deferred.Reason)
		}
	}
	for _, deferred := range from.DeferredActions {
		if deferred != nil && deferred.Action != nil {
			b.deferred(Other{Address: deferred.Action.Address, Kind: deferred.Action.Type, Action: plan.None}, deferred.Reason)
		}
	}
	if len(r.Deferred) == 0 && from.Complete != nil && !*from.Complete && !from.Errored {
		r.Notes = append(r.Notes, phrase.Say("The plan is not complete, for example because of -target: other changes may be left."))
		b.find(Finding{Categories: []category.Category{category.Incomplete}, Effect: phrase.Say("the plan is not complete"), kind: changeDeferred})
	}
	for _, name := range slices.Sorted(maps.Keys(from.OutputChanges)) {
		if change := from.OutputChanges[name]; change != nil && plan.ActionOf(change.Actions) != plan.None {
			r.Outputs = append(r.Outputs, name)
		}
	}
	b.checks(from.Checks)
}

func (b *builder) deferred(other Other, reason string) {
	other.Cause = deferredCause(reason)
	b.report.Deferred = append(b.report.Deferred, other)
	b.find(Finding{Address: other.Address, Categories: []category.Category{category.Incomplete}, Effect: phrase.Say("left for another plan: {}", other.Cause), kind: changeDeferred})
}

var deferredCauses = map[string]phrase.Words{
	"resource_config_unknown":   "its configuration is known after apply",
	"provider_config_unknown":   "the configuration of its provider is known after apply",
	"instance_count_unknown":    "count or for_each is known after apply",
	"absent_prereq":             "something that it needs does not exist yet",
	"deferred_prereq":           "something that it depends on is left for another plan",
	"deferred_by_configuration": "the configuration says so",
}

func deferredCause(reason string) phrase.Phrase {
	if text, ok := deferredCauses[reason]; ok {
		return phrase.Say(text)
	}
	return phrase.Show(reason)
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
		b.find(Finding{Address: c.Address, Categories: []category.Category{category.Checked}, Effect: phrase.Say("fails: {}", phrase.Join(" ", phrase.Values(c.Problems, 3)...)), kind: checkFails})
	}
	if open > 0 {
		b.report.Notes = append(b.report.Notes, phrase.Count(open, "{} check is not evaluated in this plan.", "{} checks are not evaluated in this plan."))
	}
}

// noteProvider notes a publisher's other name of this provider.
func (b *builder) noteProvider(name string) {
	if name == "" || path.Base(name) == "kuscia" {
		return
	}
	note := phrase.Say("Resources of the provider {} are reviewed as those of kuscia.", phrase.Show(name))
	if !slices.ContainsFunc(b.report.Notes, func(other phrase.Phrase) bool { return note.Plain(phrase.English) == other.Plain(phrase.English) }) {
		b.report.Notes = append(b.report.Notes, note)
	}
}

// applyable notes where the CLI and this review do not agree whether there is anything to apply.
func (b *builder) applyable(from *plan.Plan) {
	r := &b.report
	switch {
	case from.Applyable == nil || *from.Applyable == r.Changes || r.Errored:
	case *from.Applyable:
		r.onlyState, r.Changes = true, true
	default:
		r.Notes = append(r.Notes, phrase.Say("Terraform marks this plan as one that cannot be applied."))
	}
}

// actions reports the actions that the apply invokes, such as kuscia_serving_redeploy.
func (b *builder) actions(from *plan.Plan) {
	for _, action := range from.ActionInvocations {
		switch {
		case action == nil:
		case plan.IsOurs(action.Type):
			b.noteProvider(action.ProviderName)
			b.action(action)
		default:
			b.report.OtherActions++
			b.report.Notes = append(b.report.Notes, phrase.Say("The action {} of another provider is invoked, which may do anything.", phrase.Show(action.Address)))
			b.find(Finding{Address: action.Address, Categories: []category.Category{category.Provisioned}, Effect: phrase.Say("invoked"), kind: programRuns})
		}
	}
}

func (b *builder) action(action *tfjson.ActionInvocation) {
	config := plan.Value{Raw: action.ConfigValues, Unknown: action.ConfigUnknown, Hidden: [2]any{action.ConfigSensitive, nil}}
	f := Finding{Address: action.Address, kind: otherChanged, Effect: phrase.Say("invoked")}
	switch action.Type {
	case "kuscia_serving_redeploy":
		f.kind, f.Categories, f.subject = servingRestarts, []category.Category{category.Restarted}, plan.Shown(config.At("serving_id").Text())
		if b.redeployStops(config.At("serving_id")) {
			f.kind, f.Categories = servingInterrupted, []category.Category{category.Interrupted, category.Restarted}
		}
		b.note("The action {} restarts the serving {}.", action.Address, config.At("serving_id"))
	case "kuscia_rollout_approve":
		f.kind, f.Categories, f.subject = stepApproved, []category.Category{category.Released}, phrase.Say("{} of {}", plan.Shown(config.At("step").Text()), plan.Shown(objectName(config)))
		b.note("The action {} approves a step of the Rollout {}.", action.Address, config.At("name"))
	default:
		b.note("The action {} is invoked.", action.Address, plan.Value{})
	}
	b.find(f)
}

// redeployStops reports whether all pods of a party of a serving may stop before new ones
// start, as those of one that is not in the plan may.
func (b *builder) redeployStops(id plan.Value) bool {
	found := false
	for _, w := range b.workloads {
		if w.Kind != "kuscia_serving" || id.ID() == "" || w.Latest().At("serving_id").ID() != id.ID() {
			continue
		}
		found = true
		if slices.ContainsFunc(partiesOf(w.Latest()), func(p keyed) bool { return strategy.StopsAll(p.Value, p.Value) != plan.No }) {
			return true
		}
	}
	return !found
}

func (b *builder) note(text phrase.Words, address string, name plan.Value) {
	b.report.Notes = append(b.report.Notes, phrase.Say(text, phrase.Show(address), plan.Shown(name.Text())))
}

// provisioners reports the provisioners of a block that the apply may run: that of a create
// is not told from that of a destroy.
func (b *builder) provisioners(o plan.Object, block planconfig.Block) {
	if len(block.Provisioners) == 0 || !slices.Contains([]plan.Action{plan.Create, plan.Replace, plan.Delete}, o.Action) {
		return
	}
	var kinds []string
	for _, p := range block.Provisioners {
		kinds = append(kinds, p.Type)
	}
	names := phrase.Join(", ", phrase.Values(compact(kinds), 4)...)
	b.report.Notes = append(b.report.Notes, phrase.Say("The apply runs the provisioner {} of {}, which may do anything.", names, phrase.Show(o.Address)))
	b.find(Finding{Address: o.Address, Categories: []category.Category{category.Provisioned}, Effect: phrase.Say("runs the provisioner {}", names), kind: programRuns})
}
