package kube

import "net/url"

// Kind is a kind of object as the API serves it.
type Kind struct {
	// Group is "" for the core group.
	Group, Version string
	// Resource is the plural in paths, Kind the name in objects.
	Resource, Kind string
}

// The kinds that Kuscia and a rollout of its servings are made of.
var (
	KusciaDeployments = Kind{"kuscia.secretflow", "v1alpha1", "kusciadeployments", "KusciaDeployment"}
	AppImages         = Kind{"kuscia.secretflow", "v1alpha1", "appimages", "AppImage"}
	Domains           = Kind{"kuscia.secretflow", "v1alpha1", "domains", "Domain"}
	Deployments       = Kind{"apps", "v1", "deployments", "Deployment"}
	Services          = Kind{"", "v1", "services", "Service"}
	ConfigMaps        = Kind{"", "v1", "configmaps", "ConfigMap"}
	Pods              = Kind{"", "v1", "pods", "Pod"}
	TrafficRoutings   = Kind{"rollouts.kruise.io", "v1alpha1", "trafficroutings", "TrafficRouting"}
)

// Rollouts are the kinds of an OpenKruise Rollout, the newer one first.
var Rollouts = []Kind{
	{"rollouts.kruise.io", "v1beta1", "rollouts", "Rollout"},
	{"rollouts.kruise.io", "v1alpha1", "rollouts", "Rollout"},
}

// APIVersion is that of the kind's objects.
func (k Kind) APIVersion() string {
	if k.Group == "" {
		return k.Version
	}
	return k.Group + "/" + k.Version
}

// String is the resource as kubectl and RBAC call it.
func (k Kind) String() string {
	if k.Group == "" {
		return k.Resource
	}
	return k.Resource + "." + k.Group
}

// root is the path of the group and version.
func (k Kind) root() string {
	if k.Group == "" {
		return "/api/" + url.PathEscape(k.Version)
	}
	return "/apis/" + url.PathEscape(k.Group) + "/" + url.PathEscape(k.Version)
}

// path is that of one object, or of all with name "". namespace is "" for kinds
// without namespaces, and for the objects of all namespaces.
func (k Kind) path(namespace, name, subresource string) string {
	path := k.root()
	if namespace != "" {
		path += "/namespaces/" + url.PathEscape(namespace)
	}
	path += "/" + k.Resource
	if name != "" {
		path += "/" + url.PathEscape(name)
	}
	if subresource != "" {
		path += "/" + subresource
	}
	return path
}
