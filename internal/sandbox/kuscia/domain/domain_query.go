package domain

import (
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
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
	d := w.domain(request.DomainID)
	if d == nil {
		return domainCodes.Refuse(codeQueryDomain, domainKind.Missing(request.DomainID))
	}
	data := domainData{
		DomainID: d.Name, Role: d.Spec.Role, Cert: d.Spec.Cert,
		NodeStatuses:        w.nodes(d),
		DeployTokenStatuses: []deployToken{},
		Annotations:         d.Annotations,
		AuthCenter:          (*AuthCenter)(d.Spec.AuthCenter),
		MasterDomainID:      d.Spec.Master,
	}
	if data.Annotations == nil {
		data.Annotations = map[string]string{}
	}
	for _, token := range d.Status.DeployTokenStatuses {
		data.DeployTokenStatuses = append(data.DeployTokenStatuses, deployToken(token))
	}
	return server.Result(data)
}

// nodes are the nodes of a domain. The one that has joined sends heartbeats all the time,
// which are not written.
func (w *Domains) nodes(d *objects.Domain) []nodeStatus {
	list := []nodeStatus{}
	for _, node := range d.Status.NodeStatuses {
		if node.Name == nodeOf(d.Name) {
			node.LastHeartbeatTime = server.Rfc3339(w.Now())
		}
		list = append(list, nodeStatus(node))
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
		d := w.domain(id)
		if d == nil {
			return domainCodes.Refuse(codeDomainStatus, domainKind.Missing(id))
		}
		list = append(list, batchDomainData{DomainID: d.Name, Role: d.Spec.Role, Cert: d.Spec.Cert, NodeStatuses: w.nodes(d)})
	}
	return server.Result(struct {
		Domains []batchDomainData `json:"domains"`
	}{list})
}
