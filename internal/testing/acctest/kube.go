package acctest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubeserver"
)

// EnvKubeConfigPath is the environment variable with a kubeconfig. If it is
// set, tests use its control plane, which needs the domains alice and bob,
// Kuscia's controllers, and Kruise's manager if its CRDs are installed.
const EnvKubeConfigPath = "KUSCIA_KUBE_CONFIG_PATH"

// KubeNamespace is the namespace of KusciaDeployments.
const KubeNamespace = "cross-domain"

// The resources that tests read and write.
var (
	KubeKusciaDeployments = resourceOf("kuscia.secretflow", "v1alpha1", "kusciadeployments")
	KubeAppImages         = resourceOf("kuscia.secretflow", "v1alpha1", "appimages")
	KubeRoutes            = resourceOf("kuscia.secretflow", "v1alpha1", "clusterdomainroutes")
	KubeRouteCopies       = resourceOf("kuscia.secretflow", "v1alpha1", "domainroutes")
	KubeDomains           = resourceOf("kuscia.secretflow", "v1alpha1", "domains")
	KubeData              = resourceOf("kuscia.secretflow", "v1alpha1", "domaindatas")
	KubeDataSources       = resourceOf("kuscia.secretflow", "v1alpha1", "domaindatasources")
	KubeGrants            = resourceOf("kuscia.secretflow", "v1alpha1", "domaindatagrants")
	KubeNamespaces        = resourceOf("", "v1", "namespaces")
	KubeRollouts          = resourceOf("rollouts.kruise.io", "v1beta1", "rollouts")
	KubeTrafficRoutings   = resourceOf("rollouts.kruise.io", "v1alpha1", "trafficroutings")
	KubeBatchReleases     = resourceOf("rollouts.kruise.io", "v1beta1", "batchreleases")
	KubeDeployments       = resourceOf("apps", "v1", "deployments")
	KubeReplicaSets       = resourceOf("apps", "v1", "replicasets")
	KubeServices          = resourceOf("", "v1", "services")
	KubeConfigMaps        = resourceOf("", "v1", "configmaps")
	KubePods              = resourceOf("", "v1", "pods")
)

func resourceOf(group, version, resource string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: version, Resource: resource}
}

// Kube is the Kubernetes API of a test.
type Kube struct {
	// Client is a client of that API with all permissions, independent of the
	// provider. CountRequests does not count its requests.
	Client dynamic.Interface
	// Server is the program that serves that API, or nil for a real control
	// plane.
	Server *KubeServer

	t          testing.TB
	user       string
	kubeconfig string
	// own is set for a server that ends with the test.
	own bool
	// names are those that Name has returned.
	names []string
}

// NewKube returns the control plane in KUSCIA_KUBE_CONFIG_PATH, or a server
// that all tests of the test binary share; each test has its own user.
func NewKube(tb testing.TB) *Kube {
	tb.Helper()
	if path := os.Getenv(EnvKubeConfigPath); path != "" {
		return &Kube{Client: clientOf(tb, path), t: tb, kubeconfig: path}
	}
	server, err := sharedKubeServer()
	if err != nil {
		tb.Fatalf("starting the shared Kubernetes API: %v", err)
	}
	return newKube(tb, server, false)
}

// NewKubeServer returns a server for this test only, even if
// KUSCIA_KUBE_CONFIG_PATH is set. Use it for changes that would affect other
// tests: stopped controllers, another time.
func NewKubeServer(tb testing.TB) *Kube {
	tb.Helper()
	return newKubeServer(tb)
}

// NewKubeServerWithGates is NewKubeServer with feature gates of Kruise's manager that
// differ from those of its manifests, as in its flag: "AdvancedDeployment=false".
func NewKubeServerWithGates(tb testing.TB, gates string) *Kube {
	tb.Helper()
	return newKubeServer(tb, "-feature-gates", gates)
}

// NewKubeServerOf is NewKubeServer of a version of Kuscia.
func NewKubeServerOf(tb testing.TB, version string) *Kube {
	tb.Helper()
	return newKubeServer(tb, "-kuscia-version", version)
}

func newKubeServer(tb testing.TB, arguments ...string) *Kube {
	tb.Helper()
	server, err := kubeserver.Start(tb.TempDir(), arguments...)
	if err != nil {
		tb.Fatalf("starting a Kubernetes API: %v", err)
	}
	tb.Cleanup(func() {
		if err := server.Close(); err != nil {
			tb.Errorf("closing the Kubernetes API: %v", err)
		}
	})
	return newKube(tb, server, true)
}

func newKube(tb testing.TB, server *KubeServer, own bool) *Kube {
	tb.Helper()
	client, err := dynamic.NewForConfig(server.Config)
	if err != nil {
		tb.Fatalf("the test's own client: %v", err)
	}
	k := &Kube{Client: client, Server: server, t: tb, own: own, kubeconfig: filepath.Join(tb.TempDir(), "kubeconfig")}
	k.user = k.Name("user")
	text, err := server.Request(tb.Context(), "POST", "users/"+k.user, nil)
	if err == nil {
		err = os.WriteFile(k.kubeconfig, text, 0o600)
	}
	if err != nil {
		tb.Fatalf("a user for the provider: %v", err)
	}
	return k
}

func clientOf(tb testing.TB, path string) dynamic.Interface {
	tb.Helper()
	config, err := kubeserver.ConfigOf(path)
	if err != nil {
		tb.Fatalf("%s: %v", path, err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		tb.Fatalf("%s: %v", path, err)
	}
	return client
}

// For returns the same API for a subtest: it fails that one, and what is made for it
// ends with it.
func (k *Kube) For(tb testing.TB) *Kube {
	of := *k
	of.t, of.names = tb, slices.Clone(k.names)
	return &of
}

// RequireSimulated skips the test on a real control plane.
func (k *Kube) RequireSimulated(tb testing.TB, reason string) {
	tb.Helper()
	if k.Server == nil {
		tb.Skipf("only with simulated controllers: %s", reason)
	}
}

// RequireKruise skips the test without OpenKruise Rollouts.
func (k *Kube) RequireKruise(tb testing.TB) {
	tb.Helper()
	_, err := k.Client.Resource(KubeRollouts).Namespace("alice").List(tb.Context(), metav1.ListOptions{Limit: 1})
	if apierrors.IsNotFound(err) {
		tb.Skip("only where OpenKruise Rollouts is installed")
	}
	if err != nil {
		tb.Fatalf("discovering Rollouts: %v", err)
	}
}

// ShortLimit is the time limit of a wait that a test lets end: enough for the requests
// before it, which take longer on a real cluster.
func (k *Kube) ShortLimit() string {
	if k.Server == nil {
		return "20s"
	}
	return "3s"
}

// KubeconfigPath is a kubeconfig for the provider under test. On a simulated
// server its current context is the user of this test, with all permissions
// unless Limit was called; it also has the contexts certificate, unauthorized
// and unreachable.
func (k *Kube) KubeconfigPath() string { return k.kubeconfig }

// Variables are environment variables for the provider under test to use this
// API; for Factories.
func (k *Kube) Variables() map[string]string {
	return map[string]string{EnvKubeConfigPath: k.kubeconfig}
}

// Opener returns a function that opens the provider's client for this API,
// once, as the user of this test; for tests without a provider block.
func (k *Kube) Opener() func() (*kube.Client, error) {
	return sync.OnceValues(func() (*kube.Client, error) {
		return kube.New(kube.Config{ConfigPath: k.kubeconfig, UserAgent: "test", MaxRetries: 3})
	})
}

// Name returns a unique name for any kind of object.
func (k *Kube) Name(prefix string) string {
	k.t.Helper()
	name := (&Env{t: k.t}).Name(prefix)
	k.remember(name)
	k.names = append(k.names, name)
	return name
}

// Get reads an object; nil if it does not exist. An error ends the test.
func (k *Kube) Get(resource schema.GroupVersionResource, namespace, name string) *unstructured.Unstructured {
	k.t.Helper()
	ctx, cancel := outOfBand()
	defer cancel()
	object, err := k.client(resource, namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		k.t.Fatalf("reading %s %s/%s: %v", resource.Resource, namespace, name, err)
	}
	return object
}

// List lists the objects of a namespace ("": all namespaces) that match a label
// selector.
func (k *Kube) List(resource schema.GroupVersionResource, namespace, selector string) []unstructured.Unstructured {
	k.t.Helper()
	ctx, cancel := outOfBand()
	defer cancel()
	list, err := k.client(resource, namespace).List(ctx, metav1.ListOptions{LabelSelector: selector})
	if err != nil {
		k.t.Fatalf("listing %s: %v", resource.Resource, err)
	}
	return list.Items
}

// Create creates an object and deletes it when the test ends.
func (k *Kube) Create(resource schema.GroupVersionResource, object *unstructured.Unstructured) *unstructured.Unstructured {
	k.t.Helper()
	ctx, cancel := outOfBand()
	defer cancel()
	created, err := k.client(resource, object.GetNamespace()).Create(ctx, object, metav1.CreateOptions{FieldManager: "kubectl-create"})
	if err != nil {
		k.t.Fatalf("creating %s %s: %v", resource.Resource, object.GetName(), err)
	}
	k.t.Cleanup(func() { k.Delete(resource, created.GetNamespace(), created.GetName()) })
	return created
}

// Patch changes an object like another client, with the field manager of
// kubectl edit. kind is the type of the patch. subresources such as "status"
// are optional.
func (k *Kube) Patch(resource schema.GroupVersionResource, namespace, name string, kind types.PatchType, patch string, subresources ...string) *unstructured.Unstructured {
	k.t.Helper()
	return k.PatchAs("kubectl-edit", resource, namespace, name, kind, patch, subresources...)
}

// PatchAs is Patch with another field manager.
func (k *Kube) PatchAs(manager string, resource schema.GroupVersionResource, namespace, name string, kind types.PatchType, patch string, subresources ...string) *unstructured.Unstructured {
	k.t.Helper()
	ctx, cancel := outOfBand()
	defer cancel()
	options := metav1.PatchOptions{FieldManager: manager}
	object, err := k.client(resource, namespace).Patch(ctx, name, kind, []byte(patch), options, subresources...)
	if err != nil {
		k.t.Fatalf("patching %s %s/%s: %v", resource.Resource, namespace, name, err)
	}
	return object
}

// Delete deletes an object like another client; a missing object is not an
// error.
func (k *Kube) Delete(resource schema.GroupVersionResource, namespace, name string) {
	k.t.Helper()
	ctx, cancel := outOfBand()
	defer cancel()
	if err := k.client(resource, namespace).Delete(ctx, name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
		k.t.Errorf("deleting %s %s/%s: %v", resource.Resource, namespace, name, err)
	}
}

// Eventually waits until an object is as desired; it is nil while it does not
// exist.
func (k *Kube) Eventually(resource schema.GroupVersionResource, namespace, name, what string, desired func(*unstructured.Unstructured) bool) *unstructured.Unstructured {
	k.t.Helper()
	var last *unstructured.Unstructured
	err := wait.PollUntilContextTimeout(context.Background(), 20*time.Millisecond, outOfBandTimeout, true, func(context.Context) (bool, error) {
		last = k.Get(resource, namespace, name)
		return desired(last), nil
	})
	if err != nil {
		k.t.Fatalf("%s %s/%s: not %s: %v\n%v", resource.Resource, namespace, name, what, err, last)
	}
	return last
}

// AppImage creates an app image with one container, main, and the ports service
// and communication, and deletes it when the test ends. With simulated
// controllers, pods of an image whose name contains broken never start.
func (k *Kube) AppImage(name, image, tag string, replicas int) {
	k.t.Helper()
	object := func(pairs ...any) map[string]any {
		made := map[string]any{}
		for pair := range slices.Chunk(pairs, 2) {
			made[pair[0].(string)] = pair[1] //nolint:forcetypeassert // the names below
		}
		return made
	}
	k.Create(KubeAppImages, &unstructured.Unstructured{Object: object(
		"apiVersion", "kuscia.secretflow/v1alpha1", "kind", "AppImage", "metadata", object("name", name),
		"spec", object(
			"image", object("name", image, "tag", tag),
			"deployTemplates", []any{object(
				"name", "app", "replicas", int64(replicas),
				"spec", object("containers", []any{object(
					"name", "main", "workingDir", "/work", "ports", []any{
						object("name", "service", "protocol", "HTTP", "scope", "Domain"),
						object("name", "communication", "protocol", "HTTP", "scope", "Cluster"),
					},
				)}),
			)},
		),
	)})
}

func (k *Kube) client(resource schema.GroupVersionResource, namespace string) dynamic.ResourceInterface {
	if namespace == "" {
		return k.Client.Resource(resource)
	}
	return k.Client.Resource(resource).Namespace(namespace)
}

func outOfBand() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), outOfBandTimeout)
}
