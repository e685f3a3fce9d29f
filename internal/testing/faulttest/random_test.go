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

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
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

// TestRandomConfigurations applies random configurations of all objects without
// a rollout, and edits of them. An apply does what the plan shows, the plan
// after it is empty, an equivalent encoding is no change, drift shows on the
// changed object alone, an import plans no replacement, and a destroy deletes
// everything.
func TestRandomConfigurations(t *testing.T) {
	t.Parallel()
	eachSeed(t, 4, 150, func(t *testing.T, seed uint64) {
		a := generator{mathrand.New(mathrand.NewPCG(seed, 0))}
		b := newTestbed(t, sandbox.Options{Autonomy: "alice"})
		was := b.left()
		var d generatedConfig
		for range 3 {
			before := d
			d = a.whole(before)
			if !b.takes(t, d, before) {
				return
			}
			other := a.respellAll(d)
			if o, _ := b.terraform.plan(other.resources()...); !o.ok() || o.changes() != "" {
				t.Errorf("an equivalent encoding is a change: %s: %v\n%s\n%s", o.changes(), o.errors, d.of(o.changes()), other.of(o.changes()))
			}
		}
		b.drifts(t, a, d)
		b.imports(t, a, d)
		if a.chance(50) { // without references, the destroy has any order
			for _, one := range b.terraform.state {
				one.after = nil
			}
		}
		if o := b.terraform.apply(); !o.ok() {
			t.Errorf("destroy: %s", o.text())
		}
		if left := b.left(); left != was {
			t.Errorf("objects on the server after destroy: %s, want those of the start: %s", left, was)
		}
	})
}

// takes applies a configuration, and requires the next plan to be empty. When
// data is replaced, Kuscia deletes its grants; the next apply recreates
// unchanged ones.
func (b *testbed) takes(t *testing.T, d, before generatedConfig) bool {
	t.Helper()
	o := b.terraform.apply(d.resources()...)
	if !o.ok() {
		t.Errorf("apply (%s): %v\n%s\nbefore\n%s", o.changes(), o.errors, d.of(o.errors), before.of(o.errors))
		return false
	}
	next, _ := b.terraform.plan(d.resources()...)
	// The controller creates the keys of a route shortly after the route.
	next.drifted = slices.DeleteFunc(next.drifted, func(address string) bool { return strings.HasPrefix(address, routeKind.typeName) })
	if !next.ok() || next.changes() != "" || len(next.drifted) > 0 {
		mentioned := []any{next.changes(), next.drifted, next.errors}
		t.Errorf("after (%s) the plan has %s, and drift in %v: %v\n%s\nbefore\n%s", o.changes(), next.changes(), next.drifted, next.errors, d.of(mentioned), before.of(mentioned))
		return false
	}
	return true
}

// of formats the objects that a message mentions.
func (d generatedConfig) of(message any) string {
	var text strings.Builder
	for _, address := range slices.Sorted(maps.Keys(d)) {
		if strings.Contains(fmt.Sprint(message), address) {
			fmt.Fprintf(&text, "%s %v\n", address, d[address].config)
		}
	}
	return text.String()
}

// left describes all objects of these kinds on the server.
func (b *testbed) left() string {
	var routes []string
	ends := append(b.server.DomainIDs(), "nobody")
	for _, source := range ends {
		for _, destination := range ends {
			if _, err := b.server.RouteToken(source, destination); err == nil {
				routes = append(routes, source+" to "+destination)
			}
		}
	}
	entries := ""
	for i := range 3 {
		value, _ := b.server.ConfigValue(fmt.Sprint("key.entry-", i))
		entries += value
	}
	return fmt.Sprint(b.server.DomainIDs(), routes, entries, b.server.DataSourceNames("alice"), b.server.DomainDataNames("alice"), b.server.GrantFlows("alice"))
}

// drifts changes objects outside of Terraform one at a time, and requires the
// plan to change exactly that object.
func (b *testbed) drifts(t *testing.T, a generator, d generatedConfig) {
	t.Helper()
	api := newClient(t, b.server)
	for _, address := range slices.Sorted(maps.Keys(d)) {
		if a.chance(70) {
			continue
		}
		config := d[address].config
		var err error
		id := func(name string) string { // from the configuration or generated
			return protocol.Text(protocol.Fields(b.terraform.state[address].value)[name])
		}
		switch d[address].typeName {
		default:
			continue
		case "kuscia_domain_data":
			if config["name"] == nil {
				continue // without a configured name, no name is drift
			}
			err = api.UpdateDomainData(t.Context(), &kuscia.DomainDataRequest{DomainID: "alice", DomainDataID: id("domaindata_id"), Name: "drift"})
		case "kuscia_domain_data_source":
			drift := "drift"
			err = api.UpdateDomainDataSource(t.Context(), &kuscia.DomainDataSourceRequest{DomainID: "alice", DataSourceID: id("datasource_id"), Name: &drift})
		case "kuscia_config":
			if config["value"] == nil || slices.Contains(keysOf(d), d[address].name) {
				continue
			}
			err = api.UpdateConfig(t.Context(), kuscia.ConfigEntry{Key: config["key"].(string), Value: "drift"})
		case "kuscia_domain":
			err = api.UpdateDomain(t.Context(), &kuscia.DomainRequest{DomainID: config["domain_id"].(string), Role: driftRole(config["role"]), AuthCenter: &kuscia.AuthCenter{AuthenticationType: "Token", TokenGenMethod: "RSA-GEN"}})
		}
		if err != nil {
			t.Error(err)
			return
		}
		o, _ := b.terraform.plan(d.resources()...)
		if !o.ok() || o.changes() != "update "+address {
			t.Errorf("after a drift of %s the plan has %s: %s", address, o.changes(), o.text())
		}
		if !b.takes(t, d, d) {
			return
		}
	}
}

func driftRole(role any) string {
	if role == "partner" {
		return ""
	}
	return "partner"
}

// imports drops the state, imports each object or moves it from another
// provider, and requires a plan without replacements, in which only attributes
// that cannot be read are updated.
func (b *testbed) imports(t *testing.T, a generator, d generatedConfig) {
	t.Helper()
	old := b.terraform.state
	b.terraform.state = map[string]*object{}
	for _, address := range slices.Sorted(maps.Keys(old)) {
		pick(a, b.terraform.importOne, b.terraform.moveOne)(t, address, old[address])
	}
	o, _ := b.terraform.plan(d.resources()...)
	for address, action := range o.actions {
		if action != actionNone && (action != actionUpdate || !hides(d[address].config)) {
			t.Errorf("after an import the plan is to %s %s %v", action, address, d[address].config)
		}
	}
	if !o.ok() {
		t.Errorf("after an import: %s", o.text())
	}
	b.takes(t, d, nil)
}

// hides reports whether a configuration sets an attribute that is not in the
// state, or that the server does not return.
func hides(value any) bool {
	object, _ := value.(attrs)
	for name, one := range object {
		unread := name == "description" || name == "signature" || name == "initiator" || strings.HasSuffix(name, "_wo")
		if unread && one != nil || hides(one) {
			return true
		}
	}
	return false
}

// requestsOf has, by type, the attributes in the request of a create by which a
// moved block identifies the object.
var requestsOf = map[string][]string{
	"kuscia_domain": {"domain_id"}, "kuscia_domain_route": {"source", "destination"}, "kuscia_config": {"key"},
	"kuscia_domain_data_source": {"domain_id", "datasource_id"}, "kuscia_domain_data": {"domain_id", "domaindata_id", "relative_uri"},
	"kuscia_domain_data_grant": {"domain_id", "domaindatagrant_id", "grant_domain"},
}

// moveOne moves an object from the state of a generic REST provider.
func (t *terraform) moveOne(test *testing.T, address string, from *object) {
	test.Helper()
	o := &outcome{actions: map[string]string{}}
	w := t.begin(o)
	request := attrs{}
	for _, name := range requestsOf[from.typeName] {
		var text string
		must(protocol.Fields(from.value)[name].As(&text))
		request[name] = text
	}
	if from.typeName == configKind.typeName {
		request = attrs{"data": []any{request}}
	}
	data, err := json.Marshal(request)
	must(err)
	state, err := json.Marshal(attrs{"id": "1", "data": string(data)})
	must(err)
	moved, err := w.server.MoveResourceState(w.ctx, &tfprotov6.MoveResourceStateRequest{
		SourceProviderAddress: "registry.terraform.io/x/restapi", SourceTypeName: "restapi_object", TargetTypeName: from.typeName,
		SourceState: &tfprotov6.RawState{JSON: state},
	})
	must(err)
	if !w.report(address, moved.Diagnostics) {
		test.Errorf("move of %s: %s", address, o.text())
		return
	}
	t.state[address] = &object{
		typeName: from.typeName, after: from.after, value: protocol.Decode(typeOf(from.typeName), moved.TargetState), private: moved.TargetPrivate, identity: moved.TargetIdentity,
	}
}

// importOne imports the object of a state.
func (t *terraform) importOne(test *testing.T, address string, from *object) {
	test.Helper()
	o := &outcome{actions: map[string]string{}}
	w := t.begin(o)
	var id string
	must(protocol.Fields(from.value)["id"].As(&id))
	response, err := w.server.ImportResourceState(w.ctx, &tfprotov6.ImportResourceStateRequest{TypeName: from.typeName, ID: id})
	must(err)
	if !w.report(address, response.Diagnostics) || len(response.ImportedResources) != 1 {
		test.Errorf("import of %s: %s", address, o.text())
		return
	}
	imported := response.ImportedResources[0]
	t.state[address] = &object{
		typeName: from.typeName, after: from.after, value: protocol.Decode(typeOf(from.typeName), imported.State), private: imported.Private, identity: imported.Identity,
	}
}
