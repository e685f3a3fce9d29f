// Package kubernetes simulates the parts of Kubernetes that an API server for
// custom resources does not have: validation of namespaces, defaults and
// validation of Deployments and Services, and the controllers that create the
// pods of Deployments.
package kubernetes

import (
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
)

// Kinds of Kubernetes that are simulated.
var (
	Deployments = controller.Kind[apps.Deployment]{Resource: in("apps", "deployments"), Kind: "Deployment"}
	ReplicaSets = controller.Kind[apps.ReplicaSet]{Resource: in("apps", "replicasets"), Kind: "ReplicaSet"}
	Pods        = controller.Kind[core.Pod]{Resource: in("", "pods"), Kind: "Pod"}
	Services    = controller.Kind[core.Service]{Resource: in("", "services"), Kind: "Service"}
	ConfigMaps  = controller.Kind[core.ConfigMap]{Resource: in("", "configmaps"), Kind: "ConfigMap"}
	Namespaces  = controller.Kind[core.Namespace]{Resource: in("", "namespaces"), Kind: "Namespace"}
)

func in(group, resource string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: "v1", Resource: resource}
}
