package deployment_test

import (
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// applying is an apply that goes on.
type applying struct {
	done  chan struct{}
	state crudtest.State
	said  string
}

// begin begins an apply, and returns when its KusciaDeployment has come to be as
// wanted.
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

// without does something while an app image is not there.
func (b *bench) without(image string, do func()) {
	object := b.Get(acctest.KubeAppImages, "", image).DeepCopy()
	b.Kube.Delete(acctest.KubeAppImages, "", image)
	time.Sleep(200 * time.Millisecond) // Kuscia's cache knows
	do()
	object.SetResourceVersion("")
	object.SetUID("")
	b.Kube.Create(acctest.KubeAppImages, object)
}

// TestPassingFailure: Kuscia looks at a KusciaDeployment again when it has written
// that it failed, by which time what was missing may be there.
func TestPassingFailure(t *testing.T) {
	t.Parallel()
	b := newBenchOn(t, acctest.NewKubeServer(t))
	b.StopController(acctest.KusciaController)
	create := b.begin(t, b.config(nil, nil), b.None(), exists)
	b.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, types.MergePatchType,
		`{"status":{"phase":"Failed","reason":"BuildPartyKitInfoFailed","message":"app image not found","totalParties":1,"availableParties":0}}`, "status")
	time.Sleep(500 * time.Millisecond) // some looks
	b.StartController(acctest.KusciaController)
	create.succeeds(t)
}

// TestDroppedCreate: Kuscia is made to look again once at a new deployment that it
// has given up; what is missing then is told.
func TestDroppedCreate(t *testing.T) {
	t.Parallel()
	b := newBenchOn(t, acctest.NewKubeServer(t))
	b.StopController(acctest.KusciaController)
	create := b.begin(t, b.config(nil, nil), b.None(), exists)
	b.without(b.name, func() {
		b.StartController(acctest.KusciaController)
		b.Eventually(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, "given up", hasFailed)
		time.Sleep(300 * time.Millisecond) // Kuscia has looked again
	})
	create.succeeds(t)
}

// TestDroppedUpdate: an update that Kuscia has dropped, with nothing in the phase,
// is taken up in the same apply, and in the next one.
func TestDroppedUpdate(t *testing.T) {
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
					t.Errorf("the update is not dropped without a word: %s", image(d))
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
