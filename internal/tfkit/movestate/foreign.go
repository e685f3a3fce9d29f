// Package movestate reads the state that other providers keep of objects of
// Kuscia, so that a moved block can take such an object over. Of that state it
// takes which object it is and nothing else: what the object is like, Kuscia
// says.
package movestate

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Kind is what an object is to Kuscia.
type Kind string

// The kinds of objects.
const (
	Serving  Kind = "serving"
	AppImage Kind = "app image"
)

// Object is an object of Kuscia that another provider manages.
type Object struct {
	Kind Kind
	// ID is the serving_id, or the name of the app image.
	ID string
}

// ErrUnsupported says that the resource type is not one that can be moved from.
var ErrUnsupported = errors.New("not a resource type that can be moved from")

// readers know the state of a resource type. The provider's address does not
// count: these providers have forks and mirrors.
var readers = map[string]func(state map[string]any) (Object, error){
	"restapi_object":      readRequest("data"),
	"restful_resource":    readRequest("body"),
	"terracurl_request":   readRequest("request_body"),
	"kubernetes_manifest": readManifest,
	"kubectl_manifest":    readKubectl,
}

// Find says which object a stored state is about. Its errors are for the user,
// and show nothing of what the state holds but names.
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

// readRequest reads the request to the KusciaAPI that made the object, which
// an attribute holds as JSON text or as an object.
func readRequest(attribute string) func(map[string]any) (Object, error) {
	return func(state map[string]any) (Object, error) {
		request, ok := object(state[attribute])
		if !ok {
			return Object{}, fmt.Errorf("its attribute %q is not a request with a JSON object", attribute)
		}
		if id, ok := request["serving_id"].(string); ok && id != "" {
			return Object{Serving, id}, nil
		}
		if name, ok := request["name"].(string); ok && name != "" && request["deploy_templates"] != nil {
			return Object{AppImage, name}, nil
		}
		return Object{}, fmt.Errorf("the request in its attribute %q creates neither a serving (it has no \"serving_id\") nor an app image (no \"name\" with \"deploy_templates\")", attribute)
	}
}

func readManifest(state map[string]any) (Object, error) {
	manifest, ok := object(state["manifest"])
	if !ok {
		return Object{}, errors.New("its attribute \"manifest\" is not an object")
	}
	metadata, _ := object(manifest["metadata"])
	return kubernetes(manifest["apiVersion"], manifest["kind"], metadata["namespace"], metadata["name"])
}

func readKubectl(state map[string]any) (Object, error) {
	return kubernetes(state["api_version"], state["kind"], state["namespace"], state["name"])
}

// Kuscia's group, and the namespace of what belongs to several domains. The
// KusciaAPI sees the KusciaDeployments in there and no others.
const (
	group       = "kuscia.secretflow/"
	crossDomain = "cross-domain"
)

// kubernetes is an object of Kubernetes by its coordinates.
func kubernetes(apiVersion, kind, namespace, name any) (Object, error) {
	text := func(value any) string {
		text, _ := value.(string)
		return text
	}
	switch {
	case text(name) == "":
		return Object{}, errors.New("it has no metadata.name")
	case !strings.HasPrefix(text(apiVersion), group):
		return Object{}, fmt.Errorf("it is a %q of %q, which is not one of Kuscia's", text(kind), text(apiVersion))
	case text(kind) == "AppImage":
		return Object{AppImage, text(name)}, nil
	case text(kind) != "KusciaDeployment":
		return Object{}, fmt.Errorf("it is a %q, and only KusciaDeployment and AppImage have a resource here", text(kind))
	case text(namespace) != crossDomain:
		return Object{}, fmt.Errorf("it is in the namespace %q, and the KusciaAPI knows only KusciaDeployments in %q", text(namespace), crossDomain)
	}
	return Object{Serving, text(name)}, nil
}

// object reads an object, a JSON text of one, or one of a dynamic type, which
// a state keeps beside its type.
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

// Sources lists, for messages, what can be moved into a resource type.
func Sources(kind Kind) string {
	manifest := "KusciaDeployment in the namespace " + crossDomain
	if kind == AppImage {
		manifest = "AppImage"
	}
	requests := []string{"restapi_object", "restful_resource", "terracurl_request"}
	slices.Sort(requests)
	return fmt.Sprintf("%s with the request that creates the %s; kubernetes_manifest and kubectl_manifest of a %s",
		strings.Join(requests, ", "), kind, manifest)
}
