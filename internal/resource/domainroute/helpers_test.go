package domainroute

import (
	"encoding/base64"
	"maps"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// bench is the resource with a sandbox.
type bench struct {
	*crudtest.Server
	clients *clients.Clients
	box     *sandbox.Sandbox
}

func newBench(t *testing.T, domains ...string) *bench {
	t.Helper()
	box, err := sandbox.Start(t.Context(), sandbox.Options{Domains: domains})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = box.Close() })
	api, err := kuscia.New(kuscia.Config{Endpoint: box.Endpoint(), Token: box.Token(), MaxRetries: 2})
	if err != nil {
		t.Fatal(err)
	}
	c := clients.New(api)
	return &bench{crudtest.NewServer(t, domainRoute, c), c, box}
}

// configured is a route from alice to bob with tokens, with changes.
func configured(with tree) definition.Value { return domainRoute.Definition.Encode(treeOf(with)) }

// treeOf is that as a tree.
func treeOf(with tree) tree {
	out := tree{
		"source": "alice", "destination": "bob", "authentication_type": authToken,
		"endpoint": tree{"host": "gateway.bob.example", "ports": []any{port(nil)}},
	}
	maps.Copy(out, with)
	return out
}

func port(with tree) tree {
	out := tree{"name": "http", "port": int64(1080), "protocol": "HTTP"}
	maps.Copy(out, with)
	return out
}

// encoded is a text as Kuscia wants certificates.
func encoded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

func mtls(with tree) tree {
	out := tree{"tls_ca": encoded("ca"), "source_client_cert": encoded("cert")}
	maps.Copy(out, with)
	return out
}

// settled applies a configuration, and wants no message and an empty plan.
func (b *bench) settled(t *testing.T, config definition.Value, prior crudtest.State) crudtest.State {
	t.Helper()
	state, said := b.Apply(t, config, prior)
	if said != "" {
		t.Fatalf("apply says %s", said)
	}
	return b.unchanged(t, config, state)
}

// unchanged wants the next refresh and plan to change nothing that is planned.
func (b *bench) unchanged(t *testing.T, config definition.Value, state crudtest.State) crudtest.State {
	t.Helper()
	answer, read := b.Read(t, state)
	plan, planned := b.Plan(t, config, read)
	if len(answer.Diagnostics)+len(plan.Diagnostics)+len(plan.RequiresReplace) > 0 || !planned.Equal(read.Value) {
		t.Errorf("the next plan is\n%s\nfor\n%s\n%s%s", planned, read.Value, crudtest.Messages(answer.Diagnostics), crudtest.Messages(plan.Diagnostics))
	}
	return read
}

// field is an attribute of a state, by the names on the way.
func field(state crudtest.State, names ...string) definition.Value {
	value := state.Value
	for _, name := range names {
		value = definition.FieldsOf(value)[name]
	}
	return value
}

func text(state crudtest.State, names ...string) string {
	return definition.TextOf(field(state, names...))
}
