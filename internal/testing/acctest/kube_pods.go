package acctest

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// failing is in the status of a pod that will not run: its image cannot be pulled, no node takes it,
// its container has ended before its last start, or it runs and is not ready.
var failing = regexp.MustCompile(`"ImagePullBackOff"|"Unschedulable"|"lastState":\{"terminated"|"ready":false,[^{}]*"state":\{"running"`)

// FailingPods waits until so many pods of a KusciaDeployment, which are all of it, will not run.
func (k *Kube) FailingPods(name string, pods int) {
	k.t.Helper()
	var last []byte
	err := wait.PollUntilContextTimeout(context.Background(), 100*time.Millisecond, outOfBandTimeout, true, func(context.Context) (bool, error) {
		found := 0
		list := k.List(KubePods, "", "kuscia.secretflow/kd-name="+name)
		for _, pod := range list {
			last, _ = json.Marshal(pod.Object["status"])
			if failing.Match(last) {
				found++
			}
		}
		return found == pods && len(list) == pods, nil
	})
	if err != nil {
		k.t.Fatalf("not %d failing pods: %s", pods, last)
	}
}

var (
	// podNames are the names of pods after that of their Deployment.
	podNames = regexp.MustCompile(`-[0-9a-z]{5,10}-[0-9a-z]{5}\b`)
	// restarts are those of a container.
	restarts = regexp.MustCompile(`, \d+ restarts?\b`)
	// crashed is the state of a container that ends again and again.
	crashed = regexp.MustCompile(`\b(Error|CrashLoopBackOff)( \(|, exit code)`)
)

// PodText is what is said about the pods of an object, without what differs between runs. The name
// of the object is replaced.
func PodText(said, name, replacement string) string {
	said = podNames.ReplaceAllString(strings.ReplaceAll(said, name, replacement), "-POD")
	said = crashed.ReplaceAllString(restarts.ReplaceAllString(said, ", N restarts"), "CrashLoopBackOff$2")
	// One container may have ended just now while the other waits.
	return strings.ReplaceAll(said, "CrashLoopBackOff (alice), CrashLoopBackOff (bob)", "CrashLoopBackOff (alice, bob)")
}
