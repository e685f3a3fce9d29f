package serving

import (
	"cmp"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
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

// statusTree returns a status with its Attributes; nil is the status of a serving that has none yet.
func statusTree(status *kuscia.ServingStatusDetail) definition.Tree {
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

func statusText(name, description string) definition.Attribute {
	return definition.Attribute{Name: name, Type: definition.String, Presence: definition.Computed, Description: description}
}

func statusNumber(name, description string) definition.Attribute {
	return definition.Attribute{Name: name, Type: definition.Number, Presence: definition.Computed, Description: description}
}

// statusAttributes describe a status; both data sources have them.
var statusAttributes = []definition.Attribute{
	statusText("state", "`Pending` (exists, no party deployed yet), `Progressing`, `PartialAvailable`, `Available` or `Failed`, as the parties have it: Kuscia "+versions.AnyPartyProgressing.BeforeInPages()+" keeps the last state while no pod runs."),
	statusText("reason", "Why it is in this state; empty if there is no problem."),
	statusText("message", "Details of the reason, for example of a pod that does not start."),
	statusNumber("total_parties", "Number of parties."),
	statusNumber("available_parties", "Number of parties with available pods."),
	statusText("create_time", "When the serving was created (RFC 3339)."),
	{
		Name: "party_statuses", Type: definition.ObjectList, Presence: definition.Computed,
		Description: "State of each party, sorted by domain and role.",
		Attributes: []definition.Attribute{
			statusText("domain_id", "Domain of the party."),
			statusText("role", "Role of the party."),
			statusText("state", "`Progressing`, `PartialAvailable` or `Available`."),
			statusNumber("replicas", "Pods that exist, old and new."),
			statusNumber("available_replicas", "Pods that are ready."),
			statusNumber("unavailable_replicas", "Pods that are missing or not ready."),
			statusNumber("updated_replicas", "Pods of the current specification."),
			statusText("create_time", "When the party's Deployment was created (RFC 3339)."),
			{
				Name: "endpoints", Type: definition.ObjectList, Presence: definition.Computed,
				Description: "Addresses of the party's ports, sorted by port.",
				Attributes: []definition.Attribute{
					statusText("port_name", "Name of the port in the app image."),
					statusText("scope", "`Cluster` or `Domain`."),
					statusText("endpoint", "Address: `host:port` for scope `Domain`, a host for scope `Cluster`."),
				},
			},
		},
	},
}
