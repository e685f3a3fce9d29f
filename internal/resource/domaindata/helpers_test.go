package domaindata

import (
	"maps"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

type tree = definition.Tree

// bench is the resource against the node of alice, which has another data
// source, "files".
type bench struct {
	*crudtest.Server
	box *sandbox.Sandbox
	c   *clients.Clients
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := newBenchOf(t, sandbox.Options{Autonomy: "alice"})
	_, err := b.c.API.CreateDomainDataSource(t.Context(), &kuscia.DomainDataSourceRequest{
		DomainID: "alice", DataSourceID: "files", Type: kuscia.DataSourceLocalFS, Info: &kuscia.DataSourceInfo{LocalFS: &kuscia.LocalFSInfo{Path: "/files"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func newBenchOf(t *testing.T, options sandbox.Options) *bench {
	t.Helper()
	box, err := sandbox.Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = box.Close() })
	api, err := kuscia.New(kuscia.Config{Endpoint: box.Endpoint(), Token: box.Token()})
	if err != nil {
		t.Fatal(err)
	}
	c := clients.New(api)
	return &bench{crudtest.NewServer(t, domainData, c), box, c}
}

// config is a configuration of the data "table" of alice, with changes.
func config(with tree) definition.Value {
	in := tree{"domain_id": "alice", "domaindata_id": "table", "type": "table", "relative_uri": "dir/table.csv"}
	maps.Copy(in, with)
	return domainData.Definition.Encode(in)
}

var key = kuscia.DomainDataKey{DomainID: "alice", DomainDataID: "table"}

// full has a value for every attribute.
func full() tree {
	return tree{
		"name": "Table", "datasource_id": "files", "attributes": map[string]string{"a": "1"}, "vendor": "team", "file_format": "CSV",
		"partition": tree{"type": "path", "fields": []any{tree{"name": "day", "type": "str", "comment": "c"}}},
		"columns":   []any{tree{"name": "id", "type": "str", "comment": "key", "not_nullable": true}, tree{"name": "x", "type": "float"}},
	}
}

// text is an attribute of a state.
func text(state crudtest.State, name string) string {
	return definition.TextOf(definition.FieldsOf(state.Value)[name])
}

// eventually waits for what the server's controllers do.
func (b *bench) eventually(t *testing.T, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it did not happen")
		}
	}
}

// requests is how many requests the server had since the last call.
func (b *bench) requests() int {
	count := len(b.box.Requests())
	b.box.ResetRequests()
	return count
}
