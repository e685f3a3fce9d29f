// Package apiserver is an API server as the store of the sandbox's KusciaAPI.
package apiserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/dynamic"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// manager is the field manager of Kuscia's writes.
const manager = "kuscia"

// timeout limits a request.
const timeout = time.Minute

// New returns the objects of an API server, and a function that deletes those that were
// created through it.
func New(with dynamic.Interface) (api *objects.API, clean func() error) {
	images := &client[objects.AppImage]{with: with, resource: kuscia("appimages"), kind: "AppImage"}
	deployments := &client[objects.KusciaDeployment]{with: with, resource: kuscia("kusciadeployments"), kind: "KusciaDeployment"}
	return &objects.API{
		AppImages: images, KusciaDeployments: deployments,
		Deployments: &client[objects.Deployment]{with: with, resource: schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}, kind: "Deployment"},
		Services:    &client[objects.Service]{with: with, resource: schema.GroupVersionResource{Version: "v1", Resource: "services"}, kind: "Service"},
	}, func() error { return errors.Join(deployments.clean(), images.clean()) }
}

func kuscia(resource string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "kuscia.secretflow", Version: "v1alpha1", Resource: resource}
}

// client implements objects.Client for a kind.
type client[T any] struct {
	with     dynamic.Interface
	resource schema.GroupVersionResource
	kind     string

	mu      sync.Mutex
	created []objects.Meta
}

func (c *client[T]) in(namespace string) dynamic.ResourceInterface {
	if namespace == "" {
		return c.with.Resource(c.resource)
	}
	return c.with.Resource(c.resource).Namespace(namespace)
}

// Get implements objects.Client.
func (c *client[T]) Get(namespace, name string) (*T, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	object, err := c.in(namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return decode[T](object)
}

// List implements objects.Client.
func (c *client[T]) List(namespace string, with map[string]string) ([]*T, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	list, err := c.in(namespace).List(ctx, metav1.ListOptions{LabelSelector: labels.Set(with).String()})
	if err != nil {
		return nil, err
	}
	all := make([]*T, len(list.Items))
	for i := range list.Items {
		if all[i], err = decode[T](&list.Items[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Create implements objects.Client.
func (c *client[T]) Create(object *T) error {
	encoded, err := c.encode(object)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if _, err = c.in(encoded.GetNamespace()).Create(ctx, encoded, metav1.CreateOptions{FieldManager: manager}); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.created = append(c.created, objects.Meta{Namespace: encoded.GetNamespace(), Name: encoded.GetName()})
	return nil
}

// Update implements objects.Client.
func (c *client[T]) Update(object *T) error {
	encoded, err := c.encode(object)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	_, err = c.in(encoded.GetNamespace()).Update(ctx, encoded, metav1.UpdateOptions{FieldManager: manager})
	return err
}

// Delete implements objects.Client.
func (c *client[T]) Delete(namespace, name string) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if err := c.in(namespace).Delete(ctx, name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
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

func (c *client[T]) encode(object *T) (*unstructured.Unstructured, error) {
	encoded := &unstructured.Unstructured{}
	text, err := json.Marshal(object)
	if err == nil {
		err = utiljson.Unmarshal(text, &encoded.Object)
	}
	if err != nil {
		return nil, fmt.Errorf("encoding %s: %w", c.kind, err)
	}
	encoded.SetGroupVersionKind(c.resource.GroupVersion().WithKind(c.kind))
	return encoded, nil
}

func decode[T any](object *unstructured.Unstructured) (*T, error) {
	decoded := new(T)
	text, err := object.MarshalJSON()
	if err == nil {
		err = json.Unmarshal(text, decoded)
	}
	if err != nil {
		return nil, fmt.Errorf("decoding %s: %w", object.GetName(), err)
	}
	return decoded, nil
}
