package versions

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// Index has the versions of all objects of servings at one time.
type Index struct {
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
func (o *Index) ImagesReadAt() time.Time { return o.imagesReadAt }

// object is the part of an object that is read.
type object struct {
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

// version changes with any change of an object.
func version(m kube.Metadata) string { return m.UID + "/" + m.ResourceVersion }

// specVersion changes with the specification of an object. Its status changes
// with every pod that starts or stops.
func specVersion(m kube.Metadata) string { return m.UID + "/" + strconv.FormatInt(m.Generation, 10) }

// servicesPerPage: Services are small and numerous.
const servicesPerPage = 2000

// List lists the objects of all servings in a cluster.
func List(ctx context.Context, client *kube.Client) (*Index, error) {
	var servings []kusciaDeployment
	var deployments, services, images []object
	all, ctx := errgroup.WithContext(ctx)
	list(ctx, all, &servings, client, kube.KusciaDeployments, kube.ListOptions{Namespace: kube.CrossDomain})
	// Deployments without Kuscia's labels are listed too: Kuscia gets
	// Deployments by name.
	list(ctx, all, &deployments, client, kube.Deployments, kube.ListOptions{})
	list(ctx, all, &services, client, kube.Services, kube.ListOptions{PageSize: servicesPerPage})
	list(ctx, all, &images, client, kube.AppImages, kube.ListOptions{})
	if err := all.Wait(); err != nil {
		return nil, err //nolint:wrapcheck // the client's errors name the request
	}
	return index(time.Now(), servings, deployments, services, images), nil
}

func list[T any](ctx context.Context, all *errgroup.Group, to *[]T, client *kube.Client, kind kube.Kind, options kube.ListOptions) {
	all.Go(func() (err error) {
		*to, err = kube.ListAs[T](ctx, client, kind, options)
		return err
	})
}

// index indexes the listed objects.
func index(imagesKnown time.Time, servings []kusciaDeployment, deployments, services, images []object) *Index {
	o := &Index{
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
		o.images[i.Metadata.Name] = version(i.Metadata)
	}
	for _, s := range services {
		text := s.Metadata.Namespace + "/" + s.Metadata.Name + "/" + version(s.Metadata)
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
func (o *Index) Created(servingID string) string {
	return o.servings[servingID].Metadata.CreationTimestamp
}

// Fingerprint returns the versions of all objects of a serving as one text; ""
// if the cluster has no such serving.
func (o *Index) Fingerprint(servingID string) string {
	kd, found := o.servings[servingID]
	if !found {
		return ""
	}
	var b strings.Builder
	line := func(what ...string) { fmt.Fprintf(&b, "%q\n", what) }
	line("serving", version(kd.Metadata))
	o.addServices(ofServing(servingID), line)
	for _, p := range kd.Spec.Parties {
		name := party.DeploymentName(servingID, p.Role)
		line("party", p.DomainID, p.Role, o.deployments[p.DomainID+"/"+name], p.AppImageRef, o.images[p.AppImageRef])
		o.addServices(ofDeployment(p.DomainID, name), line)
	}
	return b.String()
}

func (o *Index) addServices(key string, line func(what ...string)) {
	texts := slices.Clone(o.services[key])
	slices.Sort(texts)
	line(append([]string{"services"}, texts...)...)
}
