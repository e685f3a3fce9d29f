package rolloutstatus

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// fakePods are the pods of a Deployment.
type fakePods struct {
	pods     []object
	err      error
	hangs    bool
	selected []string
}

func (f *fakePods) List(ctx context.Context, kind kube.Kind, options kube.ListOptions) (*unstructured.UnstructuredList, error) {
	f.selected = append(f.selected, kind.Resource+" "+options.Namespace+" "+options.LabelSelector)
	if f.hangs {
		<-ctx.Done()
	}
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

// TestPods: the pods of each party that is not done are listed as the selector of its Deployment
// says, also after the time limit, and those that cannot be listed are as they were seen last. What
// nobody may list is as Kuscia reports it.
func TestPods(t *testing.T) {
	t.Parallel()
	failing := pod("kd-b", "2026-11-22T00:00:01Z", object{"containerStatuses": []any{object{"name": "main", "state": object{"waiting": object{"reason": "ImagePullBackOff", "message": "Back-off pulling image new"}}}}})
	deleted := pod("kd-d", "2026-11-22T00:00:09Z", object{"phase": "Failed"})
	deleted["metadata"].(object)["deletionTimestamp"] = "2026-11-22T00:01:00Z"
	const shown = "  alice: pod kd-b, container main: ImagePullBackOff\n  | Back-off pulling image new"
	for name, test := range map[string]struct {
		change func(m *fakeCluster)
		// listed is set if an earlier read has listed the pods.
		listed      bool
		interrupted bool
		want        string
	}{
		"listed": {want: shown},
		"another owner": {change: func(m *fakeCluster) {
			at(m.objects["Deployment alice/kd"], "metadata", "labels")[kube.LabelKDUID] = "other"
		}},
		"all run": {change: func(m *fakeCluster) {
			d := m.objects["Deployment alice/kd"]
			delete(at(d, "metadata"), "annotations")
			at(d, "spec")["paused"], at(d, "status")["updatedReplicas"] = false, int64(2)
		}},
		"interrupted":   {interrupted: true},
		"refused":       {change: func(m *fakeCluster) { m.pods.err = errors.New("it is forbidden") }, want: "  alice: the pods could not be listed: it is forbidden"},
		"no answer":     {change: func(m *fakeCluster) { m.pods.hangs = true }, want: "  alice: the pods could not be listed: context deadline exceeded"},
		"refused, seen": {change: func(m *fakeCluster) { m.pods.err = errors.New("it is forbidden") }, listed: true, want: shown},
		"refused, Kuscia's": {change: func(m *fakeCluster) {
			m.pods.err = errors.New("it is forbidden")
			m.objects["KusciaDeployment cross-domain/kd"]["status"] = object{"phase": "Progressing", "reason": "domainID: alice, reason: CrashLoopBackOff", "message": "first\nsecond"}
		}, want: "Pods do not run: domainID: ***, reason: CrashLoopBackOff. " + wait.PodHint("CrashLoopBackOff") + "\n\n  | first\n  | second\n  alice: the pods could not be listed: it is forbidden"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := released()
				m.pods.pods = []object{failing, deleted}
				reader := New(m, "kd")
				reader.Knows("alice")
				read := func() {
					t.Helper()
					if _, err := reader.Read(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				if test.listed {
					read()
					time.Sleep(podsInterval)
					read()
				}
				if test.change != nil {
					test.change(m)
				}
				read()
				ctx, cancel := context.WithTimeout(httpapi.WithMaskedText(t.Context(), "alice"), -1)
				if test.interrupted {
					ctx, cancel = context.WithCancel(t.Context())
					cancel()
				}
				defer cancel()
				m.pods.selected = nil
				if got := reader.Pods(ctx).Text(); !strings.HasSuffix(got, test.want) || (test.want == "") != (got == "") {
					t.Errorf("got %q, want %q", got, test.want)
				}
				if test.want != "" && !slices.Equal(m.pods.selected, []string{"pods alice kuscia.secretflow/deployment-name=kd,kuscia.secretflow/kd-uid=u"}) {
					t.Errorf("asked for %q", m.pods.selected)
				}
			})
		})
	}
	m := released()
	m.pods.err = errors.New("it is forbidden")
	kd := m.objects["KusciaDeployment cross-domain/kd"]
	reader := New(m, "kd")
	for _, reason := range []string{"Error", "CrashLoopBackOff"} { // of the pods before an update
		at(kd, "metadata")["generation"], kd["status"] = int64(2), object{"reason": "domainID: alice, reason: " + reason, "message": "of " + reason}
		if _, err := reader.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := reader.Pods(t.Context()).Text(); !strings.Contains(got, "of CrashLoopBackOff") || strings.Contains(got, "of Error") {
		t.Errorf("after an update: %q", got)
	}
	delete(m.objects, "KusciaDeployment cross-domain/kd")
	if _, err := reader.Read(t.Context()); err == nil || reader.Pods(t.Context()).Text() != "" {
		t.Errorf("without the KusciaDeployment: %v", err)
	}
	if got := New(released(), "kd").Pods(t.Context()).Text(); got != "" {
		t.Errorf("before a read: %q", got)
	}
}

// TestPodsFail: that pods cannot start is said after wait.PodFailureTimeout, by the newest
// pod, and without permission by Kuscia's status of a KusciaDeployment that was
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
		"image":           {pods: []object{old, failing}, want: `pods of domain "alice" have not started for 3m0s: ErrImagePull`},
		"only an old pod": {pods: []object{old, pod("b", "2026-11-22T00:00:01Z", waiting("ContainerCreating"))}},
		"heals":           {pods: []object{failing}, at: func(m *fakeCluster) { m.pods.pods = nil }},
		"progress": {pods: []object{failing}, at: func(m *fakeCluster) {
			at(m.objects["Deployment alice/kd"], "status")["updatedReplicas"] = int64(2)
			at(m.objects["Deployment alice/kd"], "status")["availableReplicas"] = int64(1)
		}},
		"refused, new":        {refused: true, generation: 1, want: `pods of domain "alice" have not started for 3m0s: domainID: alice, reason: ImagePullBackOff`},
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
