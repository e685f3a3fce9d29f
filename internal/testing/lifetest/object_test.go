package lifetest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// object is an object of a test, with servers of its own.
type object struct {
	life

	t        *testing.T
	s        *servers
	typeName string
	name     string
}

func newObject(t *testing.T, typeName string, l life) *object {
	t.Helper()
	return newObjectOn(t, l.servers(t), typeName, l)
}

func newObjectOn(t *testing.T, s *servers, typeName string, l life) *object {
	t.Helper()
	o := &object{life: l, t: t, s: s, typeName: typeName, name: s.unique("life")}
	if l.prepare != nil {
		l.prepare(s, o.name)
	}
	return o
}

func (o *object) minimal() attrs { return o.life.minimal(o.name) }

// importID is the import ID of a state.
func (o *object) importID(state protocol.State) string {
	if o.id != nil {
		return o.id(o.name, state)
	}
	return state.Text("id")
}

func (o *object) attributes() []*tfprotov6.SchemaAttribute {
	return schemas.ResourceSchemas[o.typeName].Block.Attributes
}

// run is the resource type in a new run of the provider.
func (o *object) run() *protocol.Resource {
	o.t.Helper()
	return o.runWith(nil)
}

func (o *object) runWith(variables map[string]string) *protocol.Resource {
	o.t.Helper()
	return o.s.run(o.t, variables).Resource(o.t, o.typeName)
}

func (o *object) value(config attrs) tftypes.Value {
	return protocol.Value(schemas.ResourceSchemas[o.typeName].ValueType(), config)
}

// fine fails the test for diagnostics other than expected warnings.
func (o *object) fine(what string, diagnostics []*tfprotov6.Diagnostic) {
	o.t.Helper()
	o.finely(what, protocol.Messages(diagnostics))
}

func (o *object) finely(what, said string) {
	o.t.Helper()
	for line := range strings.SplitSeq(said, "\n") {
		expected := func(warning string) bool {
			return strings.HasPrefix(line, "WARNING") && strings.Contains(line, warning)
		}
		if (strings.HasPrefix(line, "ERROR") || strings.HasPrefix(line, "WARNING")) && !slices.ContainsFunc(o.warns, expected) {
			o.t.Fatalf("%s: %s", what, said)
		}
	}
}

// plan plans a configuration in a new run: it is valid, and the plan is legal.
func (o *object) plan(what string, config attrs, prior protocol.State) (response *tfprotov6.PlanResourceChangeResponse, planned tftypes.Value) {
	o.t.Helper()
	return o.planIn(o.run(), what, config, prior)
}

// planIn is plan in a run.
func (o *object) planIn(r *protocol.Resource, what string, config attrs, prior protocol.State) (response *tfprotov6.PlanResourceChangeResponse, planned tftypes.Value) {
	o.t.Helper()
	value := o.value(config)
	o.fine(what+": validation", r.Validate(o.t, value).Diagnostics)
	response, planned = r.Plan(o.t, value, prior)
	o.fine(what+": plan", response.Diagnostics)
	definitiontest.LegalBy(o.t, rules(o.attributes()), prior.Value, value, planned)
	return response, planned
}

// apply applies a configuration: the state is the planned one, and the next plan is empty.
func (o *object) apply(what string, config attrs, prior protocol.State) protocol.State {
	o.t.Helper()
	response, planned := o.plan(what, config, prior)
	return o.applyPlan(what, config, prior, response, planned)
}

// applyPlan applies a plan. A CLI does not apply one that is empty.
func (o *object) applyPlan(what string, config attrs, prior protocol.State, response *tfprotov6.PlanResourceChangeResponse, planned tftypes.Value) protocol.State {
	o.t.Helper()
	if planned.Equal(prior.Value) {
		return prior
	}
	if r := o.run(); r.Replaces(response, prior) {
		_, planned = r.PlanReplacement(o.t, o.value(config), response)
	}
	state, said := o.change(config, prior)
	o.finely(what+": apply", said)
	if at, ok := definitiontest.Conforms(planned, state.Value, "it"); !ok || state.Value.IsNull() || !state.Value.IsFullyKnown() {
		o.t.Fatalf("%s: the state has another value at %s\nplanned %s\nstate %s", what, at, planned, state.Value)
	}
	return o.unchanged(what, config, state)
}

// change plans and applies a configuration, as the apply of a CLI does. The replacement of an
// object is created in another run, since a run plans an object once.
func (o *object) change(config attrs, prior protocol.State) (state protocol.State, said string) {
	o.t.Helper()
	r, value := o.run(), o.value(config)
	response, _ := r.Plan(o.t, value, prior)
	if said = protocol.Messages(response.Diagnostics); protocol.Failed(response.Diagnostics) {
		return prior, said
	}
	if !r.Replaces(response, prior) {
		made := r.Change(o.t, value, prior, response)
		return protocol.State{Value: protocol.Decode(r.Kind, made.NewState), Private: made.Private, Identity: made.NewIdentity}, said + protocol.Messages(made.Diagnostics)
	}
	if o.s.nextSecond != nil {
		o.s.nextSecond() // Kuscia tells an object from an earlier one of its name by the second of its creation
	}
	gone, said := r.Delete(o.t, prior)
	if !gone.Value.IsNull() {
		o.t.Fatalf("delete: the state is %s: %s", gone.Value, said)
	}
	state, more := o.run().Apply(o.t, value, o.none())
	return state, said + more
}

// unchanged checks that a refresh and a plan in new runs change nothing that a configuration
// can set, and that neither they nor an apply send anything. It returns the refreshed state.
func (o *object) unchanged(what string, config attrs, state protocol.State) protocol.State {
	o.t.Helper()
	state = o.read(what, state)
	before := o.s.writes()
	response, planned := o.plan(what+": next plan", config, state)
	if !planned.Equal(state.Value) || len(response.RequiresReplace) > 0 {
		o.t.Fatalf("%s: the next plan is not empty, but differs in %v\nplanned %s\nstate %s", what, differing("", o.attributes(), state.Value, planned), planned, state.Value)
	}
	o.nothingSent(what, before)
	return state
}

func (o *object) nothingSent(what string, before []string) {
	o.t.Helper()
	if sent := o.s.writes(); len(sent) != len(before) {
		o.t.Errorf("%s sends something: %v, before %v", what, sent, before)
	}
}

// read refreshes a state in a new run.
func (o *object) read(what string, state protocol.State) protocol.State {
	o.t.Helper()
	response, read := o.run().Read(o.t, state)
	o.fine(what+": refresh", response.Diagnostics)
	return read
}

// create applies a configuration to nothing.
func (o *object) create(config attrs) protocol.State {
	o.t.Helper()
	return o.apply("create", config, o.none())
}

func (o *object) none() protocol.State {
	return protocol.State{Value: tftypes.NewValue(schemas.ResourceSchemas[o.typeName].ValueType(), nil)}
}

// settle reads a new object until the server has added what it computes.
func (o *object) settle(state protocol.State) protocol.State {
	o.t.Helper()
	for deadline := time.Now().Add(time.Minute); o.settled != nil && !o.settled(state); state = o.read("new object", state) {
		if time.Now().After(deadline) {
			o.t.Fatalf("the server adds nothing to %s", state.Value)
		}
		time.Sleep(20 * time.Millisecond)
	}
	return state
}

// destroy deletes the object twice: the second delete succeeds too.
func (o *object) destroy(state protocol.State) {
	o.t.Helper()
	for _, what := range []string{"delete", "second delete"} {
		gone, said := o.run().Delete(o.t, state)
		o.finely(what, said)
		if !gone.Value.IsNull() {
			o.t.Errorf("%s: the state is %s", what, gone.Value)
		}
	}
	if read := o.read("after the delete", state); !read.Value.IsNull() {
		o.t.Errorf("the deleted object is read as %s", read.Value)
	}
}

// elsewhere is the object in the state of another user, who has imported it.
func (o *object) elsewhere(state protocol.State) protocol.State {
	o.t.Helper()
	imported, said := o.run().Import(o.t, o.importID(state))
	o.finely("import by another user", said)
	if imported.Value.IsNull() {
		o.t.Fatal("the object is not found")
	}
	return imported
}

// ofResource are the attributes of which no server knows, besides those that are write-only.
var ofResource = []string{
	"timeouts", "force_conflicts", "force_destroy", "wait_for_rollout", "wait_for_ready", "wait_for_healthy", "wait_for_deploy_token", "promote_on_destroy",
	"redeploy_triggers", "replace_triggers", "follow_app_image", "check_application", "progress_deadline", "allow_removal_of",
}

// isRead reports whether the server returns what is at a path.
func (o *object) isRead(path string) bool {
	path = withoutPlaces(path)
	return !anyBelow(path, ofResource) && !strings.HasSuffix(path, "_wo") && !strings.HasSuffix(path, "_wo_version") && !anyBelow(path, o.unread)
}

// withoutPlaces is a path without places in lists.
func withoutPlaces(path string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(path, "."), func(part string) bool {
		return strings.Trim(part, "0123456789") == ""
	}), ".")
}

// readable are the paths of those that the server returns.
func (o *object) readable(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !o.isRead(path) })
}

// expectChange checks which attributes a plan changes, and whether it replaces the object.
func (o *object) expectChange(what string, replaced []string, response *tfprotov6.PlanResourceChangeResponse, prior protocol.State, want []string) {
	o.t.Helper()
	planned := protocol.Decode(prior.Value.Type(), response.PlannedState)
	if got := differing("", o.attributes(), prior.Value, planned); fmt.Sprint(got) != fmt.Sprint(want) {
		o.t.Errorf("%s: the plan changes %v, want %v\nbefore %s\nplanned %s", what, got, want, prior.Value, planned)
	}
	replaces := slices.ContainsFunc(want, func(path string) bool { return anyBelow(path, replaced) })
	if got := (&protocol.Resource{Kind: prior.Value.Type()}).Replaces(response, prior); got != replaces {
		o.t.Errorf("%s replaces the object: %t, want %t", what, got, replaces)
	}
}
