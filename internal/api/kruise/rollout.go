package kruise

import (
	"encoding/json"
	"strconv"
	"strings"
)

// The group of the objects, its versions, and their kinds.
const (
	Group              = "rollouts.kruise.io"
	V1Beta1            = "v1beta1"
	V1Alpha1           = "v1alpha1"
	RolloutKind        = "Rollout"
	TrafficRoutingKind = "TrafficRouting"
)

// The annotations of a Rollout that say in v1alpha1 what has a field in v1beta1.
// The controller reads the second one in both.
const (
	styleAnnotation          = Group + "/rolling-style"
	trafficRoutingAnnotation = Group + "/trafficrouting"

	stylePartition = "partition"
	styleCanary    = "canary"
)

// OwnAnnotations are those of a Rollout that stand for an attribute which may be
// left out.
var OwnAnnotations = []string{trafficRoutingAnnotation}

// Rollout is a Rollout, in the shape of v1beta1.
type Rollout struct {
	Metadata Metadata      `json:"metadata"`
	Spec     RolloutSpec   `json:"spec"`
	Status   RolloutStatus `json:"status,omitzero"`
}

// Metadata is what is needed of the metadata of an object.
type Metadata struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Annotations are those that are sent; of an answer they are all.
	Annotations       map[string]string `json:"annotations,omitempty"`
	Generation        int64             `json:"generation,omitempty"`
	ResourceVersion   string            `json:"resourceVersion,omitempty"`
	DeletionTimestamp string            `json:"deletionTimestamp,omitempty"`
}

// Deleting reports whether the object was deleted and waits for its finalizers.
func (m Metadata) Deleting() bool { return m.DeletionTimestamp != "" }

// RolloutSpec is what a Rollout does with which workload. Disabled is always
// sent: others may have set a field that was never applied, and keep it.
type RolloutSpec struct {
	Disabled    bool      `json:"disabled"`
	WorkloadRef ObjectRef `json:"workloadRef"`
	Strategy    Strategy  `json:"strategy"`
}

// ObjectRef names an object of the same namespace.
type ObjectRef struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
}

// Strategy is how a new version is released, by exactly one of two styles.
type Strategy struct {
	Paused    bool    `json:"paused,omitempty"`
	Canary    *Canary `json:"canary,omitempty"`
	BlueGreen *Canary `json:"blueGreen,omitempty"`
}

// Style is the one style that is set, nil if there is none.
func (s Strategy) Style() *Canary {
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

// Canary is a style. Blue-green has the same fields, without extra workload and
// metadata of pods.
type Canary struct {
	EnableExtraWorkloadForCanary bool                      `json:"enableExtraWorkloadForCanary,omitempty"`
	DisableGenerateCanaryService bool                      `json:"disableGenerateCanaryService,omitempty"`
	Steps                        []Step                    `json:"steps,omitempty"`
	TrafficRoutings              []TrafficRoutingRef       `json:"trafficRoutings,omitempty"`
	TrafficRoutingRef            string                    `json:"trafficRoutingRef,omitempty"`
	FailureThreshold             *IntOrPercent             `json:"failureThreshold,omitempty"`
	PatchPodTemplateMetadata     *PatchPodTemplateMetadata `json:"patchPodTemplateMetadata,omitempty"`
}

// PatchPodTemplateMetadata is what canary pods get beside the labels and
// annotations of the workload.
type PatchPodTemplateMetadata struct {
	Annotations map[string]string `json:"annotations,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
}

// Step is a step of a release. Pause is always sent: the controller adds it
// otherwise, and then owns the list of the steps.
type Step struct {
	Traffic               Percentage      `json:"traffic,omitempty"`
	RequestHeaderModifier *HeaderModifier `json:"requestHeaderModifier,omitempty"`
	Matches               []Match         `json:"matches,omitempty"`
	Replicas              *IntOrPercent   `json:"replicas,omitempty"`
	Pause                 Pause           `json:"pause"`
}

// Pause is the pause after a step: for a time, or until the step is approved.
type Pause struct {
	Duration *int32 `json:"duration,omitempty"`
}

// Seconds is how long the pause lasts; manual says that it ends with an approval.
func (p Pause) Seconds() (seconds int32, manual bool) {
	if p.Duration == nil {
		return 0, true
	}
	return max(*p.Duration, 0), false
}

// HeaderModifier changes headers of the requests that go to the new version.
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

// Match says which requests go to the new version: all of its parts have to
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

// TrafficRoutingRef is what routes the traffic of a Service.
type TrafficRoutingRef struct {
	Service            string      `json:"service"`
	GracePeriodSeconds int32       `json:"gracePeriodSeconds,omitempty"`
	Ingress            *Ingress    `json:"ingress,omitempty"`
	Gateway            *Gateway    `json:"gateway,omitempty"`
	CustomNetworkRefs  []ObjectRef `json:"customNetworkRefs,omitempty"`
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

// IntOrPercent is a number, or a text that is a percentage. On the wire the
// number is a number.
type IntOrPercent string

// MarshalJSON writes what is a number as a number, and a percentage without
// zeros in front.
func (v IntOrPercent) MarshalJSON() ([]byte, error) {
	if n, ok := v.Number(); ok {
		return strconv.AppendInt(nil, int64(n), 10), nil
	}
	return json.Marshal(v.text())
}

// text is a percentage as the controller writes it; what is none stays as it is.
func (v IntOrPercent) text() string {
	if percent, ok := v.Percent(); ok {
		return strconv.Itoa(percent) + "%"
	}
	return string(v)
}

// Percentage is a text that is a percentage.
type Percentage string

// MarshalJSON writes it without zeros in front.
func (p Percentage) MarshalJSON() ([]byte, error) { return json.Marshal(IntOrPercent(p).text()) }

// UnmarshalJSON takes a number or a text.
func (v *IntOrPercent) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		text = string(data)
	}
	*v = IntOrPercent(text)
	return nil
}

// Percent is the number before the percent sign; ok is false for what is no
// percentage.
func (v IntOrPercent) Percent() (percent int, ok bool) {
	digits, ok := strings.CutSuffix(string(v), "%")
	if !ok {
		return 0, false
	}
	percent, err := strconv.Atoi(digits)
	return percent, err == nil
}

// Number is the number; ok is false for what is none, such as a percentage.
func (v IntOrPercent) Number() (number int, ok bool) {
	parsed, err := strconv.ParseInt(string(v), 10, 32)
	return int(parsed), err == nil
}

// SameIntOrPercent reports whether two texts are the same number, or the same
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

// TrafficRouting is traffic routing that Rollouts refer to.
type TrafficRouting struct {
	Metadata Metadata             `json:"metadata"`
	Spec     TrafficRoutingSpec   `json:"spec"`
	Status   TrafficRoutingStatus `json:"status,omitzero"`
}

// TrafficRoutingSpec says what is routed, and where.
type TrafficRoutingSpec struct {
	ObjectRef []TrafficRoutingRef    `json:"objectRef"`
	Strategy  TrafficRoutingStrategy `json:"strategy"`
}

// TrafficRoutingStrategy says which requests go to the new version.
type TrafficRoutingStrategy struct {
	Weight                *int32          `json:"weight,omitempty"`
	RequestHeaderModifier *HeaderModifier `json:"requestHeaderModifier,omitempty"`
	Matches               []Match         `json:"matches,omitempty"`
}

// TrafficRoutingStatus is what the controller says of traffic routing.
type TrafficRoutingStatus struct {
	ObservedGeneration int64  `json:"observedGeneration,omitempty"`
	Phase              string `json:"phase,omitempty" text:"shown"`
	Message            string `json:"message,omitempty" text:"shown"`
}
