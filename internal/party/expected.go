package party

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// Expected is what the Deployment of a party has to become.
type Expected struct {
	// Namespace is the party's domain.
	Namespace, Name string
	// UID is that of the KusciaDeployment that the Deployment has to belong to; ""
	// is any.
	UID string
	// Image is the reference of the container image; "" is not known.
	Image string
	// InputConfig is the text that the containers get.
	InputConfig string
	// Replicas is nil where Kuscia does not set the number.
	Replicas *int64
	// Strategy is nil where Kuscia does not set it.
	Strategy *kube.Strategy
	// Containers are the resources of the containers, as far as they are known.
	Containers []kube.PartyContainer
}

// Expect is what Kuscia makes of a party of a KusciaDeployment and its app image,
// nil where that is not known.
func Expect(kd *kube.KusciaDeployment, p kube.KusciaDeploymentParty, image *kube.AppImage) Expected {
	e := Expected{
		Namespace: p.DomainID, Name: DeploymentName(kd.Metadata.Name, p.Role), UID: kd.Metadata.UID, InputConfig: kd.Spec.InputConfig,
		Replicas: p.Template.Replicas, Strategy: p.Template.Strategy,
	}
	if image == nil {
		e.Containers = p.Template.Spec.Containers
		return e
	}
	e.Image = image.Reference()
	if template := image.Template(p.Role); template != nil {
		for _, c := range template.Spec.Containers {
			e.Containers = append(e.Containers, merged(c, p.Template.Spec.Containers))
		}
	}
	return e
}

// merged is a container of an app image with a party's settings: all requests,
// and all limits, take the place of the image's.
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
