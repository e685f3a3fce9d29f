// Package movestate reads states of other providers, so that a moved block can
// take over their objects. It takes only the identity of the object from such a
// state; everything else is read from Kuscia.
package movestate

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Kind is a kind of object in Kuscia.
type Kind string

// The kinds of objects.
const (
	Serving     Kind = "serving"
	AppImage    Kind = "app image"
	Domain      Kind = "domain"
	DomainRoute Kind = "route"
	ConfigEntry Kind = "configuration entry"
	DomainData  Kind = "domain data"
	DataSource  Kind = "data source"
	Grant       Kind = "grant"
)

// Object is an object of Kuscia that another provider manages.
type Object struct {
	Kind Kind
	// ID is the import id.
	ID string
}

// ErrUnsupported is returned for a resource type that cannot be moved from.
var ErrUnsupported = errors.New("not a resource type that can be moved from")

// readers read the state of a resource type. The provider's address is ignored:
// these providers have forks and mirrors.
var readers = map[string]func(state map[string]any) (Object, error){
	"restapi_object":      readRequest("data"),
	"restful_resource":    readRequest("body"),
	"terracurl_request":   readRequest("request_body"),
	"kubernetes_manifest": readManifest,
	"kubectl_manifest":    readKubectl,
}

// Find returns the object of a stored state. Its errors are for users, and
// contain only names from the state.
func Find(resourceType string, state []byte) (Object, error) {
	reader, ok := readers[resourceType]
	if !ok {
		return Object{}, ErrUnsupported
	}
	var attributes map[string]any
	if err := json.Unmarshal(state, &attributes); err != nil || attributes == nil {
		return Object{}, errors.New("its stored state is not a JSON object")
	}
	return reader(attributes)
}

// readRequest reads a request to the KusciaAPI that created an object, from an
// attribute with JSON text or an object.
func readRequest(attribute string) func(map[string]any) (Object, error) {
	return func(state map[string]any) (Object, error) {
		request, ok := object(state[attribute])
		if !ok {
			return Object{}, fmt.Errorf("its attribute %q is not a request with a JSON object", attribute)
		}
		return created(request, attribute)
	}
}

// requests are the requests that create objects. The first one whose mark is
// present matches; id are the members that form the import id.
var requests = []struct {
	kind Kind
	mark string
	id   []string
}{
	{Serving, "serving_id", []string{"serving_id"}},
	{AppImage, "deploy_templates", []string{"name"}},
	{Grant, "grant_domain", []string{"domain_id", "domaindatagrant_id"}},
	{DomainData, "relative_uri", []string{"domain_id", "domaindata_id"}},
	{DomainRoute, "destination", []string{"source", "destination"}},
	{DataSource, "datasource_id", []string{"domain_id", "datasource_id"}},
	{Domain, "domain_id", []string{"domain_id"}},
}

// created returns the object that a request creates.
func created(request map[string]any, attribute string) (Object, error) {
	for _, form := range requests {
		if text, isText := request[form.mark].(string); request[form.mark] == nil || form.mark != "deploy_templates" && (!isText || text == "") {
			continue
		}
		parts := make([]string, len(form.id))
		for i, name := range form.id {
			if parts[i], _ = request[name].(string); parts[i] == "" {
				return Object{}, fmt.Errorf("the request in its attribute %q creates a %s and has no %q, so that its id is not known; import it", attribute, form.kind, name)
			}
		}
		return Object{form.kind, strings.Join(parts, "/")}, nil
	}
	if entries, ok := request["data"].([]any); ok && len(entries) == 1 {
		entry, _ := object(entries[0])
		if key, ok := entry["key"].(string); ok && key != "" {
			return Object{ConfigEntry, key}, nil
		}
	}
	return Object{}, fmt.Errorf("the request in its attribute %q creates neither a serving (it has no \"serving_id\") nor one other object that has a resource here", attribute)
}

func readManifest(state map[string]any) (Object, error) {
	manifest, ok := object(state["manifest"])
	if !ok {
		return Object{}, errors.New("its attribute \"manifest\" is not an object")
	}
	metadata, _ := object(manifest["metadata"])
	if manifest["kind"] == routeKind {
		// The name of a DomainRoute does not reliably contain source and
		// destination.
		spec, _ := object(manifest["spec"])
		return created(map[string]any{"source": spec["source"], "destination": spec["destination"]}, "manifest")
	}
	return kubernetes(manifest["apiVersion"], manifest["kind"], metadata["namespace"], metadata["name"])
}

func readKubectl(state map[string]any) (Object, error) {
	return kubernetes(state["api_version"], state["kind"], state["namespace"], state["name"])
}

// Kuscia's API group, and the namespace of objects that belong to several
// domains. The KusciaAPI only uses the KusciaDeployments in that namespace.
const (
	group       = "kuscia.secretflow/"
	crossDomain = "cross-domain"
	routeKind   = "ClusterDomainRoute"
)

// manifests are the Kubernetes kinds that have a resource here.
var manifests = map[string]Kind{
	"KusciaDeployment": Serving, "AppImage": AppImage, "Domain": Domain, routeKind: DomainRoute,
	"DomainData": DomainData, "DomainDataSource": DataSource, "DomainDataGrant": Grant,
}

// kubernetes returns the object for apiVersion, kind, namespace and name.
func kubernetes(apiVersion, kind, namespace, name any) (Object, error) {
	text := func(value any) string {
		text, _ := value.(string)
		return text
	}
	is, known := manifests[text(kind)]
	switch {
	case text(name) == "":
		return Object{}, errors.New("it has no metadata.name")
	case !strings.HasPrefix(text(apiVersion), group):
		return Object{}, fmt.Errorf("it is a %q of %q, which is not one of Kuscia's", text(kind), text(apiVersion))
	case !known:
		return Object{}, fmt.Errorf("it is a %q, and only %s have a resource here", text(kind), strings.Join(slices.Sorted(maps.Keys(manifests)), ", "))
	case is == Serving && text(namespace) != crossDomain:
		return Object{}, fmt.Errorf("it is in the namespace %q, and the KusciaAPI knows only KusciaDeployments in %q", text(namespace), crossDomain)
	case is == DomainRoute:
		return Object{}, errors.New("its state has no source and destination; import it")
	case is == Serving || is == AppImage || is == Domain:
		return Object{is, text(name)}, nil
	case text(namespace) == "":
		return Object{}, errors.New("it has no metadata.namespace")
	}
	return Object{is, text(namespace) + "/" + text(name)}, nil
}

// object returns an object, given as such, as JSON text, or as a dynamic value,
// which a state stores together with its type.
func object(value any) (map[string]any, bool) {
	switch value := value.(type) {
	case string:
		var decoded map[string]any
		return decoded, json.Unmarshal([]byte(value), &decoded) == nil && decoded != nil
	case map[string]any:
		if inner, dynamic := value["value"]; dynamic && len(value) == 2 && value["type"] != nil {
			return object(inner)
		}
		return value, true
	}
	return nil, false
}

// Sources lists, for messages, the resource types that can be moved into a
// resource.
func Sources(kind Kind) string {
	text := "restapi_object, restful_resource, terracurl_request with the request that creates the " + string(kind)
	for name, is := range manifests {
		switch {
		case is != kind:
		case kind == Serving:
			text += "; kubernetes_manifest and kubectl_manifest of a " + name + " in the namespace " + crossDomain
		case kind == DomainRoute:
			text += "; kubernetes_manifest of a " + name
		default:
			text += "; kubernetes_manifest and kubectl_manifest of a " + name
		}
	}
	return text
}
