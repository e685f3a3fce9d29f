package acctest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
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

func kusciaDeployment(name, image string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "KusciaDeployment",
		"metadata": map[string]any{"namespace": acctest.KubeNamespace, "name": name},
		"spec": map[string]any{"initiator": "alice", "inputConfig": "{}", "parties": []any{
			map[string]any{"domainID": "alice", "appImageRef": image},
		}},
	}}
}

// TestKubeRunsKusciaDeployments: a KusciaDeployment becomes available, is
// changed by another client, and leaves nothing behind.
func TestKubeRunsKusciaDeployments(t *testing.T) {
	t.Parallel()
	k := acctest.NewKube(t)
	name := k.Name("kube")
	k.AppImage(name, "example/app", "v1", 2)
	k.Create(acctest.KubeKusciaDeployments, kusciaDeployment(name, name))
	k.Eventually(acctest.KubeKusciaDeployments, acctest.KubeNamespace, name, "available", func(kd *unstructured.Unstructured) bool {
		phase, _, _ := unstructured.NestedString(kd.Object, "status", "phase")
		return phase == "Available"
	})
	k.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, name, types.JSONPatchType,
		`[{"op": "add", "path": "/spec/parties/0/template", "value": {"replicas": 3, "spec": {}}}]`)
	k.Eventually(acctest.KubeDeployments, "alice", name, "scaled", func(d *unstructured.Unstructured) bool {
		n, _, _ := unstructured.NestedInt64(d.Object, "status", "availableReplicas")
		return n == 3
	})
	k.Delete(acctest.KubeKusciaDeployments, acctest.KubeNamespace, name)
	for _, resource := range []struct {
		of   string
		list func() int
	}{
		{"Deployments", func() int { return len(k.List(acctest.KubeDeployments, "alice", "kuscia.secretflow/kd-name="+name)) }},
		{"Services", func() int { return len(k.List(acctest.KubeServices, "", "kuscia.secretflow/kd-name="+name)) }},
	} {
		eventually(t, resource.of+" gone", func() bool { return resource.list() == 0 })
	}
}

// TestKubeCountsFaultsAndLimits: requests, faults and permissions are separate
// for each test, and permissions are those of a ClusterRole.
func TestKubeCountsFaultsAndLimits(t *testing.T) {
	t.Parallel()
	k, other := acctest.NewKube(t), acctest.NewKube(t)
	k.RequireSimulated(t, "faults")
	client := providerClient(t, k, "").Resource(acctest.KubeKusciaDeployments).Namespace(acctest.KubeNamespace)
	count := k.CountRequests()
	k.Fault(acctest.KubeFault{Verb: "list", Status: http.StatusServiceUnavailable, Message: "not now"})
	if _, err := client.List(t.Context(), metav1.ListOptions{}); !apierrors.IsServiceUnavailable(err) || !strings.Contains(err.Error(), "not now") {
		t.Errorf("list with a fault: %v", err)
	}
	if _, err := client.List(t.Context(), metav1.ListOptions{}); err != nil {
		t.Errorf("list after the fault: %v", err)
	}
	k.Fault(acctest.KubeFault{Verb: "create", Cut: acctest.KubeCutAfter})
	name := k.Name("cut")
	if _, err := client.Create(t.Context(), kusciaDeployment(name, "none"), metav1.CreateOptions{}); err == nil {
		t.Error("the response to the create was not lost")
	}
	if k.Get(acctest.KubeKusciaDeployments, acctest.KubeNamespace, name) == nil {
		t.Error("the create without a response had no effect")
	}
	k.Limit(acctest.KubeRule{APIGroups: []string{"kuscia.secretflow"}, Resources: []string{"kusciadeployments"}, Verbs: []string{"get"}})
	want := `cannot list resource "kusciadeployments" in API group "kuscia.secretflow" in the namespace "cross-domain"`
	if _, err := client.List(t.Context(), metav1.ListOptions{}); !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), want) {
		t.Errorf("list without permission: %v", err)
	}
	if _, err := client.Get(t.Context(), name, metav1.GetOptions{}); err != nil {
		t.Errorf("get with permission: %v", err)
	}
	k.Delete(acctest.KubeKusciaDeployments, acctest.KubeNamespace, name)
	if n := len(count.Since()); n != 5 {
		t.Errorf("%d requests counted, want 5: %v", n, count.Since())
	}
	if err := count.ExpectNoWrites()(nil); err == nil {
		t.Error("the create is not among the writes")
	}
	if n := len(other.CountRequests().Since()); n != 0 {
		t.Errorf("another test sees %d requests", n)
	}
}

// TestKubeContexts: the other contexts of the kubeconfig are for tests of
// access problems.
func TestKubeContexts(t *testing.T) {
	t.Parallel()
	k := acctest.NewKube(t)
	k.RequireSimulated(t, "contexts")
	list := func(name string) error {
		_, err := providerClient(t, k, name).Resource(acctest.KubeAppImages).List(t.Context(), metav1.ListOptions{})
		return err
	}
	if err := list("certificate"); err != nil {
		t.Errorf("certificate: %v", err)
	}
	if err := list("unauthorized"); !apierrors.IsUnauthorized(err) {
		t.Errorf("unauthorized: %v", err)
	}
	if err := list("unreachable"); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("unreachable: %v", err)
	}
}

// TestKubeServerStopsControllers: a stopped controller does nothing, and
// catches up when it is started.
func TestKubeServerStopsControllers(t *testing.T) {
	t.Parallel()
	k := acctest.NewKubeServer(t)
	k.StopController(acctest.KusciaController)
	name := k.Name("stopped")
	k.AppImage(name, "example/app", "v1", 1)
	k.Create(acctest.KubeKusciaDeployments, kusciaDeployment(name, name))
	if d := k.Get(acctest.KubeDeployments, "alice", name); d != nil {
		t.Error("a stopped controller has created a Deployment")
	}
	k.StartController(acctest.KusciaController)
	k.Eventually(acctest.KubeDeployments, "alice", name, "there", func(d *unstructured.Unstructured) bool { return d != nil })
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
