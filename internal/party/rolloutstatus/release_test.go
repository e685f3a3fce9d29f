package rolloutstatus

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// allNew sets all pods of the Deployment to the new version.
func allNew(m *fakeCluster) *fakeCluster {
	at(m.objects["Deployment alice/kd"], "status")["updatedReplicas"] = int64(2)
	return m
}

// TestPauseOutlastsTheWait: a pause that would end after the wait holds the
// Deployment; one that ends before does not.
func TestPauseOutlastsTheWait(t *testing.T) {
	t.Parallel()
	m := released()
	at(m.objects["Rollout alice/gradual"], "spec", "strategy", "canary")["steps"].([]any)[0].(object)["pause"] = object{"duration": int64(7200)}
	for limit, held := range map[time.Duration]string{
		20 * time.Minute: "paused at step 1 of 2 for 7200 seconds (1 of 2 pods updated, 2 available, 1 old pods left).\n\nThe release continues automatically after 7200 seconds",
		3 * time.Hour:    "",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		seen, err := New(m, "kd").Read(ctx)
		cancel()
		if err != nil || seen.Done || !strings.Contains(seen.Paused, held) || (held == "") != (seen.Paused == "") {
			t.Errorf("%s: held is %q, %v", limit, seen.Paused, err)
		}
	}
}

// TestReleaseEndsAfterThePods: the desired replica counts do not end a release: a
// step may wait for an approval, and a rollback deletes its extra pods later.
func TestReleaseEndsAfterThePods(t *testing.T) {
	t.Parallel()
	condition := func(r object, reason string) {
		at(r, "status")["conditions"] = []any{object{"type": "Progressing", "status": "True", "reason": reason, "message": ""}}
	}
	for name, test := range map[string]struct {
		change func(m *fakeCluster, rollout object)
		done   bool
		held   string
		text   string
	}{
		"paused":       {change: func(*fakeCluster, object) {}, held: `Deployment "alice/kd" is paused by Rollout "gradual": paused at step 1 of 2 until it is approved`},
		"rolling back": {change: func(_ *fakeCluster, r object) { condition(r, "Cancelling") }, text: `2 of 2 pods updated, 2 available; Rollout "gradual": rolling back`},
		"completing":   {change: func(_ *fakeCluster, r object) { condition(r, "Finalising") }, text: `Rollout "gradual": completing the release`},
		"complete":     {change: func(_ *fakeCluster, r object) { at(r, "status")["phase"] = "Healthy" }, done: true},
		"not started": {change: func(_ *fakeCluster, r object) {
			at(r, "status", "canaryStatus")["observedWorkloadGeneration"] = int64(3)
		}},
		"no Rollout": {change: func(m *fakeCluster, _ object) { delete(m.objects, "Rollout alice/gradual") }},
		"no longer held": {change: func(m *fakeCluster, r object) {
			condition(r, "Cancelling")
			at(m.objects["Deployment alice/kd"], "metadata")["annotations"] = object{
				"batchrelease.rollouts.kruise.io/control-info": `{"apiVersion":"rollouts.kruise.io/v1beta1","kind":"BatchRelease","name":"gradual","uid":"x"}`,
			}
		}, text: "rolling back"},
	} {
		m := allNew(released())
		test.change(m, m.objects["Rollout alice/gradual"])
		seen, err := New(m, "kd").Read(t.Context())
		if err != nil || seen.Done != test.done || !strings.Contains(seen.Paused, test.held) || (test.held == "") != (seen.Paused == "") || !strings.Contains(seen.Text(), test.text) {
			t.Errorf("%s: done %t, held %q, text %s, %v", name, seen.Done, seen.Paused, seen.Text(), err)
		}
	}
	// A Rollout that cannot be read neither makes a wait complete at once nor holds it forever.
	m := allNew(released())
	delete(m.objects, "Rollout alice/gradual")
	w := New(m, "kd")
	w.began = time.Now().Add(-time.Minute)
	expect := func(when string, done bool) {
		t.Helper()
		if seen, err := w.Read(t.Context()); err != nil || seen.Done != done {
			t.Errorf("%s: %s, %v", when, seen.Text(), err)
		}
	}
	expect("without a Rollout", true)
	// Once observed, the release is followed to its end, even without its annotations.
	m = allNew(released())
	condition(m.objects["Rollout alice/gradual"], "Cancelling")
	w = New(m, "kd")
	expect("cancelling", false)
	delete(at(m.objects["Deployment alice/kd"], "metadata"), "annotations")
	expect("without annotations", false)
	at(m.objects["Rollout alice/gradual"], "status")["phase"] = "Healthy"
	expect("at the end", true)
}

// TestReleaseInText: the error of a failed wait mentions a release, the feature gate
// without which a release in place gets no pods, and an unavailable webhook.
func TestReleaseInText(t *testing.T) {
	t.Parallel()
	m := released()
	rollout := m.objects["Rollout alice/gradual"]
	at(rollout, "status", "canaryStatus")["currentStepState"] = "StepUpgrade"
	seen, err := New(m, "kd").Read(t.Context())
	if want := `domain "alice": 1 of 2 pods updated, 2 available, 1 old pods left; Rollout "gradual": at step 1 of 2 (StepUpgrade)`; err != nil || !strings.Contains(seen.Text(), want) {
		t.Errorf("%s, %v", seen.Text(), err)
	}
	const gate = "feature gate AdvancedDeployment"
	if !strings.Contains(seen.Text(), gate) {
		t.Errorf("no pods: %s", seen.Text())
	}
	for what, change := range map[string]func(canary, status object){
		"a pod":          func(_, status object) { status["canaryReplicas"] = int64(1) },
		"another state":  func(_, status object) { status["currentStepState"] = "StepTrafficRouting" },
		"extra workload": func(canary, _ object) { canary["enableExtraWorkloadForCanary"] = true },
	} {
		other := released()
		rollout := other.objects["Rollout alice/gradual"]
		status := at(rollout, "status", "canaryStatus")
		status["currentStepState"] = "StepUpgrade"
		change(at(rollout, "spec", "strategy", "canary"), status)
		if seen, err := New(other, "kd").Read(t.Context()); err != nil || strings.Contains(seen.Text(), gate) {
			t.Errorf("%s: %s, %v", what, seen.Text(), err)
		}
	}

	const down = "kruise-rollout-controller-manager"
	deployment := m.objects["Deployment alice/kd"]
	delete(at(deployment, "metadata"), "annotations")
	at(m.objects["AppImage /app"], "spec", "image")["tag"] = "v3"
	for labelled, late := range map[bool]bool{true: true, false: false} {
		labels := object{kube.LabelKDUID: "u"}
		if labelled {
			labels["rollouts.kruise.io/workload-type"] = "deployment"
		}
		at(deployment, "metadata")["labels"] = labels
		w := New(m, "kd")
		if seen, err = w.Read(t.Context()); err != nil || strings.Contains(seen.Text(), down) {
			t.Errorf("at once: %s, %v", seen.Text(), err)
		}
		w.began = time.Now().Add(-time.Minute)
		if seen, err = w.Read(t.Context()); err != nil || strings.Contains(seen.Text(), down) != late {
			t.Errorf("later, labelled %t: %s, %v", labelled, seen.Text(), err)
		}
	}
}

// TestRoutesAreMissing: a release whose traffic routing does not exist, or refers to missing
// objects, waits for them forever, which the text mentions, by the first one. The steps in
// its status are those of the previous release, and are not shown.
func TestRoutesAreMissing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change  func(rollout object)
		text    string
		missing []string
	}{
		"traffic routing": {
			change: func(r object) {
				at(r, "metadata")["annotations"] = object{"rollouts.kruise.io/trafficrouting": "routes"}
			},
			text: `traffic routing "routes"`, missing: []string{"TrafficRouting routes"},
		},
		"routes": {
			change: func(r object) {
				at(r, "spec", "strategy", "canary")["trafficRoutings"] = []any{object{"service": "front", "ingress": object{"name": "edge"}}}
			},
			text: `the traffic routing of Service "front"`, missing: []string{"Service front", "Ingress edge"},
		},
	} {
		m := released()
		rollout := m.objects["Rollout alice/gradual"]
		test.change(rollout)
		at(rollout, "status")["conditions"] = []any{object{"type": "Progressing", "status": "True", "reason": "Initializing", "message": ""}}
		at(rollout, "status", "canaryStatus")["currentStepState"] = "Completed"
		w := New(m, "kd")
		if seen, err := w.Read(t.Context()); err != nil || seen.Paused != "" || !strings.Contains(seen.Text(), `Rollout "gradual": beginning, with `+test.text) {
			t.Errorf("%s: held is %q at once: %s, %v", name, seen.Paused, seen.Text(), err)
		}
		w.began = time.Now().Add(-time.Minute)
		for _, missing := range append(test.missing, "") {
			seen, err := w.Read(t.Context())
			kind, called, _ := strings.Cut(missing, " ")
			if err != nil || (missing == "") != (seen.Paused == "") || missing != "" && !strings.Contains(seen.Paused, `"`+called+`"`) || strings.Contains(seen.Paused, "Completed") {
				t.Errorf("%s without %s: held is %q, %v", name, missing, seen.Paused, err)
			}
			m.objects[kind+" alice/"+called] = object{"metadata": object{"namespace": "alice", "name": called}}
		}
	}
}
