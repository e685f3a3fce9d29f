package review

import (
	"maps"
	"path"
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/appconfig"
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
			o := plan.NewObject(deferred.ResourceChange)
			b.asked = append(b.asked, o)
			other := newOther(o)
			other.title = o.Title()
			other.program = !plan.IsOurs(other.Kind) || len(b.blocks.Of(other.Address).Provisioners) > 0
			b.deferred(other, deferred.Reason)
		}
	}
	for _, deferred := range from.DeferredActions {
		if deferred != nil && deferred.Action != nil {
			b.asked = append(b.asked, objectOf(deferred.Action))
			b.deferred(Other{Address: deferred.Action.Address, Kind: deferred.Action.Type, Action: plan.None, program: !plan.IsOurs(deferred.Action.Type)}, deferred.Reason)
		}
	}
	if len(r.Deferred) == 0 && from.Complete != nil && !*from.Complete && !from.Errored {
		r.isPart = true
		b.find(partial())
	}
	r.mayBePart = from.Complete == nil
	for _, name := range slices.Sorted(maps.Keys(from.OutputChanges)) {
		if change := from.OutputChanges[name]; change != nil && plan.ActionOf(change.Actions) != plan.None {
			r.Outputs = append(r.Outputs, name)
			o := plan.NewOutput(name, change)
			b.addOtherValues(o, phrase.Say(actionWords[o.Action]))
		}
	}
	b.checks(from.Checks)
}

// partial is the finding that a plan is only a part.
func partial() Finding {
	return Finding{Categories: []category.Category{category.Incomplete}, Effect: phrase.Say("the plan is not complete"), kind: changeDeferred}
}

// statusAttributes are what the server says of an object, and nobody has changed.
var statusAttributes = []string{"create_time", "created_at", "endpoints", "status"}

// changesOfOthers are what others have changed.
func (b *builder) changesOfOthers(from *plan.Plan) *builder {
	d := newBuilder(b.blocks, b.provider, b.kuscias)
	d.isDrift = true
	for _, change := range from.ResourceDrift {
		d.add(change)
	}
	d.objects = slices.DeleteFunc(d.objects, func(o plan.Object) bool {
		return !o.Touched() || o.Action == plan.Update && !o.ChangesBeside(statusAttributes...)
	})
	return d
}

// drift reports what others have changed, beside the objects of the plan as they were before it. It has
// the categories that a plan of it would have.
func (b *builder) drift(d *builder) {
	r := &b.report
	r.titles = map[string]phrase.Phrase{}
	d.objects = append(d.objects, plan.Readopted(slices.Concat(b.objects, b.forgotten))...)
	if len(d.objects)+len(d.report.Drift) == 0 {
		return
	}
	drifted := map[string]bool{}
	for _, o := range d.objects {
		drifted[o.Address] = true
	}
	for _, o := range b.objects {
		if o.Before.Exists() && !o.Deposed && !drifted[o.Address] {
			d.objects = append(d.objects, o.Unchanged())
		}
	}
	d.analyse()
	r.Drift = d.report.Drift
	for _, o := range d.objects {
		if !drifted[o.Address] {
			continue
		}
		b.drifted = append(b.drifted, o)
		r.titles[o.Address] = o.Title()
		other := newOther(o)
		r.Drift = append(r.Drift, other)
		if len(d.findingsAt[o.Address]) == 0 {
			d.find(Finding{Address: o.Address, kind: otherChanged, Effect: other.phrase(), subject: o.Title()})
		}
	}
	r.DriftAccess, r.outside = d.report.Access, &d.report
	r.DriftValues = slices.Concat(d.report.Values, d.report.OtherValues)
	r.outside.titles, r.outside.users = r.titles, r.users
	for i := range d.distrusted {
		d.distrusted[i].agree = nil
	}
	b.distrusted = append(b.distrusted, d.distrusted...)
	for _, f := range d.report.Findings {
		f.Categories = category.Add([]category.Category{category.Drifted}, f.Categories...)
		f.kind, f.Effect = objectDrifted, phrase.Say("without Terraform: {}", f.Effect)
		b.find(f)
	}
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
		b.report.openChecks = open
	}
}

// noteProvider notes a publisher's other name of this provider.
func (b *builder) noteProvider(name string) {
	if name == "" || path.Base(name) == "kuscia" {
		return
	}
	if !b.noted[name] {
		b.noted[name] = true
		b.report.Notes = append(b.report.Notes, phrase.Say("Resources of the provider {} are reviewed as those of kuscia.", phrase.Show(name)))
	}
}

// taken notes the objects that are created although the plan forgets them elsewhere, where they stay.
func (b *builder) taken() {
	for _, o := range b.objects {
		if o.TakesFrom != "" {
			b.report.Notes = append(b.report.Notes, phrase.Say("{} creates what stays there when the plan gives up {}: the server may refuse that. To keep it, import it.", phrase.Show(o.Address), phrase.Show(o.TakesFrom)))
		}
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

// runs are the categories of a program that the apply runs. One that has run for the plan is no longer
// to be refused.
func runs() []category.Category { return []category.Category{category.Code, category.Provisioned} }

// actions reports the actions that the apply invokes, such as kuscia_serving_redeploy.
func (b *builder) actions(from *plan.Plan) {
	for _, action := range from.ActionInvocations {
		switch {
		case action == nil:
		case plan.IsOurs(action.Type):
			b.noteProvider(action.ProviderName)
			b.action(action)
		default:
			b.otherAction(action)
		}
	}
}

// otherAction reports an action of another provider, with what it is configured with.
func (b *builder) otherAction(action *tfjson.ActionInvocation) {
	b.report.OtherActions++
	o, address := objectOf(action), phrase.Show(action.Address)
	o.Action = plan.Invoke
	f := Finding{
		Address: action.Address, Categories: []category.Category{category.Provisioned}, Effect: phrase.Say("invoked"), kind: programRuns,
		subject: phrase.Say("{} (action of another provider)", address),
	}
	if planconfig.IsProgram(action.Type) {
		f.Categories = runs()
	}
	if said := argumentsPhrase(b.addOtherValues(o, f.Effect)); len(said) > 0 {
		f.long = phrase.Say("{} (action of another provider: {})", address, said)
	}
	b.find(f)
}

// readBefore reports the data sources of other providers that were read for the plan, and have acted: they
// are in the configuration, and not among the changes, where only those of the apply are. Ephemeral
// resources are in the configuration alone.
func (b *builder) readBefore(from *plan.Plan) {
	later := map[string]bool{}
	for _, f := range b.report.Findings {
		later[planconfig.AddressOf(f.Address)] = true
	}
	isOfOthers := func(kind string) bool { return !plan.IsOurs(kind) }
	for _, address := range from.Configuration.AddressesOf(tfjson.DataResourceMode, isOfOthers) {
		switch {
		case later[address]:
			continue
		case !planconfig.IsProgram(b.blocks[address].Type):
			b.report.readBefore = append(b.report.readBefore, phrase.Show(address))
			continue
		}
		b.find(Finding{
			Address: address, Categories: []category.Category{category.Provisioned}, Effect: phrase.Say("ran a program while this was planned"), kind: programRuns,
			subject: phrase.Say("{} (data source, read for this plan)", phrase.Show(address)),
		})
	}
	for _, address := range from.Configuration.AddressesOf(planconfig.Ephemeral, isOfOthers) {
		b.report.ephemeral = append(b.report.ephemeral, phrase.Show(address))
	}
}

// plugins reports the programs by which provider configurations log in. They are no change, and have run
// for the plan.
func (b *builder) plugins(from *plan.Plan) {
	plugins, mayRun := from.Configuration.Plugins()
	b.report.mayLogIn = mayRun
	for _, p := range plugins {
		command := phrase.Say("a command that is known when it runs")
		if len(p.Command) > 0 {
			command = phrase.Show(strings.Join(p.Command, " "))
		}
		address := "provider." + p.Provider
		b.find(Finding{
			Address: address, Categories: []category.Category{category.Provisioned}, Effect: phrase.Say("logs in with a program: {}", command), kind: pluginRuns,
			subject: phrase.Say("{} ({})", phrase.Show(address), command),
		})
	}
	for _, s := range from.Configuration.Servers("kuscia") {
		b.report.servers = append(b.report.servers, phrase.Say("{} {}", phrase.Show(s.Provider), phrase.Show(appconfig.WithoutCredentials(s.Server))))
	}
}

// objectOf is an action with what it is configured with.
func objectOf(action *tfjson.ActionInvocation) plan.Object {
	return plan.Object{Address: action.Address, Kind: action.Type, After: plan.Value{Raw: action.ConfigValues, Unknown: action.ConfigUnknown, Hidden: [2]any{action.ConfigSensitive, nil}}}
}

func (b *builder) action(action *tfjson.ActionInvocation) {
	o := objectOf(action)
	b.asked = append(b.asked, o)
	config := o.After
	f := Finding{Address: action.Address, kind: otherChanged, Effect: phrase.Say("invoked"), subject: phrase.Show(action.Address)}
	switch action.Type {
	case "kuscia_serving_redeploy":
		f.kind, f.Categories, f.subject = servingRestarts, []category.Category{category.Restarted}, plan.Shown(config.At("serving_id").Text())
		if stops := b.redeployStops(config.At("serving_id")); stops != plan.No {
			f.kind, f.Categories = servingMayStop, []category.Category{category.Interrupted, category.Restarted}
			if stops == plan.Yes {
				f.kind = servingInterrupted
			}
		}
		b.redeploys(config.At("serving_id"))
		b.note("The action {} restarts the serving {}.", action.Address, config.At("serving_id"))
	case "kuscia_rollout_approve":
		f.kind, f.Categories, f.subject = stepApproved, []category.Category{category.Released}, phrase.Say("{} of {}", plan.Shown(config.At("step").Text()), plan.Shown(objectName(config)))
		b.note("The action {} approves a step of the Rollout {}.", action.Address, config.At("name"))
	default:
		f.Categories = []category.Category{category.Unknown}
		b.note("The action {} is invoked, which this program does not know.", action.Address, plan.Value{})
	}
	b.find(f)
}

// redeployStops reports whether all pods of a party of a serving may stop before new ones
// start, as those of one that is not in the plan may.
func (b *builder) redeployStops(id plan.Value) plan.Certainty {
	found := b.servingsAt[id.ID()]
	if len(found) == 0 {
		return plan.Maybe
	}
	worst := plan.No
	for _, at := range found {
		for _, p := range partiesOf(b.workloads[at].Latest()) {
			worst = max(worst, strategy.StopsAll(p.Value, p.Value))
		}
	}
	return worst
}

func (b *builder) note(text phrase.Words, address string, name plan.Value) {
	b.report.Notes = append(b.report.Notes, phrase.Say(text, phrase.Show(address), plan.Shown(name.Text())))
}

// provisioners reports the provisioners of a block that the apply may run: that of a create
// is not told from that of a destroy. The JSON of a plan has no removed blocks: what is deleted without a
// block may have one with provisioners. Of this provider all that is deleted is shown.
func (b *builder) provisioners(o plan.Object, block planconfig.Block) {
	if block.Address == "" && o.Action == plan.Delete {
		b.report.unknownBlocks++
		if !plan.IsOurs(o.Kind) {
			b.find(Finding{
				Address: o.Address, Categories: []category.Category{category.Provisioned}, Effect: phrase.Say("is deleted, and may run a program of a removed block"),
				kind: programMayRun, subject: phrase.Show(o.Address),
			})
		}
		return
	}
	if len(block.Provisioners) == 0 || !slices.Contains([]plan.Action{plan.Create, plan.Replace, plan.Delete}, o.Action) {
		return
	}
	var kinds []string
	for _, p := range block.Provisioners {
		kinds = append(kinds, p.Type)
	}
	names := phrase.Brief(", ", 4, phrase.Values(compact(kinds), phrase.Everything)...)
	b.find(Finding{
		Address: o.Address, Categories: runs(), Effect: phrase.Say("runs the provisioner {}", names), kind: programRuns,
		subject: phrase.Say("{} (provisioner {})", phrase.Show(o.Address), names),
	})
}
