package domain

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// DomainRolePartner marks a domain that another cluster runs.
const DomainRolePartner = "partner"

type domain struct {
	id, role, cert, master string
	auth                   *AuthCenter
	created                time.Time
	uid                    uint64
	version                uint64
	tokens                 []deployToken
	// tokenFrom is when the tokens become visible.
	tokenFrom time.Time
	// withNode: a node has joined, at nodeSince; more can be registered
	// manually.
	withNode   bool
	nodeSince  time.Time
	registered []*domainNode
}

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

// The codes of domain operations, and the kind in the texts of the store.
const (
	codeCreateDomain  int32 = 11300
	codeQueryDomain   int32 = 11301
	codeDomainStatus  int32 = 11302
	codeUpdateDomain  int32 = 11303
	codeDeleteDomain  int32 = 11304
	codeDomainUnknown int32 = 11305
	codeDomainExists  int32 = 11306
	Kind                    = "domains"
)

// Object is the kind domain.
var Object = server.Object{
	Name: "domains", Plural: Kind,
	Operations: map[string]server.Operation{
		"domain/create":     server.Handle(codeCreateDomain, Of, createDomain).OnLite(server.LiteRefused),
		"domain/query":      server.Handle(codeQueryDomain, Of, queryDomain).Data().ForDomains(),
		"domain/update":     server.Handle(codeUpdateDomain, Of, updateDomain).ForDomains(),
		"domain/delete":     server.Handle(codeDeleteDomain, Of, deleteDomain).OnLite(server.LiteRefused),
		"domain/batchQuery": server.Handle(codeDomainStatus, Of, batchQueryDomains).Data().ForDomains(),
	},
	IDFields: []string{"domain_id"},
	Seed:     seedDomains,
	Save:     saveDomains,
	Restore:  restoreDomains,
}

// The states of a deploy token.
const (
	tokenUnused = "unused"
	tokenUsed   = "used"
)

// addDomain stores a domain and its namespace. The controller creates the
// deploy token soon after. A namespace must not contain a dot; a domain without
// one gets nothing else.
func (w *Domains) addDomain(id, role string) *domain {
	d := &domain{
		id: id, role: role, version: w.NextVersion(), created: w.Now(), uid: w.NextUID(),
		auth: &AuthCenter{AuthenticationType: "Token", TokenGenMethod: "RSA-GEN"},
	}
	w.byID[id] = d
	if strings.Contains(id, ".") {
		return d
	}
	w.namespaces[id] = true
	if role == "" {
		w.addToken(d, w.Timing.Apply)
	}
	return d
}

// addToken creates a deploy token; the first one of a domain takes a moment.
func (w *Domains) addToken(d *domain, delay time.Duration) {
	if len(d.tokens) == 0 {
		d.tokenFrom = w.Now().Add(delay)
	}
	d.tokens = append(d.tokens, deployToken{Token: engine.RandomText(w.Rand, 32), State: tokenUnused, LastTransitionTime: server.Rfc3339(w.Now())})
}

func createDomain(w *Domains, s *server.Node, _ server.Caller, request *CreateDomainRequest) server.Response {
	switch request.DomainID {
	case "":
		return server.Refuse(server.CodeValidate, "domain id can not be empty")
	case "master":
		return server.Refuse(server.CodeValidate, "domain id can not be 'master', please choose another name")
	}
	if complaint := server.CheckName(request.DomainID, "domain_id"); complaint != "" {
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
	if w.byID[request.DomainID] != nil {
		return server.Refuse(codeDomainExists, server.ExistsError(Kind, request.DomainID))
	}
	d := w.addDomain(request.DomainID, request.Role)
	d.cert, d.master = cert, request.MasterDomainID
	if request.AuthCenter != nil {
		d.auth = request.AuthCenter
	}
	if w.API != nil {
		if err := w.API.Domains.Create(d.into(&objects.Domain{})); err != nil {
			delete(w.byID, d.id)
			return server.Refuse(codeCreateDomain, err.Error())
		}
	}
	w.domainCreated(d)
	return server.Done()
}

func (w *Domains) checkDomain(request *CreateDomainRequest) (cert, complaint string) {
	if request.Role != "" && request.Role != DomainRolePartner {
		return "", "role is invalid, must be empty or " + DomainRolePartner
	}
	if master := request.MasterDomainID; master != "" && master != request.DomainID {
		d := w.byID[master]
		if d == nil {
			return "", "check master domain id failed with err " + server.LookupError(Kind, master)
		}
		if d.role != request.Role {
			return "", fmt.Sprintf("master domain role is %s, but current role is %s", d.role, request.Role)
		}
	}
	return checkCertificate(request.Cert)
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
	d := w.byID[request.DomainID]
	if d == nil {
		return server.Refuse(codeDomainUnknown, server.LookupError(Kind, request.DomainID))
	}
	if complaint := checkAuthCenter(d.id, request.AuthCenter); complaint != "" {
		return server.Refuse(codeUpdateDomain, complaint)
	}
	next := *d
	next.role, next.auth, next.master = request.Role, request.AuthCenter, request.MasterDomainID
	if cert != "" {
		next.cert = cert
	}
	// Fields that an update omits are not kept: the master becomes the domain
	// itself and the authentication is removed.
	if next.master == "" {
		next.master = d.id
	}
	if next.role == d.role && next.cert == d.cert && next.master == d.master && reflect.DeepEqual(next.auth, d.auth) {
		return server.Done()
	}
	before := d.version
	s.PauseBeforeWrite()
	switch {
	case w.byID[request.DomainID] != d:
		return server.Refuse(codeDomainUnknown, server.LookupError(Kind, request.DomainID))
	case d.version != before:
		return server.Refuse(codeUpdateDomain, server.ConflictError(Kind, request.DomainID))
	}
	if err := w.write(&next); err != nil {
		return server.Refuse(codeUpdateDomain, err.Error())
	}
	d.role, d.auth, d.master, d.cert = next.role, next.auth, next.master, next.cert
	w.domainChanged(d)
	return server.Done()
}

// domainChanged notifies the controllers of a change.
func (w *Domains) domainChanged(d *domain) {
	d.version = w.NextVersion()
	if d.role == "" && len(d.tokens) == 0 && w.namespaces[d.id] {
		w.addToken(d, w.Timing.Apply)
	}
	w.wakeRoutesOf(d.id)
}

func deleteDomain(w *Domains, _ *server.Node, _ server.Caller, request *DeleteDomainRequest) server.Response {
	if request.DomainID == "" {
		return server.Refuse(server.CodeValidate, "domain id can not be empty")
	}
	d := w.byID[request.DomainID]
	if d == nil {
		return server.Refuse(codeDomainUnknown, server.LookupError(Kind, request.DomainID))
	}
	if w.API != nil {
		if err := w.API.Domains.Delete("", d.id); err != nil {
			return server.Refuse(codeDeleteDomain, err.Error())
		}
	}
	w.domainDeleted(d)
	return server.Done()
}

// domainDeleted removes a domain; its namespace and the objects in it remain.
func (w *Domains) domainDeleted(d *domain) {
	w.NextVersion()
	delete(w.byID, d.id)
	w.removeAutomaticRoute(d)
}
