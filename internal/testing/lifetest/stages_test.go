package lifetest_test

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// sampledSteps is how many changes of a variant another user makes with -short.
const sampledSteps = 2

// testVariant: create, plans, import, updates of everything in both directions, drift, destroy.
// Another spelling sends nothing.
func (o *object) testVariant(v variant) {
	full, changed := o.full(v), o.changed(v)
	state := o.settle(o.create(full))
	o.testPlans(v, state)
	o.testUnknown(v, state)
	o.testImport("full", full, state, v.hidden)
	if v.spelled != nil {
		before := o.s.writes()
		state = o.apply("another spelling", merged(full, v.spelled), state)
		state = o.apply("the first spelling", full, state)
		o.nothingSent("another spelling", before)
	}
	state = o.apply("full to changed", changed, state)
	state = o.apply("changed to full", full, state)
	state = o.testDrift(v, state)
	state = o.apply("full to minimal", o.from(v), state)
	o.destroy(o.apply("minimal to full", full, state))
	if !testing.Short() { // other values of the same attributes
		state = o.settle(o.create(changed))
		o.testImport("changed", changed, state, v.hidden)
		o.destroy(state)
	}
}

// testPlans: the plan of a single change is a change of that attribute alone.
func (o *object) testPlans(v variant, state protocol.State) {
	r := o.run()
	for name, leaves := range v.steps(o.full(v), o.changed(v)) {
		config, paths := o.stepped(o.full(v), leaves)
		what := "change of " + name
		response, _ := o.planIn(r, what, config, state)
		o.expectChange(what, slices.Concat(o.replaced, v.replaced), response, state, paths)
	}
}

// stepped is full with the values of a step, and the paths that differ.
func (o *object) stepped(full attrs, leaves []leaf) (config attrs, paths []string) {
	var changed any = full
	for _, l := range leaves {
		changed = l.in(changed)
	}
	config, _ = changed.(attrs)
	return config, differing("", o.attributes(), o.value(full), o.value(config))
}

// testDrift: what another user changes is seen as drift of exactly that attribute, and the
// next apply reverts it.
func (o *object) testDrift(v variant, state protocol.State) protocol.State {
	full := o.full(v)
	for name, leaves := range short.Sample(o.t, sampledSteps, v.steps(full, o.changed(v))) {
		theirs, paths := o.stepped(full, leaves)
		if paths = o.readable(paths); len(paths) == 0 {
			continue
		}
		if others, ok := v.driftAs[name]; ok {
			paths = others
		}
		what := "drift of " + name
		other, said := o.change(theirs, o.elsewhere(state))
		o.finely(what, said)
		read := o.read(what, state)
		if o.importID(other) != o.importID(state) { // a replacement, to which the server has given another id
			if !read.Value.IsNull() {
				o.t.Errorf("%s: the replaced object is read as %s", what, read.Value)
			}
			o.destroy(other)
			state = o.create(full)
			continue
		}
		response, planned := o.plan(what, full, read)
		o.expectChange(what, slices.Concat(o.replaced, v.replacedBack), response, read, paths)
		state = o.applyPlan(what, full, read, response, planned)
	}
	return state
}

// testUnknown: with any unknown value, the plans of a create and of an update are legal, and
// what is known in them stays.
func (o *object) testUnknown(v variant, state protocol.State) {
	full, changed := o.full(v), o.changed(v)
	all := attrs{}
	for name, value := range v.full {
		if value != nil {
			all[name] = protocol.Unknown{}
		}
	}
	late := map[bool]tftypes.Value{}
	for isUpdate, prior := range map[bool]protocol.State{false: o.none(), true: state} {
		_, late[isUpdate] = o.plan("everything known", full, prior)
	}
	r := o.run()
	o.planUnknown(r, "everything", with(full, all), state, late)
	parts := map[string]leaf{}
	for _, l := range slices.Concat(leaves(nil, full, o.minimal()), leaves(nil, full, changed)) {
		if l.before != nil {
			l.after = protocol.Unknown{}
			parts[l.String()] = l
		}
	}
	for at, l := range short.Sample(o.t, sampledSteps, parts) {
		config, _ := l.in(full).(attrs)
		o.planUnknown(r, at, config, state, late)
	}
}

// planUnknown plans an update, in a run of several, and a create with unknown values, and
// compares what is known with the plans without.
func (o *object) planUnknown(r *protocol.Resource, what string, open attrs, state protocol.State, late map[bool]tftypes.Value) {
	o.t.Helper()
	conforms := func(early, late tftypes.Value) {
		if at, ok := definitiontest.Conforms(early, late, "it"); !ok {
			o.t.Errorf("unknown %s: a known value changes at %s\nearly %s\nlate %s", what, at, early, late)
		}
	}
	if response, early := o.planIn(r, "unknown "+what, open, state); !r.Replaces(response, state) {
		conforms(early, late[true])
	}
	_, early := o.plan("unknown "+what, open, o.none())
	conforms(early, late[false])
}

// testReplacements: a change of what identifies the object replaces it.
func (o *object) testReplacements() {
	for i, what := range slices.Sorted(maps.Keys(o.replacements)) {
		state := o.create(o.minimal())
		other := fmt.Sprint(o.name, "-", i)
		if o.life.prepare != nil {
			o.life.prepare(o.s, other)
		}
		config := with(o.minimal(), o.replacements[what](other))
		response, _ := o.plan(what, config, state)
		if !o.run().Replaces(response, state) {
			o.t.Errorf("a change of %s does not replace the object", what)
		}
		replaced := o.apply(what, config, state)
		if read := o.read(what, state); !read.Value.IsNull() && read.Text("id") != replaced.Text("id") {
			o.t.Errorf("%s: the replaced object is read as %s", what, read.Value)
		}
		o.destroy(replaced)
	}
}

// testBadInput: refused at the attribute, before anything is sent.
func (o *object) testBadInput() {
	r := o.s.nowhere(o.t).Resource(o.t, o.typeName)
	for name, bad := range o.bad {
		said := o.refusal(r, with(o.minimal(), bad.with))
		protocol.Says(o.t, name, said, "ERROR", bad.at, bad.says)
		last := bad.at[strings.LastIndex(bad.at, ".")+1:]
		located := `ERROR: \S*\("` + last + `"\)`
		if text, _ := bad.with[last].(string); strings.Contains(text, "PRIVATE KEY") || isNearSecret(schemas.ResourceSchemas[o.typeName].Block.Attributes, last) {
			// It may be named by the text alone: a CLI would show its line.
			located += `|ERROR: : [^:]+: ` + last + `\b`
		}
		if !regexp.MustCompile(located).MatchString(said) {
			o.t.Errorf("%s: no error is at %s: %s", name, bad.at, said)
		}
		for _, text := range []string{"127.0.0.1:1", "/no/kubeconfig", "issue in the provider", planted} {
			if strings.Contains(said, text) {
				o.t.Errorf("%s: %s", name, said)
			}
		}
	}
}

// isNearSecret reports whether an attribute is within one of a block that has a secret by the schema.
func isNearSecret(block []*tfprotov6.SchemaAttribute, name string) bool {
	var has func(all []*tfprotov6.SchemaAttribute, is func(*tfprotov6.SchemaAttribute) bool) bool
	has = func(all []*tfprotov6.SchemaAttribute, is func(*tfprotov6.SchemaAttribute) bool) bool {
		return slices.ContainsFunc(all, func(a *tfprotov6.SchemaAttribute) bool {
			return is(a) || a.NestedType != nil && has(a.NestedType.Attributes, is)
		})
	}
	return slices.ContainsFunc(block, func(a *tfprotov6.SchemaAttribute) bool {
		one := []*tfprotov6.SchemaAttribute{a}
		return has(one, func(a *tfprotov6.SchemaAttribute) bool { return a.Sensitive || a.WriteOnly }) &&
			has(one, func(a *tfprotov6.SchemaAttribute) bool { return a.Name == name })
	})
}

// refusal are the diagnostics of the validation, or else of the plan of a create.
func (o *object) refusal(r *protocol.Resource, config attrs) string {
	o.t.Helper()
	valid := r.Validate(o.t, o.value(config))
	if protocol.Failed(valid.Diagnostics) {
		return protocol.Messages(valid.Diagnostics)
	}
	plan, _ := r.Plan(o.t, o.value(config), o.none())
	return protocol.Messages(plan.Diagnostics)
}

// testMinimal: an object that exists is not adopted, and the error shows how to import it. With
// adopt_existing it is adopted if it is as configured. One that another user deletes is created
// again.
func (o *object) testMinimal() {
	state := o.settle(o.create(o.minimal()))
	o.testImport("minimal", o.minimal(), state, nil)
	command := "terraform import " + o.typeName + ".NAME " + o.importID(state)
	second, said := o.run().Apply(o.t, o.value(o.minimal()), o.none())
	if !second.Value.IsNull() || !strings.Contains(said, "ERROR") || !strings.Contains(said, command) {
		o.t.Errorf("a second create: state %s, without %q in %s", second.Value, command, said)
	}
	state = o.unchanged("after the second create", o.minimal(), state)
	o.testAdoption(state)
	gone, said := o.run().Delete(o.t, o.elsewhere(state))
	o.finely("delete by another user", said)
	if !gone.Value.IsNull() {
		o.t.Fatalf("deleted as %s", gone.Value)
	}
	if state = o.read("deleted object", state); !state.Value.IsNull() {
		o.t.Fatalf("the deleted object is read as %s", state.Value)
	}
	o.destroy(o.create(o.minimal()))
}

// testRefused: a create, a change or a delete that the server refuses is an error, and the next plan
// shows it again. Nothing else is sent instead of the create.
func (o *object) testRefused() {
	if o.s.refuse == nil {
		o.t.Skip("a real server refuses nothing")
	}
	v := o.variantsOf(o.name)[o.cli]
	allow, before := o.s.refuse(), o.s.writes()
	none, said := o.run().Apply(o.t, o.value(o.full(v)), o.none())
	protocol.Says(o.t, "refused create", said, "ERROR", "403")
	if sent := o.s.writes(); !none.Value.IsNull() || len(sent) != len(before)+1 {
		o.t.Errorf("after the refused create the requests are %v, before %v, and the state is %s", sent, before, none.Value)
	}
	allow()
	state := o.settle(o.create(o.full(v)))
	o.s.refuse()
	changed := o.value(o.changed(v))
	if response, _ := o.plan("refused change", o.changed(v), state); !o.run().Replaces(response, state) {
		left, said := o.run().Apply(o.t, changed, state)
		protocol.Says(o.t, "refused change", said, "ERROR", "403")
		state = o.read("refused change", left)
		if _, planned := o.plan("after the refused change", o.changed(v), state); planned.Equal(state.Value) {
			o.t.Errorf("the plan after the refused change is empty: %s", state.Value)
		}
	}
	left, said := o.run().Delete(o.t, state)
	protocol.Says(o.t, "refused delete", said, "ERROR", "403")
	if left.Value.IsNull() || o.read("refused delete", state).Value.IsNull() {
		o.t.Errorf("after the refused delete the state is %s", left.Value)
	}
	allow()
	o.destroy(state)
}

func (o *object) testAdoption(theirs protocol.State) {
	o.t.Helper()
	adopting := map[string]string{"KUSCIA_ADOPT_EXISTING": "true"}
	before := o.s.writes()
	state, said := o.runWith(adopting).Apply(o.t, o.value(o.minimal()), o.none())
	if strings.Contains(said, "ERROR") || !strings.Contains(said, "existed and was adopted") || !state.Value.Equal(theirs.Value) {
		o.t.Errorf("adopted as %s, was %s: %s", state.Value, theirs.Value, said)
	}
	for name, v := range o.variantsOf(o.name) {
		isHidden := func(name string) bool { return strings.HasSuffix(name, "_wo") }
		if len(o.readable(differing("", o.attributes(), o.value(o.minimal()), o.value(o.full(v))))) == 0 && !slices.ContainsFunc(slices.Collect(maps.Keys(v.full)), isHidden) {
			continue // the server cannot tell them apart
		}
		state, said := o.runWith(adopting).Apply(o.t, o.value(o.full(v)), o.none())
		if !state.Value.IsNull() || !strings.Contains(said, "differs from the configuration in") {
			o.t.Errorf("another configuration (%s) is adopted as %s: %s", name, state.Value, said)
		}
	}
	if sent := o.s.writes(); len(sent) > len(before)+1+len(o.variantsOf(o.name)) { // the creates that are refused
		o.t.Errorf("the adoption sends %v", sent[len(before):])
	}
}

// testImport: an import by ID and by identity leads to the state of the create, and its
// plan is empty, also with the configuration that a CLI generates.
func (o *object) testImport(name string, config attrs, state protocol.State, hidden []string) {
	o.t.Helper()
	readable := func(paths []string) []string {
		return slices.DeleteFunc(o.readable(paths), func(path string) bool { return slices.Contains(hidden, withoutPlaces(path)) })
	}
	byID, said := o.run().Import(o.t, o.importID(state))
	o.finely(name+": import by ID", said)
	if got := readable(differing("", o.attributes(), state.Value, byID.Value)); len(got) > 0 || byID.Value.IsNull() {
		o.t.Errorf("%s: the import differs in %v\nstate %s\nimported %s", name, got, state.Value, byID.Value)
	}
	o.testIdentity(name, state, byID)
	response, planned := o.plan(name+": plan after the import", config, byID)
	left := differing("", o.attributes(), byID.Value, planned)
	if got := readable(left); len(got) > 0 {
		o.t.Errorf("%s: the plan after the import changes %v", name, got)
	}
	if len(left) == 0 { // another spelling at most
		before := o.s.writes()
		o.applyPlan(name+": apply after the import", config, byID, response, planned)
		o.nothingSent(name+": apply after the import", before)
	}
	written := generated(o.attributes(), byID.Value)
	r := o.run()
	o.fine(name+": generated configuration", r.Validate(o.t, written).Diagnostics)
	response, planned = r.Plan(o.t, written, byID)
	o.fine(name+": generated configuration", response.Diagnostics)
	if !planned.Equal(byID.Value) {
		o.t.Errorf("%s: the plan of the generated configuration changes %v\nplanned %s\nstate %s", name, differing("", o.attributes(), byID.Value, planned), planned, byID.Value)
	}
}

// testIdentity: every response has the identity, with which an import is that by ID.
func (o *object) testIdentity(name string, state, byID protocol.State) {
	o.t.Helper()
	r := o.run()
	byIdentity, said := r.ImportIdentity(o.t, state.Identity)
	o.finely(name+": import by identity", said)
	if !byIdentity.Value.Equal(byID.Value) {
		// Unless its rollout has completed meanwhile.
		if byID, _ = o.run().Import(o.t, o.importID(state)); !byIdentity.Value.Equal(byID.Value) {
			o.t.Errorf("%s: imported by ID\n%s\nby identity\n%s", name, byID.Value, byIdentity.Value)
		}
	}
	identity := r.Identity(o.t, state.Identity)
	for from, without := range map[string]protocol.State{"without an identity": {Value: state.Value, Private: state.Private}, "by ID": byID} {
		if read := o.read(name, without); !reflect.DeepEqual(r.Identity(o.t, read.Identity), identity) {
			o.t.Errorf("%s: a state %s is read with the identity %v", name, from, read.Identity)
		}
	}
}

// testDataSource: the data source with the name of the type shows what an import reads, and
// an object that does not exist is an error.
func (o *object) testDataSource() {
	if schemas.DataSourceSchemas[o.typeName] == nil {
		o.t.Skip("there is none")
	}
	state := o.create(o.full(o.variantsOf(o.name)[o.cli]))
	imported := o.elsewhere(state)
	config := with(attrs{}, o.lookup)
	for name, value := range o.run().Identity(o.t, imported.Identity) {
		if value != "" {
			config[name] = value
		}
	}
	shown, diagnostics := o.s.run(o.t, nil).DataSource(o.t, o.typeName, config)
	o.fine("data source", diagnostics)
	if at := differsIn("", protocol.Plain(shown), protocol.Plain(imported.Value)); at != "" && o.isRead(at) {
		o.t.Errorf("the data source shows another %s:\n%s\nimported %s", at, shown, imported.Value)
	}
	o.destroy(state)
	if _, diagnostics = o.s.run(o.t, nil).DataSource(o.t, o.typeName, config); !protocol.Failed(diagnostics) {
		o.t.Errorf("the data source of an object that does not exist says %q", protocol.Messages(diagnostics))
	}
}
