package objects

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// API is an API server.
type API interface {
	// Send sends a request and decodes the response. body and into may be nil.
	Send(method, path string, body, into any) error
	// Stream sends a request and calls a function with each object of the response, until
	// the response or the context ends.
	Stream(ctx context.Context, path string, object func(json.RawMessage) error) error
}

// manager is the field manager of Kuscia's writes.
const manager = "kuscia"

// Remote has the objects of a kind in an API server.
type Remote[T any] struct{ API API }

// path is that of an object, or of all those of a namespace for the name "".
func (r Remote[T]) path(namespace, name string, more ...string) string {
	kind := KindOf[T]()
	parts := []string{"/apis", kind.Version}
	if !strings.Contains(kind.Version, "/") {
		parts[0] = "/api"
	}
	if namespace != "" {
		parts = append(parts, "namespaces", namespace)
	}
	parts = append(parts, kind.Plural)
	if name != "" {
		parts = append(parts, name)
	}
	return strings.Join(append(parts, more...), "/")
}

// sendTo sends a request about one object. Without a name it would be about all.
func (r Remote[T]) sendTo(method, namespace, name string, into any) error {
	if name == "" {
		return errors.New("name is required")
	}
	return r.API.Send(method, r.path(namespace, name), nil, into)
}

// Get implements Client.
func (r Remote[T]) Get(namespace, name string) (*T, error) {
	object := new(T)
	err := r.sendTo(http.MethodGet, namespace, name, object)
	switch {
	case ReasonOf(err) == NotFound:
		return nil, nil
	case err != nil:
		return nil, err
	}
	return object, nil
}

// list is a list of an API server.
type list[T any] struct {
	Metadata struct{ ResourceVersion string }
	Items    []*T
}

func (r Remote[T]) list(namespace string, with map[string]string) (found list[T], err error) {
	var selector []string
	for _, name := range slices.Sorted(maps.Keys(with)) {
		selector = append(selector, name+"="+with[name])
	}
	return found, r.API.Send(http.MethodGet, r.path(namespace, "")+"?labelSelector="+url.QueryEscape(strings.Join(selector, ",")), nil, &found)
}

// List implements Client.
func (r Remote[T]) List(namespace string, with map[string]string) ([]*T, error) {
	found, err := r.list(namespace, with)
	return found.Items, err
}

// Create implements Client.
func (r Remote[T]) Create(object *T) error {
	return r.write(http.MethodPost, r.path(MetaOf(object).Namespace, ""), object)
}

// Update implements Client.
func (r Remote[T]) Update(object *T) error {
	meta := MetaOf(object)
	return r.write(http.MethodPut, r.path(meta.Namespace, meta.Name), object)
}

// UpdateStatus implements Client.
func (r Remote[T]) UpdateStatus(object *T) error {
	meta := MetaOf(object)
	return r.write(http.MethodPut, r.path(meta.Namespace, meta.Name, "status"), object)
}

// Delete implements Client.
func (r Remote[T]) Delete(namespace, name string) error {
	return r.sendTo(http.MethodDelete, namespace, name, nil)
}

// write sends a whole object, and takes over the metadata of the response.
func (r Remote[T]) write(method, path string, object *T) error {
	kind, body := KindOf[T](), map[string]any{}
	text, err := json.Marshal(object)
	if err == nil {
		err = json.Unmarshal(text, &body)
	}
	if err != nil {
		return fmt.Errorf("encoding %s: %w", kind.Name, err)
	}
	body["apiVersion"], body["kind"] = kind.Version, kind.Name
	var written struct{ Metadata Meta }
	if err := r.API.Send(method, path+"?fieldManager="+manager, body, &written); err != nil {
		return err
	}
	*MetaOf(object) = written.Metadata
	return nil
}

// Watch calls listed with all objects, and then changed with each that changes, until the
// connection or the context ends.
func (r Remote[T]) Watch(ctx context.Context, listed func(all []*T), changed func(object *T, deleted bool)) error {
	found, err := r.list("", nil)
	if err != nil {
		return err
	}
	listed(found.Items)
	return r.API.Stream(ctx, r.path("", "")+"?watch=true&resourceVersion="+found.Metadata.ResourceVersion, func(text json.RawMessage) error {
		var event struct {
			Type   string
			Object json.RawMessage
		}
		if err := json.Unmarshal(text, &event); err != nil {
			return err
		}
		object := new(T)
		switch event.Type {
		case "ADDED", "MODIFIED", "DELETED":
			if err := json.Unmarshal(event.Object, object); err != nil {
				return err
			}
			changed(object, event.Type == "DELETED")
		case "ERROR":
			return fmt.Errorf("watching %s: %s", KindOf[T]().Plural, event.Object)
		}
		return nil
	})
}
