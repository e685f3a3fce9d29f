package kruise

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// NotInV1Alpha1Error is returned for a field that a cluster with only v1alpha1
// does not have.
type NotInV1Alpha1Error struct {
	// Field is the field in v1beta1.
	Field string
}

// Error describes the field and the version.
func (e *NotInV1Alpha1Error) Error() string {
	return fmt.Sprintf("the cluster serves Rollouts in version %s only, which has no %s; it needs OpenKruise Rollouts 0.5 or later (blue-green and disableGenerateCanaryService: 0.6)", V1Alpha1, e.Field)
}

// Object returns the Rollout as it is applied in a version: with the fields
// that the controller would add, without those that it would drop, and without
// a status.
func (r *Rollout) Object(version string) (map[string]any, error) {
	annotations := map[string]string{}
	spec := r.Spec
	if style := spec.Strategy.Style(); style != nil && style.TrafficRoutingRef != "" {
		annotations[trafficRoutingAnnotation] = style.TrafficRoutingRef
	}
	if version == V1Beta1 {
		return object(V1Beta1, RolloutKind, r.Metadata, annotations, spec)
	}
	old, err := toV1Alpha1(spec)
	if err != nil {
		return nil, err
	}
	annotations[styleAnnotation] = stylePartition
	if spec.Strategy.Canary.EnableExtraWorkloadForCanary {
		annotations[styleAnnotation] = styleCanary
	}
	return object(V1Alpha1, RolloutKind, r.Metadata, annotations, old)
}

// SameRollout reports whether two Rollouts are applied identically.
func SameRollout(a, b *Rollout) bool {
	x, errX := a.Object(V1Beta1)
	y, errY := b.Object(V1Beta1)
	return errX == nil && errY == nil && reflect.DeepEqual(x["spec"], y["spec"])
}

// Object returns the TrafficRouting as it is applied.
func (t *TrafficRouting) Object() (map[string]any, error) {
	return object(V1Alpha1, TrafficRoutingKind, t.Metadata, nil, t.Spec)
}

func object(version, kind string, of Metadata, annotations map[string]string, spec any) (map[string]any, error) {
	encoded, err := json.Marshal(struct {
		APIVersion string   `json:"apiVersion"`
		Kind       string   `json:"kind"`
		Metadata   Metadata `json:"metadata"`
		Spec       any      `json:"spec"`
	}{Group + "/" + version, kind, Metadata{Namespace: of.Namespace, Name: of.Name, Annotations: annotations}, spec})
	if err != nil {
		return nil, fmt.Errorf("encoding %s %s: %w", kind, httpapi.Text(of.Namespace+"/"+of.Name), err)
	}
	var out map[string]any
	decoder := json.NewDecoder(strings.NewReader(string(encoded)))
	decoder.UseNumber()
	if err := decoder.Decode(&out); err != nil {
		return nil, fmt.Errorf("encoding %s %s: %w", kind, httpapi.Text(of.Namespace+"/"+of.Name), err)
	}
	whole, _ := wholeNumbers(out).(map[string]any)
	return whole, nil
}

// wholeNumbers converts numbers to int64, which objects of client-go need.
func wholeNumbers(in any) any {
	switch v := in.(type) {
	case json.Number:
		n, err := v.Int64()
		if err != nil {
			return v.String()
		}
		return n
	case map[string]any:
		for key, value := range v {
			v[key] = wholeNumbers(value)
		}
	case []any:
		for i, value := range v {
			v[i] = wholeNumbers(value)
		}
	}
	return in
}

// rolloutV1Alpha1 is a Rollout in v1alpha1.
type rolloutV1Alpha1 struct {
	Metadata Metadata      `json:"metadata"`
	Spec     specV1Alpha1  `json:"spec"`
	Status   RolloutStatus `json:"status"`
}

type specV1Alpha1 struct {
	Disabled  bool              `json:"disabled"`
	ObjectRef objectRefV1Alpha1 `json:"objectRef"`
	Strategy  strategyV1Alpha1  `json:"strategy"`
}

type objectRefV1Alpha1 struct {
	WorkloadRef ObjectRef `json:"workloadRef"`
}

type strategyV1Alpha1 struct {
	Paused bool            `json:"paused,omitempty"`
	Canary *canaryV1Alpha1 `json:"canary,omitempty"`
}

type canaryV1Alpha1 struct {
	Steps                    []stepV1Alpha1            `json:"steps,omitempty"`
	TrafficRoutings          []TrafficRoutingRef       `json:"trafficRoutings,omitempty"`
	FailureThreshold         *IntOrPercent             `json:"failureThreshold,omitempty"`
	PatchPodTemplateMetadata *PatchPodTemplateMetadata `json:"patchPodTemplateMetadata,omitempty"`
}

type stepV1Alpha1 struct {
	Weight                *int32          `json:"weight,omitempty"`
	RequestHeaderModifier *HeaderModifier `json:"requestHeaderModifier,omitempty"`
	Matches               []Match         `json:"matches,omitempty"`
	Replicas              *IntOrPercent   `json:"replicas,omitempty"`
	Pause                 Pause           `json:"pause"`
}

// toV1Alpha1 converts a spec to v1alpha1, which has no blue-green, always
// generates a canary service and matches headers only.
func toV1Alpha1(spec RolloutSpec) (specV1Alpha1, error) {
	out := specV1Alpha1{Disabled: spec.Disabled, ObjectRef: objectRefV1Alpha1{spec.WorkloadRef}, Strategy: strategyV1Alpha1{Paused: spec.Strategy.Paused}}
	if spec.Strategy.Canary == nil {
		return out, &NotInV1Alpha1Error{"strategy.blueGreen"}
	}
	canary := spec.Strategy.Canary
	if canary.DisableGenerateCanaryService {
		// Newer versions of the controller lose it when they convert v1alpha1.
		return out, &NotInV1Alpha1Error{"strategy.canary.disableGenerateCanaryService"}
	}
	out.Strategy.Canary = &canaryV1Alpha1{
		TrafficRoutings: canary.TrafficRoutings, FailureThreshold: canary.FailureThreshold,
		PatchPodTemplateMetadata: canary.PatchPodTemplateMetadata,
	}
	for _, step := range canary.Steps {
		old := stepV1Alpha1{RequestHeaderModifier: step.RequestHeaderModifier, Matches: step.Matches, Replicas: step.Replicas, Pause: step.Pause}
		if step.Traffic != "" {
			percent, ok := IntOrPercent(step.Traffic).Percent()
			if !ok {
				return out, &NotInV1Alpha1Error{"steps[].traffic " + strconv.Quote(string(step.Traffic))}
			}
			weight := int32(percent) //nolint:gosec // the checks keep it within 0 and 100
			old.Weight = &weight
		}
		for _, match := range step.Matches {
			if match.Path != nil || len(match.QueryParams) > 0 {
				return out, &NotInV1Alpha1Error{"steps[].matches[].path and queryParams"}
			}
		}
		out.Strategy.Canary.Steps = append(out.Strategy.Canary.Steps, old)
	}
	return out, nil
}

func fromV1Alpha1(old rolloutV1Alpha1) *Rollout {
	out := &Rollout{Metadata: old.Metadata, Status: old.Status}
	out.Spec = RolloutSpec{Disabled: old.Spec.Disabled, WorkloadRef: old.Spec.ObjectRef.WorkloadRef, Strategy: Strategy{Paused: old.Spec.Strategy.Paused}}
	canary := old.Spec.Strategy.Canary
	if canary == nil {
		return out
	}
	out.Spec.Strategy.Canary = &StyleSpec{
		EnableExtraWorkloadForCanary: !strings.EqualFold(old.Metadata.Annotations[styleAnnotation], stylePartition),
		TrafficRoutings:              canary.TrafficRoutings, FailureThreshold: canary.FailureThreshold,
		PatchPodTemplateMetadata: canary.PatchPodTemplateMetadata,
	}
	for _, step := range canary.Steps {
		now := Step{RequestHeaderModifier: step.RequestHeaderModifier, Matches: step.Matches, Replicas: step.Replicas, Pause: step.Pause}
		if step.Weight != nil {
			now.Traffic = Percentage(fmt.Sprintf("%d%%", *step.Weight))
			if now.Replicas == nil {
				replicas := IntOrPercent(now.Traffic)
				now.Replicas = &replicas
			}
		}
		out.Spec.Strategy.Canary.Steps = append(out.Spec.Strategy.Canary.Steps, now)
	}
	return out
}

// errUnexpectedObject is the cause of the error for a response that is not an object of
// the expected kind.
var errUnexpectedObject = errors.New("the response is not such an object")

// RolloutFrom decodes a Rollout of either version.
func RolloutFrom(in map[string]any) (*Rollout, error) {
	version, _ := in["apiVersion"].(string)
	out := &Rollout{}
	var err error
	switch version {
	case Group + "/" + V1Beta1:
		err = decode(in, RolloutKind, out)
	case Group + "/" + V1Alpha1:
		var old rolloutV1Alpha1
		if err = decode(in, RolloutKind, &old); err == nil {
			out = fromV1Alpha1(old)
		}
	default:
		err = fmt.Errorf("%w: its version is %q", errUnexpectedObject, httpapi.Text(version))
	}
	if err != nil {
		return nil, fmt.Errorf("reading a Rollout: %w", err)
	}
	// The controller uses only the annotation, whatever the field contains.
	if style := out.Spec.Strategy.Style(); style != nil {
		style.TrafficRoutingRef = out.Metadata.Annotations[trafficRoutingAnnotation]
	}
	out.Status.clean()
	return out, nil
}

// TrafficRoutingFrom decodes a TrafficRouting.
func TrafficRoutingFrom(in map[string]any) (*TrafficRouting, error) {
	out := &TrafficRouting{}
	if err := decode(in, TrafficRoutingKind, out); err != nil {
		return nil, fmt.Errorf("reading a TrafficRouting: %w", err)
	}
	out.Status.Phase, out.Status.Message = httpapi.Text(out.Status.Phase), httpapi.Text(out.Status.Message)
	return out, nil
}

func decode(in map[string]any, kind string, out any) error {
	if found, _ := in["kind"].(string); found != kind {
		return fmt.Errorf("%w: its kind is %q", errUnexpectedObject, httpapi.Text(found))
	}
	encoded, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnexpectedObject, err)
	}
	if err := json.Unmarshal(encoded, out); err != nil {
		return fmt.Errorf("%w: %w", errUnexpectedObject, err)
	}
	return nil
}
