package deployment_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestPartner: a party whose domain belongs to another control plane has no Deployment in
// this cluster; create, update and delete do not wait for one.
func TestPartner(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.RequireSimulated(t, "a domain of a partner")
	partner := b.name + "-partner"
	domains := schema.GroupVersionResource{Group: "kuscia.secretflow", Version: "v1alpha1", Resource: "domains"}
	b.Kube.Create(domains, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "Domain", "metadata": map[string]any{"name": partner}, "spec": map[string]any{"role": "partner"},
	}})
	config := func(image string) tree {
		return tree{"parties": tree{partner: tree{"app_image": image}, "alice": tree{"app_image": image}}}
	}
	state := b.ApplyWithoutWarnings(t, b.config(config(b.name), nil), b.None())
	b.CheckNoDrift(t, b.config(config(b.name), nil), state)
	if annotation := b.deployment().GetAnnotations()["kuscia.secretflow/interconn-kuscia-parties"]; annotation != partner {
		t.Errorf("Kuscia takes %q for the partners", annotation)
	}
	state = b.ApplyWithoutWarnings(t, b.config(config(b.name+"-v2"), nil), state)
	found := b.Kube.List(acctest.KubeDeployments, "", selector(b.name))
	if !complete(state) || len(found) != 1 || found[0].GetNamespace() != "alice" || imageOf(&found[0]) != "example/app:v2" {
		t.Errorf("complete %t with the Deployments %v", complete(state), found)
	}
	if gone, said := b.Server.Delete(t, state); !gone.Value.IsNull() || strings.Contains(said, "ERROR") {
		t.Errorf("the delete says %s", said)
	}
}
