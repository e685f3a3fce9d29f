package status

import (
	"cmp"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// statePending is the state of a serving that exists and has no status yet;
// Kuscia returns null then.
const statePending = "Pending"

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

// Tree returns a status with its Attributes; nil is the status of a serving that has none yet.
func Tree(status *kuscia.ServingStatusDetail) definition.Tree {
	s := normalized(status)
	return definition.Tree{
		"state": s.State, "reason": s.Reason, "message": s.Message, "create_time": s.CreateTime,
		"total_parties": int64(s.TotalParties), "available_parties": int64(s.AvailableParties),
		"party_statuses": definition.Each(s.PartyStatuses, partyTree),
	}
}

func partyTree(p kuscia.PartyStatus) definition.Tree {
	return definition.Tree{
		"domain_id": p.DomainID, "role": p.Role, "state": p.State, "create_time": p.CreateTime,
		"replicas": int64(p.Replicas), "available_replicas": int64(p.AvailableReplicas),
		"unavailable_replicas": int64(p.UnavailableReplicas), "updated_replicas": int64(p.UpdatedReplicas),
		"endpoints": definition.Each(p.Endpoints, func(e kuscia.Endpoint) definition.Tree {
			return definition.Tree{"port_name": e.PortName, "scope": e.Scope, "endpoint": e.Endpoint}
		}),
	}
}

func text(name, description string) definition.Attribute {
	return definition.Attribute{Name: name, Type: definition.String, Presence: definition.Computed, Description: description}
}

func number(name, description string) definition.Attribute {
	return definition.Attribute{Name: name, Type: definition.Number, Presence: definition.Computed, Description: description}
}

// Attributes describe a status; both data sources have them.
var Attributes = []definition.Attribute{
	text("state", "`Pending` (exists, no party deployed yet), `Progressing`, `PartialAvailable`, `Available` or `Failed`."),
	text("reason", "Why it is in this state; empty if there is no problem."),
	text("message", "Details of the reason, for example of a pod that does not start."),
	number("total_parties", "Number of parties."),
	number("available_parties", "Number of parties with available pods."),
	text("create_time", "When the serving was created (RFC 3339)."),
	{
		Name: "party_statuses", Type: definition.ObjectList, Presence: definition.Computed,
		Description: "State of each party, sorted by domain and role.",
		Attributes: []definition.Attribute{
			text("domain_id", "Domain of the party."),
			text("role", "Role of the party."),
			text("state", "`Progressing`, `PartialAvailable` or `Available`."),
			number("replicas", "Pods that exist, old and new."),
			number("available_replicas", "Pods that are ready."),
			number("unavailable_replicas", "Pods that are missing or not ready."),
			number("updated_replicas", "Pods of the current specification."),
			text("create_time", "When the party's Deployment was created (RFC 3339)."),
			{
				Name: "endpoints", Type: definition.ObjectList, Presence: definition.Computed,
				Description: "Addresses of the party's ports, sorted by port.",
				Attributes: []definition.Attribute{
					text("port_name", "Name of the port in the app image."),
					text("scope", "`Cluster` or `Domain`."),
					text("endpoint", "Address: `host:port` for scope `Domain`, a host for scope `Cluster`."),
				},
			},
		},
	},
}
