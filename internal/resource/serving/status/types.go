package status

import (
	"cmp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// statePending is the state of a serving that exists and has no status yet;
// Kuscia returns null then.
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
	// ObjectType is the type of a status.
	ObjectType = types.ObjectType{AttrTypes: map[string]attr.Type{
		"state": types.StringType, "reason": types.StringType, "message": types.StringType,
		"total_parties": types.Int32Type, "available_parties": types.Int32Type,
		"create_time": types.StringType, "party_statuses": types.ListType{ElemType: partyStatusType},
	}}
)

// normalized returns a status in a fixed order, with a state for a serving that
// has none yet.
func normalized(status *kuscia.ServingStatusDetail) kuscia.ServingStatusDetail {
	if status == nil {
		return kuscia.ServingStatusDetail{State: statePending}
	}
	s := *status
	s.PartyStatuses = slices.SortedFunc(slices.Values(s.PartyStatuses), func(a, b kuscia.PartyStatus) int {
		return cmp.Or(cmp.Compare(a.DomainID, b.DomainID), cmp.Compare(a.Role, b.Role), cmp.Compare(a.CreateTime, b.CreateTime))
	})
	for i := range s.PartyStatuses {
		p := &s.PartyStatuses[i]
		p.Endpoints = slices.SortedFunc(slices.Values(p.Endpoints), func(a, b kuscia.Endpoint) int {
			return cmp.Or(cmp.Compare(a.PortName, b.PortName), cmp.Compare(a.Endpoint, b.Endpoint), cmp.Compare(a.Scope, b.Scope))
		})
	}
	return s
}

// Encode returns a status as a value of the framework; nil is the status of a
// serving that has none yet.
func Encode(status *kuscia.ServingStatusDetail) types.Object {
	s := normalized(status)
	parties := make([]attr.Value, len(s.PartyStatuses))
	for i, p := range s.PartyStatuses {
		parties[i] = encodePartyStatus(p)
	}
	return types.ObjectValueMust(ObjectType.AttrTypes, map[string]attr.Value{
		"state": types.StringValue(s.State), "reason": types.StringValue(s.Reason),
		"message":           types.StringValue(s.Message),
		"total_parties":     types.Int32Value(s.TotalParties),
		"available_parties": types.Int32Value(s.AvailableParties),
		"create_time":       types.StringValue(s.CreateTime),
		"party_statuses":    types.ListValueMust(partyStatusType, parties),
	})
}

func encodePartyStatus(p kuscia.PartyStatus) types.Object {
	endpoints := make([]attr.Value, len(p.Endpoints))
	for i, e := range p.Endpoints {
		endpoints[i] = types.ObjectValueMust(statusEndpointType.AttrTypes, map[string]attr.Value{
			"port_name": types.StringValue(e.PortName), "scope": types.StringValue(e.Scope), "endpoint": types.StringValue(e.Endpoint),
		})
	}
	return types.ObjectValueMust(partyStatusType.AttrTypes, map[string]attr.Value{
		"domain_id": types.StringValue(p.DomainID), "role": types.StringValue(p.Role), "state": types.StringValue(p.State),
		"replicas": types.Int32Value(p.Replicas), "available_replicas": types.Int32Value(p.AvailableReplicas),
		"unavailable_replicas": types.Int32Value(p.UnavailableReplicas), "updated_replicas": types.Int32Value(p.UpdatedReplicas),
		"create_time": types.StringValue(p.CreateTime), "endpoints": types.ListValueMust(statusEndpointType, endpoints),
	})
}

// Attributes describe a status; both data sources have them.
func Attributes() map[string]schema.Attribute {
	text := func(description string) schema.Attribute {
		return schema.StringAttribute{MarkdownDescription: description, Computed: true}
	}
	number := func(description string) schema.Attribute {
		return schema.Int32Attribute{MarkdownDescription: description, Computed: true}
	}
	return map[string]schema.Attribute{
		"state":             text("`Pending` (exists, no party deployed yet), `Progressing`, `PartialAvailable`, `Available` or `Failed`."),
		"reason":            text("Why it is in this state; empty if there is no problem."),
		"message":           text("Details of the reason, for example of a pod that does not start."),
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
