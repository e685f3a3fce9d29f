package controller

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// Caches are the objects that the API server has, which all controllers share: so each
// change is sent and decoded once.
type Caches struct {
	factory dynamicinformer.DynamicSharedInformerFactory
}

// NewCaches makes the caches; each fills once a controller that uses it starts.
func NewCaches(config *rest.Config) (*Caches, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	return &Caches{factory: dynamicinformer.NewDynamicSharedInformerFactory(client, 0)}, nil
}

// Informer returns the cache of a kind. Call it before Start.
func (c *Caches) Informer(resource schema.GroupVersionResource) cache.SharedIndexInformer {
	return c.factory.ForResource(resource).Informer()
}

// Start fills the caches. They end with the context of the first call.
func (c *Caches) Start(ctx context.Context) error {
	c.factory.Start(ctx.Done())
	for resource, synced := range c.factory.WaitForCacheSync(ctx.Done()) {
		if !synced {
			return fmt.Errorf("no list of %s: %w", resource.Resource, context.Cause(ctx))
		}
	}
	return nil
}

// Objects reads from caches and writes to the API server, as one field manager.
type Objects struct {
	*Caches
	client dynamic.Interface
}

// NewObjects returns the objects for the field manager with the name in the configuration.
func NewObjects(config *rest.Config, caches *Caches) (*Objects, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	return &Objects{Caches: caches, client: client}, nil
}

// Kind is a kind of object with its Go type.
type Kind[T any] struct {
	Resource schema.GroupVersionResource
	Kind     string
}

// Client of the API server, for operations without a function in this package.
func (o *Objects) Client(resource schema.GroupVersionResource, namespace string) dynamic.ResourceInterface {
	if namespace == "" {
		return o.client.Resource(resource)
	}
	return o.client.Resource(resource).Namespace(namespace)
}

// Cached returns an object from the cache; nil if it does not exist.
func (k Kind[T]) Cached(o *Objects, namespace, name string) (*T, error) {
	key := name
	if namespace != "" {
		key = namespace + "/" + name
	}
	object, found, err := o.Informer(k.Resource).GetStore().GetByKey(key)
	if err != nil || !found {
		return nil, err
	}
	return k.From(object)
}

// CachedWith lists the objects of a namespace in the cache that have labels;
// of every namespace for "".
func (k Kind[T]) CachedWith(o *Objects, namespace string, selector labels.Set) ([]*T, error) {
	var all []*T
	for _, object := range o.Informer(k.Resource).GetStore().List() {
		one, ok := object.(*unstructured.Unstructured)
		if !ok || (namespace != "" && one.GetNamespace() != namespace) || !selector.AsSelector().Matches(labels.Set(one.GetLabels())) {
			continue
		}
		typed, err := k.From(one)
		if err != nil {
			return nil, err
		}
		all = append(all, typed)
	}
	return all, nil
}

// Live reads an object from the API server; nil if it does not exist.
func (k Kind[T]) Live(ctx context.Context, o *Objects, namespace, name string) (*T, error) {
	object, err := o.Client(k.Resource, namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return k.From(object)
}

// From converts an object of a cache to its Go type.
func (k Kind[T]) From(object any) (*T, error) {
	one, ok := object.(*unstructured.Unstructured)
	if !ok {
		return nil, fmt.Errorf("%T is no object", object)
	}
	typed := new(T)
	return typed, runtime.DefaultUnstructuredConverter.FromUnstructured(one.Object, typed)
}

// To converts a Go value to an object.
func (k Kind[T]) To(value *T) (*unstructured.Unstructured, error) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(value)
	if err != nil {
		return nil, err
	}
	object := &unstructured.Unstructured{Object: content}
	object.SetGroupVersionKind(k.Resource.GroupVersion().WithKind(k.Kind))
	unstructured.RemoveNestedField(content, "metadata", "creationTimestamp")
	return object, nil
}

// Create creates an object and returns the stored one.
func (k Kind[T]) Create(ctx context.Context, o *Objects, value *T) (*T, error) {
	return k.write(value, func(client dynamic.ResourceInterface, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
		return client.Create(ctx, object, metav1.CreateOptions{})
	}, o)
}

// Update replaces an object, unless it has changed since it was read.
func (k Kind[T]) Update(ctx context.Context, o *Objects, value *T) (*T, error) {
	return k.write(value, func(client dynamic.ResourceInterface, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
		return client.Update(ctx, object, metav1.UpdateOptions{})
	}, o)
}

// UpdateStatus replaces the status of an object, unless it has changed since it
// was read.
func (k Kind[T]) UpdateStatus(ctx context.Context, o *Objects, value *T) (*T, error) {
	return k.write(value, func(client dynamic.ResourceInterface, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
		return client.UpdateStatus(ctx, object, metav1.UpdateOptions{})
	}, o)
}

func (k Kind[T]) write(value *T, send func(dynamic.ResourceInterface, *unstructured.Unstructured) (*unstructured.Unstructured, error), o *Objects) (*T, error) {
	object, err := k.To(value)
	if err != nil {
		return nil, err
	}
	written, err := send(o.Client(k.Resource, object.GetNamespace()), object)
	if err != nil {
		return nil, err
	}
	return k.From(written)
}

// Delete deletes an object. It is no error if it does not exist.
func (k Kind[T]) Delete(ctx context.Context, o *Objects, namespace, name string) error {
	err := o.Client(k.Resource, namespace).Delete(ctx, name, metav1.DeleteOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// Watched is the cache of the kind.
func (k Kind[T]) Watched(o *Objects) cache.SharedIndexInformer { return o.Informer(k.Resource) }
