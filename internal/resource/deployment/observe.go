package deployment

import (
	"context"
	"errors"
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// Whether an apply replaces the pods of a party is decided once, here, and is the planned
// pod_revision of the party. Kuscia has input_config in the environment of every pod, and applies
// image and resources of the current app images with any update. So the pods of all parties are new
// after another input_config, and those of one party if anything is sent and their Deployment would
// get another image or other resources than the last refresh has seen.
//
// Terraform plans once more in the apply, and what was known then must not change. So a plan knows
// an app image only from what this run gives it, or from what the last refresh has stored.

// deployedParties are what is remembered of the parties, by their keys.
type deployedParties map[string]deployedParty

// deployedParty is what is remembered of a party.
type deployedParty struct {
	// Definition are the digests of the app image from which its Deployment was created, see
	// party.DefinitionDigests.
	Definition map[string]string `json:"definition,omitempty"`
	// Pods are those that the last refresh has seen; nil if it could not, as those of a partner.
	Pods *deployedPods `json:"pods,omitempty"`
}

// deployedPods are the pods that a Deployment had.
type deployedPods struct {
	// Containers are those of its template, without their variables.
	Containers []kube.Container `json:"containers"`
	// AppImage is the name of the app image of the party, and Applied what it had then.
	AppImage string         `json:"app_image"`
	Applied  *party.Applied `json:"applied"`
}

// observe remembers the pods of a deployment for its next plan.
func observe(ctx context.Context, c *run.Run, w crud.Watched[object], found *object) crud.Memory {
	client, err := c.OpenKubernetes()
	if err != nil {
		return w.Memory
	}
	get := func(kind kube.Kind, namespace, name string) (*unstructured.Unstructured, error) {
		if w.Created || w.Updated { // a list may be from before the write
			return client.Get(ctx, kind, namespace, name)
		}
		return c.ReadKubernetes(ctx, client, kind, namespace, namespace, name)
	}
	known := maps.Clone(crud.Recall[deployedParties](w.Memory))
	if known == nil {
		known = deployedParties{}
	}
	for _, p := range found.found.Spec.Parties {
		key := party.Key{DomainID: p.DomainID, Role: p.Role}.String()
		entry := known[key]
		if entry.Pods, err = podsOf(get, found.found.Metadata.Name, p); err == nil {
			known[key] = entry
		}
	}
	return crud.Remember(known)
}

// podsOf returns the pods of a party; nil for those of a partner, and where there are none.
func podsOf(get func(kind kube.Kind, namespace, name string) (*unstructured.Unstructured, error), name string, p kube.KusciaDeploymentParty) (*deployedPods, error) {
	domain, image, deployment := &kube.Domain{}, &kube.AppImage{}, &kube.Deployment{}
	for _, object := range []struct {
		kind            kube.Kind
		namespace, name string
		into            any
	}{
		{kube.Domains, "", p.DomainID, domain}, {kube.AppImages, "", p.AppImageRef, image},
		{kube.Deployments, p.DomainID, party.DeploymentName(name, p.Role), deployment},
	} {
		found, err := get(object.kind, object.namespace, object.name)
		switch {
		case errors.Is(err, apierror.ErrNotFound), errors.Is(err, kube.ErrForbidden):
			return nil, nil // they cannot be known
		case err != nil:
			return nil, err
		}
		if err := kube.Decode(found, object.into); err != nil || domain.Spec.Role != "" {
			return nil, nil //nolint:nilerr // what cannot be read is not known
		}
	}
	pods := &deployedPods{AppImage: p.AppImageRef, Applied: party.AppliedOf(image, p.Role)}
	if pods.Applied == nil || deployment.Metadata.Labels[kube.LabelKDName] != name {
		return nil, nil // another KusciaDeployment has it
	}
	for _, c := range deployment.Spec.Template.Spec.Containers {
		pods.Containers = append(pods.Containers, kube.Container{Name: c.Name, Image: c.Image, Resources: c.Resources})
	}
	return pods, nil
}
