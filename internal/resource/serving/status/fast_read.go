package status

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

// Shortcuts answer the reads of kuscia_serving_status.
type Shortcuts struct{}

// DataSourceType returns the type of the data source.
func (Shortcuts) DataSourceType() string { return "kuscia_serving_status" }

// FastRead is a shortcut for kuscia_serving_status: it returns the response in the
// form of the protocol. The framework takes 0.4 ms per serving to build the same
// from its own types. If ok is false, the framework reads with the returned
// context, which has an error that Kuscia has already returned.
func (Shortcuts) FastRead(ctx context.Context, c *clients.Clients, config map[string]any) (_ context.Context, response any, ok bool) {
	var unused diag.Diagnostics
	ids, ok := idsOf(config)
	if !ok || !c.ReadyKuscia(&unused) {
		return ctx, nil, false
	}
	all, err := statusesFor(ctx, c.Kuscia, ids)
	if err != nil {
		return context.WithValue(ctx, prefetchedKey{}, err), nil, false
	}
	servings := make(map[string]plainStatus, len(all.found))
	for id, status := range all.found {
		servings[id] = plainStatusOf(normalized(status))
	}
	return ctx, plainStatuses{ids, servings, all.missing, all.available()}, true
}

// idsOf returns the ids in a configuration if all are known and there are no
// other attributes than those known here.
func idsOf(config map[string]any) (ids []string, ok bool) {
	for _, name := range []string{"serving_ids", "servings", "missing_serving_ids", "all_available"} {
		if _, ok := config[name]; !ok {
			return nil, false
		}
	}
	list, ok := config["serving_ids"].([]any)
	if !ok || len(config) != 4 {
		return nil, false
	}
	ids = make([]string, len(list))
	for i, id := range list {
		if ids[i], ok = id.(string); !ok {
			return nil, false
		}
	}
	return ids, true
}

type plainStatuses struct {
	ServingIDs        []string               `msgpack:"serving_ids"`
	Servings          map[string]plainStatus `msgpack:"servings"`
	MissingServingIDs []string               `msgpack:"missing_serving_ids"`
	AllAvailable      bool                   `msgpack:"all_available"`
}

type plainStatus struct {
	State            string             `msgpack:"state"`
	Reason           string             `msgpack:"reason"`
	Message          string             `msgpack:"message"`
	TotalParties     int32              `msgpack:"total_parties"`
	AvailableParties int32              `msgpack:"available_parties"`
	CreateTime       string             `msgpack:"create_time"`
	PartyStatuses    []plainPartyStatus `msgpack:"party_statuses"`
}

type plainPartyStatus struct {
	DomainID            string          `msgpack:"domain_id"`
	Role                string          `msgpack:"role"`
	State               string          `msgpack:"state"`
	Replicas            int32           `msgpack:"replicas"`
	AvailableReplicas   int32           `msgpack:"available_replicas"`
	UnavailableReplicas int32           `msgpack:"unavailable_replicas"`
	UpdatedReplicas     int32           `msgpack:"updated_replicas"`
	CreateTime          string          `msgpack:"create_time"`
	Endpoints           []plainEndpoint `msgpack:"endpoints"`
}

type plainEndpoint struct {
	PortName string `msgpack:"port_name"`
	Scope    string `msgpack:"scope"`
	Endpoint string `msgpack:"endpoint"`
}

func plainStatusOf(s kuscia.ServingStatusDetail) plainStatus {
	parties := make([]plainPartyStatus, len(s.PartyStatuses))
	for i, p := range s.PartyStatuses {
		endpoints := make([]plainEndpoint, len(p.Endpoints))
		for j, e := range p.Endpoints {
			endpoints[j] = plainEndpoint(e)
		}
		parties[i] = plainPartyStatus{
			p.DomainID, p.Role, p.State, p.Replicas, p.AvailableReplicas, p.UnavailableReplicas, p.UpdatedReplicas, p.CreateTime, endpoints,
		}
	}
	return plainStatus{s.State, s.Reason, s.Message, s.TotalParties, s.AvailableParties, s.CreateTime, parties}
}
