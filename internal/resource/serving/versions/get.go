package versions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// Images caches the versions of app images for a run: many servings have the
// same ones. A version that is too old only causes a query to Kuscia in a later
// run. The zero value is ready to use.
type Images struct {
	mu    sync.Mutex
	known map[string]knownImage
}

// knownImage is an app image and when its version was read.
type knownImage struct {
	object

	at time.Time
}

// Get gets the objects of one serving by their names, without a list. Its
// Services are those of the endpoints in its status.
func Get(ctx context.Context, client *kube.Client, servingID string, status *kuscia.ServingStatusDetail, images *Images) (*Index, error) {
	var serving kusciaDeployment
	if err := get(ctx, client, kube.KusciaDeployments, kube.CrossDomain, servingID, &serving); err != nil {
		return nil, err
	}
	var deployments, services, ofParties []object
	var imagesKnown time.Time
	for _, p := range serving.Spec.Parties {
		var d object
		if err := get(ctx, client, kube.Deployments, p.DomainID, party.DeploymentName(servingID, p.Role), &d); err != nil {
			return nil, err
		}
		image, err := images.get(ctx, client, p.AppImageRef)
		if err != nil {
			return nil, err
		}
		deployments, ofParties = append(deployments, d), append(ofParties, image.object)
		if image.at.After(imagesKnown) {
			imagesKnown = image.at
		}
	}
	for _, p := range status.PartyStatuses {
		for _, e := range p.Endpoints {
			name, rest, _ := strings.Cut(e.Endpoint, ".")
			namespace, _, _ := strings.Cut(rest, ".")
			var s object
			if err := get(ctx, client, kube.Services, namespace, name, &s); err != nil {
				return nil, err
			}
			services = append(services, s)
		}
	}
	return index(imagesKnown, []kusciaDeployment{serving}, deployments, services, ofParties), nil
}

// get gets an object; one that does not exist has no version.
func get(ctx context.Context, client *kube.Client, kind kube.Kind, namespace, name string, to any) error {
	if name == "" || namespace == "" && kind != kube.AppImages {
		return errNoName
	}
	found, err := client.Get(ctx, kind, namespace, name)
	switch {
	case errors.Is(err, apierror.ErrNotFound):
		return nil
	case err != nil:
		return err //nolint:wrapcheck // the client's errors name the request
	}
	if err := kube.Decode(found, to); err != nil {
		return fmt.Errorf("%s %q cannot be read: %w", kind.Kind, name, err)
	}
	return nil
}

var errNoName = errors.New("an endpoint does not have the form of a Service's name")

// get does not hold the lock during the request: a cluster that does not respond
// would make others wait regardless of their contexts.
func (i *Images) get(ctx context.Context, client *kube.Client, name string) (knownImage, error) {
	i.mu.Lock()
	image, known := i.known[name]
	i.mu.Unlock()
	if known {
		return image, nil
	}
	if err := get(ctx, client, kube.AppImages, "", name, &image.object); err != nil {
		return image, err
	}
	image.at = time.Now()
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.known == nil {
		i.known = map[string]knownImage{}
	}
	i.known[name] = image
	return image, nil
}
