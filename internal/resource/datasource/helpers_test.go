package datasource

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

type tree = definition.Tree

// bench is the resource with a sandbox.
type bench struct{ *sandboxtest.Resource }

// newBench is the node of alice, whose configuration has the keys "db" and
// "other".
func newBench(t *testing.T) *bench {
	t.Helper()
	b := newBenchOf(t, sandbox.Options{Autonomy: "alice", StaleConfig: -1})
	for key, value := range map[string]string{"db": `{"endpoint":"db:1","user":"u","password":"secret-p"}`, "other": `{"endpoint":"other:1"}`} {
		protocol.NoError(t, b.Run.Kuscia.CreateConfig(t.Context(), kuscia.ConfigEntry{Key: key, Value: value}))
	}
	return b
}

func newBenchOf(t *testing.T, options sandbox.Options) *bench {
	t.Helper()
	return &bench{sandboxtest.NewResource(t, source, options)}
}

// config is a configuration of the data source "s" of alice.
func config(with tree) definition.Value {
	return source.Definition.Encode(also(tree{"domain_id": "alice", "datasource_id": "s"}, with))
}

var key = kuscia.DomainDataSourceKey{DomainID: "alice", DataSourceID: "s"}

// One configuration of each kind.
func folder(path string) tree { return tree{"type": "localfs", "localfs": tree{"path": path}} }

func bucket() tree {
	return tree{"type": "oss", "oss": tree{"endpoint": "oss.example", "bucket": "b", "access_key_id": "secret-i", "access_key_secret": "secret-s"}}
}

func database(kind string) tree {
	return tree{"type": kind, "database": tree{"endpoint": "db.example:1", "user": "u", "password": "secret-p", "database": "d"}}
}

func odps() tree {
	return tree{"type": "odps", "odps": tree{"endpoint": "http://odps.example", "project": "p", "access_key_id": "secret-i", "access_key_secret": "secret-s"}}
}

func behindKey(key string) tree { return tree{"type": "mysql", "info_key": key} }

var also = protocol.With[tree]

// stored is what the node has.
func (b *bench) stored(t *testing.T) *kuscia.DomainDataSource {
	t.Helper()
	found, err := b.Run.Kuscia.QueryDomainDataSource(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
