package acctest

import (
	"context"
	"encoding/json"
	"regexp"
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
