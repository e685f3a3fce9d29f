package domain

import (
	"cmp"
	"fmt"
	"reflect"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// DomainRolePartner marks a domain that another cluster runs.
const DomainRolePartner = "partner"

// AuthCenter is the authentication of a domain.
type AuthCenter = kuscia.AuthCenter

// The request messages of the domain operations.
type (
	// CreateDomainRequest is the body of domain/create.
	CreateDomainRequest struct {
		Header         *kuscia.RequestHeader `json:"header"`
		DomainID       string                `json:"domain_id"`
		Role           string                `json:"role"`
		Cert           string                `json:"cert"`
		AuthCenter     *AuthCenter           `json:"auth_center"`
		MasterDomainID string                `json:"master_domain_id"`
	}
	// UpdateDomainRequest is the body of domain/update.
	UpdateDomainRequest CreateDomainRequest
	// QueryDomainRequest is the body of domain/query.
	QueryDomainRequest struct {
		Header   *kuscia.RequestHeader `json:"header"`
		DomainID string                `json:"domain_id"`
	}
	// DeleteDomainRequest is the body of domain/delete.
	DeleteDomainRequest QueryDomainRequest
	// BatchQueryDomainRequest is the body of domain/batchQuery.
	BatchQueryDomainRequest struct {
		Header    *kuscia.RequestHeader `json:"header"`
		DomainIDs []string              `json:"domain_ids"`
	}
)

// The codes of domain operations.
const (
	codeCreateDomain  int32 = 11300
	codeQueryDomain   int32 = 11301
	codeDomainStatus  int32 = 11302
	codeUpdateDomain  int32 = 11303
	codeDeleteDomain  int32 = 11304
	codeDomainUnknown int32 = 11305
	codeDomainExists  int32 = 11306
)

var (
	domainKind  = objects.KindOf[objects.Domain]()
	domainCodes = server.StoreCodes{NotFound: codeDomainUnknown, Exists: codeDomainExists}
)

// Object is the kind domain.
var Object = server.Object{
	Name: "domains", Kind: domainKind, Table: server.AsTable[objects.Domain],
	Operations: map[string]server.Operation{
		"domain/create":     server.Handle(codeCreateDomain, Of, createDomain).OnLite(server.LiteRefused),
		"domain/query":      server.Handle(codeQueryDomain, Of, queryDomain).Data().Field("master_domain_id", versions.MasterDomainID).ForDomains(),
		"domain/update":     server.Handle(codeUpdateDomain, Of, updateDomain).ForDomains(),
		"domain/delete":     server.Handle(codeDeleteDomain, Of, deleteDomain).OnLite(server.LiteRefused),
		"domain/batchQuery": server.Handle(codeDomainStatus, Of, batchQueryDomains).Data().ForDomains(),
	},
	IDFields: []string{"domain_id"},
	Seed:     seedDomains,
}

// NamespaceObject are the namespaces of domains.
var NamespaceObject = server.Object{Name: "namespaces", Table: server.AsTable[objects.Namespace]}

// interConn is the protocol of a partner's domain.
const interConn = "kuscia"

// reservedID is the id by which queries mean the master.
const reservedID = "master"

// newDomain is a domain with the defaults of a create.
func (w *Domains) newDomain(id string) *objects.Domain {
	d := &objects.Domain{Meta: objects.Meta{Name: id}}
	if w.Version.Has(versions.AuthCenterDefault) {
		d.Spec.AuthCenter = defaultAuthCenter()
	}
	return d
}

func defaultAuthCenter() *objects.AuthCenter {
	return &objects.AuthCenter{AuthenticationType: authToken, TokenGenMethod: "RSA-GEN"}
}

func createDomain(w *Domains, s *server.Node, _ server.Caller, request *CreateDomainRequest) server.Response {
	switch request.DomainID {
	case "":
		return server.Refuse(server.CodeValidate, "domain id can not be empty")
	case reservedID:
		if !w.Version.Has(versions.ReservedDomainID) {
			break
		}
		return server.Refuse(server.CodeValidate, "domain id can not be 'master', please choose another name")
	}
	field := "domain_id"
	if !w.Version.Has(versions.DomainIDSpelling) {
		field = "doamin_id"
	}
	if complaint := server.CheckName(w.Version, request.DomainID, field); complaint != "" && w.Version.Has(versions.DomainIDCheck) {
		return server.Refuse(server.CodeValidate, complaint)
	}
	cert, complaint := w.checkDomain(request)
	if complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	if complaint := checkAuthCenter(request.DomainID, request.AuthCenter); complaint != "" {
		return server.Refuse(codeCreateDomain, complaint)
	}
	s.PauseBeforeWrite()
	d := w.newDomain(request.DomainID)
	d.Spec.Role, d.Spec.Cert, d.Spec.Master = request.Role, cert, request.MasterDomainID
	if request.AuthCenter != nil {
		d.Spec.AuthCenter = (*objects.AuthCenter)(request.AuthCenter)
	}
	d.Spec.InterConnProtocols = protocolsOf(d.Spec.Role)
	return domainCodes.DoneUnless(codeCreateDomain, w.domains.Create(d))
}

func (w *Domains) checkDomain(request *CreateDomainRequest) (cert, complaint string) {
	if request.Role != "" && request.Role != DomainRolePartner {
		return "", "role is invalid, must be empty or " + DomainRolePartner
	}
	if !w.Version.Has(versions.MasterDomainID) {
		request.MasterDomainID = "" // the request has no such field
	}
	if master := request.MasterDomainID; master != "" && master != request.DomainID {
		d := w.domain(master)
		if d == nil {
			return "", "check master domain id failed with err " + domainKind.Missing(master).Error()
		}
		if d.Spec.Role != request.Role {
			return "", fmt.Sprintf("master domain role is %s, but current role is %s", d.Spec.Role, request.Role)
		}
	}
	return w.checkCertificate(request.Cert)
}

// domainAllowed restricts a domain on the internal port to itself.
func domainAllowed(from server.Caller, id string) string {
	if from.Domain == "" || from.Domain == id {
		return ""
	}
	return fmt.Sprintf("domain's kusciaAPI could only operate its own Domain, request.DomainID must be %s not %s", from.Domain, id)
}

func updateDomain(w *Domains, s *server.Node, from server.Caller, request *UpdateDomainRequest) server.Response {
	if request.DomainID == "" {
		return server.Refuse(server.CodeValidate, "domain id can not be empty")
	}
	if complaint := domainAllowed(from, request.DomainID); complaint != "" {
		return server.Refuse(server.CodeAuthFailed, complaint)
	}
	cert, complaint := w.checkDomain((*CreateDomainRequest)(request))
	if complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	d := w.domain(request.DomainID)
	if d == nil {
		return domainCodes.Refuse(codeUpdateDomain, domainKind.Missing(request.DomainID))
	}
	if complaint := checkAuthCenter(request.DomainID, request.AuthCenter); complaint != "" {
		return server.Refuse(codeUpdateDomain, complaint)
	}
	// Fields that an update omits are not kept: the master becomes the domain
	// itself and the authentication is removed.
	before := *d
	d.Spec.Role, d.Spec.AuthCenter, d.Spec.Master = request.Role, (*objects.AuthCenter)(request.AuthCenter), cmp.Or(request.MasterDomainID, request.DomainID)
	d.Spec.Cert = cmp.Or(cert, d.Spec.Cert)
	if d.Spec.Role != before.Spec.Role {
		d.Spec.InterConnProtocols = protocolsOf(d.Spec.Role)
	}
	if !w.Version.Has(versions.DomainUpdateKeeps) { // the object is replaced
		d.Labels, d.Annotations = nil, nil
		d.Spec = objects.DomainSpec{Role: d.Spec.Role, Cert: cert, Master: request.MasterDomainID, AuthCenter: d.Spec.AuthCenter}
	}
	if reflect.DeepEqual(*d, before) {
		return server.Done()
	}
	s.PauseBeforeWrite()
	return domainCodes.DoneUnless(codeUpdateDomain, w.domains.Update(d))
}

// protocolsOf are the protocols that a role gives to a domain.
func protocolsOf(role string) []string {
	if role == DomainRolePartner {
		return []string{interConn}
	}
	return nil
}

// checkAuthCenter is the store's error for the authentication of a domain.
func checkAuthCenter(id string, auth *AuthCenter) string {
	if auth == nil {
		return ""
	}
	var errs server.FieldErrors
	errs.Supported("spec.authCenter.authenticationType", auth.AuthenticationType, "Token", "MTLS", "None")
	errs.Supported("spec.authCenter.tokenGenMethod", auth.TokenGenMethod, "RSA-GEN", "RAND-GEN", "UID-RSA-GEN")
	return errs.Text("Domain", id)
}

// deleteDomain deletes a domain; its namespace and the objects in it remain.
func deleteDomain(w *Domains, _ *server.Node, _ server.Caller, request *DeleteDomainRequest) server.Response {
	if request.DomainID == "" {
		return server.Refuse(server.CodeValidate, "domain id can not be empty")
	}
	return domainCodes.DoneUnless(codeDeleteDomain, w.domains.Delete("", request.DomainID))
}
