package rolloutstatus

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// fakePods are the pods of a Deployment.
type fakePods struct {
	pods     []object
	err      error
	selected []string
}

func (f *fakePods) List(ctx context.Context, kind kube.Kind, options kube.ListOptions) (*unstructured.UnstructuredList, error) {
	f.selected = append(f.selected, kind.Resource+" "+options.Namespace+" "+options.LabelSelector)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	list := &unstructured.UnstructuredList{}
	for _, pod := range f.pods {
		list.Items = append(list.Items, unstructured.Unstructured{Object: pod})
	}
	return list, f.err
}

func pod(name, created string, status object) object {
	return object{"metadata": object{"namespace": "alice", "name": name, "creationTimestamp": created}, "status": status}
}

// TestPodProblems: the newest pod with a problem is described, for each party that
// is not done, and a missing right is.
func TestPodProblems(t *testing.T) {
	t.Parallel()
	container := func(state object) object {
		return object{"containerStatuses": []any{object{"name": "main", "state": state}}}
	}
	running, creating := container(object{"running": object{}}), container(object{"waiting": object{"reason": "ContainerCreating"}})
	pull := func(image string) object {
		return container(object{"waiting": object{"reason": "ImagePullBackOff", "message": "Back-off pulling image " + image}})
	}
	deleted := pod("d", "2026-11-22T00:00:09Z", pull("deleted"))
	deleted["metadata"].(object)["deletionTimestamp"] = "2026-11-22T00:01:00Z"
	for name, test := range map[string]struct {
		pods []object
		want string
	}{
		"none":          {},
		"starting":      {pods: []object{pod("a", "2026-11-22T00:00:00Z", running), pod("b", "2026-11-22T00:00:01Z", creating)}},
		"newest":        {pods: []object{pod("a", "2026-11-22T00:00:00Z", pull("old")), pod("b", "2026-11-22T00:00:01Z", pull("new")), deleted}, want: "pod alice/b: container main: ImagePullBackOff: Back-off pulling image new"},
		"crashed":       {pods: []object{pod("a", "2026-11-22T00:00:00Z", container(object{"terminated": object{"reason": "Error", "exitCode": int64(2)}}))}, want: "pod alice/a: container main: Error (exit code 2)"},
		"ended well":    {pods: []object{pod("a", "2026-11-22T00:00:00Z", container(object{"terminated": object{"reason": "Completed"}}))}},
		"init":          {pods: []object{pod("a", "2026-11-22T00:00:00Z", object{"initContainerStatuses": []any{object{"name": "first", "state": object{"waiting": object{"reason": "CrashLoopBackOff"}}}}})}, want: "pod alice/a: container first: CrashLoopBackOff"},
		"unschedulable": {pods: []object{pod("a", "2026-11-22T00:00:00Z", object{"conditions": []any{object{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/1 nodes are available."}}})}, want: "pod alice/a: Unschedulable: 0/1 nodes are available"},
	} {
		f := &fakePods{pods: test.pods}
		seen := &Status{Parties: []Party{
			{Desired: party.DesiredDeployment{Namespace: "bob", Name: "kd"}, DeploymentStatus: party.DeploymentStatus{Done: true}},
			{Desired: party.DesiredDeployment{Namespace: "alice", Name: "kd-server"}},
		}}
		ended, cancel := context.WithTimeout(t.Context(), -1)
		defer cancel()
		if got := PodProblems(ended, f, seen); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
		if len(f.selected) != 1 || f.selected[0] != "pods alice kuscia.secretflow/deployment-name=kd-server" {
			t.Errorf("%s: asked for %q", name, f.selected)
		}
		f.err = errors.New("forbidden")
		if got := PodProblems(ended, f, seen); !strings.Contains(got, "namespace alice") || !strings.Contains(got, "forbidden") {
			t.Errorf("%s: without the right: %q", name, got)
		}
		interrupted, stop := context.WithCancel(t.Context())
		stop()
		if got := PodProblems(interrupted, f, seen); got != "" || len(f.selected) != 2 {
			t.Errorf("%s: after an interrupt: %q", name, got)
		}
	}
}

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
