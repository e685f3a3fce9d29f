package edgedeployment

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
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
	bare, fast := crudtest.NewServer(t, edgeDeployment, c), crudtest.NewFastServer(t, edgeDeployment, c)
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
	crudtest.NewFastServer(t, edgeDeployment, c).CheckFastPath(t, configured(minimal(attribute("wait_for_rollout", false))))
}

// TestShortcutAsksOnce: a refresh that finds a change sends one query and
// reuses its response.
func TestShortcutAsksOnce(t *testing.T) {
	t.Parallel()
	c, server := newClients(t)
	fast := crudtest.NewFastServer(t, edgeDeployment, c)
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

// unwaited is a configuration whose apply does not wait.
func unwaited() tftypes.Value { return configured(minimal(attribute("wait_for_rollout", false))) }

// uncertain returns the state of a create that has lost its response, and could not be
// looked up.
func uncertain(t *testing.T, bare *crudtest.Server, server *sandbox.Server) crudtest.State {
	t.Helper()
	server.Inject(sandbox.Fault{Method: "POST", AfterEffect: true})
	// The plan asks once whether IEF answers; the first lookup is before the create.
	server.Inject(sandbox.Fault{Method: "GET", Nth: 3, Times: -1, Status: 403, Body: `{"error_code":"APIGW.0302","error_msg":"no"}`})
	state, said := bare.Apply(t, unwaited(), bare.None())
	if server.ClearFaults(); state.Value.IsNull() || !strings.Contains(said, "Unknown whether") {
		t.Fatalf("state %s, diagnostics %s", state.Value, said)
	}
	return state
}

// TestLostCreateAdopted: with create_before_destroy and adopt_existing, a replacement of an
// uncertain deployment adopts it, and the delete then keeps it.
func TestLostCreateAdopted(t *testing.T) {
	t.Parallel()
	c, server := newClients(t)
	c.AdoptExisting = true
	bare := crudtest.NewServer(t, edgeDeployment, c)
	before := uncertain(t, bare, server)
	if _, said := bare.Apply(t, unwaited(), bare.None()); !strings.Contains(said, "existed and was adopted") {
		t.Fatalf("the create says %s", said)
	}
	before.Private = nil // as Terraform sends it for a tainted one
	if _, said := bare.Delete(t, before); !server.Exists("lite") || strings.Contains(said, "ERROR") || !strings.Contains(said, "was not deleted") {
		t.Errorf("it exists: %t, the delete says %s", server.Exists("lite"), said)
	}
}

// answer404 is what IEF answers to a request for a path that it does not have.
var answer404 = sandbox.Fault{Path: "deployments", Times: -1, Status: 404, Body: `{"error_code":"IEF.100404","error_msg":"no such resource"}`}

// TestListWithoutAnswer: a 404 of a list says of no deployment that it does not exist.
func TestListWithoutAnswer(t *testing.T) {
	t.Parallel()
	lists := answer404
	lists.Method = "GET"
	t.Run("uncertain", func(t *testing.T) {
		t.Parallel()
		c, server := newClients(t)
		bare := crudtest.NewServer(t, edgeDeployment, c)
		state := uncertain(t, bare, server)
		server.Inject(lists)
		if read, after := bare.Read(t, state); after.Value.IsNull() || !strings.Contains(crudtest.Messages(read.Diagnostics), "Unable to read edge deployment") {
			t.Errorf("the refresh has %s and says %s", after.Value, crudtest.Messages(read.Diagnostics))
		}
		if after, said := bare.Delete(t, state); after.Value.IsNull() || !strings.Contains(said, "Unable to read edge deployment before deleting it") {
			t.Errorf("the delete has %s and says %s", after.Value, said)
		}
	})
	t.Run("certain", func(t *testing.T) {
		t.Parallel()
		c, server := newClients(t)
		bare := crudtest.NewServer(t, edgeDeployment, c)
		state := bare.ApplyWithoutWarnings(t, configured(minimal(attribute("wait_for_rollout", false), attribute("timeouts", tree{"delete": "2s"}))), bare.None())
		server.Inject(sandbox.Fault{Method: "GET", Path: definition.StringAt(state.Value, "id"), Times: -1, Status: 400, Body: `{"error_code":"IEF.100400","error_msg":"bad"}`})
		server.Inject(lists)
		if read, after := bare.Read(t, state); after.Value.IsNull() || !strings.Contains(crudtest.Messages(read.Diagnostics), "IEF.100404") {
			t.Errorf("the refresh has %s and says %s", after.Value, crudtest.Messages(read.Diagnostics))
		}
		if after, said := bare.Delete(t, state); after.Value.IsNull() || !strings.Contains(said, "deployment still exists") {
			t.Errorf("the delete has %s and says %s", after.Value, said)
		}
	})
	t.Run("new", func(t *testing.T) {
		t.Parallel()
		c, server := newClients(t)
		bare := crudtest.NewServer(t, edgeDeployment, c)
		server.Inject(lists)
		if state, said := bare.Apply(t, unwaited(), bare.None()); !state.Value.IsNull() || !strings.Contains(said, "IEF.100404") || server.Exists("lite") {
			t.Errorf("it was created: %t, the state is %s, the create says %s", server.Exists("lite"), state.Value, said)
		}
	})
}

// TestGoneWhileChanged: the errors of a change of a deployment that was deleted since the
// plan have the answer of IEF.
func TestGoneWhileChanged(t *testing.T) {
	t.Parallel()
	c, server := newClients(t)
	bare := crudtest.NewServer(t, edgeDeployment, c)
	hidden := func(text string) tftypes.Value {
		return configured(minimal(attribute("wait_for_rollout", false), attribute("description", text), container("envs", []any{hiddenEnv("A", "v", 1)})))
	}
	state := bare.ApplyWithoutWarnings(t, hidden("a"), bare.None())
	server.Drop("lite")
	if _, said := bare.Apply(t, hidden("b"), state); !strings.Contains(said, "before updating it") || !strings.Contains(said, "get deployment") || !strings.Contains(said, "The deployment is not found") {
		t.Errorf("the update says %s", said)
	}
}

// BenchmarkRefreshAndPlan measures the requests of a plan without changes for
// one deployment, with the framework alone and with the shortcuts, including
// the simulated server.
func BenchmarkRefreshAndPlan(b *testing.B) {
	c, _ := newClients(b)
	config := configured(minimal(attribute("wait_for_rollout", false), attribute("description", "text")))
	for name, server := range map[string]*crudtest.Server{
		"framework": crudtest.NewServer(b, edgeDeployment, c), "served": crudtest.NewFastServer(b, edgeDeployment, c),
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
