package serving

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

// imageVersions caches the versions of app images for a run: many servings have the
// same ones. A version that is too old only causes a query to Kuscia in a later
// run. The zero value is ready to use.
type imageVersions struct {
	mu    sync.Mutex
	known map[string]knownImage
}

// knownImage is an app image and when its version was read.
type knownImage struct {
	versionedObject

	at time.Time
}

// getVersions gets the objects of one serving by their names, without a list. Its
// Services are those of the endpoints in its status.
func getVersions(ctx context.Context, client *kube.Client, servingID string, status *kuscia.ServingStatusDetail, images *imageVersions) (*versionIndex, error) {
	var serving kusciaDeployment
	if err := getVersion(ctx, client, kube.KusciaDeployments, kube.CrossDomain, servingID, &serving); err != nil {
		return nil, err
	}
	var deployments, services, ofParties []versionedObject
	var imagesKnown time.Time
	for _, p := range serving.Spec.Parties {
		var d versionedObject
		if err := getVersion(ctx, client, kube.Deployments, p.DomainID, party.DeploymentName(servingID, p.Role), &d); err != nil {
			return nil, err
		}
		image, err := images.get(ctx, client, p.AppImageRef)
		if err != nil {
			return nil, err
		}
		deployments, ofParties = append(deployments, d), append(ofParties, image.versionedObject)
		if image.at.After(imagesKnown) {
			imagesKnown = image.at
		}
	}
	for _, p := range status.PartyStatuses {
		for _, e := range p.Endpoints {
			name, rest, _ := strings.Cut(e.Endpoint, ".")
			namespace, _, _ := strings.Cut(rest, ".")
			var s versionedObject
			if err := getVersion(ctx, client, kube.Services, namespace, name, &s); err != nil {
				return nil, err
			}
			services = append(services, s)
		}
	}
	return indexVersions(imagesKnown, []kusciaDeployment{serving}, deployments, services, ofParties), nil
}

// getVersion gets an object; one that does not exist has no version.
func getVersion(ctx context.Context, client *kube.Client, kind kube.Kind, namespace, name string, to any) error {
	if name == "" || namespace == "" && kind != kube.AppImages {
		return errNoName
	}
	found, err := client.Get(ctx, kind, namespace, name)
	switch {
	case errors.Is(err, apierror.ErrNotFound):
		return nil
	case err != nil:
		return err
	}
	if err := kube.Decode(found, to); err != nil {
		return fmt.Errorf("%s %q cannot be read: %w", kind.Kind, name, err)
	}
	return nil
}

var errNoName = errors.New("an endpoint does not have the form of a Service's name")

// get does not hold the lock during the request: a cluster that does not respond
// would make others wait regardless of their contexts.
func (i *imageVersions) get(ctx context.Context, client *kube.Client, name string) (knownImage, error) {
	i.mu.Lock()
	image, known := i.known[name]
	i.mu.Unlock()
	if known {
		return image, nil
	}
	if err := getVersion(ctx, client, kube.AppImages, "", name, &image.versionedObject); err != nil {
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
