package rolloutstatus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// Cluster has the methods of *kube.Client that a Reader needs.
type Cluster interface {
	PodLister
	Get(ctx context.Context, kind kube.Kind, namespace, name string) (*unstructured.Unstructured, error)
	FirstServed(ctx context.Context, kinds ...kube.Kind) (kind kube.Kind, ok bool, err error)
	Masker(ctx context.Context) httpapi.Masker
}

// imageCacheTTL is how long an app image is cached before it is read again.
const imageCacheTTL = 5 * time.Second

// deployment gets a Deployment; nil if there is none. It is queried by name: a
// list by label makes the API server read the Deployments of all servings.
func (r *Reader) deployment(ctx context.Context, namespace, name string) (*kube.Deployment, error) {
	object, err := r.cluster.Get(ctx, kube.Deployments, namespace, name)
	switch {
	case errors.Is(err, apierror.ErrNotFound):
		return nil, nil // it does not exist
	case err != nil:
		return nil, err
	}
	d := &kube.Deployment{}
	if err := kube.Decode(object, d); err != nil {
		return nil, fmt.Errorf("a Deployment cannot be read: %w", err)
	}
	return d, nil
}

// isPartner reports whether a domain belongs to another control plane, which then
// has its Deployment. Without permission to query it, the domain counts as one
// of this control plane.
func (r *Reader) isPartner(ctx context.Context, domainID string) bool {
	if is, known := r.partners[domainID]; known {
		return is
	}
	object, err := r.cluster.Get(ctx, kube.Domains, "", domainID)
	domain := &kube.Domain{}
	if err == nil {
		err = kube.Decode(object, domain)
	}
	if err != nil {
		if r.unreadable == nil {
			r.unreadable = map[string]error{}
		}
		r.unreadable[domainID] = err
		return false
	}
	delete(r.unreadable, domainID)
	if r.partners == nil {
		r.partners = map[string]bool{}
	}
	r.partners[domainID] = domain.Spec.Role != ""
	return r.partners[domainID]
}

// image gets an app image, nil if there is none. It may change during a wait.
func (r *Reader) image(ctx context.Context, name string) (*kube.AppImage, error) {
	if r.images == nil || time.Since(r.imagesAt) > imageCacheTTL {
		r.images, r.imagesAt = map[string]*kube.AppImage{}, time.Now()
	}
	if image, known := r.images[name]; known {
		return image, nil
	}
	object, err := r.cluster.Get(ctx, kube.AppImages, "", name)
	switch {
	case errors.Is(err, apierror.ErrNotFound):
		r.images[name] = nil
		return nil, nil // it does not exist
	case err != nil:
		return nil, err
	}
	image := &kube.AppImage{}
	if err := kube.Decode(object, image); err != nil {
		return nil, fmt.Errorf("app image %q cannot be read: %w", name, err)
	}
	r.images[name] = image
	return image, nil
}
