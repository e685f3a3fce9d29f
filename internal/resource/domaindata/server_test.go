package domaindata

import (
	"fmt"
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

// TestChosenValues: the values that server and provider choose.
func TestChosenValues(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	least := domainData.Definition.Encode(tree{"domain_id": "alice", "type": "table", "relative_uri": "dir/Table 1.csv"})
	_, planned := b.Plan(t, least, b.None())
	for name, want := range map[string]string{"name": "Table 1.csv", "author": "alice", "status": "Available"} {
		if got := definition.FieldsOf(planned)[name]; !definition.Equal(got, definition.StringValue(want)) {
			t.Errorf("the plan has %s = %s, want %q", name, got, want)
		}
	}
	state, _ := b.ApplyAndVerify(t, least, b.None())
	id := state.Text("domaindata_id")
	for name, want := range map[string]string{
		"id": "alice/" + id, "name": "Table 1.csv", "datasource_id": "default-data-source", "vendor": "manual", "file_format": "UNKNOWN", "author": "alice", "status": "Available",
	} {
		if got := state.Text(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if !strings.HasPrefix(id, "table-1-csv-") {
		t.Errorf("the id is %q", id)
	}
	named, _ := b.ApplyAndVerify(t, domainData.Definition.Encode(tree{"domain_id": "alice", "type": "table", "name": "Orders", "relative_uri": "dir/Table 1.csv"}), b.None())
	if id := named.Text("domaindata_id"); !strings.HasPrefix(id, "orders-") {
		t.Errorf("the id of data with a name is %q", id)
	}
	// A change of relative_uri keeps the name.
	elsewhere := domainData.Definition.Encode(tree{"domain_id": "alice", "type": "table", "relative_uri": "elsewhere"})
	away := state
	away.Value = domainData.Definition.With(state.Value, map[string]definition.Value{"status": definition.StringValue("Unavailable")})
	if _, planned := b.Plan(t, elsewhere, away); !definition.Equal(definition.FieldsOf(planned)["status"], definition.StringValue("Unavailable")) {
		t.Errorf("data that are not available are planned as %s", planned)
	}
	state, _ = b.ApplyAndVerify(t, elsewhere, state)
	if state.Text("name") != "Table 1.csv" || state.Text("domaindata_id") != id {
		t.Errorf("after a change of relative_uri: %s", state.Value)
	}

	if folder, _ := b.ApplyAndVerify(t, config(tree{"relative_uri": "dir/"}), b.None()); folder.Text("name") != "" {
		t.Errorf("the name of a folder is %q", folder.Text("name"))
	}
}

// TestNotKnownYet: if a value that an update cannot remove is unknown and may
// become empty, the plan is a replacement, because Terraform rejects an apply
// that replaces what was planned as an update. The warning explains how to
// avoid the unknown value. If only a part of the value is unknown, the value
// cannot become empty.
func TestNotKnownYet(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, config(full()), b.None())
	bare, _ := b.ApplyAndVerify(t, config(tree{"domaindata_id": "bare"}), b.None())
	for name, part := range map[string]any{
		"attributes":  nil,
		"columns":     []any{tree{"name": definition.Unknown, "type": definition.Unknown}},
		"partition":   tree{"type": definition.Unknown, "fields": definition.Unknown},
		"file_format": nil,
	} {
		with := full()
		with[name] = definition.Unknown
		plan, _ := b.Plan(t, config(with), state)
		said := crudtest.Messages(plan.Diagnostics)
		if len(plan.RequiresReplace) != 1 || !strings.Contains(said, name+" is not known yet") || !strings.Contains(said, "-target") || !strings.Contains(said, "refers to the data") {
			t.Errorf("%s: replaces %v, diagnostics: %s", name, plan.RequiresReplace, said)
		}
		if plan, _ := b.Plan(t, config(tree{"domaindata_id": "bare", name: definition.Unknown}), bare); len(plan.RequiresReplace) > 0 {
			t.Errorf("%s: replaced although there is no value to remove", name)
		}
		if part == nil {
			continue
		}
		with[name] = part
		if plan, _ := b.Plan(t, config(with), state); len(plan.RequiresReplace) > 0 || len(plan.Diagnostics) > 0 {
			t.Errorf("%s: a partly unknown value replaces %v, diagnostics: %s", name, plan.RequiresReplace, crudtest.Messages(plan.Diagnostics))
		}
	}
}

// TestImportOfUnusualValues: an unusual object of another client can be imported,
// planned and changed.
func TestImportOfUnusualValues(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, config(nil), b.None())
	protocol.NoError(t, b.Run.Kuscia.UpdateDomainData(t.Context(), &kuscia.DomainDataRequest{DomainID: "alice", DomainDataID: "table", RelativeURI: "/x"}))
	imported := b.Imported(t, state.Text("id"))
	b.CheckNoDrift(t, config(tree{"relative_uri": "/x"}), imported)
	b.ApplyAndVerify(t, config(tree{"relative_uri": "/x", "vendor": "v"}), imported)
}

// TestUnknownDataSource: the error names the missing data source, also if the data source was
// deleted after this run has created it. Other references are tested in testing/faulttest.
func TestUnknownDataSource(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.Run.Objects.Record("kuscia_domain_data_source", "alice/none", run.Exists)
	if _, said := b.Apply(t, config(tree{"datasource_id": "none"}), b.None()); !strings.Contains(said, "11806") || !strings.Contains(said, "create a data source at that node") {
		t.Errorf("create: got diagnostics %s", said)
	}
	state, _ := b.ApplyAndVerify(t, config(tree{"datasource_id": "files"}), b.None())
	protocol.NoError(t, b.Run.Kuscia.DeleteDomainDataSource(t.Context(), kuscia.DomainDataSourceKey{DomainID: "alice", DataSourceID: "files"}))
	if kept, said := b.Apply(t, config(tree{"datasource_id": "files", "name": "new"}), state); !strings.Contains(said, "11806") || !kept.Value.Equal(state.Value) {
		t.Errorf("update: got diagnostics %s", said)
	}
	b = newBench(t)
	protocol.NoError(t, b.Run.Kuscia.DeleteDomainDataSource(t.Context(), kuscia.DomainDataSourceKey{DomainID: "alice", DataSourceID: kuscia.DefaultDataSource}))
	_, said := b.Apply(t, config(nil), b.None())
	protocol.Says(t, "without the data source of the node", said, "ERROR", "start the node, or set another data source")
	if said := b.PlanErrors(t, config(tree{"datasource_id": "other"})); !strings.Contains(said, "11806") || strings.Contains(said, "start the node") {
		t.Errorf("without another one, plan: got diagnostics %s", said)
	}
}

// granted grants alice's data "table" to bob, and waits for bob's copy.
func (b *bench) granted(t *testing.T) {
	t.Helper()
	if _, err := b.Run.Kuscia.CreateDomainDataGrant(t.Context(), &kuscia.DomainDataGrantRequest{DomainID: "alice", DomainDataGrantID: "grant", DomainDataID: "table", GrantDomain: "bob"}); err != nil {
		t.Fatal(err)
	}
	sandboxtest.Eventually(t, "the copy of the data", func() bool {
		_, err := b.Run.Kuscia.QueryDomainData(t.Context(), kuscia.DomainDataKey{DomainID: "bob", DomainDataID: "table"})
		return err == nil
	})
}

// TestReaders: the plan of changed data names who reads it by a grant; another name is nothing to
// them, and a replacement ends their grants.
func TestReaders(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const warning = "Granted data changes"
	state, _ := b.ApplyAndVerify(t, config(nil), b.None())
	says := func(with tree) string {
		response, _ := b.Plan(t, config(with), state)
		return crudtest.Messages(response.Diagnostics)
	}
	moved := tree{"relative_uri": "other.csv"}
	if said := says(moved); said != "" {
		t.Errorf("without a grant: %s", said)
	}
	b.granted(t)
	if said := says(moved); !strings.Contains(said, warning) || !strings.Contains(said, "after this change: bob.") || !strings.Contains(said, "relative_uri") {
		t.Errorf("another file: %s", said)
	}
	for name, same := range map[string]tree{"nothing": nil, "the name": {"name": "other"}, "a replacement": {"domain_id": "bob"}} {
		if said := says(same); strings.Contains(said, warning) {
			t.Errorf("%s: %s", name, said)
		}
	}
	b.Run.RecordDestroyed("kuscia_domain_data_grant", "alice/grant")
	if said := says(moved); said != "" {
		t.Errorf("with the grant destroyed in the same run: %s", said)
	}
	b.Box.Inject(sandbox.Fault{Kind: sandbox.FaultUnauthorized, Path: "domaindatagrant/list", Times: 1})
	if said := says(moved); said != "" {
		t.Errorf("without the permission to list grants: %s", said)
	}
}

// TestReplacementTakesGrants: a replacement deletes the grants of the data, and
// its plan says so.
func TestReplacementTakesGrants(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, config(tree{"file_format": "CSV"}), b.None())
	b.granted(t)
	if _, said := b.ApplyAndVerify(t, config(nil), state); !strings.Contains(said, "Kuscia deletes its grants with it") {
		t.Errorf("replacement: got diagnostics %s", said)
	}
	sandboxtest.Eventually(t, "the end of the grant", func() bool {
		_, err := b.Run.Kuscia.QueryDomainDataGrant(t.Context(), kuscia.DomainDataGrantKey{DomainID: "alice", DomainDataGrantID: "grant"})
		return kuscia.CodeOf(err) == kuscia.CodeDomainDataGrantNotExists
	})
}

// TestDomainIsGone: the data of a deleted domain still exist. They are not
// removed from the state, nor considered new when the domain is created again.
func TestDomainIsGone(t *testing.T) {
	t.Parallel()
	b := newBenchOf(t, sandbox.Options{})
	state, _ := b.ApplyAndVerify(t, config(nil), b.None())
	protocol.NoError(t, b.Run.Kuscia.DeleteDomain(t.Context(), "alice"))
	b.CheckNoDrift(t, config(nil), state)
	protocol.NoError(t, b.Run.Kuscia.CreateDomain(t.Context(), &kuscia.DomainRequest{DomainID: "alice"}))
	b.CheckNoDrift(t, config(nil), state)
	if _, said := b.Apply(t, config(nil), b.None()); !strings.Contains(said, "belongs to another resource") {
		t.Errorf("create: got diagnostics %s", said)
	}
	if _, said := b.Delete(t, state); said != "" {
		t.Errorf("delete: got diagnostics %s", said)
	}
}

// TestCopies: data sources show the copies that a grant creates. Copies cannot
// be imported or adopted, and list resources omit them.
func TestCopies(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.ApplyAndVerify(t, config(nil), b.None())
	b.granted(t)
	b.Run.AdoptExisting = true
	if imported, said := b.Import(t, "bob/table"); !strings.Contains(said, "copy of data that alice has granted to bob") {
		t.Errorf("the import gives %s, diagnostics: %s", imported.Value, said)
	}
	bobs := config(tree{"domain_id": "bob", "name": "table.csv", "vendor": "grant"})
	if _, said := b.Apply(t, bobs, b.None()); !strings.Contains(said, "copy of data that alice has granted") {
		t.Errorf("adoption: got diagnostics %s", said)
	}
	f := crudtest.NewFinder(t, b.Run, Types)
	shown, said := f.ReadData(t, "kuscia_domain_data", map[string]string{"domain_id": "bob", "domaindata_id": "table"})
	if said != "" || definition.StringOf(definition.FieldsOf(shown)["author"]) != "alice" {
		t.Errorf("the data source shows %s, diagnostics: %s", shown, said)
	}
	all, said := f.ReadData(t, "kuscia_domain_data_list", map[string]string{"domain_id": "bob"})
	if ids := definition.ElementsOf(definition.FieldsOf(all)["ids"]); said != "" || len(ids) != 1 {
		t.Errorf("the list has %v, diagnostics: %s", ids, said)
	}
	if found, said := f.List(t, "kuscia_domain_data", map[string]string{"domain_id": "bob"}, 0); said != "" || len(found) > 0 {
		t.Errorf("the query finds %v, diagnostics: %s", found, said)
	}
}

// TestLists: filters, and what is refused before a request.
func TestLists(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, with := range []tree{{"domaindata_id": "a"}, {"domaindata_id": "b", "type": "model"}, {"domaindata_id": "c", "vendor": "team"}} {
		b.ApplyAndVerify(t, config(with), b.None())
	}
	f := crudtest.NewFinder(t, b.Run, Types)
	for want, filter := range map[string]map[string]string{
		`["a" "b" "c"]`: {}, `["b"]`: {"type": "model"}, `["c"]`: {"vendor": "team"}, `["a"]`: {"type": "table", "vendor": "manual"},
	} {
		filter["domain_id"] = "alice"
		shown, said := f.ReadData(t, "kuscia_domain_data_list", filter)
		var ids []string
		for _, id := range definition.ElementsOf(definition.FieldsOf(shown)["ids"]) {
			ids = append(ids, definition.StringOf(id))
		}
		objects := definition.ElementsOf(definition.FieldsOf(shown)["domain_data"])
		found, more := f.List(t, "kuscia_domain_data", filter, 0)
		if said+more != "" || fmt.Sprintf("%q", ids) != want || len(objects) != len(ids) || len(found) != len(ids) {
			t.Errorf("%v: %q, the query finds %v, diagnostics: %s", filter, ids, found, said+more)
		}
	}
	for _, filter := range []map[string]string{{"domain_id": "A"}, {"domain_id": "alice", "type": "a b"}, {"domain_id": "alice", "vendor": ""}} {
		before := b.Box.Count("")
		_, said := f.ReadData(t, "kuscia_domain_data_list", filter)
		_, more := f.List(t, "kuscia_domain_data", filter, 0)
		if !strings.Contains(said, "ERROR") || !strings.Contains(more, "ERROR") || b.Box.Count("") != before {
			t.Errorf("%v: got diagnostics %s", filter, said+more)
		}
	}
	b.Box.Inject(sandbox.Fault{Kind: sandbox.FaultUnauthorized, Path: "domaindata/list", Times: 1})
	if _, said := f.ReadData(t, "kuscia_domain_data_list", map[string]string{"domain_id": "alice"}); !strings.Contains(said, "Unable to list domain data:") {
		t.Errorf("a refused list says %s", said)
	}
}
