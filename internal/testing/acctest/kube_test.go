package acctest_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestExpectNoWritesByObjects: on a real control plane, which does not count requests, a
// write by the provider is found in the objects of the test, and one of a controller is
// none.
func TestExpectNoWritesByObjects(t *testing.T) {
	t.Parallel()
	k := acctest.NewKube(t)
	k.Server = nil
	name := k.Name("writes")
	config, err := clientcmd.BuildConfigFromFlags("", k.KubeconfigPath())
	if err != nil {
		t.Fatal(err)
	}
	all, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	client := all.Resource(acctest.KubeRollouts).Namespace("alice")
	requests := k.CountRequests()
	expect := func(what, want string) {
		t.Helper()
		err := requests.ExpectNoWrites()(nil)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", what, err, want)
		}
		requests.Start()
	}
	manager := "terraform-provider-kuscia"
	expect("nothing", "")
	if _, err := client.Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "metadata": map[string]any{"namespace": "alice", "name": name},
		"spec": map[string]any{
			"workloadRef": map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": name},
			"strategy":    map[string]any{"canary": map[string]any{"steps": []any{map[string]any{"replicas": "100%", "pause": map[string]any{}}}}},
		},
	}}, metav1.CreateOptions{FieldManager: manager}); err != nil {
		t.Fatal(err)
	}
	expect("a create", "Rollout alice/"+name+" was created")
	k.Eventually(acctest.KubeRollouts, "alice", name, "seen by the controller", func(o *unstructured.Unstructured) bool {
		phase, _, _ := unstructured.NestedString(o.Object, "status", "phase")
		return phase != ""
	})
	expect("the controller", "")
	if _, err := client.Patch(t.Context(), name, types.MergePatchType, []byte(`{"spec":{"disabled":true}}`), metav1.PatchOptions{FieldManager: manager}); err != nil {
		t.Fatal(err)
	}
	expect("the specification", "has resource version")
	if err := client.Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	k.Eventually(acctest.KubeRollouts, "alice", name, "deleted", func(o *unstructured.Unstructured) bool { return o == nil })
	expect("a delete", "Rollout alice/"+name+" was deleted")
}
