package domain

import (
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

type (
	domainData struct {
		DomainID            string            `json:"domain_id"`
		Role                string            `json:"role"`
		Cert                string            `json:"cert"`
		NodeStatuses        []nodeStatus      `json:"node_statuses"`
		DeployTokenStatuses []deployToken     `json:"deploy_token_statuses"`
		Annotations         map[string]string `json:"annotations"`
		AuthCenter          *AuthCenter       `json:"auth_center"`
		MasterDomainID      string            `json:"master_domain_id"`
	}
	batchDomainData struct {
		DomainID     string       `json:"domain_id"`
		Role         string       `json:"role"`
		Cert         string       `json:"cert"`
		NodeStatuses []nodeStatus `json:"node_statuses"`
	}
	nodeStatus  = kuscia.NodeStatus
	deployToken = kuscia.DeployTokenStatus
)

func queryDomain(w *Domains, _ *server.Node, from server.Caller, request *QueryDomainRequest) server.Response {
	if request.DomainID == "" {
		return server.Refuse(server.CodeValidate, "domain id can not be empty")
	}
	if complaint := domainAllowed(from, request.DomainID); complaint != "" {
		return server.Refuse(server.CodeAuthFailed, complaint)
	}
	if request.DomainID == kuscia.MasterDomain {
		return server.Result(domainData{
			DomainID: kuscia.MasterDomain, Cert: w.authority().encodedCert(),
			NodeStatuses: []nodeStatus{}, DeployTokenStatuses: []deployToken{}, Annotations: map[string]string{},
		})
	}
	d := w.byID[request.DomainID]
	if d == nil {
		return server.Refuse(codeDomainUnknown, server.LookupError(Kind, request.DomainID))
	}
	data := domainData{
		DomainID: d.id, Role: d.role, Cert: d.cert,
		NodeStatuses:        w.nodes(d),
		DeployTokenStatuses: []deployToken{},
		Annotations:         map[string]string{},
		AuthCenter:          d.auth,
		MasterDomainID:      d.master,
	}
	if !w.Now().Before(d.tokenFrom) {
		data.DeployTokenStatuses = append(data.DeployTokenStatuses, d.tokens...)
	}
	return server.Result(data)
}

// nodes are the nodes of a domain: the one that has joined, and those
// registered manually.
func (w *Domains) nodes(d *domain) []nodeStatus {
	list := []nodeStatus{}
	if d.withNode {
		list = append(list, nodeStatus{
			Name: d.id + "-node", Status: "Ready", Version: w.Version.String(),
			LastHeartbeatTime: server.Rfc3339(w.Now()), LastTransitionTime: server.Rfc3339(d.nodeSince),
		})
	}
	for _, node := range d.registered {
		list = append(list, node.status)
	}
	return list
}

func batchQueryDomains(w *Domains, _ *server.Node, _ server.Caller, request *BatchQueryDomainRequest) server.Response {
	if len(request.DomainIDs) == 0 {
		return server.Refuse(server.CodeValidate, "domain ids can not be empty")
	}
	for i, id := range request.DomainIDs {
		if id == "" {
			return server.Refuse(server.CodeValidate, fmt.Sprintf("domain id can not be empty on index %d", i))
		}
	}
	list := make([]batchDomainData, 0, len(request.DomainIDs))
	for _, id := range request.DomainIDs {
		if id == kuscia.MasterDomain {
			list = append(list, batchDomainData{DomainID: id, Cert: w.authority().encodedCert(), NodeStatuses: []nodeStatus{}})
			continue
		}
		d := w.byID[id]
		if d == nil {
			return server.Refuse(codeDomainUnknown, server.LookupError(Kind, id))
		}
		list = append(list, batchDomainData{DomainID: d.id, Role: d.role, Cert: d.cert, NodeStatuses: w.nodes(d)})
	}
	return server.Result(struct {
		Domains []batchDomainData `json:"domains"`
	}{list})
}
