package serving_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// onOld is a serving on a sandbox with the behaviour of an old Kuscia, with an app image that was
// created in the cluster: before v0.13 there is no API for that.
func onOld(t *testing.T, version string) *live {
	t.Helper()
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{Version: version})
	protocol.NoError(t, e.Sandbox.PutAppImage(plainImage()))
	protocol.NoError(t, e.Sandbox.NumberPorts()) // old versions need numbers
	return newLive(t, e, "sf")
}

// TestOldServers: what old servers support works with them.
func TestOldServers(t *testing.T) {
	t.Parallel()
	for version, port := range map[string]string{
		"v0.5.0.dev231201": "",        // endpoints without port_name and scope
		"v0.10.0b0":        "service", // batch status fails on an unknown ID
		"v0.11.0b0":        "service",
		"v0.13.0b0":        "service", // the app image API
		"v1.0.0b0":         "service",
	} {
		t.Run(version, func(t *testing.T) {
			l := onOld(t, version)
			alone := l.of["parties"]
			bob := attrs{"domain_id": "bob", "role": "client", "app_image": "sf"}
			l.alice(attrs{"resources": attrs{"min_cpu": "0.5", "max_cpu": "2"}}).set(attrs{"serving_input_config": `{"model":1}`})
			l.of["parties"].(attrs)["bob"] = bob
			l.mustApply()
			endpoints := protocol.Fields(l.state.At("endpoints"))
			named := 0
			for key := range endpoints {
				if strings.HasSuffix(key, "/service") {
					named++
				}
			}
			if want := map[bool]int{true: 2}[port != ""]; len(endpoints) != 2 || named != want {
				t.Errorf("the endpoints are %v", endpoints)
			}
			status, diagnostics := l.env.Server(nil).DataSource(t, "kuscia_serving_status", attrs{"serving_ids": []any{"missing", l.id()}})
			shown := protocol.State{Value: status}
			if len(diagnostics) > 0 || len(protocol.Elements(shown.At("missing_serving_ids"))) != 1 || len(protocol.Fields(shown.At("servings"))) != 1 {
				t.Errorf("the status is %s: %s", status, protocol.Messages(diagnostics))
			}
			l.alice(attrs{"resources": attrs{"min_cpu": "0.5", "max_cpu": "3"}}).set(attrs{"serving_input_config": `{"model":2}`, "redeploy_triggers": attrs{"v": "1"}})
			l.of["parties"].(attrs)["bob"] = with(bob, attrs{"replicas": 2})
			l.mustApply()
			if found := l.query(); *found.Parties[1].Replicas != 2 || found.ServingInputConfig != `{"model":2}` {
				t.Errorf("Kuscia has %+v", found)
			}
			l.set(attrs{"parties": alone}).mustApply()
			if found := l.query(); len(found.Parties) != 1 {
				t.Errorf("Kuscia has %+v", found)
			}
		})
	}
}

// TestTooOld: what an old server would silently ignore or reject is an error that names the
// required version, before anything is sent.
func TestTooOld(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		version string
		edit    func(*live)
		says    string
	}{
		"prefix":   {"v0.10.0b0", func(l *live) { l.alice(attrs{"service_name_prefix": "glm"}).set(attrs{"serving_input_config": "{}"}) }, "service_name_prefix needs Kuscia v0.11 or later, and this one is v0.10.0b0, which would silently ignore it"},
		"text":     {"v0.10.0b0", func(*live) {}, "A serving without serving_input_config needs Kuscia v0.11 or later, and this one is v0.10.0b0"},
		"affinity": {"v1.0.0b0", func(l *live) { l.set(attrs{"affinity_mode": "affinity"}) }, "affinity_mode needs Kuscia v1.1 or later, and this one is v1.0.0b0"},
	} {
		t.Run(name, func(t *testing.T) {
			l := onOld(t, test.version)
			test.edit(l)
			requests := l.env.CountRequests()
			said := l.try()
			if says(t, "the apply", said, test.says); strings.Count(said, "ERROR") != 1 {
				t.Error(said)
			}
			acctest.CheckNoWrites(t, "the refused apply", requests)
		})
	}
}
