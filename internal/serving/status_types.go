package serving

import (
	"cmp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/kusciaapi"
)

// statePending stands for a serving that exists and has no status yet; Kuscia
// answers null then.
const statePending = "Pending"

var (
	statusEndpointType = types.ObjectType{AttrTypes: map[string]attr.Type{
		"port_name": types.StringType, "scope": types.StringType, "endpoint": types.StringType,
	}}
	partyStatusType = types.ObjectType{AttrTypes: map[string]attr.Type{
		"domain_id": types.StringType, "role": types.StringType, "state": types.StringType,
		"replicas": types.Int32Type, "available_replicas": types.Int32Type,
		"unavailable_replicas": types.Int32Type, "updated_replicas": types.Int32Type,
		"create_time": types.StringType, "endpoints": types.ListType{ElemType: statusEndpointType},
	}}
	statusType = types.ObjectType{AttrTypes: map[string]attr.Type{
		"state": types.StringType, "reason": types.StringType, "message": types.StringType,
		"total_parties": types.Int32Type, "available_parties": types.Int32Type,
		"create_time": types.StringType, "party_statuses": types.ListType{ElemType: partyStatusType},
	}}
)

// encodeStatus is a status with everything in a fixed order.
func encodeStatus(status *kusciaapi.ServingStatusDetail) types.Object {
	if status == nil {
		status = &kusciaapi.ServingStatusDetail{State: statePending}
	}
	parties := slices.Clone(status.PartyStatuses)
	slices.SortFunc(parties, func(a, b kusciaapi.PartyStatus) int {
		return cmp.Or(cmp.Compare(a.DomainID, b.DomainID), cmp.Compare(a.Role, b.Role), cmp.Compare(a.CreateTime, b.CreateTime))
	})
	elements := make([]attr.Value, len(parties))
	for i, p := range parties {
		elements[i] = encodePartyStatus(p)
	}
	return types.ObjectValueMust(statusType.AttrTypes, map[string]attr.Value{
		"state": types.StringValue(status.State), "reason": types.StringValue(status.Reason),
		"message":           types.StringValue(status.Message),
		"total_parties":     types.Int32Value(status.TotalParties),
		"available_parties": types.Int32Value(status.AvailableParties),
		"create_time":       types.StringValue(status.CreateTime),
		"party_statuses":    types.ListValueMust(partyStatusType, elements),
	})
}

func encodePartyStatus(p kusciaapi.PartyStatus) types.Object {
	endpoints := slices.Clone(p.Endpoints)
	slices.SortFunc(endpoints, func(a, b kusciaapi.Endpoint) int {
		return cmp.Or(cmp.Compare(a.PortName, b.PortName), cmp.Compare(a.Endpoint, b.Endpoint), cmp.Compare(a.Scope, b.Scope))
	})
	elements := make([]attr.Value, len(endpoints))
	for i, e := range endpoints {
		elements[i] = types.ObjectValueMust(statusEndpointType.AttrTypes, map[string]attr.Value{
			"port_name": types.StringValue(e.PortName), "scope": types.StringValue(e.Scope), "endpoint": types.StringValue(e.Endpoint),
		})
	}
	return types.ObjectValueMust(partyStatusType.AttrTypes, map[string]attr.Value{
		"domain_id": types.StringValue(p.DomainID), "role": types.StringValue(p.Role), "state": types.StringValue(p.State),
		"replicas": types.Int32Value(p.Replicas), "available_replicas": types.Int32Value(p.AvailableReplicas),
		"unavailable_replicas": types.Int32Value(p.UnavailableReplicas), "updated_replicas": types.Int32Value(p.UpdatedReplicas),
		"create_time": types.StringValue(p.CreateTime), "endpoints": types.ListValueMust(statusEndpointType, elements),
	})
}

// statusAttributes describe a status; both data sources show it.
func statusAttributes() map[string]schema.Attribute {
	text := func(description string) schema.Attribute {
		return schema.StringAttribute{MarkdownDescription: description, Computed: true}
	}
	number := func(description string) schema.Attribute {
		return schema.Int32Attribute{MarkdownDescription: description, Computed: true}
	}
	return map[string]schema.Attribute{
		"state":             text("`Pending` (exists, no party deployed yet), `Progressing`, `PartialAvailable`, `Available` or `Failed`."),
		"reason":            text("Why it is in this state; empty when all is well."),
		"message":           text("Details to the reason, for example of a pod that does not start."),
		"total_parties":     number("Number of parties."),
		"available_parties": number("Number of parties with available pods."),
		"create_time":       text("When the serving was created (RFC 3339)."),
		"party_statuses": schema.ListNestedAttribute{
			MarkdownDescription: "State of each party, sorted by domain and role.",
			Computed:            true,
			CustomType:          types.ListType{ElemType: partyStatusType},
			NestedObject: schema.NestedAttributeObject{CustomType: partyStatusType, Attributes: map[string]schema.Attribute{
				"domain_id":            text("Domain of the party."),
				"role":                 text("Role of the party."),
				"state":                text("`Progressing`, `PartialAvailable` or `Available`."),
				"replicas":             number("Pods that exist, old and new."),
				"available_replicas":   number("Pods that are ready."),
				"unavailable_replicas": number("Pods that are missing or not ready."),
				"updated_replicas":     number("Pods of the current specification."),
				"create_time":          text("When the party's Deployment was created (RFC 3339)."),
				"endpoints": schema.ListNestedAttribute{
					MarkdownDescription: "Addresses of the party's ports, sorted by port.",
					Computed:            true,
					CustomType:          types.ListType{ElemType: statusEndpointType},
					NestedObject: schema.NestedAttributeObject{CustomType: statusEndpointType, Attributes: map[string]schema.Attribute{
						"port_name": text("Name of the port in the app image."),
						"scope":     text("`Cluster` or `Domain`."),
						"endpoint":  text("Address: `host:port` for scope `Domain`, a host for scope `Cluster`."),
					}},
				},
			}},
		},
	}
}
