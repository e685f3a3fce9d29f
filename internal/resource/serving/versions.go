package serving

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// versionIndex has the versions of all objects of servings at one time.
type versionIndex struct {
	imagesReadAt time.Time
	servings     map[string]kusciaDeployment
	// deployments and images have versions by namespace and name, and by name.
	deployments, images map[string]string
	// services have names with versions by their owner, see ofDeployment and
	// ofServing.
	services map[string][]string
}

// ImagesReadAt is when the versions of all app images were read: a later
// response of Kuscia is not older than any of them.
func (o *versionIndex) ImagesReadAt() time.Time { return o.imagesReadAt }

// versionedObject is the part of an object that is read.
type versionedObject struct {
	Metadata kube.Metadata `json:"metadata"`
}

// kusciaDeployment is the part of a KusciaDeployment that is read.
type kusciaDeployment struct {
	Metadata kube.Metadata `json:"metadata"`
	Spec     struct {
		Parties []struct {
			DomainID    string `json:"domainID"`
			Role        string `json:"role"`
			AppImageRef string `json:"appImageRef"`
		} `json:"parties"`
	} `json:"spec"`
}

// versionOf changes with any change of an object.
func versionOf(m kube.Metadata) string { return m.UID + "/" + m.ResourceVersion }

// specVersion changes with the specification of an object. Its status changes
// with every pod that starts or stops.
func specVersion(m kube.Metadata) string { return m.UID + "/" + strconv.FormatInt(m.Generation, 10) }

// servicesPerPage: Services are small and numerous.
const servicesPerPage = 2000

// listVersions lists the objects of all servings in a cluster.
func listVersions(ctx context.Context, client *kube.Client) (*versionIndex, error) {
	var servings []kusciaDeployment
	var deployments, services, images []versionedObject
	all, ctx := errgroup.WithContext(ctx)
	listInto(ctx, all, &servings, client, kube.KusciaDeployments, kube.ListOptions{Namespace: kube.CrossDomain})
	// Deployments without Kuscia's labels are listed too: Kuscia gets
	// Deployments by name.
	listInto(ctx, all, &deployments, client, kube.Deployments, kube.ListOptions{})
	listInto(ctx, all, &services, client, kube.Services, kube.ListOptions{PageSize: servicesPerPage})
	listInto(ctx, all, &images, client, kube.AppImages, kube.ListOptions{})
	if err := all.Wait(); err != nil {
		return nil, err
	}
	return indexVersions(time.Now(), servings, deployments, services, images), nil
}

func listInto[T any](ctx context.Context, all *errgroup.Group, to *[]T, client *kube.Client, kind kube.Kind, options kube.ListOptions) {
	all.Go(func() (err error) {
		*to, err = kube.ListAs[T](ctx, client, kind, options)
		return err
	})
}

// indexVersions indexes the listed objects.
func indexVersions(imagesKnown time.Time, servings []kusciaDeployment, deployments, services, images []versionedObject) *versionIndex {
	o := &versionIndex{
		imagesReadAt: imagesKnown, servings: make(map[string]kusciaDeployment, len(servings)),
		deployments: make(map[string]string, len(deployments)), images: make(map[string]string, len(images)),
		services: make(map[string][]string, len(services)),
	}
	for _, kd := range servings {
		o.servings[kd.Metadata.Name] = kd
	}
	for _, d := range deployments {
		o.deployments[d.Metadata.Namespace+"/"+d.Metadata.Name] = specVersion(d.Metadata)
	}
	for _, i := range images {
		o.images[i.Metadata.Name] = versionOf(i.Metadata)
	}
	for _, s := range services {
		text := s.Metadata.Namespace + "/" + s.Metadata.Name + "/" + versionOf(s.Metadata)
		if name := s.Metadata.Labels[kube.LabelDeploymentName]; name != "" {
			key := ofDeployment(s.Metadata.Namespace, name)
			o.services[key] = append(o.services[key], text)
		}
		if name := s.Metadata.Labels[kube.LabelKDName]; name != "" {
			o.services[ofServing(name)] = append(o.services[ofServing(name)], text)
		}
	}
	return o
}

func ofDeployment(namespace, name string) string { return "deployment " + namespace + "/" + name }
func ofServing(id string) string                 { return "serving " + id }

// Created is when the KusciaDeployment of a serving was created, in RFC 3339; ""
// if the cluster has none.
func (o *versionIndex) Created(servingID string) string {
	return o.servings[servingID].Metadata.CreationTimestamp
}

// Fingerprint returns the versions of all objects of a serving as one text; ""
// if the cluster has no such serving.
func (o *versionIndex) Fingerprint(servingID string) string {
	kd, found := o.servings[servingID]
	if !found {
		return ""
	}
	var b strings.Builder
	line := func(what ...string) { fmt.Fprintf(&b, "%q\n", what) }
	line("serving", versionOf(kd.Metadata))
	o.addServices(ofServing(servingID), line)
	for _, p := range kd.Spec.Parties {
		name := party.DeploymentName(servingID, p.Role)
		line("party", p.DomainID, p.Role, o.deployments[p.DomainID+"/"+name], p.AppImageRef, o.images[p.AppImageRef])
		o.addServices(ofDeployment(p.DomainID, name), line)
	}
	return b.String()
}

func (o *versionIndex) addServices(key string, line func(what ...string)) {
	texts := slices.Clone(o.services[key])
	slices.Sort(texts)
	line(append([]string{"services"}, texts...)...)
}

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
