package deployment_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// podNames are the names of pods after that of their Deployment.
var podNames = regexp.MustCompile(`-[0-9a-z]{5,10}-[0-9a-z]{5}\b`)

var (
	// restarts are those of a container.
	restarts = regexp.MustCompile(`, \d+ restarts?\b`)
	// crashed is the state of a container that ends again and again.
	crashed = regexp.MustCompile(`\b(Error|CrashLoopBackOff)( \(|, exit code)`)
)

// doesNotRun creates a deployment whose pods fail, and checks what a wait for it says.
func (b *bench) doesNotRun(t *testing.T, with tree, pods int, says string) {
	t.Helper()
	state, _ := b.Apply(t, b.config(merged(with, tree{"wait_for_rollout": false}), nil), b.None())
	b.FailingPods(b.name, pods)
	state, said := b.Apply(t, b.config(merged(with, tree{"timeouts": tree{"update": b.ShortLimit()}}), nil), state)
	protocol.Says(t, "the wait", b.shown(said), "still does not run", "The wait ended: the timeout has passed", says)
	b.NoFaults()
	if _, said := b.Server.Delete(t, state); said != "" {
		t.Errorf("the delete says %s", said)
	}
}

// shown is a text without what differs between runs.
func (b *bench) shown(text string) string {
	text = strings.ReplaceAll(podNames.ReplaceAllString(text, "-POD"), b.name, "KD")
	return crashed.ReplaceAllString(restarts.ReplaceAllString(text, ", N restarts"), "CrashLoopBackOff$2")
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
