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

// Cluster is what is asked; a *kube.Client.
type Cluster interface {
	Get(ctx context.Context, kind kube.Kind, namespace, name string) (*unstructured.Unstructured, error)
	FirstServed(ctx context.Context, kinds ...kube.Kind) (kind kube.Kind, ok bool, err error)
	Masker(ctx context.Context) httpapi.Masker
}

// imagesKept is after which time the app images are read once more.
const imagesKept = 5 * time.Second

// deployment is one of the party's; nil if there is none. It is asked for by its
// name: a list by label makes the API server read those of all servings.
func (w *Reader) deployment(ctx context.Context, namespace, name string) (*kube.Deployment, error) {
	object, err := w.cluster.Get(ctx, kube.Deployments, namespace, name)
	switch {
	case errors.Is(err, apierror.ErrNotFound):
		return nil, nil //nolint:nilnil // there is none
	case err != nil:
		return nil, err //nolint:wrapcheck // the client's errors say what was asked
	}
	d := &kube.Deployment{}
	if err := kube.Decode(object, d); err != nil {
		return nil, fmt.Errorf("a Deployment cannot be read: %w", err)
	}
	return d, nil
}

// partner reports whether a domain is of another control plane, where its
// Deployment is, too. Who may not ask takes it for one of this one.
func (w *Reader) partner(ctx context.Context, domainID string) bool {
	if is, known := w.partners[domainID]; known {
		return is
	}
	object, err := w.cluster.Get(ctx, kube.Domains, "", domainID)
	domain := &kube.Domain{}
	if err == nil {
		err = kube.Decode(object, domain)
	}
	if err != nil {
		if w.unreadable == nil {
			w.unreadable = map[string]error{}
		}
		w.unreadable[domainID] = err
		return false
	}
	delete(w.unreadable, domainID)
	if w.partners == nil {
		w.partners = map[string]bool{}
	}
	w.partners[domainID] = domain.Spec.Role != ""
	return w.partners[domainID]
}

// image is an app image, nil where there is none. It may change during a wait.
func (w *Reader) image(ctx context.Context, name string) (*kube.AppImage, error) {
	if w.images == nil || time.Since(w.imagesAt) > imagesKept {
		w.images, w.imagesAt = map[string]*kube.AppImage{}, time.Now()
	}
	if image, known := w.images[name]; known {
		return image, nil
	}
	object, err := w.cluster.Get(ctx, kube.AppImages, "", name)
	switch {
	case errors.Is(err, apierror.ErrNotFound):
		w.images[name] = nil
		return nil, nil //nolint:nilnil // there is none
	case err != nil:
		return nil, err //nolint:wrapcheck // the client's errors say what was asked
	}
	image := &kube.AppImage{}
	if err := kube.Decode(object, image); err != nil {
		return nil, fmt.Errorf("app image %q cannot be read: %w", name, err)
	}
	w.images[name] = image
	return image, nil
}
