package deployment_test

import (
	"net/http"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// failingImage creates an app image with one container, main, that has more fields.
func (b *bench) failingImage(suffix, image string, container tree) string {
	name := b.name + "-" + suffix
	fields := tree{"name": "main", "workingDir": "/work", "ports": []any{tree{"name": "communication", "protocol": "HTTP", "scope": "Cluster"}}}
	b.Kube.Create(acctest.KubeAppImages, &unstructured.Unstructured{Object: tree{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "AppImage", "metadata": tree{"name": name},
		"spec": tree{
			"image":           tree{"name": image, "tag": "v1"},
			"deployTemplates": []any{tree{"name": "app", "replicas": int64(1), "spec": tree{"containers": []any{merged(fields, container)}}}},
		},
	}})
	return name
}

// TestPodFailures has the end of the error of a create, for each way in which pods fail.
func TestPodFailures(t *testing.T) {
	t.Parallel()
	sourceless := strings.Replace(runsText, `,"sourceType":"ST_FILE"`, "", 1) // alice's
	hint := wait.PodHint
	crash := func(b *bench) string { return b.applicationImage(b.name+"-crash", applicationCommand) }
	same := func(b *bench) string { return b.name + "-crash" }
	noImage := func(b *bench) string { return b.failingImage("typo", "example/broken", nil) }
	for name, test := range map[string]struct {
		text       string
		alice, bob func(b *bench) string
		want       string
	}{
		"a crash loop": {text: wrongText, alice: crash, bob: same, want: `
Pods do not run: CrashLoopBackOff (alice, bob). ` + hint("CrashLoopBackOff") + `

  alice: pod KD-POD, container main: CrashLoopBackOff, exit code 255, N restarts
  | server startup failed, code: 9, msg: json to pb failed,
  | msg:INVALID_ARGUMENT:(party_configs[1].value) hiddenKey: Cannot find
  | field.
  bob: pod KD-POD, container main: CrashLoopBackOff, exit code 255, N restarts
  | server startup failed, code: 9, msg: json to pb failed,
  | msg:INVALID_ARGUMENT:(party_configs[1].value) hiddenKey: Cannot find
  | field.
`},
		"an image that cannot be pulled": {alice: noImage, want: `
Pods do not run: ImagePullBackOff (alice). ` + hint("ImagePullBackOff") + `

  alice: pod KD-POD, container main: ImagePullBackOff
  | Back-off pulling image "example/broken:v1"
`},
		"a probe that never succeeds": {alice: func(b *bench) string {
			return b.failingImage("probe", "example/app", tree{"readinessProbe": tree{"httpGet": tree{"path": "/health", "port": "brpc-builtin"}}})
		}, want: `
Pods do not run: running, not ready (alice). ` + hint(wait.NotReady) + `

  alice: pod KD-POD, container main: running, not ready
`},
		"no resources": {alice: func(b *bench) string {
			return b.failingImage("large", "example/app", tree{"resources": tree{"requests": tree{"memory": "100Ti"}}})
		}, want: `
Pods do not run: Unschedulable (alice). ` + hint("Unschedulable") + `

  alice: pod KD-POD: Unschedulable
  | 0/1 nodes are available: 1 Insufficient memory.
`},
		"two parties that fail differently": {text: sourceless, alice: crash, bob: noImage, want: `
Pods do not run: CrashLoopBackOff (alice), ImagePullBackOff (bob). ` + hint("CrashLoopBackOff") + " " + hint("ImagePullBackOff") + `

  alice: pod KD-POD, container main: CrashLoopBackOff, exit code 255, N restarts
  | server startup failed, msg:no creator registered for source type:
  | INVALID_SOURCE_TYPE
  bob: pod KD-POD, container main: ImagePullBackOff
  | Back-off pulling image "example/broken:v1"
`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.RequireSimulated(t, "pods that fail")
			parties := tree{"alice": tree{"app_image": test.alice(b)}}
			if test.bob != nil {
				parties["bob"] = tree{"app_image": test.bob(b)}
			}
			with := tree{"parties": parties, "check_application": false}
			if test.text != "" {
				with["input_config"] = test.text
			}
			b.doesNotRun(t, with, len(parties), test.want)
		})
	}
}

// doesNotRun creates a deployment whose pods fail, and checks what a wait for it says.
func (b *bench) doesNotRun(t *testing.T, with tree, pods int, says string) {
	t.Helper()
	state, _ := b.Apply(t, b.config(merged(with, tree{"wait_for_rollout": false}), nil), b.None())
	b.FailingPods(b.name, pods)
	state, said := b.Apply(t, b.config(merged(with, tree{"timeouts": tree{"update": b.ShortLimit()}}), nil), state)
	protocol.Says(t, "the wait", acctest.PodText(said, b.name, "KD"), "still does not run", "The wait ended: the timeout has passed", says)
	b.NoFaults()
	if _, said := b.Server.Delete(t, state); said != "" {
		t.Errorf("the delete says %s", said)
	}
}

// TestPodsSayWhy: a wait that fails names each party whose pods do not run, with what its pods say,
// without the parts of the configuration. Where they may not be listed, it is what Kuscia reports.
func TestPodsSayWhy(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.RequireSimulated(t, "faults")
	parties := tree{}
	for _, domain := range []string{"alice", "bob"} {
		b.AppImage(b.name+"-"+domain, "example/broken-of-"+domain, "v1", 2)
		parties[domain] = tree{"app_image": b.name + "-" + domain}
	}
	with := tree{"input_config": `["example/broken-of-bob:v1", "bob", "` + b.name + `"]`, "parties": parties}
	hint := wait.PodHint("ImagePullBackOff")
	for _, test := range []struct {
		refused bool
		says    string
	}{
		{says: `Pods do not run: ImagePullBackOff (alice, bob). ` + hint + `

  alice: pod KD-POD and 1 more, container main: ImagePullBackOff
  | Back-off pulling image "example/broken-of-alice:v1"
  bob: pod KD-POD and 1 more, container main: ImagePullBackOff
  | Back-off pulling image "***"

`},
		{refused: true, says: hint + `

  alice: the pods could not be listed: list pods "alice": HTTP 403: Forbidden (list pods)
  bob: the pods could not be listed: list pods "bob": HTTP 403: Forbidden (list pods)

`},
	} {
		if test.refused {
			b.Fault(acctest.KubeFault{Verb: "list", Resource: "pods", Status: http.StatusForbidden, Times: -1})
		}
		b.doesNotRun(t, with, 4, test.says)
	}
}
