package kruise

import (
	"encoding/json"
	"strconv"
	"strings"
)

// The API group of the objects, its versions and kinds.
const (
	Group              = "rollouts.kruise.io"
	V1Beta1            = "v1beta1"
	V1Alpha1           = "v1alpha1"
	RolloutKind        = "Rollout"
	TrafficRoutingKind = "TrafficRouting"
)

// The annotations of a Rollout that v1beta1 replaces by fields. The controller
// reads the second one in both versions.
const (
	styleAnnotation          = Group + "/rolling-style"
	trafficRoutingAnnotation = Group + "/trafficrouting"

	stylePartition = "partition"
	styleCanary    = "canary"
)

// OwnAnnotations are annotations of a Rollout that represent an optional
// attribute.
var OwnAnnotations = []string{trafficRoutingAnnotation}

// Rollout is a Rollout, in the form of v1beta1.
type Rollout struct {
	Metadata Metadata      `json:"metadata"`
	Spec     RolloutSpec   `json:"spec"`
	Status   RolloutStatus `json:"status,omitzero"`
}

// IsIgnored reports whether the webhook ignores the Rollout when its workload changes. It looks
// only at the phase: while the controller has not disabled the Rollout, a change is paused.
func (r *Rollout) IsIgnored() bool {
	return r.Metadata.Deleting() || r.Spec.Disabled && r.Status.Phase == PhaseDisabled
}

// Metadata has the used fields of an object's metadata.
type Metadata struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Annotations are those that are applied; in a response they are all.
	Annotations       map[string]string `json:"annotations,omitempty"`
	Generation        int64             `json:"generation,omitempty"`
	ResourceVersion   string            `json:"resourceVersion,omitempty"`
	DeletionTimestamp string            `json:"deletionTimestamp,omitempty"`
}

// Deleting reports whether the object is deleted and waits for its finalizers.
func (m Metadata) Deleting() bool { return m.DeletionTimestamp != "" }

// RolloutSpec is the spec of a Rollout. Disabled is always sent: a field that
// is never applied keeps the value that others set.
type RolloutSpec struct {
	Disabled    bool      `json:"disabled"`
	WorkloadRef ObjectRef `json:"workloadRef"`
	Strategy    Strategy  `json:"strategy"`
}

// ObjectRef refers to an object in the same namespace.
type ObjectRef struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
}

// Strategy is the release strategy, with exactly one of two styles.
type Strategy struct {
	Paused    bool       `json:"paused,omitempty"`
	Canary    *StyleSpec `json:"canary,omitempty"`
	BlueGreen *StyleSpec `json:"blueGreen,omitempty"`
}

// Style returns the style that is set, or nil.
func (s Strategy) Style() *StyleSpec {
	if s.Canary != nil {
		return s.Canary
	}
	return s.BlueGreen
}

// Steps are the steps of the style that is set.
func (s Strategy) Steps() []Step {
	if style := s.Style(); style != nil {
		return style.Steps
	}
	return nil
}

// StyleSpec is a style. Blue-green has the same fields, without the extra workload
// and the pod metadata.
type StyleSpec struct {
	EnableExtraWorkloadForCanary bool                      `json:"enableExtraWorkloadForCanary,omitempty"`
	DisableGenerateCanaryService bool                      `json:"disableGenerateCanaryService,omitempty"`
	Steps                        []Step                    `json:"steps,omitempty"`
	TrafficRoutings              []TrafficRoutingRef       `json:"trafficRoutings,omitempty"`
	TrafficRoutingRef            string                    `json:"trafficRoutingRef,omitempty"`
	FailureThreshold             *IntOrPercent             `json:"failureThreshold,omitempty"`
	PatchPodTemplateMetadata     *PatchPodTemplateMetadata `json:"patchPodTemplateMetadata,omitempty"`
}

// PatchPodTemplateMetadata has labels and annotations of canary pods in
// addition to those of the workload.
type PatchPodTemplateMetadata struct {
	Annotations map[string]string `json:"annotations,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
}

// Step is a step of a release. Pause is always sent: otherwise the controller
// adds it, and becomes the manager of the list of steps.
type Step struct {
	Traffic               Percentage      `json:"traffic,omitempty"`
	RequestHeaderModifier *HeaderModifier `json:"requestHeaderModifier,omitempty"`
	Matches               []Match         `json:"matches,omitempty"`
	Replicas              *IntOrPercent   `json:"replicas,omitempty"`
	Pause                 Pause           `json:"pause"`
}

// Pause is the pause after a step: for a time, or until an approval.
type Pause struct {
	Duration *int32 `json:"duration,omitempty"`
}

// Seconds is the duration of the pause; manual reports that it ends with an
// approval.
func (p Pause) Seconds() (seconds int32, manual bool) {
	if p.Duration == nil {
		return 0, true
	}
	return max(*p.Duration, 0), false
}

// HeaderModifier changes headers of requests to the new version.
type HeaderModifier struct {
	Set    []Header `json:"set,omitempty"`
	Add    []Header `json:"add,omitempty"`
	Remove []string `json:"remove,omitempty"`
}

// Header is a header with its value.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Match selects the requests to the new version: all of its parts have to
// match.
type Match struct {
	Path        *PathMatch   `json:"path,omitempty"`
	Headers     []ValueMatch `json:"headers,omitempty"`
	QueryParams []ValueMatch `json:"queryParams,omitempty"`
}

// PathMatch matches a path.
type PathMatch struct {
	Type  string `json:"type,omitempty"`
	Value string `json:"value,omitempty"`
}

// ValueMatch matches a header or a query parameter.
type ValueMatch struct {
	Type  string `json:"type,omitempty"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

// TrafficRoutingRef refers to the object that routes the traffic of a Service.
type TrafficRoutingRef struct {
	Service            string      `json:"service"`
	GracePeriodSeconds int32       `json:"gracePeriodSeconds,omitempty"`
	Ingress            *Ingress    `json:"ingress,omitempty"`
	Gateway            *Gateway    `json:"gateway,omitempty"`
	CustomNetworkRefs  []ObjectRef `json:"customNetworkRefs,omitempty"`
}

// Objects are the objects that have to exist when a release begins, in the order in
// which the controller reads them.
func (r TrafficRoutingRef) Objects() []ObjectRef {
	all := append([]ObjectRef{{APIVersion: "v1", Kind: "Service", Name: r.Service}}, r.CustomNetworkRefs...)
	if r.Ingress != nil {
		all = append(all, ObjectRef{APIVersion: "networking.k8s.io/v1", Kind: "Ingress", Name: r.Ingress.Name})
	}
	if r.Gateway != nil {
		all = append(all, ObjectRef{APIVersion: "gateway.networking.k8s.io/v1beta1", Kind: "HTTPRoute", Name: r.Gateway.HTTPRouteName})
	}
	return all
}

// Ingress is an Ingress of a class.
type Ingress struct {
	ClassType string `json:"classType,omitempty"`
	Name      string `json:"name"`
}

// Gateway is a route of the Gateway API.
type Gateway struct {
	HTTPRouteName string `json:"httpRouteName,omitempty"`
}

// IntOrPercent is a number or a percentage. On the wire, a number is a JSON
// number.
type IntOrPercent string

// MarshalJSON encodes a number as a JSON number, and a percentage without
// leading zeros.
func (v IntOrPercent) MarshalJSON() ([]byte, error) {
	if n, ok := v.Number(); ok {
		return strconv.AppendInt(nil, int64(n), 10), nil
	}
	return json.Marshal(v.text())
}

// text is a percentage in the notation of the controller; other texts are
// unchanged.
func (v IntOrPercent) text() string {
	if percent, ok := v.Percent(); ok {
		return strconv.Itoa(percent) + "%"
	}
	return string(v)
}

// Percentage is a percentage as a string.
type Percentage string

// MarshalJSON encodes it without leading zeros.
func (p Percentage) MarshalJSON() ([]byte, error) { return json.Marshal(IntOrPercent(p).text()) }

// UnmarshalJSON decodes a number or a string.
func (v *IntOrPercent) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		text = string(data)
	}
	*v = IntOrPercent(text)
	return nil
}

// Percent is the number before the percent sign; ok is false if it is not a
// percentage.
func (v IntOrPercent) Percent() (percent int, ok bool) {
	digits, ok := strings.CutSuffix(string(v), "%")
	if !ok {
		return 0, false
	}
	percent, err := strconv.Atoi(digits)
	return percent, err == nil
}

// Number is the number; ok is false if it is not a number, such as a
// percentage.
func (v IntOrPercent) Number() (number int, ok bool) {
	parsed, err := strconv.ParseInt(string(v), 10, 32)
	return int(parsed), err == nil
}

// SameIntOrPercent reports whether two strings are the same number, or the same
// percentage.
func SameIntOrPercent(a, b string) bool {
	x, y := IntOrPercent(a), IntOrPercent(b)
	if m, ok := x.Number(); ok {
		n, also := y.Number()
		return also && m == n
	}
	m, ok := x.Percent()
	n, also := y.Percent()
	return a == b || ok && also && m == n
}

// TrafficRouting is an object that Rollouts refer to.
type TrafficRouting struct {
	Metadata Metadata             `json:"metadata"`
	Spec     TrafficRoutingSpec   `json:"spec"`
	Status   TrafficRoutingStatus `json:"status,omitzero"`
}

// TrafficRoutingSpec has the Services and how their traffic is routed.
type TrafficRoutingSpec struct {
	ObjectRef []TrafficRoutingRef    `json:"objectRef"`
	Strategy  TrafficRoutingStrategy `json:"strategy"`
}

// TrafficRoutingStrategy selects the requests to the new version.
type TrafficRoutingStrategy struct {
	Weight                *int32          `json:"weight,omitempty"`
	RequestHeaderModifier *HeaderModifier `json:"requestHeaderModifier,omitempty"`
	Matches               []Match         `json:"matches,omitempty"`
}

// TrafficRoutingStatus is set by the controller.
type TrafficRoutingStatus struct {
	ObservedGeneration int64  `json:"observedGeneration,omitempty"`
	Phase              string `json:"phase,omitempty" text:"shown"`
	Message            string `json:"message,omitempty" text:"shown"`
}
