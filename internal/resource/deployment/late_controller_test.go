package deployment_test

import (
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/deployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestLateController: a controller that is stopped or slow, one test after the other on a
// cluster of their own.
func TestLateController(t *testing.T) {
	t.Parallel()
	k := acctest.NewKubeServer(t)
	for name, test := range map[string]func(*testing.T, *bench){
		"dropped create": testDroppedCreate, "ignored update": testIgnoredUpdate, "annotations": testRetryKeepsAnnotations,
		"delete": testDeleteTakenOver, "Rollout": testScaleBeforeRollout,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBenchOn(t, k.For(t))
			t.Cleanup(func() { k.StartController(acctest.KusciaController) })
			test(t, b)
		})
	}
}

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

// testDroppedCreate: a new deployment that Kuscia has given up is retried once.
func testDroppedCreate(t *testing.T, b *bench) {
	t.Helper()
	b.StopController(acctest.KusciaController)
	create := b.begin(t, b.config(nil, nil), b.None(), func(kd *unstructured.Unstructured) bool { return kd != nil })
	b.without(b.name, func() {
		b.StartController(acctest.KusciaController)
		b.Eventually(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, "given up", func(kd *unstructured.Unstructured) bool {
			return at(kd, "status", "phase") == "Failed"
		})
		time.Sleep(300 * time.Millisecond) // Kuscia has looked again
	})
	create.succeeds(t)
}

// testIgnoredUpdate: an update that Kuscia has ignored without a change of the phase is
// retried in the same apply.
func testIgnoredUpdate(t *testing.T, b *bench) {
	t.Helper()
	state, _ := b.ApplyAndVerify(t, b.config(nil, nil), b.None())
	image := b.name + "-v2"
	b.StopController(acctest.KusciaController)
	update := b.begin(t, b.config(nil, tree{"app_image": image}), state, func(kd *unstructured.Unstructured) bool { return party(kd, 0)["appImageRef"] == image })
	b.without(image, func() {
		b.StartController(acctest.KusciaController)
		time.Sleep(time.Second)
		if d := b.Get(acctest.KubeDeployments, "alice", b.name); !strings.HasSuffix(imageOf(d), ":v1") || at(b.deployment(), "status", "phase") == "Failed" {
			t.Errorf("the update is not ignored without an error: %s", imageOf(d))
		}
	})
	update.succeeds(t)
}

// testRetryKeepsAnnotations: a retry does not replace the annotations that Kuscia
// writes after the status was read, among them the allocated ports.
func testRetryKeepsAnnotations(t *testing.T, b *bench) {
	t.Helper()
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
}

// testDeleteTakenOver: a delete waits for the objects that Kuscia has taken over
// from an earlier KusciaDeployment of the same name, whose uid they keep in a
// label. If another client creates the KusciaDeployment again meanwhile, the
// error says so. After the read it deletes no other than that which was read.
func testDeleteTakenOver(t *testing.T, b *bench) {
	t.Helper()
	state, _ := b.ApplyAndVerify(t, b.config(tree{"timeouts": tree{"delete": "2s"}}, nil), b.None())
	before := b.deployment()
	again := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "KusciaDeployment",
		"metadata": map[string]any{"namespace": acctest.KubeNamespace, "name": b.name}, "spec": b.deployment().Object["spec"],
	}}
	deletes := func(want string) {
		t.Helper()
		left := "these objects still exist: Deployment alice/" + b.name
		if kept, said := b.Server.Delete(t, state); kept.Value.IsNull() || !strings.Contains(said, left) || !strings.Contains(said, want) {
			t.Errorf("the delete says %s", said)
		}
	}
	// A controller that was stopped could still miss the new one in its cache at its start.
	b.SetLag(acctest.KusciaController, 500*time.Millisecond)
	b.Kube.Delete(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name)
	uid := b.Kube.Create(acctest.KubeKusciaDeployments, again).GetUID()
	b.Eventually(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, "taken over", func(kd *unstructured.Unstructured) bool {
		return at(kd, "status", "phase") == "Available"
	})
	b.SetLag(acctest.KusciaController, 0)
	if b.Get(acctest.KubeDeployments, "alice", b.name).GetLabels()["kuscia.secretflow/kd-uid"] == string(uid) {
		t.Error("the Deployment has the uid of the new KusciaDeployment")
	}
	b.StopController(acctest.KusciaController)
	b.Fault(acctest.KubeFault{Verb: "get", Resource: "kusciadeployments", Body: before, Times: -1})
	_, said := b.Server.Delete(t, state)
	if b.NoFaults(); b.deployment() == nil || !strings.Contains(said, "ERROR") || !strings.Contains(said, "Another client changed or replaced the object") {
		t.Errorf("a delete that has read the one before has deleted the new one: %s", said)
	}
	deletes("check that they run")

	b.Kube.Create(acctest.KubeKusciaDeployments, again)
	var recreated sync.WaitGroup
	recreated.Go(func() {
		b.Eventually(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, "deleted", func(kd *unstructured.Unstructured) bool { return kd == nil })
		b.Kube.Create(acctest.KubeKusciaDeployments, again)
	})
	deletes("Another client has created a KusciaDeployment of this name")
	recreated.Wait()
}

// testScaleBeforeRollout: an update of replicas alone applies an app image that the same
// run has changed in place, so it waits for the Rollout as well.
func testScaleBeforeRollout(t *testing.T, b *bench) {
	t.Helper()
	b.rolloutOf(t, styleCanary, nil)
	b.SetLag(acctest.KruiseController, 2*time.Second)
	state, _ := b.ApplyAndVerify(t, b.config(nil, tree{"replicas": int64(4)}), b.None())
	b.change(t, b.name, `[{"op":"replace","path":"/spec/image/tag","value":"v3"}]`)
	b.c.AppImages = run.NewAppImageCache((*kuscia.Client)(nil))
	b.c.AppImages.RecordPlanned(b.image("v3"))
	b.c.AppImages.Forget(b.name)
	defer time.AfterFunc(3*time.Second, func() { b.SetLag(acctest.KruiseController, 0) }).Stop()
	state, said := b.Apply(t, b.config(nil, tree{"replicas": int64(5)}), state)
	if complete(state) || !strings.Contains(said, "paused at step 1 of 2") {
		t.Errorf("complete is %t; diagnostics: %s", complete(state), said)
	}
}
