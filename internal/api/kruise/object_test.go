package kruise

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
)

func read(t *testing.T, text string) *Rollout {
	t.Helper()
	r, err := RolloutFrom(testjson.Decode[map[string]any](t, text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func applied(t *testing.T, r *Rollout, version string) string {
	t.Helper()
	object, err := r.Object(version)
	if err != nil {
		t.Fatal(err)
	}
	return testjson.Encode(t, object)
}

const whole = `{"apiVersion":"rollouts.kruise.io/v1beta1","kind":"Rollout","metadata":{"name":"r","namespace":"alice","annotations":{"rollouts.kruise.io/trafficrouting":"t"}},` +
	`"spec":{"disabled":true,"strategy":{"canary":{"disableGenerateCanaryService":true,"enableExtraWorkloadForCanary":true,"failureThreshold":"20%",` +
	`"patchPodTemplateMetadata":{"labels":{"a":"b"}},"steps":[{"matches":[{"headers":[{"name":"h","type":"Exact","value":"<&>"}]}],"pause":{},"replicas":1,` +
	`"requestHeaderModifier":{"add":[{"name":"a","value":"1"}],"remove":["c"],"set":[{"name":"b","value":"2"}]},"traffic":"5%"},{"pause":{"duration":7200},"replicas":"50%"}],` +
	`"trafficRoutingRef":"t","trafficRoutings":[{"customNetworkRefs":[{"apiVersion":"v1","kind":"K","name":"n"}],"gateway":{"httpRouteName":"g"},"gracePeriodSeconds":10,` +
	`"ingress":{"classType":"nginx","name":"i"},"service":"s"}]},"paused":true},"workloadRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"w"}}}`

// TestNothingIsLost: a decoded object equals the applied one, in both versions.
func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	r := read(t, whole)
	want, got := testjson.Decode[any](t, whole), testjson.Decode[any](t, applied(t, r, V1Beta1))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("decoded %v, want %v", got, want)
	}
	// The controller reads the reference to a traffic routing from the annotation only.
	if other := read(t, strings.Replace(whole, "io/trafficrouting", "io/another", 1)); other.Spec.Strategy.Canary.TrafficRoutingRef != "" {
		t.Error("the field counts without the annotation")
	}
	r.Spec.Strategy.Canary.DisableGenerateCanaryService = false // not in v1alpha1
	old := applied(t, r, V1Alpha1)
	protocol.Says(t, "the v1alpha1 object", old, `"rollouts.kruise.io/rolling-style":"canary"`, `"weight":5`, `"objectRef":{"workloadRef":`, `"apiVersion":"rollouts.kruise.io/v1alpha1"`)
	if again := read(t, old); !reflect.DeepEqual(again.Spec, r.Spec) {
		t.Errorf("via v1alpha1 it is %+v, want %+v", again.Spec, r.Spec)
	}
}

// TestCanonicalForm: the applied object has the form that the controller does
// not rewrite, as recorded: a pause in every step, no flag that is false, and
// always disabled.
func TestCanonicalForm(t *testing.T) {
	t.Parallel()
	one := IntOrPercent("1")
	r := &Rollout{Metadata: Metadata{Namespace: "alice", Name: "r", Generation: 3, ResourceVersion: "9"}, Spec: RolloutSpec{
		WorkloadRef: ObjectRef{"apps/v1", "Deployment", "w"}, Strategy: Strategy{Canary: &StyleSpec{Steps: []Step{{Replicas: &one}}}},
	}}
	want := `{"apiVersion":"rollouts.kruise.io/v1beta1","kind":"Rollout","metadata":{"name":"r","namespace":"alice"},` +
		`"spec":{"disabled":false,"strategy":{"canary":{"steps":[{"pause":{},"replicas":1}]}},"workloadRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"w"}}}`
	if got := applied(t, r, V1Beta1); got != want {
		t.Errorf("the applied object is %s", got)
	}
	if got := applied(t, r, V1Alpha1); !strings.Contains(got, `"rolling-style":"partition"`) && !strings.Contains(got, `rolling-style":"partition"`) {
		t.Errorf("the v1alpha1 object lacks the style: %s", got)
	}
}

// TestSameIntOrPercent: what is no percentage is not 0%.
func TestSameIntOrPercent(t *testing.T) {
	t.Parallel()
	if SameIntOrPercent("0%", "x") || SameIntOrPercent("x", "0%") || !SameIntOrPercent("01", "1") {
		t.Error("another amount is the same, or another spelling is not")
	}
}

// TestNotInV1Alpha1: a field that v1alpha1 lacks is an error, and never
// dropped.
func TestNotInV1Alpha1(t *testing.T) {
	t.Parallel()
	one := IntOrPercent("1")
	for name, strategy := range map[string]Strategy{
		"blueGreen": {BlueGreen: &StyleSpec{Steps: []Step{{Replicas: &one}}}},
		"path":      {Canary: &StyleSpec{Steps: []Step{{Replicas: &one, Matches: []Match{{Path: &PathMatch{Value: "/"}}}}}}},
		"query":     {Canary: &StyleSpec{Steps: []Step{{Replicas: &one, Matches: []Match{{QueryParams: []ValueMatch{{Name: "a"}}}}}}}},
		"service":   {Canary: &StyleSpec{DisableGenerateCanaryService: true, Steps: []Step{{Replicas: &one}}}},
		"traffic":   {Canary: &StyleSpec{Steps: []Step{{Replicas: &one, Traffic: "x"}}}},
	} {
		_, err := (&Rollout{Spec: RolloutSpec{Strategy: strategy}}).Object(V1Alpha1)
		var missing *NotInV1Alpha1Error
		if !errors.As(err, &missing) || !strings.Contains(err.Error(), missing.Field) {
			t.Errorf("%s: %v", name, err)
		}
	}
	weight := read(t, `{"apiVersion":"rollouts.kruise.io/v1alpha1","kind":"Rollout","spec":{"objectRef":{"workloadRef":{"name":"w"}},"strategy":{"canary":{"steps":[{"weight":20}]}}}}`)
	if step := weight.Spec.Strategy.Canary.Steps[0]; step.Traffic != "20%" || *step.Replicas != "20%" || !weight.Spec.Strategy.Canary.EnableExtraWorkloadForCanary {
		t.Errorf("a step with only a weight is decoded as %+v", weight.Spec.Strategy.Canary)
	}
}

// TestHostileResponses: objects of other kinds and texts with terminal control
// characters.
func TestHostileResponses(t *testing.T) {
	t.Parallel()
	for _, object := range []map[string]any{
		nil, {"apiVersion": "v1", "kind": "Rollout"}, {"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Pod"},
		{"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "spec": "x"}, {"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "spec": func() {}},
	} {
		if _, err := RolloutFrom(object); err == nil {
			t.Errorf("%v is accepted", object)
		}
	}
	if _, err := TrafficRoutingFrom(map[string]any{"kind": "x"}); err == nil {
		t.Error("an object of another kind is accepted")
	}
	for _, strategy := range []string{"blueGreen", "canary"} {
		r := read(t, `{"apiVersion":"rollouts.kruise.io/v1beta1","kind":"Rollout","metadata":{"generation":1},"spec":{"strategy":{"`+strategy+`":{}}},"status":{"observedGeneration":1,"phase":"\u001b]0;x","message":"\u001b[2J",
			"conditions":[{"type":"Progressing","reason":"\u001bR"}],"canaryStatus":{"currentStepState":"\u001bx"},"blueGreenStatus":{"currentStepState":"\u001bFoo","updatedRevision":"\u001b"}}}`)
		release := r.Release()
		if said := release.String() + release.Message + release.Phase + release.StepState + release.Revision; strings.Contains(said, "\x1b") || release.State != UnknownPhase {
			t.Errorf("%s: text %q, situation %s", strategy, said, release.State)
		}
	}
	for _, n := range []string{"3000000000", "1.5", `"5"`} {
		var v IntOrPercent
		if err := json.Unmarshal([]byte(n), &v); err != nil || strings.Contains(string(v), `"`) {
			t.Errorf("%s is read as %q: %v", n, v, err)
		}
	}
}
