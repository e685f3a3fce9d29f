// Package apiserver is an API server as the store of the sandbox's KusciaAPI: it starts the
// program that serves one, with the controllers of Kuscia, Kubernetes and OpenKruise
// Rollouts (testing/kubetest), and reads and writes its objects.
package apiserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// manager is the field manager of Kuscia's writes.
const manager = "kuscia"

// newAPI returns the objects of an API server, and a function that deletes those that were
// created through it.
func newAPI(with *connection) (api *objects.API, clean func() error) {
	domains := newClient[objects.Domain](with, "kuscia.secretflow/v1alpha1", "domains", "Domain")
	images := newClient[objects.AppImage](with, "kuscia.secretflow/v1alpha1", "appimages", "AppImage")
	deployments := newClient[objects.KusciaDeployment](with, "kuscia.secretflow/v1alpha1", "kusciadeployments", "KusciaDeployment")
	return &objects.API{
		Domains: domains, AppImages: images, KusciaDeployments: deployments,
		Deployments: newClient[objects.Deployment](with, "apps/v1", "deployments", "Deployment"),
		Services:    newClient[objects.Service](with, "v1", "services", "Service"),
	}, func() error { return errors.Join(deployments.clean(), images.clean(), domains.clean()) }
}

// client implements objects.Client for a kind.
type client[T any] struct {
	*connection
	version, resource, kind string

	mu      sync.Mutex
	created []objects.Meta
}

func newClient[T any](with *connection, version, resource, kind string) *client[T] {
	return &client[T]{connection: with, version: version, resource: resource, kind: kind}
}

// path is that of an object, or of all those of a namespace for the name "".
func (c *client[T]) path(namespace, name string) string {
	parts := []string{"/apis", c.version}
	if !strings.Contains(c.version, "/") {
		parts[0] = "/api"
	}
	if namespace != "" {
		parts = append(parts, "namespaces", namespace)
	}
	parts = append(parts, c.resource)
	if name != "" {
		parts = append(parts, name)
	}
	return strings.Join(parts, "/")
}

// Get implements objects.Client.
func (c *client[T]) Get(namespace, name string) (*T, error) {
	object := new(T)
	err := c.sendTo(http.MethodGet, namespace, name, object)
	switch {
	case errors.Is(err, errNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return object, nil
}

// sendTo sends a request about one object. Without a name it would be about all.
func (c *client[T]) sendTo(method, namespace, name string, into any) error {
	if name == "" {
		return errors.New("name is required")
	}
	return c.send(method, c.path(namespace, name), nil, into)
}

// List implements objects.Client.
func (c *client[T]) List(namespace string, with map[string]string) ([]*T, error) {
	var selector []string
	for _, name := range slices.Sorted(maps.Keys(with)) {
		selector = append(selector, name+"="+with[name])
	}
	var list struct{ Items []*T }
	err := c.send(http.MethodGet, c.path(namespace, "")+"?labelSelector="+url.QueryEscape(strings.Join(selector, ",")), nil, &list)
	return list.Items, err
}

// Create implements objects.Client.
func (c *client[T]) Create(object *T) error {
	meta, err := c.write(http.MethodPost, object)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.created = append(c.created, meta)
	return nil
}

// Update implements objects.Client.
func (c *client[T]) Update(object *T) error {
	_, err := c.write(http.MethodPut, object)
	return err
}

// Delete implements objects.Client.
func (c *client[T]) Delete(namespace, name string) error {
	if err := c.sendTo(http.MethodDelete, namespace, name, nil); !errors.Is(err, errNotFound) {
		return err
	}
	return nil
}

// clean deletes what was created.
func (c *client[T]) clean() (err error) {
	c.mu.Lock()
	created := slices.Clone(c.created)
	c.mu.Unlock()
	for _, one := range created {
		err = errors.Join(err, c.Delete(one.Namespace, one.Name))
	}
	return err
}

// write sends a whole object, and returns its metadata.
func (c *client[T]) write(method string, object *T) (meta objects.Meta, err error) {
	text, err := json.Marshal(object)
	body := map[string]any{}
	if err == nil {
		err = json.Unmarshal(text, &body)
	}
	var named struct {
		Meta objects.Meta `json:"metadata"`
	}
	if err == nil {
		err = json.Unmarshal(text, &named)
	}
	if err != nil {
		return meta, fmt.Errorf("encoding %s: %w", c.kind, err)
	}
	body["apiVersion"], body["kind"] = c.version, c.kind
	name := named.Meta.Name
	if method == http.MethodPost {
		name = ""
	}
	return named.Meta, c.send(method, c.path(named.Meta.Namespace, name)+"?fieldManager="+manager, body, nil)
}
