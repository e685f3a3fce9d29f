package domaindata

import (
	"maps"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

type tree = definition.Tree

// bench is the resource with the node of alice, which has an additional data
// source, "files".
type bench struct{ *sandboxtest.Resource }

func newBench(t *testing.T) *bench {
	t.Helper()
	b := newBenchOf(t, sandbox.Options{Autonomy: "alice"})
	_, err := b.Run.Kuscia.CreateDomainDataSource(t.Context(), &kuscia.DomainDataSourceRequest{
		DomainID: "alice", DataSourceID: "files", Type: kuscia.DataSourceLocalFS, Info: &kuscia.DataSourceInfo{LocalFS: &kuscia.LocalFSInfo{Path: "/files"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func newBenchOf(t *testing.T, options sandbox.Options) *bench {
	t.Helper()
	return &bench{sandboxtest.NewResource(t, domainData, options)}
}

// config returns a configuration of alice's data "table", modified by the
// changes.
func config(with tree) definition.Value {
	in := tree{"domain_id": "alice", "domaindata_id": "table", "type": "table", "relative_uri": "dir/table.csv"}
	maps.Copy(in, with)
	return domainData.Definition.Encode(in)
}

var key = kuscia.DomainDataKey{DomainID: "alice", DomainDataID: "table"}

// full sets every attribute.
func full() tree {
	return tree{
		"name": "Table", "datasource_id": "files", "attributes": map[string]string{"a": "1"}, "vendor": "team", "file_format": "CSV",
		"partition": tree{"type": "path", "fields": []any{tree{"name": "day", "type": "str", "comment": "c"}}},
		"columns":   []any{tree{"name": "id", "type": "str", "comment": "key", "not_nullable": true}, tree{"name": "x", "type": "float"}},
	}
}
