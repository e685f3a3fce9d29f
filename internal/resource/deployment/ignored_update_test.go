package deployment_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/deployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// applying is an apply in progress.
type applying struct {
	done  chan struct{}
	state crudtest.State
	said  string
}

// begin begins an apply, and returns when its KusciaDeployment has the desired
// status.
func (b *bench) begin(t *testing.T, config definition.Value, prior crudtest.State, wanted func(kd *unstructured.Unstructured) bool) *applying {
	t.Helper()
	a := &applying{done: make(chan struct{})}
	go func() {
		defer close(a.done)
		a.state, a.said = b.Apply(t, config, prior)
	}()
	b.Eventually(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, "as wanted", wanted)
	return a
}

// succeeds waits for the end of an apply.
func (a *applying) succeeds(t *testing.T) {
	t.Helper()
	<-a.done
	if a.said != "" || !complete(a.state) {
		t.Errorf("complete %t, the apply says %s", complete(a.state), a.said)
	}
}

func exists(kd *unstructured.Unstructured) bool { return kd != nil }

func refersTo(image string) func(*unstructured.Unstructured) bool {
	return func(kd *unstructured.Unstructured) bool { return kd != nil && party(kd, 0)["appImageRef"] == image }
}

func hasFailed(kd *unstructured.Unstructured) bool {
	return kd != nil && at(kd, "status", "phase") == "Failed"
}

// without calls a function while an app image does not exist.
func (b *bench) without(image string, do func()) {
	object := b.Get(acctest.KubeAppImages, "", image).DeepCopy()
	b.Kube.Delete(acctest.KubeAppImages, "", image)
	time.Sleep(200 * time.Millisecond) // Kuscia's cache has seen the delete
	do()
	object.SetResourceVersion("")
	object.SetUID("")
	b.Kube.Create(acctest.KubeAppImages, object)
}

// TestDroppedCreate: a new deployment that Kuscia has given up is retried once;
// the error then names the missing object. A retry that the cluster rejects
// does not count.
func TestDroppedCreate(t *testing.T) {
	t.Parallel()
	for name, status := range map[string]int{"at once": 0, "after a refused retry": http.StatusServiceUnavailable} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBenchOn(t, acctest.NewKubeServer(t))
			b.StopController(acctest.KusciaController)
			create := b.begin(t, b.config(nil, nil), b.None(), exists)
			if status != 0 {
				b.Fault(acctest.KubeFault{Verb: "patch", Resource: "kusciadeployments", Status: status, Times: 1})
			}
			b.without(b.name, func() {
				b.StartController(acctest.KusciaController)
				b.Eventually(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, "given up", hasFailed)
				time.Sleep(300 * time.Millisecond) // Kuscia has looked again
			})
			create.succeeds(t)
		})
	}
}

// TestIgnoredUpdate: an update that Kuscia has ignored without a change of the
// phase is retried in the same apply, and in the next one.
func TestIgnoredUpdate(t *testing.T) {
	t.Parallel()
	for name, updateLimit := range map[string]string{"the same apply": "1m", "the next apply": "1s"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBenchOn(t, acctest.NewKubeServer(t))
			state, _ := b.ApplyAndVerify(t, b.config(nil, nil), b.None())
			other := tree{"app_image": b.name + "-v2"}
			b.StopController(acctest.KusciaController)
			update := b.begin(t, b.config(tree{"timeouts": tree{"update": updateLimit}}, other), state, refersTo(b.name+"-v2"))
			b.without(b.name+"-v2", func() {
				b.StartController(acctest.KusciaController)
				time.Sleep(time.Second)
				if d := b.Get(acctest.KubeDeployments, "alice", b.name); image(d) != "example/app:v1" || hasFailed(b.deployment()) {
					t.Errorf("the update is not ignored without an error: %s", image(d))
				}
			})
			if name == "the same apply" {
				update.succeeds(t)
				return
			}
			<-update.done
			if complete(update.state) || !strings.Contains(update.said, "does not run") {
				t.Errorf("the update says %s", update.said)
			}
			if state, said := b.Apply(t, b.config(tree{"timeouts": tree{"update": "20s"}}, other), update.state); said != "" || !complete(state) {
				t.Errorf("the next apply says %s", said)
			}
		})
	}
}

// TestRetryKeepsAnnotations: a retry does not replace the annotations that Kuscia
// writes after the status was read, among them the allocated ports.
func TestRetryKeepsAnnotations(t *testing.T) {
	t.Parallel()
	b := newBenchOn(t, acctest.NewKubeServer(t))
	b.StopController(acctest.KusciaController)
	if _, said := b.Apply(t, b.config(tree{"wait_for_rollout": false}, nil), b.None()); said != "" {
		t.Fatal(said)
	}
	client, err := b.c.Kubernetes.Open()
	if err != nil {
		t.Fatal(err)
	}
	read := func() *rolloutstatus.Status {
		seen, err := rolloutstatus.New(client, b.name).Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return seen
	}
	before := read()
	if before.KusciaDeployment.Metadata.Annotations != nil {
		t.Fatalf("there are the annotations %v", before.KusciaDeployment.Metadata.Annotations)
	}
	b.StartController(acctest.KusciaController)
	noted := b.Eventually(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, "annotated", func(kd *unstructured.Unstructured) bool {
		return len(kd.GetAnnotations()) > 0
	}).GetAnnotations()
	b.StopController(acctest.KusciaController)
	deployment.Retry(t.Context(), client, b.name, before)
	if now := b.deployment().GetAnnotations(); !maps.Equal(now, noted) {
		t.Errorf("the annotations are %v, and were %v", now, noted)
	}
	b.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, types.MergePatchType, `{"metadata":{"annotations":null}}`)
	b.Eventually(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, "retried", func(kd *unstructured.Unstructured) bool {
		if len(kd.GetAnnotations()) == 1 {
			return true
		}
		before.KusciaDeployment = read().KusciaDeployment
		deployment.Retry(t.Context(), client, b.name, before)
		return false
	})
}
