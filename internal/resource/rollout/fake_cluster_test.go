package rollout

import (
	"context"
	"errors"
	"io"
	"net/http"
	"path"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/fakecluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// fakeCluster serves a list of Rollouts in a version of their API, the Deployment "released", which
// the Rollout "r" releases, and no other object. It returns the last object that was created.
func fakeCluster(t *testing.T, version, rollouts string) (c *run.Run, created *string) {
	t.Helper()
	created = new(string)
	client := fakecluster.Client(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := ""
		switch {
		case r.Method == http.MethodPost:
			text, _ := io.ReadAll(r.Body)
			*created = string(text)
			body = *created
		case r.URL.Path == "/apis/rollouts.kruise.io/"+version:
			body = `{"kind":"APIResourceList","resources":[{"name":"rollouts"}]}`
		case path.Base(r.URL.Path) == "rollouts":
			body = `{"apiVersion":"rollouts.kruise.io/v1beta1","kind":"RolloutList","metadata":{"resourceVersion":"1"},"items":[` + rollouts + `]}`
		case path.Base(r.URL.Path) == "released":
			body = deploymentOf("released", `,"annotations":{"rollouts.kruise.io/in-progressing":"{\"rolloutName\":\"r\"}"}`, "")
		case strings.HasPrefix(path.Base(r.URL.Path), "v1"):
			http.NotFound(w, r) // the cluster does not serve the version
			return
		}
		fakecluster.Respond(w, path.Base(r.URL.Path), body)
	}))
	c = run.New(clients.WithoutKuscia(""))
	c.Kubernetes.Open = func() (*kube.Client, error) { return client, nil }
	return c, created
}

// named is a Rollout for the workload "w".
func named(name string) *object {
	return &object{Rollout: kruise.Rollout{
		Metadata: kruise.Metadata{Namespace: "alice", Name: name}, Spec: kruise.RolloutSpec{WorkloadRef: kruise.ObjectRef{APIVersion: "apps/v1", Kind: "Deployment", Name: "w"}},
	}}
}

// rolloutOf is a Rollout for a workload, with its metadata.
func rolloutOf(metadata, workload string) string {
	return `{"apiVersion":"rollouts.kruise.io/v1beta1","kind":"Rollout","metadata":{"namespace":"alice",` + metadata + `},"spec":{"workloadRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"` + workload + `"}}}`
}

// TestTwoRolloutsAtOnce: the webhook may accept Rollouts for one workload that are created at
// the same time. The wait for one of them names the other one, unless that is being deleted.
func TestTwoRolloutsAtOnce(t *testing.T) {
	t.Parallel()
	own, leaves, unrelated := rolloutOf(`"name":"a"`, "w"), rolloutOf(`"name":"b","deletionTimestamp":"2026-01-01T00:00:00Z"`, "w"), rolloutOf(`"name":"c"`, "x")
	all := strings.Join([]string{own, `{"apiVersion":"rollouts.kruise.io/v2","kind":"Rollout"}`, leaves, unrelated}, ",")
	for rollouts, want := range map[string]string{all: "", all + "," + rolloutOf(`"name":"d"`, "w"): `Rollout "alice/d" refers to the same workload`} {
		c, _ := fakeCluster(t, kruise.V1Beta1, rollouts)
		client, _ := c.OpenKubernetes()
		o := named("a")
		o.other = otherRollout(t.Context(), client, o)
		if found, err := listRollouts(t.Context(), client, "alice"); err != nil || len(found) != strings.Count(rollouts, "workloadRef") {
			t.Errorf("beside one that cannot be read, there are %v: %v", found, err)
		}
		if said := whyNeverSettled(o); !strings.Contains(said, want) || (said == "") != (want == "") {
			t.Errorf("the wait says %q, want %q", said, want)
		}
	}
	// One that is being deleted itself is not settled, whatever its status still shows.
	leaving := named("a")
	leaving.Status.Phase, leaving.Metadata.DeletionTimestamp = kruise.PhaseHealthy, "2026-01-01T00:00:00Z"
	if done, state := isSettled(leaving); done {
		t.Errorf("the wait ends, the Rollout is %s", state)
	}
}

// TestWithoutCluster: the plan of a new Rollout needs a cluster; that of a delete does not, and an
// apply has its own error.
func TestWithoutCluster(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change crud.Change[object]
		fails  bool
	}{"plan": {crud.Change[object]{Desired: named("r")}, true}, "delete": {}, "apply": {crud.Change[object]{Desired: named("r"), InApply: true}, false}} {
		test.change.ID = crud.ID{"alice", "r"}
		if diags := guard(t.Context(), run.New(clients.WithoutKuscia("")), test.change); diags.HasError() != test.fails {
			t.Errorf("%s: %v", name, diags)
		}
	}
}

// TestNoAccess: an object that cannot be read because there is no cluster is an error.
func TestNoAccess(t *testing.T) {
	t.Parallel()
	if found, err := get(t.Context(), run.New(clients.WithoutKuscia("")), kube.Rollouts[0], crud.ID{"alice", "r"}); err == nil {
		t.Errorf("found %v", found)
	}
}

// TestDeleteEnds: the delete of a traffic routing, which has no timeouts, ends.
func TestDeleteEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := bounded(t.Context())
	defer cancel()
	if deadline, has := ctx.Deadline(); !has || time.Until(deadline) > deleteTimeout {
		t.Errorf("it may last until %s", deadline)
	}
}

// TestMissingRollout: one that does not exist any more holds no Deployment, so that the update is
// sent, whose error says it. The wait after an approval fails.
func TestMissingRollout(t *testing.T) {
	t.Parallel()
	sent := false
	c, _ := fakeCluster(t, kruise.V1Beta1, "")
	err := disable(t.Context(), c, named("r"), func() error {
		sent = true
		return apierror.ErrNotFound
	})
	if !sent || !errors.Is(err, apierror.ErrNotFound) {
		t.Errorf("sent %t: %v", sent, err)
	}
	client, _ := c.OpenKubernetes()
	if err := (&approval{client: client, namespace: "alice", name: "r"}).waitNextPause(t.Context()); err == nil || !strings.Contains(err.Error(), "was deleted in the meantime") {
		t.Errorf("the wait ends with %v", err)
	}
}

// TestV1Alpha1: on a cluster that serves only v1alpha1, Rollouts are sent in that version. The
// plan rejects settings that it does not support.
func TestV1Alpha1(t *testing.T) {
	t.Parallel()
	c, created := fakeCluster(t, kruise.V1Alpha1, "")
	canary, green := named("r"), named("r")
	canary.Spec.Strategy.Canary, green.Spec.Strategy.BlueGreen = &kruise.StyleSpec{Steps: make([]kruise.Step, 1)}, &kruise.StyleSpec{Steps: make([]kruise.Step, 1)}
	if err := calls(c).Create(t.Context(), canary); err != nil || !strings.Contains(*created, `"apiVersion":"rollouts.kruise.io/v1alpha1"`) || !strings.Contains(*created, `"objectRef"`) {
		t.Errorf("created %s: %v", *created, err)
	}
	diags := guard(t.Context(), c, crud.Change[object]{ID: crud.ID{"alice", "r"}, Desired: green, Unknown: &definition.Unconvertible{}})
	if !diags.HasError() || !strings.Contains(diags.Errors()[0].Detail(), "v1alpha1 only, which has no strategy.blueGreen") {
		t.Errorf("blue-green: %v", diags)
	}
}

// deploymentOf is a Deployment of two pods, with more in its metadata and a status.
func deploymentOf(name, metadata, status string) string {
	return `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"namespace":"alice","name":"` + name + `","uid":"1","generation":2` + metadata + `},"spec":{"replicas":2},"status":{` + status + `}}`
}

// TestAllUpdated: a Deployment is updated when it has pods of the new version only, and all of them
// are available.
func TestAllUpdated(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]bool{
		`"observedGeneration":2,"updatedReplicas":2,"replicas":2,"availableReplicas":2`: true,
		`"observedGeneration":1,"updatedReplicas":2,"replicas":2,"availableReplicas":2`: false,
		`"observedGeneration":2,"updatedReplicas":1,"replicas":2,"availableReplicas":2`: false,
		`"observedGeneration":2,"updatedReplicas":2,"replicas":3,"availableReplicas":2`: false,
		`"observedGeneration":2,"updatedReplicas":2,"replicas":2,"availableReplicas":1`: false,
	} {
		a := &approval{client: fakecluster.Objects(t, map[string]string{"w": deploymentOf("w", "", status)})}
		if got := a.allUpdated(t.Context(), named("r")); got != want {
			t.Errorf("with %s all pods are updated: %t", status, got)
		}
	}
}

// TestRefusedDisable: a Rollout that was not disabled during a release is an error.
func TestRefusedDisable(t *testing.T) {
	t.Parallel()
	c, _ := fakeCluster(t, kruise.V1Beta1, "")
	before := named("r")
	before.Spec.WorkloadRef.Name = "released"
	if err := disable(t.Context(), c, before, func() error { return apierror.ErrConflict }); !errors.Is(err, apierror.ErrConflict) {
		t.Errorf("got %v", err)
	}
}

// TestUnreadableAfterwards: a Deployment that cannot be read may be paused. The finalizers of an object
// that is being deleted are those that it has at the end.
func TestUnreadableAfterwards(t *testing.T) {
	t.Parallel()
	short := func(limit time.Duration) context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		t.Cleanup(cancel)
		return ctx
	}
	refuses := fakecluster.Client(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	if err := checkResumed(short(time.Second), refuses, named("r"), "deleted", ""); err == nil || !strings.Contains(err.Error(), `it is not known whether Deployment "alice/w" is still paused`) {
		t.Errorf("got %v", err)
	}
	found := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"namespace": "alice", "name": "w", "uid": "1"}}}
	held := fakecluster.Objects(t, map[string]string{"w": deploymentOf("w", `,"finalizers":["example.com/hold"]`, "")})
	if err := waitGone(short(4*time.Second), held, kube.Deployments, found); err == nil || !strings.Contains(err.Error(), "example.com/hold") {
		t.Errorf("got %v", err)
	}
}

// TestOtherWorkload: an update that refers to another workload is checked as a new Rollout is.
func TestOtherWorkload(t *testing.T) {
	t.Parallel()
	c, _ := fakeCluster(t, kruise.V1Beta1, rolloutOf(`"name":"b"`, "w"))
	client, _ := c.OpenKubernetes()
	before := named("r")
	before.Spec.WorkloadRef.Name = "before"
	for _, change := range []crud.Change[object]{{Before: before, Desired: named("r")}, {Before: named("r"), Desired: named("r")}} {
		change.ID, change.Unknown = crud.ID{"alice", "r"}, &definition.Unconvertible{}
		g := &guardRun{ctx: t.Context(), client: client, change: change, workloads: &c.PlannedWorkloads}
		if err := g.checkWorkload(); err != nil || g.diags.HasError() != (change.Before == before) {
			t.Errorf("from %v: %v, %v", change.Before.Spec.WorkloadRef, g.diags, err)
		}
	}
}
