// Package v1beta1 has the types of OpenKruise Rollouts' API of that version,
// under the names that they have there: the webhook prints values with them.
package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Rollout is the Rollout of OpenKruise Rollouts.
type Rollout struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              RolloutSpec   `json:"spec,omitempty"`
	Status            RolloutStatus `json:"status,omitempty"`
}

// RolloutSpec is the desired state.
type RolloutSpec struct {
	WorkloadRef ObjectRef       `json:"workloadRef"`
	Strategy    RolloutStrategy `json:"strategy"`
	Disabled    bool            `json:"disabled"`
}

// ObjectRef names an object of the namespace.
type ObjectRef struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
}

// RolloutStrategy has one of two styles.
type RolloutStrategy struct {
	Paused    bool               `json:"paused,omitempty"`
	Canary    *CanaryStrategy    `json:"canary,omitempty"`
	BlueGreen *BlueGreenStrategy `json:"blueGreen,omitempty"`
}

// BlueGreenStrategy runs the new pods in addition to all old ones.
type BlueGreenStrategy struct {
	Steps                        []CanaryStep        `json:"steps,omitempty"`
	TrafficRoutings              []TrafficRoutingRef `json:"trafficRoutings,omitempty"`
	FailureThreshold             *intstr.IntOrString `json:"failureThreshold,omitempty"`
	TrafficRoutingRef            string              `json:"trafficRoutingRef,omitempty"`
	DisableGenerateCanaryService bool                `json:"disableGenerateCanaryService,omitempty"`
}

// CanaryStrategy has new pods in place of old ones, or in a workload of their
// own.
type CanaryStrategy struct {
	Steps                        []CanaryStep              `json:"steps,omitempty"`
	TrafficRoutings              []TrafficRoutingRef       `json:"trafficRoutings,omitempty"`
	FailureThreshold             *intstr.IntOrString       `json:"failureThreshold,omitempty"`
	PatchPodTemplateMetadata     *PatchPodTemplateMetadata `json:"patchPodTemplateMetadata,omitempty"`
	EnableExtraWorkloadForCanary bool                      `json:"enableExtraWorkloadForCanary,omitempty"`
	TrafficRoutingRef            string                    `json:"trafficRoutingRef,omitempty"`
	DisableGenerateCanaryService bool                      `json:"disableGenerateCanaryService,omitempty"`
}

// PatchPodTemplateMetadata is for the pods of a canary workload.
type PatchPodTemplateMetadata struct {
	Annotations map[string]string `json:"annotations,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
}

// CanaryStep is one step of a release.
type CanaryStep struct {
	TrafficRoutingStrategy `json:",inline"`
	Replicas               *intstr.IntOrString `json:"replicas,omitempty"`
	Pause                  RolloutPause        `json:"pause,omitempty"`
}

// TrafficRoutingStrategy is the traffic of a step.
type TrafficRoutingStrategy struct {
	Traffic               *string           `json:"traffic,omitempty"`
	RequestHeaderModifier *HTTPHeaderFilter `json:"requestHeaderModifier,omitempty"`
	Matches               []HttpRouteMatch  `json:"matches,omitempty"`
}

// HTTPHeaderFilter changes headers of requests.
type HTTPHeaderFilter struct {
	Set    []HTTPHeader `json:"set,omitempty"`
	Add    []HTTPHeader `json:"add,omitempty"`
	Remove []string     `json:"remove,omitempty"`
}

// HTTPHeader is a header.
type HTTPHeader struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// HttpRouteMatch says which requests are meant.
type HttpRouteMatch struct {
	Path        *HTTPPathMatch        `json:"path,omitempty"`
	Headers     []HTTPHeaderMatch     `json:"headers,omitempty"`
	QueryParams []HTTPQueryParamMatch `json:"queryParams,omitempty"`
}

// HTTPPathMatch is about the path.
type HTTPPathMatch struct {
	Type  *PathMatchType `json:"type,omitempty"`
	Value *string        `json:"value,omitempty"`
}

// PathMatchType is Exact, PathPrefix or RegularExpression.
type PathMatchType string

// HTTPHeaderMatch is about a header.
type HTTPHeaderMatch struct {
	Type  *HeaderMatchType `json:"type,omitempty"`
	Name  string           `json:"name"`
	Value string           `json:"value"`
}

// HeaderMatchType is Exact or RegularExpression.
type HeaderMatchType string

// HTTPQueryParamMatch is about a parameter of the query.
type HTTPQueryParamMatch struct {
	Type  *QueryParamMatchType `json:"type,omitempty"`
	Name  string               `json:"name"`
	Value string               `json:"value"`
}

// QueryParamMatchType is Exact or RegularExpression.
type QueryParamMatchType string

// RolloutPause ends after a duration in seconds, if one is set.
type RolloutPause struct {
	Duration *int32 `json:"duration,omitempty"`
}

// TrafficRoutingRef is the routing of traffic to a Service.
type TrafficRoutingRef struct {
	Service            string                 `json:"service"`
	GracePeriodSeconds int32                  `json:"gracePeriodSeconds,omitempty"`
	Ingress            *IngressTrafficRouting `json:"ingress,omitempty"`
	Gateway            *GatewayTrafficRouting `json:"gateway,omitempty"`
	CustomNetworkRefs  []ObjectRef            `json:"customNetworkRefs,omitempty"`
}

// IngressTrafficRouting is an Ingress.
type IngressTrafficRouting struct {
	ClassType string `json:"classType,omitempty"`
	Name      string `json:"name"`
}

// GatewayTrafficRouting is an HTTPRoute.
type GatewayTrafficRouting struct {
	HTTPRouteName *string `json:"httpRouteName,omitempty"`
}
