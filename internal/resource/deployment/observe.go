package deployment

import (
	"context"
	"errors"
	"maps"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// known adds the pod revisions to a plan.
func known(ctx context.Context, c *run.Run, from crud.Planned) definition.Value {
	prior := from.Prior
	if len(from.Replaces) > 0 {
		prior = tftypes.NewValue(prior.Type(), nil) // a new one
	}
	return withPodRevisions(from.Planned, prior, crud.Recall[deployedParties](from.Memory), sendingOf(from.Planned, from.Sent), plannedApplied(ctx, c))
}

// plannedApplied looks up what this run gives app images, or else what the last refresh has seen.
func plannedApplied(ctx context.Context, c *run.Run) appliedLookup {
	return func(appImage, role string, pods *deployedPods) *party.Applied {
		var seen *party.Applied
		text := ""
		if pods != nil && pods.Applied != nil {
			seen, text = pods.Applied, pods.Applied.Text()
		}
		if c == nil || c.AppImages == nil {
			return seen
		}
		texts := map[string]*party.Applied{}
		value, changed := c.AppImages.Changed(ctx, appImage, text, func(image *kuscia.AppImage) string {
			applied := appliedOf(image, role)
			if applied == nil {
				return ""
			}
			text := applied.Text()
			texts[text] = applied
			return text
		})
		switch after := texts[value]; {
		case !changed || value == text:
			return seen
		case after != nil && seen != nil:
			return seen.ChangedTo(after)
		default:
			return after
		}
	}
}

// appliedOf returns what an update applies of an app image of the KusciaAPI; nil if it has no template
// for the role.
func appliedOf(image *kuscia.AppImage, role string) *party.Applied {
	return party.AppliedOf(party.ToCluster(image), role)
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
