package serving

import (
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/appimage"
)

// Reasons of a failed serving, as Kuscia names them.
const (
	reasonKit        = "BuildPartyKitInfoFailed"
	reasonPorts      = "AllocatePortsFailed"
	reasonService    = "CreateServiceFailed"
	reasonDeployment = "CreateDeploymentFailed"
	reasonRetries    = "RetryProcessingFailed"
)

// failure is an error that the controller reports in the status; other errors
// are retried.
type failure struct{ reason, message string }

// Error implements error.
func (f *failure) Error() string { return f.message }

// kit is what the controller needs to deploy one party: the app image's
// template, overridden by the party's values.
type kit struct {
	key       cluster.Key // of the Deployment
	party     PartySpec
	image     string
	replicas  int32
	resources []kuscia.Resource
	template  *kuscia.DeployTemplate
	ports     []kuscia.ContainerPort
}

// buildKits builds the kits of all parties. Parties with the same domain and
// role share the kit of the last of them.
func (w *Servings) buildKits(sv *serving) ([]*kit, error) {
	byKey := map[partyKey]*kit{}
	for _, party := range sv.spec.Parties {
		k, err := w.buildKit(sv, party)
		if err != nil {
			return nil, &failure{reasonKit, fmt.Sprintf("failed to build domain %s kit info, %v", party.DomainID, err)}
		}
		byKey[partyKey{party.DomainID, party.Role}] = k
	}
	kits := make([]*kit, len(sv.spec.Parties))
	for i, party := range sv.spec.Parties {
		kits[i] = byKey[partyKey{party.DomainID, party.Role}]
	}
	return kits, nil
}

func (w *Servings) buildKit(sv *serving, party PartySpec) (*kit, error) {
	if !w.domains.HasNamespace(party.DomainID) {
		return nil, fmt.Errorf("failed to get namespace %s, namespace %q not found", party.DomainID, party.DomainID)
	}
	image := w.images.ByName[party.AppImage]
	if image == nil {
		return nil, fmt.Errorf("failed to get appImage %q, appimage.kuscia.secretflow %q not found", party.AppImage, party.AppImage)
	}
	template, err := appimage.SelectTemplate(image.DeployTemplates, party.Role)
	if err != nil {
		return nil, fmt.Errorf("failed to select appropriate deploy template from appImage %q for party %s/%s, %w",
			party.AppImage, party.DomainID, party.Role, err)
	}
	k := &kit{
		key:       cluster.Key{Namespace: party.DomainID, Name: deploymentName(sv.id, party.Role)},
		party:     party,
		image:     image.Image.Name + ":" + image.Image.Tag,
		replicas:  template.Replicas,
		resources: mergeResources(templateResources(template), party.Containers),
		template:  template,
	}
	if party.Replicas != nil {
		k.replicas = *party.Replicas
	}
	seen := map[string]bool{}
	for _, container := range template.Containers {
		for _, port := range container.Ports {
			if seen[port.Name] {
				return nil, fmt.Errorf("failed to merge ports in deploy template '%s/%s' for party %s, duplicate port %q",
					template.Name, template.Role, party.DomainID, port.Name)
			}
			seen[port.Name] = true
			k.ports = append(k.ports, port)
		}
	}
	return k, nil
}

func deploymentName(servingID, role string) string {
	if role == "" {
		return servingID
	}
	return servingID + "-" + role
}

// mergeResources overrides the requests and the limits of the template by those
// of a party, each as a whole.
func mergeResources(template, party []kuscia.Resource) []kuscia.Resource {
	for i := range template {
		for _, entry := range party {
			if entry.ContainerName != template[i].ContainerName {
				continue
			}
			if hasSide(entry, false) {
				template[i].MinCPU, template[i].MinMemory = entry.MinCPU, entry.MinMemory
			}
			if hasSide(entry, true) {
				template[i].MaxCPU, template[i].MaxMemory = entry.MaxCPU, entry.MaxMemory
			}
		}
	}
	return template
}
