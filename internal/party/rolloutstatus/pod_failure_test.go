package rolloutstatus

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// TestPodsFail: pods that cannot start are described after wait.PodFailureTimeout, by the
// newest pod, and without permission by Kuscia's status of a KusciaDeployment that was
// never changed.
func TestPodsFail(t *testing.T) {
	t.Parallel()
	waiting := func(reason string) object {
		return object{"containerStatuses": []any{object{"name": "main", "state": object{"waiting": object{"reason": reason, "message": "Back-off pulling image app:typo"}}}}}
	}
	old, failing := pod("a", "2026-11-22T00:00:00Z", waiting("ImagePullBackOff")), pod("b", "2026-11-22T00:00:01Z", waiting("ErrImagePull"))
	for name, test := range map[string]struct {
		pods []object
		// refused is set if pods may not be listed.
		refused    bool
		generation int64
		// at changes the cluster in the middle of the time.
		at   func(m *fakeCluster)
		want string
	}{
		"image":           {pods: []object{old, failing}, want: "pod alice/b: container main: ErrImagePull: Back-off pulling image app:typo. " + wait.PodHint("ErrImagePull")},
		"only an old pod": {pods: []object{old, pod("b", "2026-11-22T00:00:01Z", waiting("ContainerCreating"))}},
		"heals":           {pods: []object{failing}, at: func(m *fakeCluster) { m.pods.pods = nil }},
		"progress": {pods: []object{failing}, at: func(m *fakeCluster) {
			at(m.objects["Deployment alice/kd"], "status")["updatedReplicas"] = int64(2)
			at(m.objects["Deployment alice/kd"], "status")["availableReplicas"] = int64(1)
		}},
		"refused, new":        {refused: true, generation: 1, want: "domainID: alice, reason: ImagePullBackOff: Back-off"},
		"refused, updated":    {refused: true, generation: 2},
		"no node with memory": {pods: []object{pod("a", "2026-11-22T00:00:00Z", object{"conditions": []any{object{"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}}})}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := released()
				m.pods.pods = test.pods
				if test.refused {
					m.pods.err = errors.New("forbidden")
				}
				kd := m.objects["KusciaDeployment cross-domain/kd"]
				at(kd, "metadata")["generation"] = test.generation
				kd["status"] = object{"phase": "Progressing", "reason": "domainID: alice, reason: ImagePullBackOff", "message": "Back-off"}
				reader, began, got := New(m, "kd"), time.Now(), ""
				for time.Since(began) < wait.PodFailureTimeout+2*podsInterval {
					if test.at != nil && time.Since(began) > wait.PodFailureTimeout/2 {
						test.at(m)
					}
					seen, err := reader.Read(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					if seen.PodsFail != "" && time.Since(began) < wait.PodFailureTimeout {
						t.Errorf("after %s: %s", time.Since(began), seen.PodsFail)
					}
					got = seen.PodsFail
					time.Sleep(2 * time.Second)
				}
				if (got == "") != (test.want == "") || !strings.HasPrefix(got, test.want) {
					t.Errorf("got %q, want %q", got, test.want)
				}
				if requests := len(m.pods.selected); requests > 12 {
					t.Errorf("pods were listed %d times", requests)
				}
			})
		})
	}
}
