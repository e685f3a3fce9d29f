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

// Index are the versions of all objects of servings at a time.
type Index struct {
	imagesReadAt time.Time
	servings     map[string]kusciaDeployment
	// deployments and images are versions by namespace and name, and by name.
	deployments, images map[string]string
	// services are names with versions by what they are of, see ofDeployment and
	// ofServing.
	services map[string][]string
}

// ImagesReadAt is when the versions of all app images were known: what Kuscia is asked
// from then on is not older than any of them.
func (o *Index) ImagesReadAt() time.Time { return o.imagesReadAt }

// object is what is read of an object.
type object struct {
	Metadata kube.Metadata `json:"metadata"`
}

// kusciaDeployment is what is read of a KusciaDeployment.
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

// version tells an object from what it is after any change.
func version(m kube.Metadata) string { return m.UID + "/" + m.ResourceVersion }

// specVersion tells an object from what it is after a change of its
// specification. Status changes with every pod that comes or goes.
func specVersion(m kube.Metadata) string { return m.UID + "/" + strconv.FormatInt(m.Generation, 10) }

// servicesPerPage: they are small and many.
const servicesPerPage = 2000

// List asks a cluster for the objects of all servings.
func List(ctx context.Context, client *kube.Client) (*Index, error) {
	var servings []kusciaDeployment
	var deployments, services, images []object
	all, ctx := errgroup.WithContext(ctx)
	list(ctx, all, &servings, client, kube.KusciaDeployments, kube.ListOptions{Namespace: kube.CrossDomain})
	// Those without Kuscia's labels, too: it asks for Deployments by their names.
	list(ctx, all, &deployments, client, kube.Deployments, kube.ListOptions{})
	list(ctx, all, &services, client, kube.Services, kube.ListOptions{PageSize: servicesPerPage})
	list(ctx, all, &images, client, kube.AppImages, kube.ListOptions{})
	if err := all.Wait(); err != nil {
		return nil, err //nolint:wrapcheck // the client's errors say what was asked
	}
	return index(time.Now(), servings, deployments, services, images), nil
}

func list[T any](ctx context.Context, all *errgroup.Group, to *[]T, client *kube.Client, kind kube.Kind, options kube.ListOptions) {
	all.Go(func() (err error) {
		*to, err = kube.ListAs[T](ctx, client, kind, options)
		return err
	})
}

// index orders what was listed.
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

// Created is when the KusciaDeployment of a serving was created, in RFC 3339; "" if
// the cluster has none.
func (o *Index) Created(servingID string) string {
	return o.servings[servingID].Metadata.CreationTimestamp
}

// Fingerprint are the versions of what a serving is made of, as one text; "" if the cluster
// has no such serving.
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
