package serving

import (
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

type (
	servingStatusData struct {
		ServingID string        `json:"serving_id"`
		Status    *statusDetail `json:"status"`
	}
	statusDetail struct {
		State            string            `json:"state"`
		Reason           string            `json:"reason"`
		Message          string            `json:"message"`
		TotalParties     int               `json:"total_parties"`
		AvailableParties int               `json:"available_parties"`
		CreateTime       string            `json:"create_time"`
		PartyStatuses    []partyStatusData `json:"party_statuses"`
	}
	partyStatusData struct {
		DomainID            string `json:"domain_id"`
		Role                string `json:"role"`
		State               string `json:"state"`
		Replicas            int32  `json:"replicas"`
		AvailableReplicas   int32  `json:"available_replicas"`
		UnavailableReplicas int32  `json:"unavailable_replicas"`
		UpdatedReplicas     int32  `json:"updatedReplicas"`
		CreateTime          string `json:"create_time"`
		Endpoints           []any  `json:"endpoints"`
	}
	// endpointData is an endpoint since v0.5, oldEndpointData before.
	endpointData struct {
		PortName string `json:"port_name"`
		Scope    string `json:"scope"`
		Endpoint string `json:"endpoint"`
	}
	oldEndpointData struct {
		Endpoint string `json:"endpoint"`
	}
)

func batchQueryServingStatus(s *server.Node, from server.Caller, request *BatchQueryServingStatusRequest) server.Response {
	defer s.ControlPlane.Acquire()()
	w := Of(s.ControlPlane)
	if len(request.ServingIDs) == 0 {
		return server.RefuseData(server.CodeValidate, "serving ids can not be empty")
	}
	for _, id := range request.ServingIDs {
		if id == "" {
			return server.RefuseData(server.CodeValidate, "serving id can not be empty")
		}
	}
	statuses := make([]servingStatusData, 0, len(request.ServingIDs))
	for _, id := range request.ServingIDs {
		sv := w.byID[id]
		switch {
		case sv == nil && strings.Contains(id, "/"), sv == nil && w.Version.Before011():
			return server.RefuseData(CodeServingStatus, server.LookupError(Kind, id))
		case sv == nil, !isParty(from, sv.spec.Parties):
			continue
		}
		statuses = append(statuses, servingStatusData{ServingID: id, Status: w.shownStatus(sv, from)})
	}
	return server.Result(struct {
		Servings []servingStatusData `json:"servings"`
	}{statuses})
}

// staleStatuses are the status values for a FaultStaleStatus.
func staleStatuses(from server.Caller) map[string]servingStatus {
	stale, _ := from.Stale[servingsName].(map[string]servingStatus)
	return stale
}

// snapshotStatuses copies the status of every serving.
func snapshotStatuses(controlPlane *server.ControlPlane) any {
	w := Of(controlPlane)
	statuses := make(map[string]servingStatus, len(w.byID))
	for id, sv := range w.byID {
		statuses[id] = sv.status.clone()
	}
	return statuses
}

// shownStatus is the status that the API returns: nil until the controller has
// observed the first Deployment.
func (w *Servings) shownStatus(sv *serving, from server.Caller) *statusDetail {
	status := sv.status
	if old, ok := staleStatuses(from)[sv.id]; ok {
		status = old
	}
	if len(status.parties) == 0 {
		return nil
	}
	detail := &statusDetail{
		State: status.phase, Reason: status.reason, Message: status.message,
		TotalParties: status.total, AvailableParties: status.available,
		CreateTime: server.Rfc3339(sv.created),
	}
	// Go's map order alone is not random enough for two parties.
	keys := make([]cluster.Key, 0, len(status.parties))
	for key := range status.parties {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, cluster.Key.Compare)
	w.Rand.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	for _, key := range keys {
		party := status.parties[key]
		detail.PartyStatuses = append(detail.PartyStatuses, partyStatusData{
			DomainID: key.Namespace, Role: party.role, State: party.phase,
			Replicas: party.replicas, AvailableReplicas: party.available,
			UnavailableReplicas: party.unavailable, UpdatedReplicas: party.updated,
			CreateTime: server.Rfc3339(party.created),
			Endpoints:  w.endpoints(key),
		})
	}
	return detail
}

// endpoints lists the Services of a Deployment, by Service name. The Services
// of a partner are in the partner's cluster and not available here.
func (w *Servings) endpoints(key cluster.Key) []any {
	list := []any{}
	if w.domains.IsPartner(key.Namespace) {
		return list
	}
	for _, svc := range w.Cluster.ByOwner[key] {
		list = append(list, svc.Endpoint)
	}
	return append(list, w.externalEndpoints[key]...)
}

// The phases of a serving and of a party.
const (
	phaseProgressing = kuscia.StateProgressing
	phasePartial     = kuscia.StatePartialAvailable
	phaseAvailable   = kuscia.StateAvailable
	phaseFailed      = kuscia.StateFailed
)
