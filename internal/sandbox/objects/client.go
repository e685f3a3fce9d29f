package objects

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Client reads and writes the objects of a kind, in an API server or elsewhere.
type Client[T any] interface {
	// Get returns nil for an object that does not exist.
	Get(namespace, name string) (*T, error)
	// List returns the objects of a namespace, "" for all, with these labels.
	List(namespace string, labels map[string]string) ([]*T, error)
	// Create and the updates also write into the object what the server sets.
	Create(object *T) error
	// Update replaces an object but its status, unless it has changed since it was read.
	Update(object *T) error
	// UpdateStatus replaces only the status.
	UpdateStatus(object *T) error
	Delete(namespace, name string) error
}

// Kind is a kind of object: the API version, the plural in paths, and the name.
type Kind struct{ Version, Plural, Name string }

const kusciaVersion = "kuscia.secretflow/v1alpha1"

// kinds are those of all objects of this package.
var kinds = map[reflect.Type]Kind{
	reflect.TypeFor[Domain]():             {kusciaVersion, "domains", "Domain"},
	reflect.TypeFor[ClusterDomainRoute](): {kusciaVersion, "clusterdomainroutes", "ClusterDomainRoute"},
	reflect.TypeFor[DomainRoute]():        {kusciaVersion, "domainroutes", "DomainRoute"},
	reflect.TypeFor[DomainData]():         {kusciaVersion, "domaindatas", "DomainData"},
	reflect.TypeFor[DomainDataSource]():   {kusciaVersion, "domaindatasources", "DomainDataSource"},
	reflect.TypeFor[DomainDataGrant]():    {kusciaVersion, "domaindatagrants", "DomainDataGrant"},
	reflect.TypeFor[AppImage]():           {kusciaVersion, "appimages", "AppImage"},
	reflect.TypeFor[KusciaDeployment]():   {kusciaVersion, "kusciadeployments", "KusciaDeployment"},
	reflect.TypeFor[Deployment]():         {"apps/v1", "deployments", "Deployment"},
	reflect.TypeFor[Service]():            {"v1", "services", "Service"},
	reflect.TypeFor[ConfigMap]():          {"v1", "configmaps", "ConfigMap"},
	reflect.TypeFor[Namespace]():          {"v1", "namespaces", "Namespace"},
}

// KindOf is the kind of a type.
func KindOf[T any]() Kind { return kinds[reflect.TypeFor[T]()] }

// qualified is a name of the kind, its plural or its own, as error texts have it.
func (k Kind) qualified(name string) string {
	if group, _, grouped := strings.Cut(k.Version, "/"); grouped {
		return name + "." + group
	}
	return name
}

// Reason is the reason of an Error, as an API server names it.
type Reason string

// Reasons of errors.
const (
	NotFound      Reason = "NotFound"
	AlreadyExists Reason = "AlreadyExists"
	Conflict      Reason = "Conflict"
)

// Error is an error of an API server.
type Error struct {
	Reason  Reason
	Message string
}

// Error implements error.
func (e *Error) Error() string { return e.Message }

// ReasonOf is the reason of an error, "" for one that is not of an API server.
func ReasonOf(err error) Reason {
	var of *Error
	if errors.As(err, &of) {
		return of.Reason
	}
	return ""
}

// Missing is the error for an object that does not exist.
func (k Kind) Missing(name string) error {
	if strings.Contains(name, "/") {
		return &Error{NotFound, fmt.Sprintf("invalid resource name %q: [may not contain '/']", name)}
	}
	return &Error{NotFound, fmt.Sprintf("%s %q not found", k.qualified(k.Plural), name)}
}

// Taken is the error for a name that exists.
func (k Kind) Taken(name string) error {
	return &Error{AlreadyExists, fmt.Sprintf("%s %q already exists", k.qualified(k.Plural), name)}
}

// Modified is the error for a conflicting write.
func (k Kind) Modified(name string) error {
	return &Error{Conflict, fmt.Sprintf(
		"Operation cannot be fulfilled on %s %q: the object has been modified; please apply your changes to the latest version and try again", k.qualified(k.Plural), name)}
}
