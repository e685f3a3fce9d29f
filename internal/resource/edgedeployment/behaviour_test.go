package edgedeployment

import (
	"regexp"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// inBoth runs a test with each version of the API.
func inBoth(t *testing.T, test func(t *testing.T, version func(tree))) {
	t.Helper()
	t.Parallel()
	for name, version := range map[string]func(tree){"v3": func(tree) {}, "v2": inV2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, version)
		})
	}
}

// live is a deployment in a simulated IEF.
type live struct {
	*crudtest.Server
	run   *run.Run
	box   *sandbox.Server
	t     *testing.T
	state crudtest.State
}

func newLive(t *testing.T, options sandbox.Options) *live {
	t.Helper()
	c, box := runOf(t, options)
	l := &live{Server: crudtest.NewServer(t, edgeDeployment, c), run: c, box: box, t: t}
	l.state = l.None()
	return l
}

// applied applies the smallest configuration with changes; the next plan is empty.
func (l *live) applied(changes ...func(tree)) {
	l.t.Helper()
	said := l.apply(changes)
	l.state = l.CheckEmptyPlan(l.t, configured(minimal(changes...)), l.state)
	if said != "" {
		l.t.Fatal(said)
	}
}

func (l *live) apply(changes []func(tree)) (said string) {
	l.t.Helper()
	l.state, said = l.Apply(l.t, configured(minimal(changes...)), l.state)
	return said
}

// fails applies the smallest configuration with changes, and checks the error.
func (l *live) fails(want string, changes ...func(tree)) {
	l.t.Helper()
	l.says(l.apply(changes), want)
}

func (l *live) says(said, want string) {
	l.t.Helper()
	if !regexp.MustCompile(`(?s)ERROR.*` + want).MatchString(said) {
		l.t.Fatalf("no %q in %q", want, said)
	}
}

// destroy deletes the deployment, and returns what the provider says.
func (l *live) destroy() (said string) {
	l.t.Helper()
	l.state, said = l.Delete(l.t, l.state)
	return said
}

func image(name string) func(tree) { return container("image_url", name) }

func within(step, timeout string) func(tree) { return attribute("timeouts", tree{step: timeout}) }

// TestSlowImage: a temporary failure does not end the wait.
func TestSlowImage(t *testing.T) {
	inBoth(t, func(t *testing.T, version func(tree)) {
		t.Helper()
		l := newLive(t, sandbox.Options{Timing: sandbox.Timing{Start: 10 * time.Millisecond, ClearFaults: 1500 * time.Millisecond, Remove: 10 * time.Millisecond}})
		l.applied(version, image("kuscia:slow"))
	})
}

// TestBroken: every apply fails until the instances run. A new deployment that does not run is
// in the state, and replaced.
func TestBroken(t *testing.T) {
	t.Parallel()
	const fails = `does not\s+run.*0 of 1 instances.*CREATE_FAIL`
	l := newLive(t, sandbox.Options{})
	l.fails(`does not\s+run.*tainted.*untaint`, within("create", "1s"), image("kuscia:broken"))
	l.fails(fails, within("update", "1s"), image("kuscia:broken"), attribute("description", "again"))
	l.fails(fails, within("update", "1s"), image("kuscia:broken"), attribute("description", "again"))
	l.applied()
}

// TestSecondUpdate: an update after one that never ran, here one that takes a part of it
// back, waits until the instances have the changes of both.
func TestSecondUpdate(t *testing.T) {
	t.Parallel()
	const fails = `does not\s+run.*with\s+the\s+previous\s+definition`
	value := func(text string) func(tree) { return container("envs", []any{tree{"name": "A", "value": text}}) }
	l := newLive(t, sandbox.Options{})
	l.applied(image("kuscia:1"), value("a"))
	l.box.PauseUpdates(true)
	l.fails(fails, image("kuscia:2"), value("b"), within("update", "2s"))
	l.fails(fails, image("kuscia:2"), value("a"), within("update", "2s"))
	l.box.PauseUpdates(false)
	l.applied(image("kuscia:2"), value("a"))
}

// TestNoWait: without a wait, responses from before the update are no difference.
func TestNoWait(t *testing.T) {
	inBoth(t, func(t *testing.T, version func(tree)) {
		t.Helper()
		timing := sandbox.QuickTiming()
		timing.Lag = time.Hour
		l := newLive(t, sandbox.Options{Timing: timing})
		l.applied(version, attribute("wait_for_rollout", false))
		l.applied(version, attribute("wait_for_rollout", false), image("kuscia:2"))
	})
}

// TestOfflineNode: a node that is offline never removes its instances. A delete whose wait timed
// out is continued by the next apply, even if the server rejects a second delete request;
// force_destroy does not wait.
func TestOfflineNode(t *testing.T) {
	t.Parallel()
	l := newLive(t, sandbox.Options{OfflineNodes: []string{"node-1"}})
	l.applied(attribute("force_destroy", true))
	if said := l.destroy(); said != "" || !l.state.Value.IsNull() {
		t.Errorf("the state is %s: %s", l.state.Value, said)
	}
	l.applied(within("delete", "1s"))
	l.says(l.destroy(), `still exists.*Its state is .*force_destroy`)
	timeouts := definition.FieldsOf(configured(minimal(within("delete", "1m"))))["timeouts"]
	l.state.Value = edgeDeployment.Definition.With(l.state.Value, map[string]tftypes.Value{"timeouts": timeouts})
	l.box.Inject(sandbox.Fault{Method: "DELETE", Status: 400, Body: `{"error_code":"IEF.100012","error_msg":"being deleted"}`})
	deletes := func() (n int) {
		for _, r := range l.box.Requests() {
			if r.Method == "DELETE" {
				n++
			}
		}
		return n
	}
	before := deletes()
	go func() {
		for deletes() == before {
			time.Sleep(10 * time.Millisecond)
		}
		l.box.Drop("lite") // as the node does
	}()
	if said := l.destroy(); said != "" || l.box.Exists("lite") {
		t.Errorf("it exists: %t, %s", l.box.Exists("lite"), said)
	}
}

// TestOtherProject: after a change of the project in the provider block a deployment is not
// found, and is not removed from the state.
func TestOtherProject(t *testing.T) {
	t.Parallel()
	l := newLive(t, sandbox.Options{OtherProjectIDs: []string{"other"}})
	l.applied()
	other := crudtest.NewServer(t, edgeDeployment, run.New(clients.Clients{IEF: clients.IEF{Client: clientOf(t, l.box, "other")}}))
	fails := `in\s+project\s+"` + l.box.Options().ProjectID + `".*"other"`
	read, after := other.Read(t, l.state)
	l.says(protocol.Messages(read.Diagnostics), fails)
	if !after.Value.Equal(l.state.Value) {
		t.Errorf("the refreshed state is %s", after.Value)
	}
	_, said := other.Delete(t, l.state)
	l.says(said, fails)
	l.CheckNoDrift(t, configured(minimal()), l.state)
}

// TestWriteOnlyLost: after an update with an unknown outcome the next plan sends the write-only
// value again.
func TestWriteOnlyLost(t *testing.T) {
	t.Parallel()
	l := newLive(t, sandbox.Options{})
	hidden := func(text string, version int64) func(tree) {
		return container("envs", []any{hiddenEnv("A", text, version)})
	}
	l.applied(hidden("token-1", 1))
	l.box.Inject(sandbox.Fault{Method: "PUT", Times: -1})
	l.fails(`Unable to update edge deployment`, hidden("token-2", 2))
	l.box.ClearFaults()
	_, read := l.Read(t, l.state)
	if _, planned := l.Plan(t, configured(minimal(hidden("token-1", 1))), read); planned.Equal(read.Value) {
		t.Error("the next plan is empty")
	}
}
