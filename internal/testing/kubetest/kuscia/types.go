// Package kuscia simulates Kuscia's controller of KusciaDeployments, as
// recorded: the objects that it creates, the fields that it writes back, and
// the failures that it reports or hides.
package kuscia

import (
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
)

// Kinds of Kuscia.
var (
	Deployments = controller.Kind[Deployment]{Resource: of("kusciadeployments"), Kind: "KusciaDeployment"}
	AppImages   = controller.Kind[AppImage]{Resource: of("appimages"), Kind: "AppImage"}
	Domains     = controller.Kind[Domain]{Resource: of("domains"), Kind: "Domain"}
)

func of(resource string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "kuscia.secretflow", Version: "v1alpha1", Resource: resource}
}

// Deployment is a KusciaDeployment. The controller writes whole objects of this
// type, which adds fields that no client has set.
type Deployment struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              DeploymentSpec   `json:"spec"`
	Status            DeploymentStatus `json:"status,omitempty"`
}

// DeploymentSpec is the desired state.
type DeploymentSpec struct {
	Initiator   string  `json:"initiator"`
	InputConfig string  `json:"inputConfig"`
	Parties     []Party `json:"parties"`
}

// Party is one party of a KusciaDeployment.
type Party struct {
	DomainID          string        `json:"domainID"`
	AppImageRef       string        `json:"appImageRef"`
	Role              string        `json:"role,omitempty"`
	Template          PartyTemplate `json:"template,omitempty"`
	ServiceNamePrefix string        `json:"serviceNamePrefix,omitempty"`
}

// PartyTemplate are the settings of a party that override the app image.
type PartyTemplate struct {
	Replicas *int32                   `json:"replicas,omitempty"`
	Strategy *apps.DeploymentStrategy `json:"strategy,omitempty"`
	Spec     PodSpec                  `json:"spec,omitempty"`
}

// PodSpec contains the containers.
type PodSpec struct {
	Containers    []Container        `json:"containers,omitempty"`
	RestartPolicy core.RestartPolicy `json:"restartPolicy,omitempty"`
	Affinity      *core.Affinity     `json:"affinity,omitempty"`
}

// Container is a container of an app image, or the overrides of a party.
type Container struct {
	Name               string                    `json:"name"`
	Command            []string                  `json:"command,omitempty"`
	Args               []string                  `json:"args,omitempty"`
	WorkingDir         string                    `json:"workingDir"`
	ConfigVolumeMounts []ConfigVolumeMount       `json:"configVolumeMounts,omitempty"`
	Ports              []ContainerPort           `json:"ports,omitempty"`
	EnvFrom            []core.EnvFromSource      `json:"envFrom,omitempty"`
	Env                []core.EnvVar             `json:"env,omitempty"`
	Resources          core.ResourceRequirements `json:"resources,omitempty"`
	LivenessProbe      *core.Probe               `json:"livenessProbe,omitempty"`
	ReadinessProbe     *core.Probe               `json:"readinessProbe,omitempty"`
	StartupProbe       *core.Probe               `json:"startupProbe,omitempty"`
	MetricProbe        *MetricProbe              `json:"metricProbe,omitempty"`
	ImagePullPolicy    core.PullPolicy           `json:"imagePullPolicy,omitempty"`
	SecurityContext    *core.SecurityContext     `json:"securityContext,omitempty"`
}

// ConfigVolumeMount mounts a configuration template into a container.
type ConfigVolumeMount struct {
	MountPath string `json:"mountPath"`
	SubPath   string `json:"subPath"`
}

// ContainerPort is a port whose number Kuscia allocates.
type ContainerPort struct {
	Name     string `json:"name"`
	Port     int32  `json:"port,omitempty"`
	Protocol string `json:"protocol,omitempty"`
	Scope    string `json:"scope,omitempty"`
}

// MetricProbe is the endpoint of metrics.
type MetricProbe struct {
	Path string `json:"path,omitempty"`
	Port string `json:"port,omitempty"`
}

// DeploymentStatus is the status of a KusciaDeployment.
type DeploymentStatus struct {
	Phase                   string                             `json:"phase,omitempty"`
	Reason                  string                             `json:"reason,omitempty"`
	Message                 string                             `json:"message,omitempty"`
	LastReconcileTime       *metav1.Time                       `json:"lastReconcileTime,omitempty"`
	TotalParties            int                                `json:"totalParties"`
	AvailableParties        int                                `json:"availableParties"`
	PartyDeploymentStatuses map[string]map[string]*PartyStatus `json:"partyDeploymentStatuses,omitempty"`
}

// PartyStatus is the status of one Deployment.
type PartyStatus struct {
	Phase               string                     `json:"phase,omitempty"`
	Role                string                     `json:"role,omitempty"`
	Replicas            int32                      `json:"replicas"`
	UpdatedReplicas     int32                      `json:"updatedReplicas"`
	AvailableReplicas   int32                      `json:"availableReplicas"`
	UnavailableReplicas int32                      `json:"unavailableReplicas"`
	Conditions          []apps.DeploymentCondition `json:"conditions,omitempty"`
	CreationTimestamp   *metav1.Time               `json:"creationTimestamp,omitempty"`
}

// AppImage is an app image.
type AppImage struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              AppImageSpec `json:"spec"`
}

// AppImageSpec contains the image and its deploy templates.
type AppImageSpec struct {
	ConfigTemplates map[string]string `json:"configTemplates,omitempty"`
	DeployTemplates []DeployTemplate  `json:"deployTemplates"`
	Image           Image             `json:"image"`
}

// Image is an image with its tag.
type Image struct {
	Name string `json:"name"`
	Tag  string `json:"tag"`
	ID   string `json:"id,omitempty"`
	Sign string `json:"sign,omitempty"`
}

// DeployTemplate is the template for the pods of a role.
type DeployTemplate struct {
	Name          string         `json:"name"`
	Role          string         `json:"role,omitempty"`
	Replicas      *int32         `json:"replicas,omitempty"`
	NetworkPolicy *NetworkPolicy `json:"networkPolicy,omitempty"`
	Spec          PodSpec        `json:"spec"`
}

// NetworkPolicy defines which roles may reach which ports.
type NetworkPolicy struct {
	Ingresses []Ingress `json:"ingresses"`
}

// Ingress allows roles to reach ports.
type Ingress struct {
	From  IngressFrom   `json:"from"`
	Ports []IngressPort `json:"ports"`
}

// IngressFrom contains the roles.
type IngressFrom struct {
	Roles []string `json:"roles"`
}

// IngressPort is the name of a port.
type IngressPort struct {
	Port string `json:"port"`
}

// Domain is a domain; one with a role is a partner's.
type Domain struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Role string `json:"role,omitempty"`
	} `json:"spec"`
}
