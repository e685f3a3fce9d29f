package edgedeployment

import (
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief/ieftest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// newRun returns a run with a new simulated IEF whose instances run
// immediately.
func newRun(t testing.TB) (*run.Run, *sandbox.Server) {
	t.Helper()
	return runOf(t, sandbox.Options{Timing: sandbox.Timing{Start: time.Nanosecond}})
}

func runOf(t testing.TB, options sandbox.Options) (*run.Run, *sandbox.Server) {
	t.Helper()
	server := ieftest.Start(t, options)
	return run.New(clients.Clients{IEF: clients.IEF{Client: clientOf(t, server, server.Options().ProjectID)}}), server
}

// clientOf is a client of a server for one of its projects.
func clientOf(t testing.TB, server *sandbox.Server, projectID string) *ief.Client {
	t.Helper()
	o := server.Options()
	client, err := ief.New(ief.Config{Endpoint: server.Endpoint(), ProjectID: projectID, AccessKey: o.AccessKey, SecretKey: o.SecretKey})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// unwaited is a configuration whose apply does not wait.
func unwaited() tftypes.Value { return configured(minimal(attribute("wait_for_rollout", false))) }

// uncertain returns the state of a create that has lost its response, and could not be
// looked up; created is set if it has taken effect.
func uncertain(t *testing.T, bare *crudtest.Server, server *sandbox.Server, config tftypes.Value, created bool) crudtest.State {
	t.Helper()
	server.Inject(sandbox.Fault{Method: "POST", AfterEffect: created})
	// The plan asks once whether IEF answers; the first lookup is before the create.
	server.Inject(sandbox.Fault{Method: "GET", Nth: 3, Times: -1, Status: 403, Body: `{"error_code":"APIGW.0302","error_msg":"no"}`})
	state, said := bare.Apply(t, config, bare.None())
	if server.ClearFaults(); state.Value.IsNull() || !strings.Contains(said, "Unknown whether") {
		t.Fatalf("state %s, diagnostics %s", state.Value, said)
	}
	return state
}

// TestLostCreate: after a create that has lost its response, a deployment is kept in the
// state, and deleted, only if it is certainly that of the create. IEF generates the ID, so
// that it is found by its name, which other deployments may have too. A write-only value
// cannot be compared.
func TestLostCreate(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		created, hidden, v2 bool
		other               string // the image of a deployment of the same name by another client
		kept                bool
	}{
		"ours":                         {created: true, kept: true},
		"ours, in v2":                  {created: true, v2: true, kept: true},
		"ours, beside another one":     {created: true, other: "theirs", kept: true},
		"another one":                  {other: "theirs"},
		"two as configured":            {created: true, other: "kuscia:1"},
		"write-only":                   {created: true, hidden: true},
		"write-only, with another one": {created: true, hidden: true, other: "theirs"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, server := newRun(t)
			bare, scope := crudtest.NewServer(t, edgeDeployment, c), ief.Scope{Version: ief.V3}
			config := minimal(attribute("wait_for_rollout", false))
			if test.hidden {
				container("envs", []any{hiddenEnv("A", "hidden", 1)})(config)
			}
			if test.v2 {
				scope.Version = ief.V2
				inV2(config)
			}
			state := uncertain(t, bare, server, configured(config), test.created)
			if test.other != "" {
				other := ief.Template{Configs: ief.PodConfigs{RestartPolicy: "Always"}, Containers: []ief.Container{{Name: "app", ImageURL: test.other}}}
				if _, err := c.IEF.Client.Create(t.Context(), scope, &ief.CreateRequest{Name: "lite", NodeIDs: []string{"node-1"}, Deployment: ief.Spec{Replicas: 1, Template: other}}); err != nil {
					t.Fatal(err)
				}
			}
			count := func() int {
				all, err := c.IEF.Client.List(t.Context(), scope, ief.Filter{Name: "lite"}, 0)
				if err != nil {
					t.Fatal(err)
				}
				return len(all)
			}
			before := count()
			read, after := bare.Read(t, state)
			gone, deleted := bare.Delete(t, state)
			if !after.Value.IsNull() != test.kept || !gone.Value.IsNull() || (before-count() == 1) != test.kept {
				t.Errorf("the refreshed state is %s; %d deployments, and %d after the delete: %s", after.Value, before, count(), deleted)
			}
			refreshed := crudtest.Messages(read.Diagnostics)
			for said, what := range map[string]string{refreshed: "was removed from the state", deleted: "was not deleted"} {
				if strings.Contains(said, what) == test.kept || strings.Contains(said, "to = kuscia_edge_deployment.NAME") == test.kept {
					t.Errorf("it says %s", said)
				}
			}
		})
	}
}

// TestLostCreateAdopted: with create_before_destroy and adopt_existing, a replacement of an
// uncertain deployment adopts it, and the delete then keeps it.
func TestLostCreateAdopted(t *testing.T) {
	t.Parallel()
	c, server := newRun(t)
	c.AdoptExisting = true
	bare := crudtest.NewServer(t, edgeDeployment, c)
	before := uncertain(t, bare, server, unwaited(), true)
	if _, said := bare.Apply(t, unwaited(), bare.None()); !strings.Contains(said, "existed and was adopted") {
		t.Fatalf("the create says %s", said)
	}
	before.Private = nil // as Terraform sends it for a tainted one
	if _, said := bare.Delete(t, before); !server.Exists("lite") || strings.Contains(said, "ERROR") || !strings.Contains(said, "was not deleted") {
		t.Errorf("it exists: %t, the delete says %s", server.Exists("lite"), said)
	}
}

// TestListWithoutAnswer: a 404 of a list says of no deployment that it does not exist.
func TestListWithoutAnswer(t *testing.T) {
	t.Parallel()
	lists := sandbox.Fault{Method: "GET", Path: "deployments", Times: -1, Status: 404, Body: `{"error_code":"IEF.100404","error_msg":"no such resource"}`}
	t.Run("uncertain", func(t *testing.T) {
		t.Parallel()
		l := newLive(t, sandbox.Options{})
		state := uncertain(t, l.Server, l.box, unwaited(), true)
		l.box.Inject(lists)
		if read, after := l.Read(t, state); after.Value.IsNull() || !strings.Contains(crudtest.Messages(read.Diagnostics), "Unable to read edge deployment") {
			t.Errorf("the refresh has %s and says %s", after.Value, crudtest.Messages(read.Diagnostics))
		}
		if after, said := l.Delete(t, state); after.Value.IsNull() || !strings.Contains(said, "Unable to read edge deployment before deleting it") {
			t.Errorf("the delete has %s and says %s", after.Value, said)
		}
	})
	t.Run("certain", func(t *testing.T) {
		t.Parallel()
		l := newLive(t, sandbox.Options{})
		state := l.ApplyWithoutWarnings(t, configured(minimal(attribute("wait_for_rollout", false), attribute("timeouts", tree{"delete": "2s"}))), l.None())
		l.box.Inject(sandbox.Fault{Method: "GET", Path: definition.StringAt(state.Value, "id"), Times: -1, Status: 400, Body: `{"error_code":"IEF.100400","error_msg":"bad"}`})
		l.box.Inject(lists)
		if read, after := l.Read(t, state); after.Value.IsNull() || !strings.Contains(crudtest.Messages(read.Diagnostics), "IEF.100404") {
			t.Errorf("the refresh has %s and says %s", after.Value, crudtest.Messages(read.Diagnostics))
		}
		if after, said := l.Delete(t, state); after.Value.IsNull() || !strings.Contains(said, "deployment still exists") {
			t.Errorf("the delete has %s and says %s", after.Value, said)
		}
	})
	t.Run("gone", func(t *testing.T) { // 400 stands for 404 if the lists do not have it
		t.Parallel()
		l := newLive(t, sandbox.Options{})
		state := l.ApplyWithoutWarnings(t, unwaited(), l.None())
		l.Delete(t, state)
		l.box.Inject(sandbox.Fault{Method: "GET", Path: definition.StringAt(state.Value, "id"), Times: -1, Status: 400, Body: `{"error_code":"IEF.100400","error_msg":"bad"}`})
		if read, after := l.Read(t, state); !after.Value.IsNull() || len(read.Diagnostics) > 0 {
			t.Errorf("the refresh has %s and says %s", after.Value, crudtest.Messages(read.Diagnostics))
		}
	})
	t.Run("new", func(t *testing.T) {
		t.Parallel()
		l := newLive(t, sandbox.Options{})
		l.box.Inject(lists)
		if state, said := l.Apply(t, unwaited(), l.None()); !state.Value.IsNull() || !strings.Contains(said, "IEF.100404") || l.box.Exists("lite") {
			t.Errorf("it was created: %t, the state is %s, the create says %s", l.box.Exists("lite"), state.Value, said)
		}
	})
}

// TestGoneWhileChanged: the errors of a change of a deployment that was deleted since the
// plan have the answer of IEF.
func TestGoneWhileChanged(t *testing.T) {
	t.Parallel()
	l := newLive(t, sandbox.Options{})
	hidden := func(text string) tftypes.Value {
		return configured(minimal(attribute("wait_for_rollout", false), attribute("description", text), container("envs", []any{hiddenEnv("A", "v", 1)})))
	}
	state := l.ApplyWithoutWarnings(t, hidden("a"), l.None())
	l.box.Drop("lite")
	if _, said := l.Apply(t, hidden("b"), state); !strings.Contains(said, "before updating it") || !strings.Contains(said, "get deployment") || !strings.Contains(said, "The deployment is not found") {
		t.Errorf("the update says %s", said)
	}
}
