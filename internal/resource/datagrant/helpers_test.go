package datagrant

import (
	"maps"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

type tree = definition.Tree

// bench is the resource with a server on which alice has the data "table" and
// "other".
type bench struct{ *sandboxtest.Resource }

func newBench(t *testing.T) *bench {
	t.Helper()
	return newBenchOf(t, sandbox.Options{})
}

func newBenchOf(t *testing.T, options sandbox.Options) *bench {
	t.Helper()
	options.Domains = []string{"alice", "bob", "carol"}
	b := &bench{sandboxtest.NewResource(t, dataGrant, options)}
	for _, id := range []string{"table", "other"} {
		if _, err := b.Run.Kuscia.CreateDomainData(t.Context(), &kuscia.DomainDataRequest{DomainID: "alice", DomainDataID: id, Type: "table", RelativeURI: id}); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// config returns a configuration of the grant "g" of alice's data "table" to
// bob.
func config(with tree) definition.Value {
	in := tree{"domain_id": "alice", "domaindatagrant_id": "g", "domaindata_id": "table", "grant_domain": "bob"}
	maps.Copy(in, with)
	return dataGrant.Definition.Encode(in)
}

var key = kuscia.DomainDataGrantKey{DomainID: "alice", DomainDataGrantID: "g"}

// full sets every attribute.
func full() tree {
	return tree{
		"limit":       tree{"expiration_time": "2040-01-31T10:00:00+02:00", "use_count": 3, "flow_id": "f", "components": []string{"b", "a"}, "initiator": "alice", "input_config": "{}"},
		"description": map[string]string{"why": "audit"},
	}
}

// lastBody returns the body of the last request of an operation.
func (b *bench) lastBody(operation string) string {
	requests := b.Box.Requests()
	for i := range requests {
		if last := requests[len(requests)-1-i]; strings.HasSuffix(last.Op, operation) {
			return last.Body
		}
	}
	return ""
}
