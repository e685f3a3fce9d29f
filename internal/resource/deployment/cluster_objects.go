package deployment

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
)

// An update of a deployment applies only the image and the resources of an app
// image to existing Deployments. A port that they do not have is an error; any
// other difference is a warning.

// appImageOf returns an app image of the cluster, nil if it cannot be parsed.
func appImageOf(object *unstructured.Unstructured) *kuscia.AppImage {
	image, err := party.FromCluster(object.Object)
	if err != nil {
		return nil
	}
	return image
}

// applied looks up what app images have now.
func (a clusterObjects) applied(appImage, role string, pods *deployedPods) *party.Applied {
	found, err := a.get(kube.AppImages, appImage)
	image := &kube.AppImage{}
	switch {
	case err == nil && kube.Decode(found, image) == nil:
		return party.AppliedOf(image, role)
	case pods != nil:
		return pods.Applied
	}
	return nil
}

// clusterObjects provides the cluster objects that a deployment depends on.
type clusterObjects struct {
	// get reads a cluster-scoped object.
	get func(kind kube.Kind, name string) (*unstructured.Unstructured, error)
	// isPlanned reports whether this run creates or changes an object, and image
	// returns an app image as planned, if it is known.
	isPlanned func(kind kube.Kind, name string) bool
	image     func(name string) *kuscia.AppImage
	// version is that of Kuscia, which is unknown if the provider block has none.
	version func() versions.Version
	// live is the current deployment, nil if it does not exist or cannot be
	// read.
	live *kube.KusciaDeployment
	// waits is set if app images and Deployments are needed to determine whether a
	// deployment runs.
	waits bool
	// plannedRole is the role that this run gives a domain; planned is false for none.
	plannedRole func(domain string) (role string, planned bool)
	// readDeployment reads a Deployment; nil in a plan.
	readDeployment func(namespace, name string) (*unstructured.Unstructured, error)
	// isNew is set in the apply of a create.
	isNew bool
	// creates is set for a plan in which the Deployments will be new.
	creates bool
}

// current returns the current app image, nil if it is not known.
func (a clusterObjects) current(name string) *kuscia.AppImage {
	if name == "" {
		return nil
	}
	found, err := a.get(kube.AppImages, name)
	if err != nil {
		return nil
	}
	return appImageOf(found)
}

// plannedOrCurrent returns an app image as this run plans it, else the current one; nil if
// it is not known.
func (a clusterObjects) plannedOrCurrent(name string) *kuscia.AppImage {
	if a.isPlanned(kube.AppImages, name) {
		return a.image(name)
	}
	return a.current(name)
}

// planObjects returns the surroundings for a plan. Each object is read once per run.
func planObjects(ctx context.Context, c *run.Run, client *kube.Client, live *object) clusterObjects {
	return clusterObjects{
		live: live.kusciaDeployment(),
		get: func(kind kube.Kind, name string) (*unstructured.Unstructured, error) {
			return c.LookupKubernetes(ctx, client, kind, "", name)
		},
		image: func(name string) *kuscia.AppImage { return c.AppImages.LookupPlanned(ctx)(name) },

		plannedRole: c.Domains.PlannedRole,
		isPlanned: func(kind kube.Kind, name string) bool {
			switch kind {
			case kube.AppImages:
				return c.AppImages != nil && c.AppImages.IsPlanned(name)
			case kube.Domains:
				return c.Domains != nil && c.Domains.IsPlanned(name)
			}
			return false
		},
	}
}

// applyObjects returns the surroundings for an apply, which uses the current
// objects. Each object is read once.
func applyObjects(ctx context.Context, client *kube.Client, live *object, waits bool) clusterObjects {
	type response struct {
		object *unstructured.Unstructured
		err    error
	}
	known := map[string]response{}
	get := func(kind kube.Kind, name string) (*unstructured.Unstructured, error) {
		key := kind.Resource + "/" + name
		if _, requested := known[key]; !requested {
			object, err := client.Get(ctx, kind, "", name)
			known[key] = response{object, err}
		}
		return known[key].object, known[key].err
	}
	return clusterObjects{
		live: live.kusciaDeployment(), waits: waits, get: get,
		isPlanned:   func(kube.Kind, string) bool { return false },
		plannedRole: func(string) (string, bool) { return "", false },
		readDeployment: func(namespace, name string) (*unstructured.Unstructured, error) {
			return client.Get(ctx, kube.Deployments, namespace, name)
		},
	}
}

// isPartner reports whether another control plane runs a domain: Kuscia creates nothing in
// it here. A domain that cannot be read counts as one of this control plane.
func isPartner(objects clusterObjects, id string) bool {
	if id == "" || objects.isPlanned(kube.Domains, id) {
		return false
	}
	role, known := roleOf(objects, id)
	return known && role != ""
}

// runsHere reports whether this control plane runs a domain, also after this run, as far as
// that is certain.
func runsHere(objects clusterObjects, id string) bool {
	if role, planned := objects.plannedRole(id); planned {
		return role == ""
	}
	role, known := roleOf(objects, id)
	return known && role == ""
}

// roleOf is the role of a domain in the cluster.
func roleOf(objects clusterObjects, id string) (role string, known bool) {
	found, err := objects.get(kube.Domains, id)
	domain := &kube.Domain{}
	if err != nil || kube.Decode(found, domain) != nil {
		return "", false
	}
	return domain.Spec.Role, true
}
