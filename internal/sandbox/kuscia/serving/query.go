package serving

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// The response types have no omitempty: the server writes empty fields too,
// except replicas.
type (
	servingData struct {
		ServingInputConfig string        `json:"serving_input_config"`
		Initiator          string        `json:"initiator"`
		Parties            []partyData   `json:"parties"`
		Status             *statusDetail `json:"status"`
	}
	partyData struct {
		DomainID          string         `json:"domain_id"`
		Role              string         `json:"role"`
		AppImage          string         `json:"app_image"`
		Replicas          *int32         `json:"replicas,omitempty"`
		UpdateStrategy    strategyData   `json:"update_strategy"`
		Resources         []resourceData `json:"resources"`
		ServiceNamePrefix string         `json:"service_name_prefix"`
	}
	strategyData struct {
		Type           string `json:"type"`
		MaxSurge       string `json:"max_surge"`
		MaxUnavailable string `json:"max_unavailable"`
	}
	resourceData struct {
		ContainerName string `json:"container_name"`
		MinCPU        string `json:"min_cpu"`
		MaxCPU        string `json:"max_cpu"`
		MinMemory     string `json:"min_memory"`
		MaxMemory     string `json:"max_memory"`
	}
)

func queryServing(w *Servings, _ *server.Node, from server.Caller, request *QueryServingRequest) server.Response {
	if request.ServingID == "" {
		return server.Refuse(server.CodeValidate, "serving id can not be empty")
	}
	kd := w.get(request.ServingID)
	if kd == nil {
		return server.Refuse(codeQueryServing, kind.Missing(request.ServingID).Error())
	}
	spec := specOf(kd)
	if !isParty(from, spec.Parties) {
		return server.Refuse(codeQueryServing, "serving not found")
	}
	data := servingData{ServingInputConfig: spec.InputConfig, Initiator: spec.Initiator, Parties: make([]partyData, len(spec.Parties))}
	for i, party := range spec.Parties {
		template, err := w.images.TemplateFor(party.AppImage, party.Role)
		if err != nil {
			return server.Refuse(codeQueryServing, err.Error())
		}
		data.Parties[i] = partyData{
			DomainID: party.DomainID, Role: party.Role, AppImage: party.AppImage,
			Replicas:          party.Replicas,
			UpdateStrategy:    strategyData(party.Strategy),
			Resources:         w.shownResources(kd, party, template),
			ServiceNamePrefix: party.ServiceNamePrefix,
		}
	}
	data.Status = w.shownStatus(kd, from)
	return server.Result(data)
}

// shownResources lists the stored containers and, if their number differs from
// that of the app image, those of the Deployment and the app image. So
// containers of an earlier app image remain in the response.
func (w *Servings) shownResources(kd *objects.KusciaDeployment, party PartySpec, template *kuscia.DeployTemplate) []resourceData {
	shown := make([]resourceData, 0, len(template.Containers))
	add := func(entries []kuscia.Resource) {
	next:
		for _, entry := range entries {
			for _, known := range shown {
				if known.ContainerName == entry.ContainerName {
					continue next
				}
			}
			shown = append(shown, resourceData{
				ContainerName: entry.ContainerName,
				MinCPU:        entry.MinCPU, MaxCPU: entry.MaxCPU,
				MinMemory: entry.MinMemory, MaxMemory: entry.MaxMemory,
			})
		}
	}
	add(party.Containers)
	if len(shown) == len(template.Containers) {
		return shown
	}
	if running := w.observedDeployment(kd, party); running != nil {
		for _, c := range running.Spec.Template.Spec.Containers {
			add([]kuscia.Resource{entryOf(c.Name, c.Resources)})
		}
		if len(shown) == len(template.Containers) {
			return shown
		}
	}
	add(templateResources(template))
	return shown
}

// observedDeployment is the Deployment of a party, once it is in the status.
func (w *Servings) observedDeployment(kd *objects.KusciaDeployment, party PartySpec) *objects.Deployment {
	for name, status := range kd.Status.PartyDeploymentStatuses[party.DomainID] {
		if status.Role == party.Role {
			return w.deployment(party.DomainID, name)
		}
	}
	return nil
}

// templateResources are the resources in a deploy template.
func templateResources(template *kuscia.DeployTemplate) []kuscia.Resource {
	entries := make([]kuscia.Resource, len(template.Containers))
	for i, container := range template.Containers {
		entries[i].ContainerName = container.Name
		if container.Resources == nil {
			continue
		}
		if requests := container.Resources.Requests; requests != nil {
			entries[i].MinCPU, entries[i].MinMemory = requests.CPU, requests.Memory
		}
		if limits := container.Resources.Limits; limits != nil {
			entries[i].MaxCPU, entries[i].MaxMemory = limits.CPU, limits.Memory
		}
	}
	return entries
}
