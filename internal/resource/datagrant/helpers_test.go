package datagrant

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

type tree = definition.Tree

// bench is the resource against a server where alice has the data "table" and
// "other".
type bench struct {
	*crudtest.Server
	box *sandbox.Sandbox
	c   *clients.Clients
}

func newBench(t *testing.T) *bench {
	t.Helper()
	return newBenchOf(t, sandbox.Options{})
}

func newBenchOf(t *testing.T, options sandbox.Options) *bench {
	t.Helper()
	options.Domains = []string{"alice", "bob", "carol"}
	box, err := sandbox.Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = box.Close() })
	api, err := kuscia.New(kuscia.Config{Endpoint: box.Endpoint(), Token: box.Token()})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"table", "other"} {
		if _, err := api.CreateDomainData(t.Context(), &kuscia.DomainDataRequest{DomainID: "alice", DomainDataID: id, Type: "table", RelativeURI: id}); err != nil {
			t.Fatal(err)
		}
	}
	c := clients.New(api)
	return &bench{crudtest.NewServer(t, dataGrant, c), box, c}
}

// config is a configuration of the grant "g" of alice's table to bob.
func config(with tree) definition.Value {
	in := tree{"domain_id": "alice", "domaindatagrant_id": "g", "domaindata_id": "table", "grant_domain": "bob"}
	maps.Copy(in, with)
	return dataGrant.Definition.Encode(in)
}

var key = kuscia.DomainDataGrantKey{DomainID: "alice", DomainDataGrantID: "g"}

// full has a value for every attribute.
func full() tree {
	return tree{
		"limit":       tree{"expiration_time": "2040-01-31T10:00:00+02:00", "use_count": 3, "flow_id": "f", "components": []string{"b", "a"}, "initiator": "alice", "input_config": "{}"},
		"description": map[string]string{"why": "audit"},
	}
}

// inLimit is full with a change of the limit.
func inLimit(name string, value any) tree {
	with := full()
	with["limit"].(tree)[name] = value
	return with
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

func text(state crudtest.State, name string) string {
	return definition.TextOf(definition.FieldsOf(state.Value)[name])
}

// requests is how many requests the server had since the last call.
func (b *bench) requests() int {
	count := len(b.box.Requests())
	b.box.ResetRequests()
	return count
}

// lastBody is the body of the last request for an operation.
func (b *bench) lastBody(operation string) string {
	requests := b.box.Requests()
	for i := range requests {
		if last := requests[len(requests)-1-i]; strings.HasSuffix(last.Op, operation) {
			return last.Body
		}
	}
	return ""
}
