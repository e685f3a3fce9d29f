package servingtest

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// ResponseTo returns Kuscia's response after a create from a configuration, with
// app images that have the containers main and side and no resources of their
// own.
func ResponseTo(config rules.Serving) *kuscia.Serving {
	var diags diag.Diagnostics
	request := rules.CreateRequest(rules.PlanCreate(config, rules.KnownImages(AllImages)), &diags)
	if diags.HasError() {
		panic(diags)
	}
	response := &kuscia.Serving{ServingInputConfig: request.ServingInputConfig, Initiator: request.Initiator, Parties: request.Parties}
	for i := range response.Parties {
		var entries []ContainerEntry
		for _, r := range response.Parties[i].Resources {
			entries = append(entries, ContainerResources(r.ContainerName, r.MinCPU, r.MaxCPU, r.MinMemory, r.MaxMemory))
		}
		desired := ResourcesOf(entries...).Spec()
		response.Parties[i].Resources = nil
		for _, name := range []string{"main", "side"} {
			a := desired.ForContainer(name)
			response.Parties[i].Resources = append(response.Parties[i].Resources, rules.Amounts{MinCPU: canonical(a.MinCPU), MaxCPU: canonical(a.MaxCPU), MinMemory: canonical(a.MinMemory), MaxMemory: canonical(a.MaxMemory)}.Wire(name))
		}
	}
	return response
}

func canonical(text string) string {
	quantity, err := tfvalue.ParseQuantity(text)
	if err != nil {
		return text
	}
	return quantity.String()
}

// PodsStatus returns a status in which every party of a serving has the given
// numbers of pods and updated pods; all of them are available.
func PodsStatus(m rules.Serving, replicas, updated int32) *kuscia.ServingStatusDetail {
	status := &kuscia.ServingStatusDetail{State: kuscia.StateAvailable}
	parties := slices.Clone(m.Parties().Items)
	for _, p := range parties {
		status.PartyStatuses = append(status.PartyStatuses, kuscia.PartyStatus{
			DomainID: p.DomainID().ValueString(), Role: p.Role().ValueString(), State: kuscia.StateAvailable,
			Replicas: replicas, UpdatedReplicas: updated, AvailableReplicas: replicas, CreateTime: "2026-01-08T10:00:00Z",
		})
	}
	return status
}
