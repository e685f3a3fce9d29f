package deployment

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/fakecluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestClusterScoped: a cluster whose KusciaDeployments belong to no namespace is that of a Kuscia
// before v0.6: the plan and the apply refuse a KusciaDeployment, and send nothing.
func TestClusterScoped(t *testing.T) {
	t.Parallel()
	for _, namespaced := range []string{"true", "false"} {
		client := fakecluster.Client(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet {
				t.Errorf("%s %s", r.Method, r.URL)
			}
			if strings.HasSuffix(r.URL.Path, "/v1alpha1") {
				fakecluster.Respond(w, "", `{"kind":"APIResourceList","resources":[{"name":"kusciadeployments","kind":"KusciaDeployment","namespaced":`+namespaced+`}]}`)
				return
			}
			fakecluster.Respond(w, r.URL.Path, "")
		}))
		c := run.New(clients.Clients{Kubernetes: clients.Kubernetes{Open: func() (*kube.Client, error) { return client, nil }}})
		planned := kusciaDeployment.Definition.Complete(kusciaDeployment.Definition.Encode(valid()))
		root, _ := definition.Read(planned, definition.Value{})
		for _, inApply := range []bool{false, true} {
			change := crud.Change[object]{ID: crud.ID{"kd"}, Desired: toWire(root), Value: planned, InApply: inApply}
			diags := guard(t.Context(), c, change)
			if inApply {
				before(t.Context(), c, &change, &diags)
			}
			isOld := func(d diag.Diagnostic) bool {
				return d.Summary() == "Kuscia is too old" && strings.Contains(d.Detail(), "name: A KusciaDeployment in a namespace needs Kuscia v0.6 or later, and this one is older")
			}
			if got := len(diags) == 1 && isOld(diags[0]); got != (namespaced == "false") {
				t.Errorf("namespaced %s, in the apply %t: %v", namespaced, inApply, diags)
			}
		}
	}
}
