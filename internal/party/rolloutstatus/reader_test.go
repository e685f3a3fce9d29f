package rolloutstatus

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

type object = map[string]any

// fakeCluster is a cluster with some objects, by kind, namespace and name.
type fakeCluster struct {
	pods    fakePods
	objects map[string]object
	// unserved is set if the cluster does not serve OpenKruise Rollouts.
	unserved bool
	// refused are the kinds without read permission.
	refused map[string]bool
	// get is called before each Get of an object and may fail it.
	get func(kind kube.Kind) error
}

func (m *fakeCluster) Get(_ context.Context, kind kube.Kind, namespace, name string) (*unstructured.Unstructured, error) {
	if m.refused[kind.Kind] {
		return nil, fmt.Errorf("%s may not be read: %w", kind.Kind, apierror.ErrUnauthorized)
	}
	if m.get != nil {
		if err := m.get(kind); err != nil {
			return nil, err
		}
	}
	found, ok := m.objects[kind.Kind+" "+namespace+"/"+name]
	if !ok {
		return nil, apierror.ErrNotFound
	}
	return &unstructured.Unstructured{Object: found}, nil
}

// List returns the pods.
func (m *fakeCluster) List(ctx context.Context, kind kube.Kind, options kube.ListOptions) (*unstructured.UnstructuredList, error) {
	return m.pods.List(ctx, kind, options)
}

func (m *fakeCluster) FirstServed(_ context.Context, kinds ...kube.Kind) (kind kube.Kind, ok bool, err error) {
	return kinds[0], !m.unserved, nil
}

func (m *fakeCluster) Masker(ctx context.Context) httpapi.Masker { return httpapi.MaskerOf(ctx) }

// released is a Deployment of two pods of which a Rollout has replaced one; the
// Rollout is paused at its first step of two.
func released() *fakeCluster {
	return &fakeCluster{objects: map[string]object{
		"KusciaDeployment cross-domain/kd": {
			"metadata": object{"name": "kd", "uid": "u"},
			"spec": object{"initiator": "alice", "inputConfig": "{}", "parties": []any{
				object{"domainID": "alice", "appImageRef": "app", "template": object{"replicas": int64(2)}},
				object{"domainID": "far", "appImageRef": "app"},
			}},
		},
		"AppImage /app": {"spec": object{
			"image":           object{"name": "app", "tag": "v2"},
			"deployTemplates": []any{object{"name": "t", "spec": object{"containers": []any{object{"name": "main"}}}}},
		}},
		"Domain /alice": {"spec": object{}},
		"Domain /far":   {"spec": object{"role": "partner"}},
		"Deployment alice/kd": {
			"metadata": object{
				"namespace": "alice", "name": "kd", "generation": int64(4), "labels": object{kube.LabelKDUID: "u"},
				"annotations": object{"rollouts.kruise.io/in-progressing": `{"rolloutName":"gradual"}`},
			},
			"spec": object{"replicas": int64(2), "paused": true, "selector": object{"matchLabels": object{kube.LabelDeploymentName: "kd", kube.LabelKDUID: "u"}}, "template": object{"spec": object{"containers": []any{
				object{"name": "main", "image": "app:v2", "env": []any{object{"name": "INPUT_CONFIG", "value": "{}"}}},
			}}}},
			"status": object{"observedGeneration": int64(4), "replicas": int64(2), "updatedReplicas": int64(1), "availableReplicas": int64(2)},
		},
		"Rollout alice/gradual": {
			"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "metadata": object{"namespace": "alice", "name": "gradual", "generation": int64(1)},
			"spec": object{"workloadRef": object{"apiVersion": "apps/v1", "kind": "Deployment", "name": "kd"}, "strategy": object{"canary": object{"steps": []any{
				object{"replicas": "50%", "pause": object{}}, object{"replicas": "100%", "pause": object{}},
			}}}},
			"status": object{
				"phase": "Progressing", "observedGeneration": int64(1),
				"conditions":   []any{object{"type": "Progressing", "status": "True", "reason": "InRolling", "message": ""}},
				"canaryStatus": object{"currentStepIndex": int64(1), "nextStepIndex": int64(2), "currentStepState": "StepPaused", "observedWorkloadGeneration": int64(4)},
			},
		},
	}}
}

func at(in object, fields ...string) object {
	for _, field := range fields {
		in, _ = in[field].(object)
	}
	return in
}

// TestPaused: a Deployment is held if its Rollout waits for an approval of the
// current version.
func TestPaused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(m *fakeCluster, rollout object)
		held   string // after a long time
		later  string
	}{
		"paused": {change: func(*fakeCluster, object) {}, held: `Deployment "alice/kd" is paused by Rollout "gradual": paused at step 1 of 2 until it is approved`},
		"paused for a duration": {change: func(_ *fakeCluster, r object) {
			at(r, "spec", "strategy", "canary")["steps"].([]any)[0].(object)["pause"] = object{"duration": int64(60)}
		}},
		"unknown step state": {change: func(_ *fakeCluster, r object) { at(r, "status", "canaryStatus")["currentStepState"] = "Foo" }, held: "back to StepPaused manually"},
		"unknown phase":      {change: func(_ *fakeCluster, r object) { at(r, "status")["phase"] = "Reverting" }, later: `in phase "Reverting"`},
		"third image of a blue-green release": {change: func(_ *fakeCluster, r object) {
			strategy, status := at(r, "spec", "strategy"), at(r, "status")
			strategy["blueGreen"], status["blueGreenStatus"] = strategy["canary"], status["canaryStatus"]
			delete(strategy, "canary")
			delete(status, "canaryStatus")
			status["message"] = "new version releasing detected in the progress of blue-green release, please rollback first"
		}, held: "Roll the workload back to the stable version"},
		"suspended": {change: func(_ *fakeCluster, r object) { at(r, "spec", "strategy")["paused"] = true }, held: "Set paused = false"},
		"disabled":  {change: func(_ *fakeCluster, r object) { at(r, "status")["phase"] = "Disabled" }, later: "Enable it again (disabled = false)"},
		"previous release": {
			change: func(_ *fakeCluster, r object) {
				at(r, "status", "canaryStatus")["observedWorkloadGeneration"] = int64(3)
			},
			later: "paused at step 1 of 2",
		},
		"another workload": {change: func(m *fakeCluster, _ object) {
			at(m.objects["Rollout alice/gradual"], "spec", "workloadRef")["name"] = "other"
		}, later: `it refers to Deployment "other" now`},
		"no Rollout":  {change: func(m *fakeCluster, _ object) { delete(m.objects, "Rollout alice/gradual") }, later: "The progress of the Rollout is unknown"},
		"not served":  {change: func(m *fakeCluster, _ object) { m.unserved = true }, later: "does not serve"},
		"other image": {change: func(m *fakeCluster, _ object) { at(m.objects["AppImage /app"], "spec", "image")["tag"] = "v3" }},
		"beside one that has finished": {change: func(m *fakeCluster, _ object) {
			finished := allNew(released()).objects["Deployment alice/kd"]
			delete(at(finished, "metadata"), "annotations")
			at(finished, "metadata")["namespace"] = "bob"
			m.objects["Domain /bob"], m.objects["Deployment bob/kd"] = object{"spec": object{}}, finished
			spec := at(m.objects["KusciaDeployment cross-domain/kd"], "spec")
			spec["parties"] = append(spec["parties"].([]any), object{"domainID": "bob", "appImageRef": "app", "template": object{"replicas": int64(2)}})
		}, held: `Deployment "alice/kd" is paused by Rollout "gradual"`},
	} {
		m := released()
		test.change(m, m.objects["Rollout alice/gradual"])
		w := New(m, "kd")
		for _, held := range []string{test.held, test.held + test.later} {
			seen, err := w.Read(t.Context())
			if err != nil || seen.Done || (held == "") != (seen.Paused == "") || !strings.Contains(seen.Paused, held) {
				t.Errorf("%s: held is %q, %v", name, seen.Paused, err)
			}
			aMinuteLater(w)
		}
	}
}

// aMinuteLater makes everything that a reader has seen a minute old.
func aMinuteLater(w *Reader) {
	w.began = w.began.Add(-time.Minute)
	for _, timers := range w.timers {
		timers.changed = timers.changed.Add(-time.Minute)
	}
}

// TestPauseOfThePreviousVersion: a Deployment that changes long after the wait began, since
// Kuscia was late, is not held by the pause of its previous version, which the Rollout still
// shows for a moment.
func TestPauseOfThePreviousVersion(t *testing.T) {
	t.Parallel()
	m := released()
	at(m.objects["AppImage /app"], "spec", "image")["tag"] = "v3"
	w := New(m, "kd")
	expect := func(when, held string) {
		t.Helper()
		seen, err := w.Read(t.Context())
		if err != nil || seen.Done || (held == "") != (seen.Paused == "") || !strings.Contains(seen.Paused, held) {
			t.Errorf("%s: held is %q, %v", when, seen.Paused, err)
		}
	}
	expect("before the change", "")
	aMinuteLater(w)
	deployment := m.objects["Deployment alice/kd"]
	at(deployment, "spec", "template", "spec")["containers"].([]any)[0].(object)["image"] = "app:v3"
	for _, generation := range []int64{5, 6} {
		at(deployment, "metadata")["generation"] = generation
		at(deployment, "status")["observedGeneration"] = generation
		expect("after the change", "")
		aMinuteLater(w)
		expect("a minute later", "paused at step 1 of 2")
	}
}

// TestRolloutWithoutResponse: a Rollout whose read fails for a reason that passes, or because
// the time limit of the wait passes meanwhile, does not count as paused or ended.
func TestRolloutWithoutResponse(t *testing.T) {
	t.Parallel()
	for name, passes := range map[string]func(end func()) error{
		"server down": func(func()) error { return apierror.ErrUnavailable },
		"time limit":  func(end func()) error { end(); return context.DeadlineExceeded },
	} {
		m := released()
		ctx, end := context.WithCancel(t.Context())
		m.get = func(kind kube.Kind) error {
			if kind.Kind != "Rollout" {
				return nil
			}
			return passes(end)
		}
		w := New(m, "kd")
		w.began = time.Now().Add(-time.Minute)
		if seen, err := w.Read(ctx); err == nil {
			t.Errorf("%s: done %t, paused %q", name, seen.Done, seen.Paused)
		}
		end()
	}
}

// TestRead: Deployments in the cluster are evaluated, those of other control
// planes are not.
func TestRead(t *testing.T) {
	t.Parallel()
	m := released()
	deployment := m.objects["Deployment alice/kd"]
	at(deployment, "status")["updatedReplicas"] = int64(2)
	at(m.objects["Rollout alice/gradual"], "status")["phase"] = "Healthy"
	seen, err := New(m, "kd").Read(t.Context())
	if err != nil || !seen.Done || len(seen.Parties) != 1 || len(seen.Partners) != 1 || seen.Partners[0].DomainID != "far" {
		t.Fatalf("%+v, %v", seen, err)
	}
	at(m.objects["KusciaDeployment cross-domain/kd"], "spec")["inputConfig"] = "secret text"
	seen, err = New(m, "kd").Read(t.Context())
	if err != nil || seen.Done || !strings.Contains(seen.Text(), `domain "alice": the Deployment still has another input_config`) || strings.Contains(seen.Text(), "secret") {
		t.Errorf("%s, %v", seen.Text(), err)
	}
	if seen.GivenUp() != "" {
		t.Error(seen.GivenUp())
	}
	m.objects["KusciaDeployment cross-domain/kd"]["status"] = object{"phase": "Failed", "reason": "CreateServiceFailed", "message": "a name clash"}
	if seen, err = New(m, "kd").Read(t.Context()); err != nil || seen.GivenUp() != "Kuscia reports the phase Failed, reason CreateServiceFailed: a name clash" {
		t.Errorf("%q, %v", seen.GivenUp(), err)
	}
	delete(m.objects, "AppImage /app")
	if seen, err = New(m, "kd").Read(t.Context()); err != nil || seen.Done || !strings.Contains(seen.Text(), `its app image "app" does not exist`) {
		t.Errorf("%s, %v", seen.Text(), err)
	}
	delete(m.objects, "KusciaDeployment cross-domain/kd")
	if _, err = New(m, "kd").Read(t.Context()); err == nil {
		t.Error("no error without a KusciaDeployment")
	}
	if text := (*Status)(nil).Text(); text != "no status was read" {
		t.Error(text)
	}
}

// TestDomainsThatMayNotBeRead: without permission to query whether a domain is
// of another control plane, the text for the missing Deployment mentions that.
func TestDomainsThatMayNotBeRead(t *testing.T) {
	t.Parallel()
	m := released()
	m.refused = map[string]bool{"Domain": true}
	w := New(m, "kd")
	seen, err := w.Read(t.Context())
	if err != nil || seen.Done || !strings.Contains(seen.Text(), `domain "far": there is no Deployment yet. If its domain belongs to another control plane`) ||
		!strings.Contains(seen.Text(), "Domain may not be read") || strings.Count(seen.Text(), "control plane") != 1 {
		t.Errorf("%s, %v", seen.Text(), err)
	}
	m.refused = nil
	if seen, err = w.Read(t.Context()); err != nil || len(seen.Partners) != 1 || strings.Contains(seen.Text(), "control plane") {
		t.Errorf("%s, %v", seen.Text(), err)
	}
}
