// Package movestate reads states of other providers, so that a moved block can
// take over their objects. It takes only the identity of the object from such a
// state; everything else is read from the server. What an object looks like in
// such a state is declared by its resource (Kind).
package movestate

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Object is an object that another provider manages.
type Object struct {
	// Title is that of the kind.
	Title string
	// ID is the import id.
	ID string
}

// ErrUnsupported is returned for a resource type that cannot be moved from.
var ErrUnsupported = errors.New("not a resource type that can be moved from")

// The attribute of each resource type with the request that creates the object.
// The provider's address is ignored: these providers have forks and mirrors.
var requestAttributes = map[string]string{
	"restapi_object":    "data",
	"restful_resource":  "body",
	"terracurl_request": "request_body",
}

// The resource types whose state is an object in Kubernetes: with its whole
// manifest, and with its identity.
const (
	withManifest = "kubernetes_manifest"
	withIdentity = "kubectl_manifest"
)

// Find returns the object of a stored state, which is of one of the kinds. Its
// errors are for users, and contain only names from the state.
func Find(kinds []Kind, resourceType string, state []byte) (Object, error) {
	attribute, isRequest := requestAttributes[resourceType]
	if !isRequest && resourceType != withManifest && resourceType != withIdentity {
		return Object{}, ErrUnsupported
	}
	var attributes map[string]any
	if err := json.Unmarshal(state, &attributes); err != nil || attributes == nil {
		return Object{}, errors.New("its stored state is not a JSON object")
	}
	switch {
	case isRequest:
		request, ok := object(attributes[attribute])
		if !ok {
			return Object{}, fmt.Errorf("its attribute %q is not a request with a JSON object", attribute)
		}
		return created(kinds, request, attribute)
	case resourceType == withManifest:
		m, ok := manifestOf(attributes)
		if !ok {
			return Object{}, errors.New("its attribute \"manifest\" is not an object")
		}
		return inKubernetes(kinds, m)
	default:
		return inKubernetes(kinds, manifest{
			group: text(attributes["api_version"]), kind: text(attributes["kind"]), namespace: text(attributes["namespace"]), name: text(attributes["name"]),
		})
	}
}

// created returns the object that a request creates.
func created(kinds []Kind, request map[string]any, attribute string) (Object, error) {
	var fitting []Kind
	for _, kind := range kinds {
		if body, ok := kind.Request.body(request); ok && isSet(body[kind.Request.IdentifyingAttribute]) {
			fitting = append(fitting, kind)
		}
	}
	// A request for an object that refers to others has their marks too.
	fitting = slices.DeleteFunc(slices.Clone(fitting), func(kind Kind) bool {
		return slices.ContainsFunc(fitting, func(other Kind) bool {
			return other.Title != kind.Title && other.Request.refersTo(kind.Request.IdentifyingAttribute)
		})
	})
	if len(fitting) != 1 {
		return Object{}, fmt.Errorf("the request in its attribute %q does not create one object that has a resource here: %s", attribute, marks(kinds))
	}
	kind := fitting[0]
	body, _ := kind.Request.body(request)
	parts := make([]string, len(kind.Request.ID))
	for i, name := range kind.Request.ID {
		if parts[i] = text(body[name]); parts[i] == "" {
			return Object{}, fmt.Errorf("the request in its attribute %q creates a %s and has no %q, so that its id is not known; import it", attribute, kind.Title, name)
		}
	}
	return Object{kind.Title, strings.Join(parts, "/")}, nil
}

// body returns the object in a request.
func (r Request) body(request map[string]any) (map[string]any, bool) {
	if r.Elements == "" {
		return request, r.IdentifyingAttribute != ""
	}
	elements, _ := request[r.Elements].([]any)
	if len(elements) != 1 {
		return nil, false
	}
	return object(elements[0])
}

// refersTo reports whether a member is another object's mark in this request.
func (r Request) refersTo(mark string) bool {
	return mark != r.IdentifyingAttribute && (slices.Contains(r.ID, mark) || slices.Contains(r.References, mark))
}

// marks lists, for messages, the objects with the members that their requests
// have.
func marks(kinds []Kind) string {
	var list []string
	for _, kind := range kinds {
		if r := kind.Request; r.Elements != "" {
			list = append(list, fmt.Sprintf("%s (one %q in %q)", kind.Title, r.IdentifyingAttribute, r.Elements))
		} else if r.IdentifyingAttribute != "" {
			list = append(list, fmt.Sprintf("%s (%q)", kind.Title, r.IdentifyingAttribute))
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// isSet reports whether a member is a list or a text that is not empty.
func isSet(value any) bool {
	_, list := value.([]any)
	return list || text(value) != ""
}

func text(value any) string {
	text, _ := value.(string)
	return text
}

// manifest is what a state has of an object in Kubernetes. spec is nil if the
// state does not have it.
type manifest struct {
	group, kind, namespace, name string
	spec                         map[string]any
}

func manifestOf(state map[string]any) (manifest, bool) {
	content, ok := object(state["manifest"])
	metadata, _ := object(content["metadata"])
	spec, _ := object(content["spec"])
	return manifest{text(content["apiVersion"]), text(content["kind"]), text(metadata["namespace"]), text(metadata["name"]), spec}, ok
}

// inKubernetes returns the object of a manifest.
func inKubernetes(kinds []Kind, m manifest) (Object, error) {
	i := slices.IndexFunc(kinds, func(kind Kind) bool { return kind.Manifest.Kind != "" && kind.Manifest.Kind == m.kind })
	if i < 0 {
		return Object{}, fmt.Errorf("it is a %q of %q, and only %s have a resource here", m.kind, m.group, manifestKinds(kinds))
	}
	known := kinds[i].Manifest
	switch {
	case !strings.HasPrefix(m.group, known.Group+"/"):
		return Object{}, fmt.Errorf("it is a %q of %q, not of %q", m.kind, m.group, known.Group)
	case len(known.Spec) > 0:
		return fromSpec(kinds[i], m)
	case m.name == "":
		return Object{}, errors.New("it has no metadata.name")
	case known.Namespace != "" && m.namespace != known.Namespace:
		return Object{}, fmt.Errorf("it is in the namespace %q, and only a %s in %q has a resource here", m.namespace, m.kind, known.Namespace)
	case !known.Namespaced:
		return Object{kinds[i].Title, m.name}, nil
	case m.namespace == "":
		return Object{}, errors.New("it has no metadata.namespace")
	}
	return Object{kinds[i].Title, m.namespace + "/" + m.name}, nil
}

// fromSpec takes the id from the specification.
func fromSpec(kind Kind, m manifest) (Object, error) {
	parts := make([]string, len(kind.Manifest.Spec))
	for i, name := range kind.Manifest.Spec {
		if parts[i] = text(m.spec[name]); parts[i] == "" {
			return Object{}, fmt.Errorf("its state has no %s; import it", strings.Join(kind.Manifest.Spec, " and "))
		}
	}
	return Object{kind.Title, strings.Join(parts, "/")}, nil
}

// manifestKinds lists, for messages, the Kubernetes kinds that have a resource.
func manifestKinds(kinds []Kind) string {
	var names []string
	for _, kind := range kinds {
		if kind.Manifest.Kind != "" {
			names = append(names, kind.Manifest.Kind)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
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

// Sources lists, for messages, the resource types that can be moved into the
// resource of a kind.
func Sources(kind Kind) string {
	text := "restapi_object, restful_resource, terracurl_request with the request that creates the " + kind.Title
	m := kind.Manifest
	switch {
	case m.Kind == "":
	case len(m.Spec) > 0:
		text += "; " + withManifest + " of a " + m.Kind
	case m.Namespace != "":
		text += "; " + withManifest + " and " + withIdentity + " of a " + m.Kind + " in the namespace " + m.Namespace
	default:
		text += "; " + withManifest + " and " + withIdentity + " of a " + m.Kind
	}
	return text
}
