package edgedeployment_test

import (
	"context"
	"testing"
	"time"

	api "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// inBoth runs a test with each version of the API.
func inBoth(t *testing.T, test func(t *testing.T, version string)) {
	t.Helper()
	t.Parallel()
	for _, version := range both {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			test(t, version)
		})
	}
}

// TestSlowImage: a temporary failure does not end the wait.
func TestSlowImage(t *testing.T) {
	inBoth(t, func(t *testing.T, version string) {
		t.Helper()
		l := newLive(t, sandbox.Options{Timing: sandbox.Timing{Start: 10 * time.Millisecond, ClearFaults: 1500 * time.Millisecond, Remove: 10 * time.Millisecond}})
		l.applied(deployed(attributes{"api_version": version}, image("kuscia:slow")))
	})
}

// TestBroken: every apply fails until the instances run.
func TestBroken(t *testing.T) {
	t.Parallel()
	const fails = `does not\s+run.*0 of 1 instances.*CREATE_FAIL`
	within := func(timeout string) attributes { return attributes{"timeouts": attributes{"update": timeout}} }
	l := newLive(t, sandbox.Options{})
	l.applied(deployed(within("1s"), nil))
	l.fails(deployed(within("1s"), image("kuscia:broken")), fails)
	l.fails(deployed(within("1s"), image("kuscia:broken")), fails)
	l.applied(deployed(within("1m"), nil))
}

// TestBrokenCreate: the error says that a new deployment that does not run is replaced. It
// is in the state.
func TestBrokenCreate(t *testing.T) {
	t.Parallel()
	l := newLive(t, sandbox.Options{})
	l.fails(deployed(attributes{"timeouts": attributes{"create": "1s"}}, image("kuscia:broken")), `does not\s+run.*tainted.*untaint`)
	if l.state.Text("id") == "" {
		t.Errorf("the state is %s", l.state.Value)
	}
}

// TestSecondUpdate: an update after one that never ran, here one that takes a part of it
// back, waits until the instances have the changes of both.
func TestSecondUpdate(t *testing.T) {
	t.Parallel()
	const fails = `(was\s+updated but|still) does not\s+run.*with\s+the\s+previous\s+definition`
	config := func(name, value string, replicas int, timeout string) attributes {
		container := env(attributes{"value": value})
		container["image_url"] = name
		return deployed(attributes{"replicas": replicas, "timeouts": attributes{"update": timeout}}, container)
	}
	second := func(timeout string) attributes { return config("kuscia:2", "a", 2, timeout) }
	l := newLive(t, sandbox.Options{Timing: sandbox.Timing{Start: 10 * time.Millisecond, Remove: 10 * time.Millisecond}})
	l.applied(config("kuscia:1", "a", 2, "3s"))
	l.PauseUpdates(true)
	l.fails(config("kuscia:2", "b", 2, "3s"), fails)
	l.fails(second("3s"), fails)
	l.PauseUpdates(false)
	l.applied(second("1m"))
}

// TestNoWait: without a wait, responses from before the update are no difference.
func TestNoWait(t *testing.T) {
	inBoth(t, func(t *testing.T, version string) {
		t.Helper()
		timing := sandbox.QuickTiming()
		timing.Lag = time.Second
		l := newLive(t, sandbox.Options{Timing: timing})
		more := attributes{"api_version": version, "wait_for_rollout": false}
		l.applied(deployed(more, nil))
		l.applied(deployed(more, image("kuscia:2")))
	})
}

// TestOfflineNode: a node that is offline never removes its instances; force_destroy does
// not wait for it.
func TestOfflineNode(t *testing.T) {
	t.Parallel()
	l := newLive(t, sandbox.Options{OfflineNodes: []string{"node-1"}})
	config := deployed(attributes{"timeouts": attributes{"delete": "1s"}}, nil)
	l.applied(config)
	l.says(l.destroy(), `still exists.*force_destroy`)
	l.applied(deployed(attributes{"force_destroy": true}, nil))
	if said := l.destroy(); said != "" || !l.state.Value.IsNull() {
		t.Errorf("the state is %s: %s", l.state.Value, said)
	}
}

// TestDeleteTwice: a delete whose wait timed out is continued by the next apply, even if
// the server rejects a second delete request.
func TestDeleteTwice(t *testing.T) {
	t.Parallel()
	timing := sandbox.QuickTiming()
	timing.Remove = 5 * time.Second
	l := newLive(t, sandbox.Options{Timing: timing})
	l.applied(deployed(attributes{"timeouts": attributes{"delete": "3s"}}, nil))
	l.says(l.destroy(), `still exists`)
	l.Inject(sandbox.Fault{Method: "DELETE", Status: 400, Body: `{"error_code":"IEF.100012","error_msg":"being deleted"}`})
	if said := l.destroy(); said != "" || l.Exists("lite") {
		t.Errorf("it exists: %t, %s", l.Exists("lite"), said)
	}
}

// TestOtherProject: after a change of the project in the provider block a deployment is not
// found, and is not removed from the state.
func TestOtherProject(t *testing.T) {
	t.Parallel()
	l := newLive(t, sandbox.Options{OtherProjectIDs: []string{"other"}})
	config := deployed(nil, nil)
	l.applied(config)
	l.extra["KUSCIA_IEF_PROJECT_ID"] = "other"
	fails := `in\s+project\s+"` + l.Options().ProjectID + `".*"other"`
	read, after := l.resource().Read(t, l.state)
	l.says(protocol.Messages(read.Diagnostics), fails)
	if !after.Value.Equal(l.state.Value) {
		t.Errorf("the refreshed state is %s", after.Value)
	}
	l.says(l.destroy(), fails)
	delete(l.extra, "KUSCIA_IEF_PROJECT_ID")
	if l.differs(config) {
		t.Error("the plan is not empty")
	}
}

// TestWriteOnly: a value in the write-only form reaches IEF with each version, and survives
// other updates.
func TestWriteOnly(t *testing.T) {
	inBoth(t, func(t *testing.T, version string) {
		t.Helper()
		l := newLive(t, sandbox.Options{})
		scope := api.Scope{Version: api.Version(version)}
		for _, step := range []struct {
			token  string
			number int
			image  string
			stored string
		}{
			{"token-1", 1, "kuscia:1", "token-1"}, {"token-2", 1, "kuscia:1", "token-1"},
			{"token-2", 1, "kuscia:2", "token-1"}, {"token-2", 2, "kuscia:2", "token-2"},
		} {
			container := env(attributes{"value_wo": step.token, "value_wo_version": step.number})
			container["image_url"] = step.image
			l.applied(deployed(attributes{"api_version": version}, container))
			found, err := l.client().Get(context.Background(), scope, l.find(scope, "lite").ID)
			if err != nil {
				t.Fatal(err)
			}
			if got := found.Template.Containers[0].Envs[0].Value; got == nil || *got != step.stored {
				t.Errorf("%v: IEF has %v", step, got)
			}
		}
	})
}

// TestWriteOnlyLost: after an update with an unknown outcome the next plan sends the value
// again.
func TestWriteOnlyLost(t *testing.T) {
	t.Parallel()
	l := newLive(t, sandbox.Options{})
	hidden := func(text string, number int) attributes {
		return deployed(nil, env(attributes{"value_wo": text, "value_wo_version": number}))
	}
	l.applied(hidden("token-1", 1))
	l.Inject(sandbox.Fault{Method: "PUT", Times: -1})
	l.fails(hidden("token-2", 2), `Unable to update edge deployment`)
	l.ClearFaults()
	if !l.differs(hidden("token-1", 1)) {
		t.Error("the next plan is empty")
	}
}
