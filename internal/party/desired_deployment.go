package party

import (
	"maps"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// DesiredDeployment is the desired Deployment of a party.
type DesiredDeployment struct {
	// Namespace is the party's domain.
	Namespace, Name string
	// Owner is the name of the KusciaDeployment in the label of the Deployment, which is
	// compared only if the Deployment has the label; "" means any.
	Owner string
	// UID is that of the KusciaDeployment to which the Deployment must belong;
	// "" means any.
	UID string
	// Image is the reference of the container image; "" if unknown.
	Image string
	// InputConfig is the input_config of the containers.
	InputConfig string
	// Replicas is nil if Kuscia does not set the number.
	Replicas *int64
	// Strategy is nil if Kuscia does not set it.
	Strategy *kube.Strategy
	// Containers are the resources of the containers, as far as they are known.
	Containers []kube.PartyContainer
}

// DesiredDeploymentOf returns the Deployment that Kuscia derives from a party of a
// KusciaDeployment and its app image. image is nil if it is unknown.
func DesiredDeploymentOf(kd *kube.KusciaDeployment, p kube.KusciaDeploymentParty, image *kube.AppImage) DesiredDeployment {
	d := DesiredDeployment{
		Namespace: p.DomainID, Name: DeploymentName(kd.Metadata.Name, p.Role), Owner: kd.Metadata.Name, UID: kd.Metadata.UID,
		InputConfig: kd.Spec.InputConfig, Replicas: p.Template.Replicas, Strategy: p.Template.Strategy,
	}
	if image == nil {
		d.Containers = p.Template.Spec.Containers
		return d
	}
	d.Image = image.Reference()
	if applied := AppliedOf(image, p.Role); applied != nil {
		d.Containers = applied.with(p.Template.Spec.Containers)
	}
	return d
}

// Applied is what an update applies of an app image to the pods of a party.
type Applied struct {
	// Image is the reference of the container image.
	Image string
	// Containers are those of the template of the party, with their resources alone.
	Containers []kube.PartyContainer
}

// AppliedOf returns what an app image has for a role; nil if it has no template for that.
func AppliedOf(image *kube.AppImage, role string) *Applied {
	template := ClusterTemplateFor(image, role)
	if template == nil {
		return nil
	}
	applied := &Applied{Image: image.Reference()}
	for _, c := range template.Spec.Containers {
		applied.Containers = append(applied.Containers, kube.PartyContainer{Name: c.Name, Resources: c.Resources})
	}
	return applied
}

// with returns the containers with the settings of a party.
func (a *Applied) with(settings []kube.PartyContainer) (all []kube.PartyContainer) {
	for _, c := range a.Containers {
		all = append(all, merged(c, settings))
	}
	return all
}

// ReplacesPods reports whether an update with the settings of a party replaces pods that have these
// containers: it gives them another image or other resources.
func (a *Applied) ReplacesPods(settings []kube.PartyContainer, pods []kube.Container) bool {
	desired := DesiredDeployment{Image: a.Image, Containers: a.with(settings)}
	return slices.ContainsFunc(pods, func(c kube.Container) bool { return podDifference(desired, c) != "" })
}

// Text is the same for what has the same image and the same resources of the KusciaAPI, which
// carries CPU and memory.
func (a *Applied) Text() string {
	parts := []any{a.Image}
	for _, c := range a.Containers {
		parts = append(parts, c.Name, canonical(c.Resources.Requests), canonical(c.Resources.Limits))
	}
	return Digest(parts)
}

func canonical(amounts map[string]kube.IntOrString) map[string]string {
	out := map[string]string{}
	for _, name := range carried {
		if amount, has := amounts[name]; has {
			out[name] = roundedUp(string(amount))
		}
	}
	return out
}

// carried are the resources that the KusciaAPI carries.
var carried = []string{tfvalue.CPU, tfvalue.Memory}

// ChangedTo returns what an app image has that had this, once the KusciaAPI has changed it: the
// resources that it does not carry stay.
func (a *Applied) ChangedTo(after *Applied) *Applied {
	changed := &Applied{Image: after.Image}
	for _, c := range after.Containers {
		if i := slices.IndexFunc(a.Containers, func(old kube.PartyContainer) bool { return old.Name == c.Name }); i >= 0 {
			old := a.Containers[i].Resources
			c.Resources = kube.Resources{Requests: changedAmounts(old.Requests, c.Resources.Requests), Limits: changedAmounts(old.Limits, c.Resources.Limits)}
		}
		changed.Containers = append(changed.Containers, c)
	}
	return changed
}

func changedAmounts(before, after map[string]kube.IntOrString) map[string]kube.IntOrString {
	all := maps.Clone(before)
	if all == nil {
		all = map[string]kube.IntOrString{}
	}
	for _, name := range carried {
		delete(all, name)
	}
	maps.Copy(all, after)
	return all
}

// merged returns a container of an app image with the settings of a party: its
// requests and its limits each replace those of the image as a block.
func merged(c kube.PartyContainer, settings []kube.PartyContainer) kube.PartyContainer {
	for _, own := range settings {
		if own.Name != c.Name {
			continue
		}
		if len(own.Resources.Requests) > 0 {
			c.Resources.Requests = own.Resources.Requests
		}
		if len(own.Resources.Limits) > 0 {
			c.Resources.Limits = own.Resources.Limits
		}
	}
	return c
}
