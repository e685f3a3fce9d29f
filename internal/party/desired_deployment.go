package party

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
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
	if template := ClusterTemplateFor(image, p.Role); template != nil {
		for _, c := range template.Spec.Containers {
			d.Containers = append(d.Containers, merged(c, p.Template.Spec.Containers))
		}
	}
	return d
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
