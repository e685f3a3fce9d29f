package edgedeployment

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// newClients returns clients of a new simulated IEF whose instances run
// immediately.
func newClients(t testing.TB) (*clients.Clients, *sandbox.Server) {
	t.Helper()
	server, err := sandbox.Start(context.Background(), sandbox.Options{Timing: sandbox.Timing{Start: time.Nanosecond}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	o := server.Options()
	client, err := ief.New(ief.Config{Endpoint: server.Endpoint(), ProjectID: o.ProjectID, AccessKey: o.AccessKey, SecretKey: o.SecretKey})
	if err != nil {
		t.Fatal(err)
	}
	return &clients.Clients{IEF: clients.IEF{Client: client}}, server
}

// TestPropertyServer: for any configuration and prior state, an apply makes
// exactly the planned changes, and the refresh and the next plan show no
// change. Responses with and without shortcuts are the same.
func TestPropertyServer(t *testing.T) {
	t.Parallel()
	c, server := newClients(t)
	bare, fast := crudtest.NewServer(t, shortcuts{&kind}, c), crudtest.NewFastServer(t, shortcuts{&kind}, c)
	drawn := 0
	rapid.Check(t, func(t *rapid.T) {
		if drawn++; testing.Short() && drawn > 20 {
			return // each one is dozens of requests over HTTP
		}
		server.Drop("lite")
		state := bare.None()
		v2 := rapid.Bool().Draw(t, "v2")
		for range 2 {
			deployed := drawDeployment(t, v2)
			deployed["wait_for_rollout"] = rapid.IntRange(0, 9).Draw(t, "waits") == 0
			deployed["force_destroy"] = true
			config := configured(deployed)
			after, said := bare.ApplyAndVerify(t, config, state)
			for line := range strings.Lines(said) {
				if !strings.Contains(line, whyFixedInV2) {
					t.Fatal("apply: " + said)
				}
			}
			state = after
			crudtest.CompareResponses(t, bare, fast, config, state)
		}
		other := drawDeployment(t, v2)
		crudtest.CompareResponses(t, bare, fast, configured(other), state)
		bad := configured(tree{"name": "Bad", "node_ids": []string{""}, "containers": []any{}})
		crudtest.CompareResponses(t, bare, fast, bad, state)
		server.Drop("lite")
		crudtest.CompareResponses(t, bare, fast, configured(other), state) // it is gone
	})
}

// TestShortcutsAreTaken: the shortcuts handle all requests of a plan without
// changes.
func TestShortcutsAreTaken(t *testing.T) {
	t.Parallel()
	c, _ := newClients(t)
	crudtest.NewFastServer(t, shortcuts{&kind}, c).CheckFastPath(t, configured(minimal(attribute("wait_for_rollout", false))))
}

// TestShortcutAsksOnce: a refresh that finds a change sends one query and
// reuses its response.
func TestShortcutAsksOnce(t *testing.T) {
	t.Parallel()
	c, server := newClients(t)
	fast := crudtest.NewFastServer(t, shortcuts{&kind}, c)
	state := fast.ApplyWithoutWarnings(t, configured(minimal(attribute("wait_for_rollout", false))), fast.None())
	text := "changed"
	scope := ief.Scope{Version: ief.V3}
	if err := c.IEF.Client.Update(t.Context(), scope, definition.StringAt(state.Value, "id"), &ief.UpdateRequest{Description: &text}); err != nil {
		t.Fatal(err)
	}
	before := len(server.Requests())
	_, read := fast.Read(t, state)
	if got := definition.StringAt(read.Value, "description"); got != text || len(server.Requests())-before != 1 {
		t.Errorf("%q after %d requests", got, len(server.Requests())-before)
	}
}

// BenchmarkRefreshAndPlan measures the requests of a plan without changes for
// one deployment, with the framework alone and with the shortcuts, including
// the simulated server.
func BenchmarkRefreshAndPlan(b *testing.B) {
	c, _ := newClients(b)
	config := configured(minimal(attribute("wait_for_rollout", false), attribute("description", "text")))
	for name, server := range map[string]*crudtest.Server{
		"framework": crudtest.NewServer(b, shortcuts{&kind}, c), "served": crudtest.NewFastServer(b, shortcuts{&kind}, c),
	} {
		b.Run(name, func(b *testing.B) {
			state, said := server.Apply(b, config, server.None())
			if said != "" {
				b.Fatal(said)
			}
			b.Cleanup(func() { server.Delete(b, state) })
			b.ReportAllocs()
			for b.Loop() {
				var responses []*tfprotov6.Diagnostic
				responses = append(responses, server.Validate(b, config).Diagnostics...)
				read, _ := server.Read(b, state)
				planned, value := server.Plan(b, config, state)
				responses = append(append(responses, read.Diagnostics...), planned.Diagnostics...)
				if len(responses) > 0 || !definition.Equal(value, state.Value) {
					b.Fatal(crudtest.Messages(responses))
				}
			}
		})
	}
}
