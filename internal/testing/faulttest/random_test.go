package faulttest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	mathrand "math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// eachSeed runs a test with the given number of seeds, for the short test or
// the full one.
func eachSeed(t *testing.T, short, all int, test func(t *testing.T, seed uint64)) {
	t.Helper()
	count := short
	if runAll() {
		count = all
	}
	for _, seed := range seeds(count) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			test(t, seed)
		})
	}
}

// seeds returns random seeds: the given number, or the one in KUSCIA_TEST_SEED.
func seeds(count int) (list []uint64) {
	if one, err := strconv.ParseUint(os.Getenv("KUSCIA_TEST_SEED"), 10, 64); err == nil {
		return []uint64{one}
	}
	if many, err := strconv.Atoi(os.Getenv("KUSCIA_TEST_SEEDS")); err == nil {
		count = many
	}
	for range count {
		list = append(list, mathrand.Uint64N(1_000_000))
	}
	return list
}

// randomSequence is what a test with random configurations does; all functions
// may be nil.
type randomSequence struct {
	// before is called with each configuration before it is applied, after
	// afterwards, and last before the destroy. before returns false after a
	// failure.
	before func(config generatedConfig) bool
	after  func(config generatedConfig)
	last   func(config generatedConfig)
}

// run applies three random configurations, each of them an edit of the previous
// one, and destroys everything.
func (s randomSequence) run(t *testing.T, b *testbed, g generator) {
	t.Helper()
	before := b.serverObjects()
	var config generatedConfig
	for range 3 {
		previous := config
		config = g.fullConfig(previous)
		if s.before != nil && !s.before(config) || !b.checkApply(t, config, previous) {
			return
		}
		if s.after != nil {
			s.after(config)
		}
	}
	if s.last != nil {
		s.last(config)
	}
	if o := b.terraform.apply(); !o.ok() {
		t.Errorf("destroy: %s", o.text())
	}
	if after := b.serverObjects(); after != before {
		t.Errorf("objects on the server after destroy: %s, want those of the start: %s", after, before)
	}
}

// TestRandomConfigurations applies random configurations of all objects without
// a rollout, and edits of them. An apply does what the plan shows, the plan
// after it is empty, an equivalent encoding is no change, drift shows on the
// changed object alone, an import plans no replacement, and a destroy deletes
// everything.
func TestRandomConfigurations(t *testing.T) {
	t.Parallel()
	eachSeed(t, 4, 150, func(t *testing.T, seed uint64) {
		g := generator{mathrand.New(mathrand.NewPCG(seed, 0))}
		b := newTestbed(t, sandbox.Options{Autonomy: "alice"})
		randomSequence{
			after: func(config generatedConfig) {
				// Null and an empty value are stored as they are written, and nothing is sent.
				other := g.respellAll(config)
				b.server.ResetRequests()
				o := b.terraform.apply(other.resources()...)
				sent := b.writes()
				if changes := o.changes(); !o.ok() || len(sent) > 0 || strings.Contains(changes, actionReplace) {
					t.Errorf("an equivalent encoding is a change: %s: %v, %v\n%s\n%s", changes, o.errors, sent, config.objectsIn(changes), other.objectsIn(changes))
				}
			},
			last: func(config generatedConfig) {
				b.checkDrift(t, g, config)
				b.checkImports(t, g, config)
				if g.chance(50) { // without references, the destroy has any order
					for _, one := range b.terraform.state {
						one.after = nil
					}
				}
			},
		}.run(t, b, g)
	})
}

// writes are the operations since the last ResetRequests that change anything.
func (b *testbed) writes() (sent []string) {
	for _, r := range b.server.Requests() {
		op := operationOf(r)
		if strings.HasSuffix(op, "/create") || strings.HasSuffix(op, "/update") || strings.HasSuffix(op, "/delete") {
			sent = append(sent, op)
		}
	}
	return sent
}

// checkApply applies a configuration, and requires the next plan to be empty.
// When data is replaced, Kuscia deletes its grants; the next apply recreates
// unchanged ones.
func (b *testbed) checkApply(t *testing.T, config, previous generatedConfig) bool {
	t.Helper()
	o := b.terraform.apply(config.resources()...)
	if o.ok() && strings.Contains(o.text(), "Unable to read") {
		// A data source without its configuration entry: only after the apply
		// that creates the entry a refresh can see what others have changed.
		o = b.terraform.apply(config.resources()...)
	}
	if !o.ok() {
		t.Errorf("apply (%s): %v\n%s\nbefore\n%s", o.changes(), o.errors, config.objectsIn(o.errors), previous.objectsIn(o.errors))
		return false
	}
	next, _ := b.terraform.plan(config.resources()...)
	next.drifted = slices.DeleteFunc(next.drifted, func(address string) bool {
		object, _ := objectAt(address)
		return object.kind.changesLater
	})
	if !next.ok() || next.changes() != "" || len(next.drifted) > 0 {
		mentioned := []any{next.changes(), next.drifted, next.errors}
		t.Errorf("after (%s) the plan has %s, and drift in %v: %v\n%s\nbefore\n%s",
			o.changes(), next.changes(), next.drifted, next.errors, config.objectsIn(mentioned), previous.objectsIn(mentioned))
		return false
	}
	return true
}

// serverObjects describes all objects of all kinds on the server.
func (b *testbed) serverObjects() string {
	var kinds []string
	for _, kind := range objectKinds() {
		kinds = append(kinds, kind.plural+" "+kind.all(b.server))
	}
	return strings.Join(kinds, ", ")
}

// valueIn returns string attributes of an object in the state.
func valueIn(o *object) stateValue {
	return func(name string) string { return protocol.Text(protocol.Fields(o.Value)[name]) }
}

// checkDrift changes objects outside of Terraform one at a time, and requires
// the plan to change exactly that object.
func (b *testbed) checkDrift(t *testing.T, g generator, config generatedConfig) {
	t.Helper()
	api := newClient(t, b.server)
	for _, address := range slices.Sorted(maps.Keys(config)) {
		kind := kindOfType(config[address].typeName)
		if g.chance(70) || kind.drift == nil {
			continue
		}
		edit := kind.drift(config[address].config)
		if edit == nil {
			continue
		}
		if err := edit(t.Context(), api, valueIn(b.terraform.state[address])); err != nil {
			t.Error(err)
			return
		}
		o, _ := b.terraform.plan(config.resources()...)
		if !o.ok() || o.changes() != "update "+address {
			t.Errorf("after a drift of %s the plan has %s: %s", address, o.changes(), o.text())
		}
		if !b.checkApply(t, config, config) {
			return
		}
	}
}

// checkImports drops the state, imports each object or moves it from another
// provider, and requires a plan without replacements, in which only attributes
// that cannot be read are updated.
func (b *testbed) checkImports(t *testing.T, g generator, config generatedConfig) {
	t.Helper()
	old := b.terraform.state
	b.terraform.state = map[string]*object{}
	for _, address := range slices.Sorted(maps.Keys(old)) {
		pick(g, b.terraform.importOne, b.terraform.moveOne)(t, address, old[address])
	}
	o, _ := b.terraform.plan(config.resources()...)
	unread := false
	for address, action := range o.actions {
		if action != actionNone && action != actionUpdate {
			t.Errorf("after an import the plan is to %s %s %v", action, address, config[address].config)
		}
		unread = unread || action == actionUpdate && hasUnreadAttributes(config[address].config)
	}
	if !o.ok() {
		t.Errorf("after an import: %s", o.text())
	}
	b.server.ResetRequests()
	b.checkApply(t, config, nil)
	if sent := b.writes(); len(sent) > 0 && !unread {
		t.Errorf("after an import the apply sends %v for %s", sent, o.changes())
	}
}

// hasUnreadAttributes reports whether a configuration sets an attribute that is
// not in the state, or that the server does not return.
func hasUnreadAttributes(value any) bool {
	object, _ := value.(attrs)
	for name, one := range object {
		unread := name == "description" || name == "signature" || name == "initiator" || strings.HasSuffix(name, "_wo")
		if unread && one != nil || hasUnreadAttributes(one) {
			return true
		}
	}
	return false
}

// moveOne moves an object from the state of a generic REST provider.
func (t *terraform) moveOne(test *testing.T, address string, from *object) {
	test.Helper()
	data, err := json.Marshal(kindOfType(from.typeName).moveRequest(valueIn(from)))
	must(err)
	state, err := json.Marshal(attrs{"id": "1", "data": string(data)})
	must(err)
	o := &outcome{actions: map[string]string{}}
	w := t.begin(o)
	response, moved := w.calls(from.typeName).Move(test, tfprotov6.MoveResourceStateRequest{
		SourceProviderAddress: "registry.terraform.io/x/restapi", SourceTypeName: "restapi_object", SourceState: &tfprotov6.RawState{JSON: state},
	})
	if !w.report(address, response.Diagnostics) {
		test.Errorf("move of %s: %s", address, o.text())
		return
	}
	t.state[address] = &object{typeName: from.typeName, after: from.after, State: moved}
}

// importOne imports the object of a state.
func (t *terraform) importOne(test *testing.T, address string, from *object) {
	test.Helper()
	w := t.begin(&outcome{})
	imported, said := w.calls(from.typeName).Import(test, valueIn(from)("id"))
	if said != "" || imported.Value.IsNull() {
		test.Errorf("import of %s: %s", address, said)
		return
	}
	t.state[address] = &object{typeName: from.typeName, after: from.after, State: imported}
}
