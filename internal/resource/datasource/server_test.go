package datasource

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// kinds are configurations of every kind.
func kinds() map[string]tree {
	return map[string]tree{
		"localfs": folder("/data"), "oss": bucket(nil), "oss in full": bucket(tree{"prefix": "p", "virtualhost": true, "version": "v", "storage_type": "minio"}),
		"mysql": database("mysql", nil), "postgresql": database("postgresql", nil), "hive": database("hive", tree{"password": nil}), "dameng": database("dameng", nil),
		"an empty database": {"type": "mysql", "database": tree{}}, "an empty password": database("mysql", tree{"password": ""}), "odps": odps(nil), "a key": behindKey("db"),
		"a name": also(folder("/x"), tree{"name": "Name", "access_directly": true}),
	}
}

// TestChangeOfType: any type can be changed to any other in place. A change
// from info_key to a block takes two requests.
func TestChangeOfType(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for from, before := range kinds() {
		for to, after := range kinds() {
			state, _ := b.ApplyAndVerify(t, config(before), b.None())
			creates, updates := b.Box.Count("/api/v1/domaindatasource/create"), b.Box.Count("/api/v1/domaindatasource/update")
			state, _ = b.ApplyAndVerify(t, config(after), state)
			want := map[string]int{from: 0}
			if _, same := want[to]; !same {
				want[to] = 1
				if from == "a key" {
					want[to] = 2
				}
			}
			if got := b.Box.Count("/api/v1/domaindatasource/update") - updates; got != want[to] || b.Box.Count("/api/v1/domaindatasource/create") != creates {
				t.Errorf("from %s to %s: %d updates, want %d", from, to, got, want[to])
			}
			b.Delete(t, state)
		}
	}
}

// TestTwoStepsHalfDone: if the second request of an update fails, the next
// apply completes the update.
func TestTwoStepsHalfDone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, config(behindKey("db")), b.None())
	b.Box.Inject(sandbox.Fault{Kind: sandbox.FaultUnauthorized, Path: "domaindatasource/update", Nth: 2, Times: 1})
	state, said := b.Apply(t, config(also(database("mysql", nil), tree{"name": "n"})), state)
	if !strings.Contains(said, "Unable to update") || b.Box.FaultHits() != 1 {
		t.Fatalf("%d faults, says %s", b.Box.FaultHits(), said)
	}
	b.Box.ClearFaults()
	_, state = b.Read(t, state)
	b.ApplyAndVerify(t, config(also(database("mysql", nil), tree{"name": "n"})), state)
	if got := b.stored(t); got.InfoKey != "" || got.Info.Database.Endpoint != "db.example:1" {
		t.Errorf("stored is %+v", got)
	}
}

// TestRefused: values that the server would reject or ignore are reported at
// their attribute before any request is sent.
func TestRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, test := range map[string]struct {
		with     tree
		at, says string
	}{
		"domain id":         {also(folder("/x"), tree{"domain_id": "A"}), "domain_id", "is not an ID"},
		"id":                {also(folder("/x"), tree{"datasource_id": "a_b"}), "datasource_id", "is not an ID"},
		"no type":           {tree{"type": "", "localfs": tree{"path": "/x"}}, "type", "must not be empty"},
		"type in capitals":  {tree{"type": "MySQL", "database": tree{}}, "type", `use "localfs"`},
		"nothing":           {tree{"type": "mysql"}, "type", "set database or info_key"},
		"two blocks":        {also(folder("/x"), tree{"database": tree{}}), "database", "localfs and database are given"},
		"block and key":     {also(folder("/x"), tree{"info_key": "db"}), "info_key", "localfs and info_key are given"},
		"block of another":  {tree{"type": "mysql", "localfs": tree{"path": "/x"}}, "localfs", "Set database or info_key instead"},
		"no path":           {folder(""), "localfs", "localfs.path must not be empty"},
		"path of slashes":   {folder("/"), "localfs", "localfs.path must not be empty"},
		"no bucket":         {bucket(tree{"bucket": ""}), "oss", "oss.bucket"},
		"no endpoint":       {bucket(tree{"endpoint": ""}), "oss", "oss.endpoint"},
		"no key id":         {bucket(tree{"access_key_id": nil}), "oss", "access_key_id_wo with access_key_id_wo_version"},
		"no key":            {bucket(tree{"access_key_secret": nil}), "oss", "oss.access_key_secret"},
		"dameng's endpoint": {database("dameng", tree{"endpoint": nil}), "database", "database.endpoint"},
		"dameng's database": {database("dameng", tree{"database": nil}), "database", "database.database"},
		"odps's endpoint":   {odps(tree{"endpoint": "odps.example"}), "odps", "http:// or https://"},
		"odps's project":    {odps(tree{"project": ""}), "odps", "odps.project"},
		"odps's key":        {odps(tree{"access_key_secret": nil}), "odps", "odps.access_key_secret"},
		"text twice":        {bucket(tree{"access_key_id_wo": "x", "access_key_id_wo_version": 1}), "oss", "Both access_key_id and access_key_id_wo are set"},
		"key no version":    {bucket(tree{"access_key_secret": nil, "access_key_secret_wo": "x"}), "oss", "Set access_key_secret_wo_version"},
		"text no version":   {database("mysql", tree{"password": nil, "password_wo": "x"}), "database", "Set password_wo_version"},
	} {
		t.Run(name, func(t *testing.T) {
			said := b.ExpectErrorAt(t, config(test.with), test.at, test.says)
			if strings.Contains(said, "secret-") {
				t.Errorf("a secret is in %s", said)
			}
			if strings.Contains(said, "_version") && strings.Contains(said, "must not be empty") && name == "key no version" {
				t.Errorf("one mistake, two errors: %s", said)
			}
		})
	}
}

// TestUnknownKinds: unknown values are checked once they are known.
func TestUnknownKinds(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, with := range map[string]tree{
		"the type": {"type": definition.Unknown, "localfs": tree{"path": "/x"}}, "a block": {"type": "mysql", "database": definition.Unknown},
		"the key": {"type": "mysql", "info_key": definition.Unknown}, "a secret": bucket(tree{"access_key_secret": definition.Unknown}),
		"a hidden secret": bucket(tree{"access_key_secret": nil, "access_key_secret_wo": definition.Unknown, "access_key_secret_wo_version": 1}),
	} {
		if said := b.PlanErrors(t, config(with)); said != "" {
			t.Errorf("%s: %s", name, said)
		}
	}
}

// TestMaster: a master can neither change nor return the access information of
// a data source; both errors explain that.
func TestMaster(t *testing.T) {
	t.Parallel()
	master := newBenchOf(t, sandbox.Options{})
	if _, said := master.Apply(t, config(folder("/x")), master.None()); !strings.Contains(said, "11100") || !strings.Contains(said, "Use the endpoint of the node of the domain") {
		t.Errorf("create says %s", said)
	}
	if _, said := master.Import(t, "alice/default-data-source"); !strings.Contains(said, "Use the endpoint of the node of alice") {
		t.Errorf("import says %s", said)
	}
	f := crudtest.NewFinder(t, master.Clients, Types)
	shown, said := f.ReadData(t, "kuscia_domain_data_source", map[string]string{"domain_id": "alice", "datasource_id": "default-data-source"})
	if said != "" || definition.StringOf(definition.FieldsOf(shown)["type"]) != "localfs" || !definition.FieldsOf(shown)["localfs"].IsNull() {
		t.Errorf("the data source shows %s and says %s", shown, said)
	}
	if found, said := f.List(t, "kuscia_domain_data_source", map[string]string{"domain_id": "alice"}, 0); said != "" || len(found) > 0 {
		t.Errorf("the query finds %v and says %s", found, said)
	}
}

// TestOtherDomain: a node acts for its own domain alone.
func TestOtherDomain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if _, said := b.Apply(t, config(also(folder("/x"), tree{"domain_id": "bob"})), b.None()); !strings.Contains(said, "node of another domain") {
		t.Errorf("create says %s", said)
	}
}

// TestLite: the data sources of a domain are managed at its lite node, and its
// master refers to that node.
func TestLite(t *testing.T) {
	t.Parallel()
	master := newBenchOf(t, sandbox.Options{})
	lite := newBenchOf(t, sandbox.Options{Lite: "alice", Master: master.Box})
	state, said := lite.ApplyAndVerify(t, config(database("mysql", nil)), lite.None())
	if said != "" {
		t.Errorf("says %s", said)
	}
	if response, _ := master.Read(t, state); !strings.Contains(crudtest.Messages(response.Diagnostics), "Use the endpoint of the node of alice") {
		t.Errorf("the master says %s", crudtest.Messages(response.Diagnostics))
	}
	if _, said := lite.Delete(t, state); said != "" {
		t.Errorf("the delete says %s", said)
	}
}

// TestLists: the list of a node has all data sources with all attributes.
func TestLists(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, config(bucket(nil)), b.None())
	f := crudtest.NewFinder(t, b.Clients, Types)
	shown, said := f.ReadData(t, "kuscia_domain_data_sources", map[string]string{"domain_id": "alice"})
	if ids := definition.ElementsOf(definition.FieldsOf(shown)["ids"]); said != "" || len(ids) != 2 || definition.StringOf(ids[1]) != "s" {
		t.Errorf("the list is %s and says %s", shown, said)
	}
	found, said := f.List(t, "kuscia_domain_data_source", map[string]string{"domain_id": "alice"}, 0)
	if said != "" || len(found) != 2 || found[1].Name != "alice/s" || !found[1].Value.Equal(state.Value) {
		t.Errorf("the query finds %v and says %s", found, said)
	}
	if _, said := f.ReadData(t, "kuscia_domain_data_sources", map[string]string{"domain_id": "bob"}); !strings.Contains(said, "node of another domain") {
		t.Errorf("the list of another domain says %s", said)
	}
}

// TestUnreadable: a data source whose configuration entry was deleted is not
// removed from the state. A refresh keeps the state with a warning, so that a
// plan can write the entry again; the data source can be changed and deleted.
// An import is an error.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.Clients.Objects.Record("kuscia_config", "none", clients.Planned)
	if _, said := b.Apply(t, config(behindKey("none")), b.None()); !strings.Contains(said, "info key none not exist") {
		t.Errorf("an unknown key says %s", said)
	}
	state, _ := b.ApplyAndVerify(t, config(behindKey("db")), b.None())
	if err := b.Clients.Kuscia.DeleteConfig(t.Context(), "db"); err != nil {
		t.Fatal(err)
	}
	b.cannotBeShown(t)
	for name, server := range map[string]*crudtest.Server{"framework": b.Server, "shortcut": b.Fast(t)} {
		response, kept := server.Read(t, state)
		if said := crudtest.Messages(response.Diagnostics); !strings.HasPrefix(said, "WARNING") || strings.Contains(said, "ERROR") || !strings.Contains(said, "Write the entry again") || !kept.Value.Equal(state.Value) {
			t.Errorf("%s: the refresh gives %s and says %s", name, kept.Value, said)
		}
	}
	if changes, replaces := b.Changes(t, config(behindKey("db")), state); len(changes) > 0 || replaces {
		t.Errorf("the plan changes %v", changes)
	}
	if _, said := b.Import(t, "alice/s"); !strings.Contains(said, "ERROR") || !strings.Contains(said, "Write the entry again") {
		t.Errorf("the import says %s", said)
	}
	if _, said := crudtest.NewFinder(t, b.Clients, Types).ReadData(t, "kuscia_domain_data_sources", map[string]string{"domain_id": "alice"}); !strings.Contains(said, "The node cannot return one of the data sources") {
		t.Errorf("the list says %s", said)
	}
	state, _ = b.ApplyAndVerify(t, config(database("mysql", nil)), state)
	if _, said := b.Delete(t, state); said != "" {
		t.Errorf("the delete says %s", said)
	}
}

// TestKeyOfUpdate: an update to an info_key without an entry, or with an entry
// of another type, is rejected at its attribute, and no update is sent. A missing entry that
// this run is going to create is accepted in the plan.
func TestKeyOfUpdate(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.Box.PutConfigValue("broken", `{"endpoint":1}`)
	for name, is := range map[string]tree{"a key": behindKey("db"), "a database": database("mysql", nil)} {
		state, _ := b.ApplyAndVerify(t, config(is), b.None())
		before := b.Box.Count("/api/v1/domaindatasource/update")
		if _, said := b.Apply(t, config(behindKey("missing")), state); !strings.Contains(said, `ERROR: AttributeName("info_key"): Configuration entry does not exist`) {
			t.Errorf("from %s: the plan says %s", name, said)
		}
		for _, id := range []string{"none", "other"} {
			b.Clients.Objects.Record("kuscia_config", id, clients.Planned)
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

// TestSameKeyOfUpdate: an update with an unchanged info_key needs no entry, nor
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
	before := b.Box.Count("/api/v1/domaindatasource/update")
	state, said := b.Apply(t, named("broken", "other"), state)
	if strings.Contains(said, "Invalid configuration entry") || !strings.Contains(said, "is not as planned") || state.Text("name") != "broken" || b.Box.Count("/api/v1/domaindatasource/update") != before+1 {
		t.Errorf("with a broken entry: state %s, says %s", state.Value, said)
	}
	if _, said := b.Apply(t, config(tree{"type": "oss", "info_key": "other"}), state); !strings.Contains(said, "Invalid configuration entry") {
		t.Errorf("another type says %s", said)
	}
}

// TestKeyOfOthers: if another client has set an info_key without an entry, the
// next plan shows it and its apply removes it.
func TestKeyOfOthers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, config(database("mysql", nil)), b.None())
	theirs := "theirs"
	if err := b.Clients.Kuscia.UpdateDomainDataSource(t.Context(), &kuscia.DomainDataSourceRequest{DomainID: "alice", DataSourceID: "s", InfoKey: &theirs}); err != nil {
		t.Fatal(err)
	}
	response, read := b.Read(t, state)
	if said := crudtest.Messages(response.Diagnostics); strings.Contains(said, "ERROR") || !strings.Contains(said, "WARNING") {
		t.Errorf("the refresh says %s", said)
	}
	if changes, replaces := b.Changes(t, config(database("mysql", nil)), read); !slices.Equal(changes, []string{"database"}) || replaces {
		t.Errorf("the plan changes %v", changes)
	}
	b.ApplyAndVerify(t, config(database("mysql", nil)), read)
}

// TestWrongJSON: a configuration entry that is not valid JSON for the type does
// not prevent a plan that corrects it.
func TestWrongJSON(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, config(behindKey("db")), b.None())
	for _, value := range []string{`no JSON`, `"text"`, `[1]`, `{"endpoint":1}`, `{"user":{}}`} {
		b.Box.PutConfigValue("db", value)
		response, kept := b.Read(t, state)
		if said := crudtest.Messages(response.Diagnostics); strings.Contains(said, "ERROR") || !strings.Contains(said, "WARNING") || !kept.Value.Equal(state.Value) {
			t.Errorf("%s: the refresh says %s", value, said)
		}
	}
	b.ApplyAndVerify(t, config(database("mysql", nil)), state)
}

// TestWithoutInformation: a data source from which another client has removed
// info_key and information is changed back.
func TestWithoutInformation(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, is := range map[string]tree{"a key": behindKey("db"), "a database": database("mysql", nil)} {
		state, _ := b.ApplyAndVerify(t, config(behindKey("db")), b.None())
		none := ""
		if err := b.Clients.Kuscia.UpdateDomainDataSource(t.Context(), &kuscia.DomainDataSourceRequest{DomainID: "alice", DataSourceID: "s", InfoKey: &none}); err != nil {
			t.Fatal(err)
		}
		b.cannotBeShown(t)
		response, read := b.Read(t, state)
		if said := crudtest.Messages(response.Diagnostics); !strings.Contains(said, "WARNING") || strings.Contains(said, "ERROR") {
			t.Errorf("%s: the refresh says %s", name, said)
		}
		if changes, replaces := b.Changes(t, config(behindKey("db")), read); !slices.Equal(changes, []string{"info_key"}) || replaces {
			t.Errorf("%s: the plan changes %v", name, changes)
		}
		state, _ = b.ApplyAndVerify(t, config(is), read)
		b.Delete(t, state)
	}
}

// cannotBeShown waits until the node cannot show the data source any more: it
// sees its own configuration through a cache.
func (b *bench) cannotBeShown(t *testing.T) {
	t.Helper()
	sandboxtest.Eventually(t, "the end of the key", func() bool {
		_, err := b.Clients.Kuscia.QueryDomainDataSource(t.Context(), key)
		return err != nil
	})
}

// hidden is a bucket whose secrets are in the write-only form.
func hidden(secret string, version int) tree {
	return bucket(tree{
		"access_key_id": nil, "access_key_id_wo": secret + "-i", "access_key_id_wo_version": version,
		"access_key_secret": nil, "access_key_secret_wo": secret + "-s", "access_key_secret_wo_version": version,
	})
}

// TestWriteOnly: write-only secrets are sent and are neither in the state nor
// in plans; an update of another attribute sends the server's values again.
func TestWriteOnly(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	check := func(state crudtest.State, secret string) {
		t.Helper()
		if text := state.Value.String() + string(state.Private); strings.Contains(text, "secret-") {
			t.Errorf("a secret is in the state: %s", text)
		}
		if got := b.stored(t).Info.OSS; got.AccessKeyID != secret+"-i" || got.AccessKeySecret != secret+"-s" {
			t.Errorf("stored is %+v, want %s", got, secret)
		}
	}
	state, _ := b.ApplyAndVerify(t, config(hidden("secret-1", 1)), b.None())
	check(state, "secret-1")
	// Another text under the same version is not seen, and the old one stays.
	state, _ = b.ApplyAndVerify(t, config(also(hidden("secret-2", 1), tree{"name": "n"})), state)
	check(state, "secret-1")
	state, _ = b.ApplyAndVerify(t, config(hidden("secret-2", 2)), state)
	check(state, "secret-2")
	// From one form to the other and back.
	state, _ = b.ApplyAndVerify(t, config(bucket(nil)), state)
	state, _ = b.ApplyAndVerify(t, config(hidden("secret-3", 1)), state)
	check(state, "secret-3")
	imported := b.Imported(t, "alice/s")
	state, _ = b.ApplyAndVerify(t, config(hidden("secret-4", 1)), imported)
	check(state, "secret-4")
}
