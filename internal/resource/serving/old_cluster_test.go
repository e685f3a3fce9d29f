package serving_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestNoNamespacedDeployments: with the cluster of v0.5, whose KusciaDeployments belong to no
// namespace, a serving is awaited by its status, and what needs KusciaDeployments says which Kuscia
// has them. A newer Kuscia has them in a namespace, so that this is another cluster.
func TestNoNamespacedDeployments(t *testing.T) {
	t.Parallel()
	k := acctest.NewKubeServerOf(t, "v0.5.0b0")
	run := acctest.NewServer(t, k.Variables())
	for _, list := range []string{"kuscia_deployment", "kuscia_serving"} {
		_, diagnostics := run.Resource(t, list).List(t.Context(), t, protocol.Query{Config: attrs{}})
		says(t, list, protocol.Messages(diagnostics), "KusciaDeployments in a namespace with Kuscia v0.6 or later")
	}
	for name, config := range map[string]attrs{"kuscia_deployment": {"name": "kd"}, "kuscia_deployments": {}} {
		_, diagnostics := run.DataSource(t, name, config)
		says(t, "data "+name, protocol.Messages(diagnostics), "KusciaDeployments in a namespace with Kuscia v0.6 or later")
	}
	deployment := run.Resource(t, "kuscia_deployment")
	planned, _ := deployment.Plan(t, protocol.Value(deployment.Kind, attrs{"name": "kd", "initiator": "alice", "parties": attrs{"alice": attrs{"app_image": "app"}}}), deployment.None())
	says(t, "kuscia_deployment", protocol.Messages(planned.Diagnostics), "A KusciaDeployment in a namespace needs Kuscia v0.6 or later")
	for version, fits := range map[string]bool{"v0.5.0b0": true, "v0.6.0b0": false} {
		e := acctest.NewSandbox(t, sandbox.Options{Version: version})
		protocol.NoError(t, e.Sandbox.PutAppImage(plainImage()))
		l := newLive(t, e, "sf").set(attrs{"serving_input_config": `{"a":1}`})
		l.variables = k.Variables()
		if !fits {
			says(t, version, l.try(), "Unable to query cluster for serving")
			continue
		}
		l.mustApply()
		l.set(attrs{"serving_input_config": `{"a":2}`}).mustApply()
		if said := l.refresh(); said != "" {
			t.Errorf("%s: %s", version, said)
		}
	}
}

// TestPortNumbers: before v0.9 Kuscia allocates no ports, and a serving whose app image has a port
// without a number never gets a status. The cluster shows the numbers.
func TestPortNumbers(t *testing.T) {
	t.Parallel()
	k := acctest.NewKube(t)
	k.RequireSimulated(t, "an app image of an old Kuscia")
	without, numbered := k.Name("ports"), k.Name("numbers")
	for _, name := range []string{without, numbered} {
		k.AppImage(name, "example/app", "1", 1)
	}
	for i := range 2 {
		at := "/spec/deployTemplates/0/spec/containers/0/ports/" + string(rune('0'+i)) + "/port"
		k.Patch(acctest.KubeAppImages, "", numbered, types.JSONPatchType, `[{"op":"add","path":"`+at+`","value":8080}]`)
	}
	for _, test := range []struct {
		version, image string
		id             int
		want           string
	}{
		{"v0.8.0b0", without, 1, `parties["alice"].app_image: A port without a number needs Kuscia v0.9 or later, and this one is v0.8.0b0, which would accept it and never start it. Use a newer Kuscia, or set numbers in app image "` + without + `", for the ports "service", "communication"`},
		{"v0.8.0b0", numbered, 1, ""},
		{"v0.9.0b0", without, 1, ""},
		{"v0.5.0b0", numbered, 50, `parties["alice"].app_image: A serving_id that makes names`},
		{"v0.5.0b0", numbered, 40, ""},
		{"v0.6.0b0", numbered, 50, ""},
	} {
		e := acctest.NewSandbox(t, sandbox.Options{Version: test.version})
		image := plainImage()
		image.Name = test.image
		protocol.NoError(t, e.Sandbox.PutAppImage(image))
		l := newLive(t, e, test.image).set(attrs{"serving_id": strings.Repeat("a", test.id), "serving_input_config": "{}"})
		l.variables = k.Variables()
		said, _ := l.plan()
		if got := strings.Contains(said, "Kuscia is too old"); got != (test.want != "") || !strings.Contains(said, test.want) {
			t.Errorf("%s, %s, %d: %q is not in %q", test.version, test.image, test.id, test.want, said)
		}
	}
}

// TestStateOfOldVersions: before v0.15 Kuscia keeps the last state of a serving while no pod runs.
// No data source shows it.
func TestStateOfOldVersions(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v0.6.0b0", "v0.13.0b0", "v1.0.0b0"} {
		e := acctest.NewSandbox(t, sandbox.Options{Version: version})
		protocol.NoError(t, e.Sandbox.PutAppImage(plainImage()))
		l := newLive(t, e, "sf").set(attrs{"serving_input_config": "{}"})
		l.mustApply()
		l.scale("alice", 0)
		sandboxtest.Eventually(t, "no pod runs", func() bool {
			found, err := l.env.API.QueryServing(t.Context(), l.id())
			return err == nil && found.Status != nil && found.Status.PartyStatuses[0].AvailableReplicas == 0
		})
		status, diagnostics := l.env.Server(nil).DataSource(t, "kuscia_serving_status", attrs{"serving_ids": []any{l.id()}})
		shown := protocol.State{Value: status}
		one := protocol.State{Value: protocol.Fields(shown.At("servings"))[l.id()]}
		single, more := l.env.Server(nil).DataSource(t, "kuscia_serving", attrs{"serving_id": l.id()})
		if said := protocol.Messages(append(diagnostics, more...)); said != "" || protocol.Plain(shown.At("all_available")) != false ||
			one.Text("state") != kuscia.StateProgressing || (protocol.State{Value: single}).Text("status", "state") != kuscia.StateProgressing {
			t.Errorf("%s: %s; %s; %s", version, status, single, said)
		}
	}
}
