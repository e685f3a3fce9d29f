package kube

import (
	"net/url"
	"strings"
)

// Kind is a kind of object in a group and version.
type Kind struct {
	// Group is "" for the core group.
	Group, Version string
	// Resource is the plural name in paths, Kind the name in objects.
	Resource, Kind string
}

// The kinds of Kuscia, and those that its servings consist of.
var (
	KusciaDeployments = Kind{"kuscia.secretflow", "v1alpha1", "kusciadeployments", "KusciaDeployment"}
	AppImages         = Kind{"kuscia.secretflow", "v1alpha1", "appimages", "AppImage"}
	Domains           = Kind{"kuscia.secretflow", "v1alpha1", "domains", "Domain"}
	DomainDatas       = Kind{"kuscia.secretflow", "v1alpha1", "domaindatas", "DomainData"}
	DomainDataGrants  = Kind{"kuscia.secretflow", "v1alpha1", "domaindatagrants", "DomainDataGrant"}
	// ClusterDomainRoutes are routes between domains.
	ClusterDomainRoutes = Kind{"kuscia.secretflow", "v1alpha1", "clusterdomainroutes", "ClusterDomainRoute"}
	Deployments         = Kind{"apps", "v1", "deployments", "Deployment"}
	Services            = Kind{"", "v1", "services", "Service"}
	ConfigMaps          = Kind{"", "v1", "configmaps", "ConfigMap"}
	Pods                = Kind{"", "v1", "pods", "Pod"}
	TrafficRoutings     = Kind{"rollouts.kruise.io", "v1alpha1", "trafficroutings", "TrafficRouting"}
)

// Rollouts lists the kinds of an OpenKruise Rollout, newest version first.
var Rollouts = []Kind{
	{"rollouts.kruise.io", "v1beta1", "rollouts", "Rollout"},
	{"rollouts.kruise.io", "v1alpha1", "rollouts", "Rollout"},
}

// KindOf returns a kind by the apiVersion and kind of its objects. The plural is
// that of controller-gen, without its exceptions.
func KindOf(apiVersion, kind string) Kind {
	group, version, grouped := strings.Cut(apiVersion, "/")
	if !grouped {
		group, version = "", apiVersion
	}
	plural, suffix := strings.ToLower(kind), "s"
	switch last := plural[max(0, len(plural)-1):]; {
	case last == "s", last == "x", strings.HasSuffix(plural, "ch"), strings.HasSuffix(plural, "sh"):
		suffix = "es"
	case last == "y" && len(plural) > 1 && !strings.ContainsAny(plural[len(plural)-2:len(plural)-1], "aeiou"):
		plural, suffix = plural[:len(plural)-1], "ies"
	}
	return Kind{Group: group, Version: version, Resource: plural + suffix, Kind: kind}
}

// APIVersion is the apiVersion of the kind's objects.
func (k Kind) APIVersion() string {
	if k.Group == "" {
		return k.Version
	}
	return k.Group + "/" + k.Version
}

// String returns the resource in the notation of kubectl and RBAC.
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

// path is the path of an object, or of all objects if name is "". namespace is
// "" for cluster-scoped kinds, and for the objects of all namespaces.
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
