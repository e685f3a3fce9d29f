package serving

import (
	"slices"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kusciadeployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
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
	// endpointData is an endpoint, oldEndpointData one of a version without
	// named endpoints.
	endpointData struct {
		PortName string `json:"port_name"`
		Scope    string `json:"scope"`
		Endpoint string `json:"endpoint"`
	}
	oldEndpointData struct {
		Endpoint string `json:"endpoint"`
	}
)

func batchQueryServingStatus(w *Servings, _ *server.Node, from server.Caller, request *BatchQueryServingStatusRequest) server.Response {
	if len(request.ServingIDs) == 0 {
		return server.Refuse(server.CodeValidate, "serving ids can not be empty")
	}
	for _, id := range request.ServingIDs {
		if id == "" {
			return server.Refuse(server.CodeValidate, "serving id can not be empty")
		}
	}
	statuses := make([]servingStatusData, 0, len(request.ServingIDs))
	for _, id := range request.ServingIDs {
		kd := w.get(id)
		switch {
		case kd == nil && strings.Contains(id, "/"), kd == nil && !w.Version.Has(versions.BatchStatusSkips):
			return server.Refuse(CodeServingStatus, kind.Missing(id).Error())
		case kd == nil, !isParty(from, specOf(kd).Parties):
			continue
		}
		statuses = append(statuses, servingStatusData{ServingID: id, Status: w.shownStatus(kd, from)})
	}
	return server.Result(struct {
		Servings []servingStatusData `json:"servings"`
	}{statuses})
}

// staleStatuses are the status values for a FaultStaleStatus.
func staleStatuses(from server.Caller) map[string]objects.KusciaDeploymentStatus {
	stale, _ := from.Stale[servingsName].(map[string]objects.KusciaDeploymentStatus)
	return stale
}

// snapshotStatuses copies the status of every serving.
func snapshotStatuses(controlPlane *server.ControlPlane) any {
	statuses := map[string]objects.KusciaDeploymentStatus{}
	servings := Of(controlPlane)
	for _, kd := range servings.table.List(servings.namespace()) {
		statuses[kd.Meta.Name] = kd.Status
	}
	return statuses
}

// shownStatus is the status that the API returns: nil until the controller has
// observed the first Deployment.
func (w *Servings) shownStatus(kd *objects.KusciaDeployment, from server.Caller) *statusDetail {
	status := kd.Status
	if old, ok := staleStatuses(from)[kd.Meta.Name]; ok {
		status = old
	}
	var keys []cluster.Key
	for namespace, parties := range status.PartyDeploymentStatuses {
		for name := range parties {
			keys = append(keys, cluster.Key{Namespace: namespace, Name: name})
		}
	}
	if len(keys) == 0 {
		return nil
	}
	detail := &statusDetail{
		State: status.Phase, Reason: status.Reason, Message: status.Message,
		TotalParties: status.TotalParties, AvailableParties: status.AvailableParties,
		CreateTime: shownTime(kd.Meta.CreationTimestamp),
	}
	// Go's map order alone is not random enough for two parties.
	slices.SortFunc(keys, cluster.Key.Compare)
	w.Rand.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	for _, key := range keys {
		party := status.PartyDeploymentStatuses[key.Namespace][key.Name]
		detail.PartyStatuses = append(detail.PartyStatuses, partyStatusData{
			DomainID: key.Namespace, Role: party.Role, State: party.Phase,
			Replicas: party.Replicas, AvailableReplicas: party.AvailableReplicas,
			UnavailableReplicas: party.UnavailableReplicas, UpdatedReplicas: party.UpdatedReplicas,
			CreateTime: shownTime(party.CreationTimestamp),
			Endpoints:  w.endpoints(key),
		})
	}
	return detail
}

func shownTime(t *time.Time) string {
	if t == nil {
		return ""
	}
	return server.Rfc3339(*t)
}

// endpoints lists the Services of a Deployment, by Service name. The Services
// of a partner are in the partner's cluster and not available here.
func (w *Servings) endpoints(key cluster.Key) []any {
	list := []any{}
	if w.domains.IsPartner(key.Namespace) {
		return list
	}
	for _, s := range w.servicesOf(key.Namespace, key.Name) {
		scope := s.Meta.Labels[objects.LabelPortScope]
		for _, port := range s.Spec.Ports {
			address := kusciadeployment.Address(s.Meta.Name, s.Meta.Namespace, scope, port.Port)
			if w.Version.Has(versions.NamedEndpoints) {
				list = append(list, endpointData{PortName: port.Name, Scope: scope, Endpoint: address})
			} else {
				list = append(list, oldEndpointData{Endpoint: address})
			}
		}
	}
	return list
}
