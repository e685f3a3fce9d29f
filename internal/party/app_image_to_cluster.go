package party

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// ToCluster converts an app image of KusciaAPI to the form in which the Kubernetes API
// shows it, with the fields that kube.AppImage has.
func ToCluster(image *kuscia.AppImage) *kube.AppImage {
	out := &kube.AppImage{}
	out.Metadata.Name = image.Name
	out.Spec.Image.Name, out.Spec.Image.Tag = image.Image.Name, image.Image.Tag
	for i := range image.DeployTemplates {
		template := &image.DeployTemplates[i]
		made := kube.DeployTemplate{Name: template.Name, Role: template.Role, Replicas: new(int64(template.Replicas))}
		for j := range template.Containers {
			container := &template.Containers[j]
			made.Spec.Containers = append(made.Spec.Containers, kube.PartyContainer{Name: container.Name, Resources: clusterResources(container.Resources)})
		}
		out.Spec.DeployTemplates = append(out.Spec.DeployTemplates, made)
	}
	return out
}

func clusterResources(resources *kuscia.ResourceRequirements) (out kube.Resources) {
	if resources == nil {
		return out
	}
	return kube.Resources{Requests: amounts(resources.Requests), Limits: amounts(resources.Limits)}
}

func amounts(spec *kuscia.ResourceSpec) map[string]kube.IntOrString {
	if spec == nil {
		return nil
	}
	out := map[string]kube.IntOrString{}
	for name, amount := range map[string]string{tfvalue.CPU: spec.CPU, tfvalue.Memory: spec.Memory} {
		if amount != "" {
			out[name] = kube.IntOrString(amount)
		}
	}
	return out
}
