package datasource

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestTwoStepsHalfDone: if the second request of an update fails, the next
// apply completes the update.
func TestTwoStepsHalfDone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, config(behindKey("db")), b.None())
	b.Box.Inject(sandbox.Fault{Kind: sandbox.FaultUnauthorized, Path: "domaindatasource/update", Nth: 2, Times: 1})
	state, said := b.Apply(t, config(also(database("mysql"), tree{"name": "n"})), state)
	if !strings.Contains(said, "Unable to update") || b.Box.FaultHits() != 1 {
		t.Fatalf("%d faults, says %s", b.Box.FaultHits(), said)
	}
	b.Box.ClearFaults()
	_, state = b.Read(t, state)
	b.ApplyAndVerify(t, config(also(database("mysql"), tree{"name": "n"})), state)
	if got := b.stored(t); got.InfoKey != "" || got.Info.Database.Endpoint != "db.example:1" {
		t.Errorf("stored is %+v", got)
	}
}

// TestMaster: a master can neither change nor return the access information of
// a data source, and a node acts for its own domain alone; the errors explain that.
func TestMaster(t *testing.T) {
	t.Parallel()
	master := newBenchOf(t, sandbox.Options{})
	if _, said := master.Apply(t, config(folder("/x")), master.None()); !strings.Contains(said, "11100") || !strings.Contains(said, "Use the endpoint of the node of the domain") {
		t.Errorf("create says %s", said)
	}
	if _, said := master.Import(t, "alice/default-data-source"); !strings.Contains(said, "Use the endpoint of the node of alice") {
		t.Errorf("import says %s", said)
	}
	f := crudtest.NewFinder(t, master.Run, Types)
	shown, said := f.ReadData(t, "kuscia_domain_data_source", map[string]string{"domain_id": "alice", "datasource_id": "default-data-source"})
	if said != "" || definition.StringOf(definition.FieldsOf(shown)["type"]) != "localfs" || !definition.FieldsOf(shown)["localfs"].IsNull() {
		t.Errorf("the data source shows %s and says %s", shown, said)
	}
	if found, said := f.List(t, "kuscia_domain_data_source", map[string]string{"domain_id": "alice"}, 0); said != "" || len(found) > 0 {
		t.Errorf("the query finds %v and says %s", found, said)
	}
	b := newBench(t)
	if _, said := b.Apply(t, config(also(folder("/x"), tree{"domain_id": "bob"})), b.None()); !strings.Contains(said, "node of another domain") {
		t.Errorf("create at the node of another domain says %s", said)
	}
}

// TestLists: the list of a node has all data sources.
func TestLists(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.ApplyAndVerify(t, config(bucket()), b.None())
	f := crudtest.NewFinder(t, b.Run, Types)
	shown, said := f.ReadData(t, "kuscia_domain_data_sources", map[string]string{"domain_id": "alice"})
	if ids := definition.ElementsOf(definition.FieldsOf(shown)["ids"]); said != "" || len(ids) != 2 || definition.StringOf(ids[1]) != "s" {
		t.Errorf("the list is %s and says %s", shown, said)
	}
	if _, said := f.ReadData(t, "kuscia_domain_data_sources", map[string]string{"domain_id": "bob"}); !strings.Contains(said, "node of another domain") {
		t.Errorf("the list of another domain says %s", said)
	}
}

// TestUnreadable: what cannot be read because of its configuration entry is neither imported nor
// listed, and can be deleted.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.Run.Objects.Record("kuscia_config", "none", run.Exists)
	if _, said := b.Apply(t, config(behindKey("none")), b.None()); !strings.Contains(said, "info key none not exist") {
		t.Errorf("an unknown key says %s", said)
	}
	state, _ := b.ApplyAndVerify(t, config(behindKey("db")), b.None())
	protocol.NoError(t, b.Run.Kuscia.DeleteConfig(t.Context(), "db"))
	b.cannotBeShown(t)
	if _, said := b.Import(t, "alice/s"); !strings.Contains(said, "ERROR") || !strings.Contains(said, "Write the entry again") {
		t.Errorf("the import says %s", said)
	}
	if _, said := crudtest.NewFinder(t, b.Run, Types).ReadData(t, "kuscia_domain_data_sources", map[string]string{"domain_id": "alice"}); !strings.Contains(said, "The node cannot return one of the data sources") {
		t.Errorf("the list says %s", said)
	}
	if _, said := b.Delete(t, state); said != "" {
		t.Errorf("the delete says %s", said)
	}
}

// TestKeyOfUpdate: an update to an info_key without an entry, or with an entry
// of another type, is rejected at its attribute, and no update is sent, nor to one that was
// deleted after this run has created it.
func TestKeyOfUpdate(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.Box.PutConfigValue("broken", `{"endpoint":1}`)
	for name, is := range map[string]tree{"a key": behindKey("db"), "a database": database("mysql")} {
		state, _ := b.ApplyAndVerify(t, config(is), b.None())
		before := b.Box.Count("/api/v1/domaindatasource/update")
		if _, said := b.Apply(t, config(behindKey("missing")), state); !strings.Contains(said, `ERROR: AttributeName("info_key"): Configuration entry does not exist`) {
			t.Errorf("from %s: it says %s", name, said)
		}
		for _, id := range []string{"none", "other"} {
			b.Run.Objects.Record("kuscia_config", id, run.Exists)
		}
		for key, says := range map[string]string{"none": `"none" of the node's configuration has no value`, "broken": "is not valid JSON for the block database"} {
			after, said := b.Apply(t, config(behindKey(key)), state)
			if !strings.Contains(said, `ERROR: AttributeName("info_key")`) || !strings.Contains(said, says) || !after.Value.Equal(state.Value) {
				t.Errorf("from %s to %s: state %s, says %s", name, key, after.Value, said)
			}
		}
		b.Box.Inject(sandbox.Fault{Kind: sandbox.FaultUnauthorized, Path: "config/query", Times: 1})
		if after, said := b.Apply(t, config(behindKey("other")), state); !strings.Contains(said, "Unable to read configuration of the node") || !after.Value.Equal(state.Value) {
			t.Errorf("from %s, without an answer: state %s, says %s", name, after.Value, said)
		}
		if b.Box.Count("/api/v1/domaindatasource/update") != before {
			t.Errorf("from %s: an update was sent", name)
		}
		b.ApplyAndVerify(t, config(behindKey("other")), state)
		b.Delete(t, state)
	}
}

// TestSameKeyOfUpdate: an update with an unchanged info_key needs no answer about the entry, nor
// does any update on a Kuscia without the configuration API.
func TestSameKeyOfUpdate(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, config(behindKey("db")), b.None())
	named := func(name, key string) definition.Value { return config(also(behindKey(key), tree{"name": name})) }
	b.Box.Inject(sandbox.Fault{Kind: sandbox.FaultUnauthorized, Path: "config/query", Times: sandbox.Always})
	state = b.ApplyWithoutWarnings(t, named("refused", "db"), state)
	if b.stored(t).Name != "refused" {
		t.Errorf("stored %+v", b.stored(t))
	}
	b.Box.ClearFaults()
	b.Box.Inject(sandbox.Fault{Kind: sandbox.FaultStatus, Status: http.StatusNotFound, Path: "config/query", Times: sandbox.Always})
	state = b.ApplyWithoutWarnings(t, named("without the API", "other"), state)
	b.Box.ClearFaults()

	b.Box.PutConfigValue("other", `{"endpoint":1}`)
	if _, said := b.Apply(t, config(tree{"type": "oss", "info_key": "other"}), state); !strings.Contains(said, "Invalid configuration entry") {
		t.Errorf("another type says %s", said)
	}
}

// TestBrokenByOthers: what another client has made of the entry or of the data source is no error
// of a refresh, and an apply corrects it.
func TestBrokenByOthers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	behind, inside := config(behindKey("db")), config(database("mysql"))
	key := func(name string) func() error {
		return func() error {
			return b.Run.Kuscia.UpdateDomainDataSource(t.Context(), &kuscia.DomainDataSourceRequest{DomainID: "alice", DataSourceID: "s", InfoKey: &name})
		}
	}
	entry := func(value string) func() error {
		return func() error { b.Box.PutConfigValue("db", value); return nil }
	}
	for name, test := range map[string]struct {
		from, to definition.Value
		broken   func() error
		changes  []string
	}{
		"a key without an entry":    {inside, inside, key("theirs"), []string{"database"}},
		"no key":                    {behind, behind, key(""), []string{"info_key"}},
		"no key, changed":           {behind, inside, key(""), []string{"database"}},
		"no JSON":                   {behind, inside, entry("no JSON"), []string{"database", "info_key"}},
		"JSON of another kind":      {behind, inside, entry(`[1]`), []string{"database", "info_key"}},
		"JSON with another content": {behind, inside, entry(`{"endpoint":1}`), []string{"database", "info_key"}},
	} {
		b.Box.PutConfigValue("db", `{"endpoint":"db:1"}`)
		state, _ := b.ApplyAndVerify(t, test.from, b.None())
		protocol.NoError(t, test.broken())
		b.cannotBeShown(t)
		_, read := b.Read(t, state)
		for _, server := range []*crudtest.Server{b.Server, b.Fast(t)} {
			response, _ := server.Read(t, state)
			if said := crudtest.Messages(response.Diagnostics); !strings.Contains(said, "WARNING") || strings.Contains(said, "ERROR") {
				t.Errorf("%s: the refresh says %s", name, said)
			}
		}
		if changes, replaces := b.Changes(t, test.to, read); !slices.Equal(changes, test.changes) || replaces {
			t.Errorf("%s: the plan changes %v", name, changes)
		}
		state, _ = b.ApplyAndVerify(t, test.to, read)
		b.Delete(t, state)
	}
}

// cannotBeShown waits until the node cannot show the data source any more: it
// sees its own configuration through a cache.
func (b *bench) cannotBeShown(t *testing.T) {
	t.Helper()
	sandboxtest.Eventually(t, "the end of the key", func() bool {
		_, err := b.Run.Kuscia.QueryDomainDataSource(t.Context(), key)
		return err != nil
	})
}
