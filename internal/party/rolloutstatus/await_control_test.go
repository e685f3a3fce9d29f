package rolloutstatus

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/fakecluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// deploymentOf is a Deployment, with more in its metadata.
func deploymentOf(metadata string) string {
	return fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"namespace":"a","name":"d"%s}}`, metadata)
}

const labelled = `,"labels":{"rollouts.kruise.io/workload-type":"deployment"}`

// withRolloutID is an annotation with which the webhook lets a change through.
const withRolloutID = labelled + `,"annotations":{"rollouts.kruise.io/rollout-id":"1"}`

// rolloutServer returns a run with a cluster.
func rolloutServer(t *testing.T, s *fakecluster.Rollouts) (*run.Run, *kube.Client) {
	t.Helper()
	client := fakecluster.Client(t, s)
	return run.New(clients.Clients{Kubernetes: clients.Kubernetes{Open: func() (*kube.Client, error) { return client, nil }}}), client
}

// TestControlled: whether the next version of a Deployment is released by its Rollout.
func TestControlled(t *testing.T) {
	t.Parallel()
	const (
		one, two  = `,"generation":1`, `,"generation":2`
		seen      = `"observedGeneration":1,`
		healthy   = seen + `"phase":"Healthy"`
		disabled  = `"disabled":true,`
		canary    = `"canary":{}`
		routed    = `"canary":{"trafficRoutings":[{"service":"s","ingress":{"name":"i"}}]}`
		inControl = `,"batchrelease.rollouts.kruise.io/control-info":"{}"`
	)
	progressing := func(reason string) string {
		return seen + `"phase":"Progressing","conditions":[{"type":"Progressing","status":"True","reason":"` + reason + `"}]`
	}
	heldBy := func(annotations string) string {
		return labelled + `,"annotations":{"rollouts.kruise.io/in-progressing":"{\"rolloutName\":\"ro\"}"` + annotations + `}},"spec":{"paused":true`
	}
	of := func(metadata, spec, style, status string) string {
		return fakecluster.RolloutOf("ro", metadata, spec, style, status)
	}
	for name, test := range map[string]struct {
		rollout, deployment string
		want                control // state is a part of it
	}{
		"healthy":             {of(one, "", canary, healthy), deploymentOf(labelled), control{}},
		"without the label":   {of(one, "", canary, healthy), deploymentOf(""), control{state: "no label"}},
		"not seen":            {of(one, "", canary, ""), deploymentOf(labelled), control{state: "not yet"}},
		"without a workload":  {of(one, "", canary, seen+`"phase":"Initial"`), deploymentOf(labelled), control{state: "not aware of its Deployment"}},
		"enabled again":       {of(one, "", canary, seen+`"phase":"Disabled"`), deploymentOf(labelled), control{state: "disabled"}},
		"rollback":            {of(one, "", canary, progressing("Cancelling")), deploymentOf(labelled), control{state: "rolling back", ending: true}},
		"beginning":           {of(one, "", canary, progressing("Initializing")), deploymentOf(heldBy("")), control{state: "beginning", beginning: true}},
		"beginning, unseen":   {of(one, "", canary, healthy), deploymentOf(heldBy("")), control{state: "about to release", beginning: true}},
		"in control":          {of(one, "", canary, progressing("InRolling")), deploymentOf(heldBy(inControl)), control{}},
		"let through":         {of(one, "", canary, healthy), deploymentOf(withRolloutID), control{state: "annotation rollouts.kruise.io/rollout-id", letThrough: true}},
		"routed":              {of(one, "", routed, healthy), deploymentOf(labelled + two + `},"status":{"observedGeneration":2,"replicas":4,"updatedReplicas":4`), control{}},
		"routed, mixed":       {of(one, "", routed, healthy), deploymentOf(labelled + two + `},"status":{"observedGeneration":2,"replicas":4,"updatedReplicas":3`), control{state: "single version", mixed: true}},
		"routed, released":    {of(one, "", routed, healthy), deploymentOf(heldBy(inControl) + `},"status":{"replicas":4,"updatedReplicas":1`), control{}},
		"disabled":            {of(one, disabled, canary, seen+`"phase":"Disabled"`), deploymentOf(labelled), control{}},
		"to be disabled":      {of(two, disabled, canary, healthy), deploymentOf(labelled), control{state: "to be disabled", disabling: true}},
		"to be disabled, new": {of(one, disabled, canary, ""), deploymentOf(""), control{state: "to be disabled", disabling: true}},
		"being disabled":      {of(two, disabled, canary, `"observedGeneration":2,"phase":"Disabling"`), deploymentOf(labelled), control{state: "being disabled", disabling: true}},
		"deleted":             {of(`,"deletionTimestamp":"2026-11-21T00:09:27Z"`, "", canary, ""), deploymentOf(""), control{}},
		"no Rollout":          {"", deploymentOf(""), control{}},
		"no Deployment":       {of(one, "", canary, healthy), "", control{}},
		"no pods":             {of(one, "", canary, ""), deploymentOf(`},"spec":{"replicas":0`), control{}},
	} {
		_, client := rolloutServer(t, &fakecluster.Rollouts{Rollout: test.rollout, Deployment: test.deployment})
		now, err := rolloutControl(t.Context(), client, kube.Rollouts[0], "a", "ro", "d")
		if state := now.state; strings.Contains(state, test.want.state) && state != "" == (test.want.state != "") {
			now.state = test.want.state
		}
		if err != nil || now != test.want {
			t.Errorf("%s: %+v, %v", name, now, err)
		}
		if test.want.state == "no label" { // the controller of this version sets none
			if now, err := rolloutControl(t.Context(), client, kube.Kind{Group: kube.Rollouts[0].Group, Version: "v1alpha1", Resource: kube.Rollouts[0].Resource, Kind: kube.Rollouts[0].Kind}, "a", "ro", "d"); now != controlled {
				t.Errorf("%s, v1alpha1: %+v, %v", name, now, err)
			}
		}
	}
}

// TestAwaitControl: an update is not sent if the webhook would let it through, which does
// not wait for what no controller changes, or if its time limit passes, or it is interrupted, while
// the Rollouts cannot be read. If they cannot be read, it is sent with a warning: for a missing
// permission one per run, and none for a cluster without Rollouts.
func TestAwaitControl(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		discovery, list int32
		canceled, own   time.Duration
		// says is in each message; errors and warnings count them.
		says             []string
		errors, warnings int
		lists            int32
	}{
		"let through":  {errors: 1, says: []string{"Nothing was sent"}},
		"unavailable":  {list: http.StatusServiceUnavailable, warnings: 2, says: []string{"does not wait for it", "refused"}},
		"unauthorised": {list: http.StatusUnauthorized, warnings: 1, lists: 1, says: []string{"does not wait for it", "refused"}},
		"no Rollouts":  {discovery: http.StatusNotFound},
		"time limit":   {list: http.StatusServiceUnavailable, own: 2 * time.Second, errors: 2, says: []string{"the time limit has passed. Nothing was sent", "refused"}},
		"canceled":     {list: http.StatusServiceUnavailable, canceled: 2 * time.Second, errors: 2, says: []string{"the apply was canceled. Nothing was sent", "refused"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &fakecluster.Rollouts{Rollout: fakecluster.RolloutOf("ro", `,"generation":1`, "", `"canary":{}`, `"observedGeneration":1,"phase":"Healthy"`), Deployment: deploymentOf(withRolloutID)}
			s.Items = s.Rollout
			s.Discovery.Store(test.discovery)
			s.List.Store(test.list)
			r, _ := rolloutServer(t, s)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if test.canceled > 0 {
				time.AfterFunc(test.canceled, cancel)
			}
			if test.own > 0 {
				ctx, cancel = context.WithTimeout(ctx, test.own)
				defer cancel()
			}
			var diags diag.Diagnostics
			began := time.Now()
			awaitControl(ctx, r, 3*time.Second, &diags, []ChangedDeployment{{"a", "d", path.Root("d")}, {"a", "e", path.Root("e")}})
			if took := time.Since(began); took > 5500*time.Millisecond {
				t.Errorf("two Deployments take %s, each at most 3s", took)
			}
			if diags.ErrorsCount() != test.errors || diags.WarningsCount() != test.warnings || test.lists > 0 && s.Lists.Load() != test.lists {
				t.Errorf("%d lists; %v", s.Lists.Load(), diags)
			}
			for _, d := range diags {
				protocol.Says(t, "the warning", d.Summary()+d.Detail(), test.says...)
			}
		})
	}
}

// TestControlReport: what an update reports if its Rollout does not get control in time.
// Only the end of a release does not stop it: the update may be what ends it.
func TestControlReport(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		now     control
		stopped string
		error   string
		warns   string
	}{
		"in control":                 {controlled, "", "", ""},
		"not bound":                  {control{state: "disabled"}, "", "is disabled, so the change would not be released step by step: all pods would get the new version at once. Nothing was sent", ""},
		"let through":                {control{state: "not asked", letThrough: true}, "", "all pods would get the new version at once. Nothing was sent.\n\nRemove the annotation", ""},
		"not bound, time limit":      {control{state: "disabled"}, "the time limit has passed", "Nothing was sent", ""},
		"being disabled":             {control{state: "to be disabled", disabling: true}, "", "", "still to be disabled after 30s, and the update no longer waits for it. The Deployment may stay paused"},
		"being disabled, time limit": {control{state: "to be disabled", disabling: true}, "the time limit has passed", "is to be disabled, and the time limit has passed. Nothing was sent", ""},
		"pods are replaced":          {control{state: "not able", mixed: true}, "", "", "still not able after 30s, and the update no longer waits for it. The new version may not be released step by step"},
		"a release is ending":        {control{state: "rolling back", ending: true}, "", "", "still rolling back after 30s, and the update no longer waits for it"},
	} {
		var diags diag.Diagnostics
		test.now.report(&diags, path.Root("parties"), "alice/app", test.stopped)
		text := ""
		for _, d := range diags {
			text += d.Detail()
		}
		if want := test.error + test.warns; diags.HasError() != (test.error != "") || (diags.WarningsCount() > 0) != (test.warns != "") || !strings.Contains(text, want) || (want == "") != (text == "") {
			t.Errorf("%s: %v", name, diags)
		}
	}
}
