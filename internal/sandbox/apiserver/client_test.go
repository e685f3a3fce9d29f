package apiserver

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// counting is an API server that counts creates and deletes.
type counting struct {
	dynamic.NamespaceableResourceInterface
	created, deleted atomic.Int32
}

// Resource implements dynamic.Interface.
func (c *counting) Resource(schema.GroupVersionResource) dynamic.NamespaceableResourceInterface {
	return c
}

// Create implements dynamic.ResourceInterface.
func (c *counting) Create(_ context.Context, object *unstructured.Unstructured, _ metav1.CreateOptions, _ ...string) (*unstructured.Unstructured, error) {
	c.created.Add(1)
	return object, nil
}

// Delete implements dynamic.ResourceInterface.
func (c *counting) Delete(context.Context, string, metav1.DeleteOptions, ...string) error {
	c.deleted.Add(1)
	return nil
}

// TestCleanWhileCreating: what is created during a clean-up does not disturb it, and is
// deleted by the next one.
func TestCleanWhileCreating(t *testing.T) {
	server := &counting{}
	api, clean := New(server)
	done := make(chan error)
	go func() {
		var err error
		for i := 0; i < 100 && err == nil; i++ {
			err = api.AppImages.Create(&objects.AppImage{Meta: objects.Meta{Name: fmt.Sprint("image-", i)}})
		}
		done <- err
	}()
	for range 100 {
		if err := clean(); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	before := server.deleted.Load()
	if err := clean(); err != nil || server.created.Load() != 100 || server.deleted.Load()-before != 100 {
		t.Errorf("%d created, the last clean-up deleted %d: %v", server.created.Load(), server.deleted.Load()-before, err)
	}
}
