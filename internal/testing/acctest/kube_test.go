package acctest_test

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// providerClient uses the API as the provider under test would.
func providerClient(t *testing.T, k *acctest.Kube, context string) dynamic.Interface {
	t.Helper()
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
		&clientcmd.ClientConfigLoadingRules{ExplicitPath: k.KubeconfigPath()}, &clientcmd.ConfigOverrides{CurrentContext: context}).ClientConfig()
	if err != nil {
		t.Fatal(err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not %s in time", what)
		}
	}
}

// TestExpectNoWritesByObjects: on a real control plane, which does not count requests, a
// write by the provider is found in the objects of the test, and one of a controller is
// none.
func TestExpectNoWritesByObjects(t *testing.T) {
	t.Parallel()
	k := acctest.NewKube(t)
	k.Server = nil
	name := k.Name("writes")
	requests := k.CountRequests()
	expect := func(what, want string) {
		t.Helper()
		err := requests.ExpectNoWrites()(nil)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", what, err, want)
		}
		requests.Start()
	}
	client := providerClient(t, k, "").Resource(acctest.KubeRollouts).Namespace("alice")
	manager := "terraform-provider-kuscia"
	expect("nothing", "")
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "metadata": map[string]any{"namespace": "alice", "name": name},
		"spec": map[string]any{
			"workloadRef": map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": name},
			"strategy":    map[string]any{"canary": map[string]any{"steps": []any{map[string]any{"replicas": "100%", "pause": map[string]any{}}}}},
		},
	}}
	if _, err := client.Create(t.Context(), object, metav1.CreateOptions{FieldManager: manager}); err != nil {
		t.Fatal(err)
	}
	expect("a create", "Rollout alice/"+name+" was created")
	k.Eventually(acctest.KubeRollouts, "alice", name, "seen by the controller", func(o *unstructured.Unstructured) bool {
		phase, _, _ := unstructured.NestedString(o.Object, "status", "phase")
		return phase != ""
	})
	expect("the controller", "")
	patch := func(text, manager string, parts ...string) {
		t.Helper()
		if _, err := client.Patch(t.Context(), name, types.MergePatchType, []byte(text), metav1.PatchOptions{FieldManager: manager}, parts...); err != nil {
			t.Fatal(err)
		}
	}
	patch(`{"status":{"message":"by a controller"}}`, "kruise-rollout", "status")
	expect("another manager", "")
	// The controller may overwrite the status before it is compared.
	eventually(t, "found in the status", func() bool {
		requests.Start()
		patch(`{"status":{"message":"by the provider"}}`, manager, "status")
		err := requests.ExpectNoWrites()(nil)
		return err != nil && strings.Contains(err.Error(), "has resource version")
	})
	requests.Start()
	patch(`{"metadata":{"labels":{"a":"b"}}}`, manager)
	expect("a label", "has resource version")
	patch(`{"spec":{"disabled":true}}`, manager)
	expect("the specification", "has resource version")
	if err := client.Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	k.Eventually(acctest.KubeRollouts, "alice", name, "deleted", func(o *unstructured.Unstructured) bool { return o == nil })
	expect("a delete", "Rollout alice/"+name+" was deleted")
}
