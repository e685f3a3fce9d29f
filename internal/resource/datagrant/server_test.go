package datagrant

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestChosenValues: the values that the provider chooses, and what is empty after an import because
// Kuscia never returns it.
func TestChosenValues(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	least := dataGrant.Definition.Encode(tree{"domain_id": "alice", "domaindata_id": "table", "grant_domain": "bob"})
	if _, planned := b.Plan(t, least, b.None()); definition.StringAt(planned, "author") != "alice" {
		t.Errorf("the plan of a create is %s", planned)
	}
	state, _ := b.ApplyAndVerify(t, least, b.None())
	if id := state.Text("domaindatagrant_id"); !strings.HasPrefix(id, "table-") || state.Text("id") != "alice/"+id || state.Text("author") != "alice" {
		t.Errorf("the state is %s", state.Value)
	}
	b.ApplyAndVerify(t, config(full()), b.None())
	imported := b.Imported(t, "alice/g")
	if changes, replaces := b.Changes(t, config(full()), imported); !slices.Equal(changes, []string{"description", "limit"}) || replaces {
		t.Errorf("after an import the plan changes %v", changes)
	}
}

// variety are grants with each optional part, alone and combined.
func variety() map[string]tree {
	limited := func(with tree) tree { return tree{"limit": with} }
	signed := full()
	signed["signature"] = "c2lnbmF0dXJl"
	return map[string]tree{
		"no limit":      nil,
		"components":    limited(tree{"components": []string{"b", "a"}}),
		"an initiator":  limited(tree{"initiator": "bob"}),
		"a description": {"description": map[string]string{"who": "team", "why": ""}},
		"a signature":   {"signature": "c2lnbmF0dXJl"},
		"all":           signed,
	}
}

// TestChangeOfGrant: one update changes any grant into any other. Its request
// has the same content as the create of the other grant, because Kuscia
// replaces limit, description and signature with the sent values, and returns
// only some of them.
func TestChangeOfGrant(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	fresh := map[string]string{}
	for name, with := range variety() {
		state, _ := b.ApplyAndVerify(t, config(with), b.None())
		fresh[name] = b.lastBody("domaindatagrant/create")
		b.Delete(t, state)
	}
	const all = `{"domain_id":"alice","domaindatagrant_id":"g","domaindata_id":"table","grant_domain":"bob",` +
		`"limit":{"expiration_time":"2211609600000000000","use_count":3,"flow_id":"f","components":["b","a"],"initiator":"alice","input_config":"{}"},` +
		`"description":{"why":"audit"},"signature":"c2lnbmF0dXJl"}`
	if fresh["all"] != all {
		t.Errorf("sent %s, want %s", fresh["all"], all)
	}
	for from, before := range variety() {
		state, _ := b.ApplyAndVerify(t, config(before), b.None())
		for to, after := range variety() {
			if from == to {
				continue
			}
			creates, updates := b.Box.Count("/api/v1/domaindatagrant/create"), b.Box.Count("/api/v1/domaindatagrant/update")
			state, _ = b.ApplyAndVerify(t, config(after), state)
			if sent := b.lastBody("domaindatagrant/update"); sent != fresh[to] {
				t.Errorf("from %s to %s: update sent %s, create sends %s", from, to, sent, fresh[to])
			}
			if b.Box.Count("/api/v1/domaindatagrant/create") != creates || b.Box.Count("/api/v1/domaindatagrant/update") != updates+1 {
				t.Errorf("from %s to %s: number of updates is not 1", from, to)
			}
			var said string
			if state, said = b.Apply(t, config(before), state); said != "" && !strings.Contains(said, "Grant has expired") {
				t.Fatalf("back to %s: %s", from, said)
			}
		}
		b.Delete(t, state)
	}
}

// TestMissingData: the error for a grant of data that were deleted after they were created says so
// (other references are in testing/faulttest). A grant to a domain that does not exist is a warning.
func TestMissingData(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.Run.Objects.Record("kuscia_domain_data", "alice/none", run.Exists)
	if _, said := b.Apply(t, config(tree{"domaindata_id": "none"}), b.None()); !strings.Contains(said, "11100") || !strings.Contains(said, "Create them first") {
		t.Errorf("got diagnostics %s", said)
	}
	// A grantee may be created later.
	state, said := b.ApplyAndVerify(t, config(tree{"grant_domain": "later"}), b.None())
	shown, _ := crudtest.NewFinder(t, b.Run, Types).ReadData(t, "kuscia_domain_data_grant", map[string]string{"domain_id": "alice", "domaindatagrant_id": "g"})
	if !onlyWarnsOfGrantee(said) || definition.StringOf(definition.FieldsOf(shown)["phase"]) != "" {
		t.Errorf("%s: diagnostics: %s; data source: %s", state.Value, said, shown)
	}
}

// onlyWarnsOfGrantee reports whether the only diagnostic is the warning about the domain "later".
func onlyWarnsOfGrantee(said string) bool {
	return strings.HasPrefix(said, `WARNING: AttributeName("grant_domain")`) && strings.Count(said, ": AttributeName(") == 1 && strings.Contains(said, `no domain "later"`)
}

// TestDeletedWithItsData: a grant whose data are deleted no longer exists, and is
// planned again.
func TestDeletedWithItsData(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, config(nil), b.None())
	protocol.NoError(t, b.Run.Kuscia.DeleteDomainData(t.Context(), kuscia.DomainDataKey{DomainID: "alice", DomainDataID: "table"}))
	sandboxtest.Eventually(t, "the end of the grant", func() bool {
		_, read := b.Read(t, state)
		return read.Value.IsNull()
	})
}

// TestPhaseAndCopies: the data source queries the phase. The grantee's copy has
// the correct phase after a change. Copies cannot be managed.
func TestPhaseAndCopies(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, config(nil), b.None())
	for _, step := range []struct {
		with  tree
		phase string
	}{
		{nil, "Ready"}, {tree{"limit": tree{"expiration_time": "2001-01-01T00:00:00Z"}}, "Unavailable"}, {nil, "Ready"}, {tree{"signature": "c2lnbmF0dXJl"}, "Unavailable"},
	} {
		var said string
		state, said = b.ApplyAndVerify(t, config(step.with), state)
		if strings.Contains(said, "Grant has expired") != (step.with["limit"] != nil) {
			t.Errorf("got diagnostics %s", said)
		}
		sandboxtest.Eventually(t, "the phase "+step.phase, func() bool { return b.phase(t, "bob", "g") == step.phase })
	}
	if _, said := b.Import(t, "bob/g"); !strings.Contains(said, "copy of a grant by alice") {
		t.Errorf("import of the copy: got diagnostics %s", said)
	}
	f := crudtest.NewFinder(t, b.Run, Types)
	for domain, want := range map[string][2]int{"alice": {1, 1}, "bob": {1, 0}, "carol": {0, 0}} {
		all, said := f.ReadData(t, "kuscia_domain_data_grants", map[string]string{"domain_id": domain})
		found, more := f.List(t, "kuscia_domain_data_grant", map[string]string{"domain_id": domain}, 0)
		if got := [2]int{len(definition.ElementsOf(definition.FieldsOf(all)["ids"])), len(found)}; said+more != "" || got != want {
			t.Errorf("%s has %v, the query finds %v, diagnostics: %s", domain, all, found, said+more)
		}
	}
	if all, said := f.ReadData(t, "kuscia_domain_data_grants", map[string]string{"domain_id": "alice", "grant_domain": "carol"}); said != "" || len(definition.ElementsOf(definition.FieldsOf(all)["grants"])) != 0 {
		t.Errorf("grants to carol are %s, diagnostics: %s", all, said)
	}
}

// phase is that in the data source.
func (b *bench) phase(t *testing.T, domain, id string) string {
	t.Helper()
	shown, _ := crudtest.NewFinder(t, b.Run, Types).ReadData(t, "kuscia_domain_data_grant", map[string]string{"domain_id": domain, "domaindatagrant_id": id})
	return definition.StringOf(definition.FieldsOf(shown)["phase"])
}

// TestUseRecords: the data source shows who has used the data.
func TestUseRecords(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.ApplyAndVerify(t, config(nil), b.None())
	b.Box.Inject(sandbox.Fault{
		Kind: sandbox.FaultBody, Path: "domaindatagrant/query",
		Body: `{"status":{"code":0},"data":{"data":{"domaindatagrant_id":"g","author":"alice","domaindata_id":"table","grant_domain":"bob"},"status":{"phase":"Ready","records":[{"use_time":"5","grant_domain":"bob","component":"psi","output":"out"}]}}}`,
	})
	shown, said := crudtest.NewFinder(t, b.Run, Types).ReadData(t, "kuscia_domain_data_grant", map[string]string{"domain_id": "alice", "domaindatagrant_id": "g"})
	const want = `[map[component:psi grant_domain:bob output:out use_time:5]]`
	if got := fmt.Sprint(protocol.Plain(definition.FieldsOf(shown)["records"])); said != "" || got != want {
		t.Errorf("records %s, diagnostics: %s", got, said)
	}
}

// TestProcessed: a create ends when Kuscia has processed the grant, so that
// later resources find the grantee's copy. It does not wait for a grantee that
// does not exist, and succeeds if Kuscia takes too long.
func TestProcessed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i := range 10 {
		id := fmt.Sprint("g-", i)
		if _, said := b.Apply(t, config(tree{"domaindatagrant_id": id}), b.None()); said != "" || b.phase(t, "bob", id) != "Ready" {
			t.Errorf("%s: the phase is %q, diagnostics: %s", id, b.phase(t, "bob", id), said)
		}
	}
	began := time.Now()
	if _, said := b.Apply(t, config(tree{"grant_domain": "later"}), b.None()); !onlyWarnsOfGrantee(said) || time.Since(began) > processedIn/2 {
		t.Errorf("an unknown grantee: after %s, diagnostics: %s", time.Since(began), said)
	}
	slow := newBenchOf(t, sandbox.Options{FrozenClock: true})
	began = time.Now()
	if state, said := slow.Apply(t, config(nil), slow.None()); state.Value.IsNull() || said != "" || time.Since(began) < processedIn {
		t.Errorf("a slow Kuscia: after %s, state %s, diagnostics: %s", time.Since(began), state.Value, said)
	}
}

// TestNoTime: a text that is not a time that Kuscia can store has no value beside the problem.
func TestNoTime(t *testing.T) {
	for _, text := range []string{"tomorrow", "2030-01-31T00:00:00.5Z", "1970-01-01T00:00:00Z", "2263-01-01T00:00:00Z"} {
		if value, problem := parseTime(text); value != 0 || problem == "" {
			t.Errorf("%s is %d: %s", text, value, problem)
		}
	}
}
