package config

import (
	"maps"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

type tree = definition.Tree

// bench is the resource with a sandbox.
type bench struct {
	*crudtest.Server
	clients *clients.Clients
	box     *sandbox.Sandbox
}

// newBench has a sandbox that shows so many of the writes late.
func newBench(t *testing.T, stale float64) *bench {
	t.Helper()
	box, err := sandbox.Start(t.Context(), sandbox.Options{StaleConfig: stale})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = box.Close() })
	api, err := kuscia.New(kuscia.Config{Endpoint: box.Endpoint(), Token: box.Token(), MaxRetries: 2})
	if err != nil {
		t.Fatal(err)
	}
	c := clients.New(api)
	return &bench{crudtest.NewServer(t, entry, c), c, box}
}

// configured is an entry with changes.
func configured(with tree) definition.Value {
	out := tree{"key": "credentials"}
	maps.Copy(out, with)
	return entry.Definition.Encode(out)
}

func inClear(value string) definition.Value { return configured(tree{"value": value}) }

func hidden(value string, version int64) definition.Value {
	return configured(tree{"value_wo": value, "value_wo_version": version})
}

// stored is what the node has.
func (b *bench) stored() string {
	value, _ := b.box.ConfigValue("credentials")
	return value
}

// settled applies a configuration, and wants no message and an empty plan.
func (b *bench) settled(t *testing.T, config definition.Value, prior crudtest.State) crudtest.State {
	t.Helper()
	state, said := b.Apply(t, config, prior)
	if said != "" {
		t.Fatalf("apply says %s", said)
	}
	b.unchanged(t, config, state)
	return state
}

// unchanged wants the next refresh and plan to change nothing.
func (b *bench) unchanged(t *testing.T, config definition.Value, state crudtest.State) {
	t.Helper()
	answer, read := b.Read(t, state)
	plan, planned := b.Plan(t, config, read)
	if len(answer.Diagnostics)+len(plan.Diagnostics)+len(plan.RequiresReplace) > 0 || !read.Value.Equal(state.Value) || !planned.Equal(read.Value) {
		t.Errorf("the next plan is\n%s\nfor\n%s\n%s%s", planned, read.Value, crudtest.Messages(answer.Diagnostics), crudtest.Messages(plan.Diagnostics))
	}
}
