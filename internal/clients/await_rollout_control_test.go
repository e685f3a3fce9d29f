package clients

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// TestControlled: whether the next version of a Deployment is released by its Rollout.
func TestControlled(t *testing.T) {
	t.Parallel()
	const labelled = `,"labels":{"rollouts.kruise.io/workload-type":"deployment"}`
	const annotated = labelled + `,"annotations":{"rollouts.kruise.io/rollout-id":"1"}`
	const routed = `"generation":1},"status":{"observedGeneration":1,"phase":"Healthy"}`
	heldBy := func(annotations string) string {
		return labelled + `,"annotations":{"rollouts.kruise.io/in-progressing":"{\"rolloutName\":\"ro\"}"` + annotations + `}},"spec":{"paused":true`
	}
	for name, test := range map[string]struct {
		rollout, deployment string
		done                bool
		state               string
	}{
		"healthy":            {`"generation":1},"status":{"observedGeneration":1,"phase":"Healthy"}`, labelled, true, ""},
		"without the label":  {`"generation":1},"status":{"observedGeneration":1,"phase":"Healthy"}`, "", false, "no label"},
		"not seen":           {`"generation":1}`, labelled, false, "not yet"},
		"without a workload": {`"generation":1},"status":{"observedGeneration":1,"phase":"Initial"}`, labelled, false, "not aware of its Deployment"},
		"enabled again":      {`"generation":1},"status":{"observedGeneration":1,"phase":"Disabled"}`, labelled, false, "disabled"},
		"ending: rollback":   {`"generation":1},"status":{"observedGeneration":1,"phase":"Progressing","conditions":[{"type":"Progressing","status":"True","reason":"Cancelling"}]}`, labelled, false, "rolling back"},
		"beginning":          {`"generation":1},"status":{"observedGeneration":1,"phase":"Progressing","conditions":[{"type":"Progressing","status":"True","reason":"Initializing"}]}`, heldBy(""), false, "beginning"},
		"beginning: unseen":  {`"generation":1},"status":{"observedGeneration":1,"phase":"Healthy"}`, heldBy(""), false, "about to release"},
		"in control":         {`"generation":1},"status":{"observedGeneration":1,"phase":"Progressing","conditions":[{"type":"Progressing","status":"True","reason":"InRolling"}]}`, heldBy(`,"batchrelease.rollouts.kruise.io/control-info":"{}"`), true, ""},
		"let through":        {`"generation":1},"status":{"observedGeneration":1,"phase":"Healthy"}`, annotated, false, "annotation rollouts.kruise.io/rollout-id"},
		"routed":             {routed, labelled + `,"generation":2},"status":{"observedGeneration":2,"replicas":4,"updatedReplicas":4`, true, ""},
		"routed, mixed":      {routed, labelled + `,"generation":2},"status":{"observedGeneration":2,"replicas":4,"updatedReplicas":3`, false, "single version"},
		"routed, released":   {routed, heldBy(`,"batchrelease.rollouts.kruise.io/control-info":"{}"`) + `},"status":{"replicas":4,"updatedReplicas":1`, true, ""},
		"disabled":           {`"generation":1},"status":{"observedGeneration":1,"phase":"Disabled"}`, labelled, true, ""},
		"disabling: set":     {`"generation":2},"status":{"observedGeneration":1,"phase":"Healthy"}`, labelled, false, "to be disabled"},
		"disabling: new":     {`"generation":1},"status":{}`, "", false, "to be disabled"},
		"disabling: release": {`"generation":2},"status":{"observedGeneration":2,"phase":"Disabling"}`, labelled, false, "being disabled"},
		"deleted":            {`"deletionTimestamp":"2026-11-21T00:09:27Z"}`, "", true, ""},
		"no Rollout":         {"", "", true, ""},
		"no Deployment":      {`"generation":1},"status":{"observedGeneration":1,"phase":"Healthy"}`, "none", true, ""},
		"no pods":            {`"generation":1}`, `},"spec":{"replicas":0`, true, ""},
	} {
		routing := ""
		if strings.HasPrefix(name, "routed") {
			routing = `{"service":"s","ingress":{"name":"i"}}`
		}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			isRollout := strings.Contains(r.URL.Path, "/rollouts/")
			switch {
			case isRollout && test.rollout != "":
				_, _ = fmt.Fprintf(w, `{"apiVersion":"rollouts.kruise.io/v1beta1","kind":"Rollout","spec":{"disabled":%t,"strategy":{"canary":{"trafficRoutings":[%s]}},"workloadRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"d"}},"metadata":{"namespace":"a","name":"ro",%s}`,
					strings.Contains(name, "disabl"), routing, test.rollout)
			case !isRollout && test.deployment != "none":
				_, _ = fmt.Fprintf(w, `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"namespace":"a","name":"d"%s}}`, test.deployment)
			default:
				w.WriteHeader(http.StatusNotFound)
				_, _ = fmt.Fprint(w, `{"kind":"Status","status":"Failure","reason":"NotFound","code":404,"message":"not found","details":{"name":"x","kind":"x"}}`)
			}
		}))
		client, err := kube.New(kube.Config{Host: server.URL})
		if err != nil {
			t.Fatal(err)
		}
		now, err := rolloutControl(t.Context(), client, kube.Rollouts[0], "a", "ro", "d")
		if err != nil || (now == controlled) != test.done || !strings.Contains(now.state, test.state) || now.ending != strings.HasPrefix(name, "ending") || now.disabling != strings.HasPrefix(name, "disabling") || now.mixed != (test.state == "single version") || now.letThrough != (name == "let through") || now.beginning != strings.HasPrefix(name, "beginning") {
			t.Errorf("%s: %+v, %v", name, now, err)
		}
		if strings.Contains(test.state, "no label") {
			// The controller of this version sets no label.
			if now, err := rolloutControl(t.Context(), client, kube.Kind{Group: kube.Rollouts[0].Group, Version: "v1alpha1", Resource: kube.Rollouts[0].Resource, Kind: kube.Rollouts[0].Kind}, "a", "ro", "d"); now != controlled {
				t.Errorf("%s, v1alpha1: %+v, %v", name, now, err)
			}
		}
		server.Close()
	}
}

// unboundServer serves one Rollout "ro" of Deployment "d" that its controller binds after
// some reads, and counts the reads.
type unboundServer struct {
	rolloutServer
	reads atomic.Int32
	// annotations are those of the Deployment, in JSON; "" for none.
	annotations string
}

func (s *unboundServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/rollouts/ro") && !strings.HasSuffix(r.URL.Path, "/deployments/d") {
		s.rolloutServer.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if strings.HasSuffix(r.URL.Path, "/deployments/d") {
		_, _ = fmt.Fprintf(w, `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"namespace":"green-1","name":"d","labels":{"rollouts.kruise.io/workload-type":"deployment"},"annotations":{%s}}}`, s.annotations)
		return
	}
	status := "{}"
	if s.reads.Add(1) > 2 {
		status = `{"observedGeneration":1,"phase":"Healthy"}`
	}
	_, _ = fmt.Fprintf(w, `{"apiVersion":"rollouts.kruise.io/v1beta1","kind":"Rollout","metadata":{"namespace":"green-1","name":"ro","generation":1},"spec":{"workloadRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"d"}},"status":%s}`, status)
}

// TestAwaitRolloutControl_letThrough: an update that the webhook would let through is not sent,
// and does not wait for what no controller changes.
func TestAwaitRolloutControl_letThrough(t *testing.T) {
	t.Parallel()
	c := newRolloutServer(t, &unboundServer{annotations: `"rollouts.kruise.io/rollout-id":"1"`})
	began := time.Now()
	var diags diag.Diagnostics
	c.AwaitRolloutControl(t.Context(), &diags, []ChangedDeployment{{"green-1", "d", path.Root("parties")}})
	if took := time.Since(began); took > rolloutControlTimeout/2 || diags.ErrorsCount() != 1 || !strings.Contains(diags[0].Detail(), "Nothing was sent") {
		t.Errorf("after %s: %v", took, diags)
	}
}

// TestAwaitRolloutControl_unreadable: an update that is sent although the Rollouts cannot be
// read causes a warning. A missing permission causes one per run; a cluster without Rollouts
// causes none.
func TestAwaitRolloutControl_unreadable(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		discovery, list int32
		warnings        int
		lists           int32
	}{
		"unavailable":  {list: http.StatusServiceUnavailable, warnings: 2},
		"unauthorised": {list: http.StatusUnauthorized, warnings: 1, lists: 1},
		"no Rollouts":  {discovery: http.StatusNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &unboundServer{}
			s.discovery.Store(test.discovery)
			s.list.Store(test.list)
			c := newRolloutServer(t, s)
			var diags diag.Diagnostics
			began := time.Now()
			c.awaitRolloutControl(t.Context(), 3*time.Second, &diags, []ChangedDeployment{{"green-1", "d", path.Root("d")}, {"green-1", "e", path.Root("e")}})
			if took := time.Since(began); took > 5500*time.Millisecond {
				t.Errorf("two Deployments take %s, each at most 3s", took)
			}
			if diags.HasError() || diags.WarningsCount() != test.warnings || test.lists > 0 && s.lists.Load() != test.lists {
				t.Errorf("%d lists; %v", s.lists.Load(), diags)
			}
			for _, d := range diags {
				if text := d.Summary() + d.Detail(); !strings.Contains(text, "does not wait for it") || !strings.Contains(text, "refused") {
					t.Error(text)
				}
			}
		})
	}
}

// TestAwaitRolloutControl_stopped: the update is not sent if its own time limit passes, or
// it is interrupted, while the Rollouts cannot be read.
func TestAwaitRolloutControl_stopped(t *testing.T) {
	t.Parallel()
	for says, end := range map[string]func(context.Context) (context.Context, context.CancelFunc){
		"the time limit has passed": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 2*time.Second)
		},
		"the apply was cancelled": func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(2*time.Second, cancel)
			return ctx, cancel
		},
	} {
		t.Run(says, func(t *testing.T) {
			t.Parallel()
			s := &unboundServer{}
			s.list.Store(http.StatusServiceUnavailable)
			c := newRolloutServer(t, s)
			ctx, cancel := end(t.Context())
			defer cancel()
			var diags diag.Diagnostics
			c.AwaitRolloutControl(ctx, &diags, []ChangedDeployment{{"green-1", "d", path.Root("parties")}})
			if diags.ErrorsCount() != 1 || !strings.Contains(diags[0].Detail(), says+". Nothing was sent") || !strings.Contains(diags[0].Detail(), "refused") {
				t.Error(diags)
			}
		})
	}
}

// TestQueryRollouts: a Rollout counts until its controller has disabled it, after another one
// of the Deployment, and never as blue-green.
func TestQueryRollouts(t *testing.T) {
	t.Parallel()
	const disabled, done = `"disabled":true,`, `"phase":"Disabled"`
	item := func(name, spec, status string) string {
		return fmt.Sprintf(`{"metadata":{"namespace":"a","name":%q},"spec":{%s"workloadRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"d"},"strategy":{"blueGreen":{}}},"status":{%s}}`, name, spec, status)
	}
	for name, test := range map[string]struct {
		items []string
		want  listedRollout
	}{
		"enabled":         {[]string{item("a", "", "")}, listedRollout{"a", true}},
		"disabled":        {[]string{item("a", disabled, done)}, listedRollout{}},
		"being disabled":  {[]string{item("a", disabled, "")}, listedRollout{"a", false}},
		"before another":  {[]string{item("a", disabled, ""), item("b", "", "")}, listedRollout{"b", true}},
		"after another":   {[]string{item("a", "", ""), item("b", disabled, "")}, listedRollout{"a", true}},
		"enabled, unseen": {[]string{item("a", "", done)}, listedRollout{"a", true}},
	} {
		s := &listServer{items: strings.Join(test.items, ",")}
		found, err := newRolloutServer(t, s).queryRollouts(t.Context(), "a")
		if err != nil || found["d"] != test.want {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
	}
}

// listServer serves Rollouts.
type listServer struct {
	rolloutServer
	items string
}

func (s *listServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/rollouts") {
		s.rolloutServer.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"apiVersion":"rollouts.kruise.io/v1beta1","kind":"RolloutList","items":[%s]}`, s.items)
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
		"in control":                      {controlled, "", "", ""},
		"not bound":                       {control{state: "disabled"}, "", "is disabled, so the change would not be released step by step: all pods would get the new version at once. Nothing was sent", ""},
		"let through":                     {control{state: "not asked", letThrough: true}, "", "all pods would get the new version at once. Nothing was sent.\n\nRemove the annotation", ""},
		"not bound, time limit":           {control{state: "disabled"}, "the time limit has passed", "Nothing was sent", ""},
		"being disabled":                  {control{state: "to be disabled", disabling: true}, "", "", "still to be disabled after 30s, and the update no longer waits for it. The Deployment may stay paused"},
		"being disabled, time limit":      {control{state: "to be disabled", disabling: true}, "the time limit has passed", "is to be disabled, and the time limit has passed. Nothing was sent", ""},
		"pods are replaced":               {control{state: "not able", mixed: true}, "", "", "still not able after 30s, and the update no longer waits for it. The new version may not be released step by step"},
		"a release is ending":             {control{state: "rolling back", ending: true}, "", "", "still rolling back after 30s, and the update no longer waits for it"},
		"a release is ending, time limit": {control{state: "rolling back", ending: true}, "the time limit has passed", "is rolling back, and the time limit has passed. Nothing was sent", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var diags diag.Diagnostics
			test.now.report(&diags, path.Root("parties"), "alice/app", test.stopped)
			text := ""
			for _, d := range diags {
				text += d.Detail()
			}
			if want := test.error + test.warns; diags.HasError() != (test.error != "") || (diags.WarningsCount() > 0) != (test.warns != "") || !strings.Contains(text, want) || (want == "") != (text == "") {
				t.Errorf("%v", diags)
			}
		})
	}
}
