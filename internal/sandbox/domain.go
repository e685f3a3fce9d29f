package sandbox

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// domainRolePartner marks a domain that another cluster runs.
const domainRolePartner = "partner"

type domain struct {
	id, role, cert, master string
	auth                   *AuthCenter
	created                time.Time
	uid                    uint64
	version                uint64
	tokens                 []deployToken
	// tokenFrom is when the tokens are first seen.
	tokenFrom time.Time
	// withNode tells that a node has joined, at nodeSince; more can be
	// registered by hand.
	withNode   bool
	nodeSince  time.Time
	registered []*domainNode
}

// AuthCenter is how a domain authenticates.
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

var domainObject = object{
	name: "domains", kind: kindDomains,
	operations: map[string]operation{
		"domain/create":     objectOperation(codeCreateDomain, (*Sandbox).createDomain).onLite(liteRefused),
		"domain/query":      objectOperation(codeQueryDomain, (*Sandbox).queryDomain).data().forDomains(),
		"domain/update":     objectOperation(codeUpdateDomain, (*Sandbox).updateDomain).forDomains(),
		"domain/delete":     objectOperation(codeDeleteDomain, (*Sandbox).deleteDomain).onLite(liteRefused),
		"domain/batchQuery": objectOperation(codeDomainStatus, (*Sandbox).batchQueryDomains).data().forDomains(),
	},
	named:   namedBy("domain_id"),
	seed:    seedDomains,
	save:    saveDomains,
	restore: restoreDomains,
}

// The states of a deploy token.
const (
	tokenUnused = "unused"
	tokenUsed   = "used"
)

// addDomain stores a domain and its namespace. The controller makes the deploy
// token soon after. A namespace cannot have a dot, so without one nothing else
// comes of the domain.
func (w *world) addDomain(id, role string) *domain {
	w.seq++
	d := &domain{
		id: id, role: role, created: w.now, uid: w.nextUID(), version: w.seq,
		auth: &AuthCenter{AuthenticationType: "Token", TokenGenMethod: "RSA-GEN"},
	}
	w.domains[id] = d
	if strings.Contains(id, ".") {
		return d
	}
	w.namespaces[id] = true
	if role == "" {
		w.addToken(d, w.timing.Apply)
	}
	return d
}

// addToken makes a deploy token; a domain's first one takes a moment.
func (w *world) addToken(d *domain, delay time.Duration) {
	if len(d.tokens) == 0 {
		d.tokenFrom = w.now.Add(delay)
	}
	d.tokens = append(d.tokens, deployToken{Token: w.randomText(32), State: tokenUnused, LastTransitionTime: rfc3339(w.now)})
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

func (w *world) randomText(length int) string {
	return randomText(w.rng, length)
}

func randomText(rng *rand.Rand, length int) string {
	text := make([]byte, length)
	for i := range text {
		text[i] = letters[rng.IntN(len(letters))]
	}
	return string(text)
}

func (s *Sandbox) createDomain(_ caller, request *CreateDomainRequest) answer {
	w := s.world
	defer w.enter()()
	switch request.DomainID {
	case "":
		return refuse(codeValidate, "domain id can not be empty")
	case "master":
		return refuse(codeValidate, "domain id can not be 'master', please choose another name")
	}
	if complaint := checkName(request.DomainID, "domain_id"); complaint != "" {
		return refuse(codeValidate, complaint)
	}
	cert, complaint := w.checkDomain(request)
	if complaint != "" {
		return refuse(codeValidate, complaint)
	}
	if complaint := checkAuthCenter(request.DomainID, request.AuthCenter); complaint != "" {
		return refuse(codeCreateDomain, complaint)
	}
	s.pauseBeforeWrite()
	if w.domains[request.DomainID] != nil {
		return refuse(codeDomainExists, existsError(kindDomains, request.DomainID))
	}
	d := w.addDomain(request.DomainID, request.Role)
	d.cert, d.master = cert, request.MasterDomainID
	if request.AuthCenter != nil {
		d.auth = request.AuthCenter
	}
	w.domainCreated(d)
	return done()
}

func (w *world) checkDomain(request *CreateDomainRequest) (cert, complaint string) {
	if request.Role != "" && request.Role != domainRolePartner {
		return "", "role is invalid, must be empty or " + domainRolePartner
	}
	if master := request.MasterDomainID; master != "" && master != request.DomainID {
		d := w.domains[master]
		if d == nil {
			return "", "check master domain id failed with err " + lookupError(kindDomains, master)
		}
		if d.role != request.Role {
			return "", fmt.Sprintf("master domain role is %s, but current role is %s", d.role, request.Role)
		}
	}
	return checkCertificate(request.Cert)
}

// domainAllowed keeps a domain on the internal port to itself.
func domainAllowed(from caller, id string) string {
	if from.domain == "" || from.domain == id {
		return ""
	}
	return fmt.Sprintf("domain's kusciaAPI could only operate its own Domain, request.DomainID must be %s not %s", from.domain, id)
}

func (s *Sandbox) updateDomain(from caller, request *UpdateDomainRequest) answer {
	w := s.world
	defer w.enter()()
	if request.DomainID == "" {
		return refuse(codeValidate, "domain id can not be empty")
	}
	if complaint := domainAllowed(from, request.DomainID); complaint != "" {
		return refuse(codeAuthFailed, complaint)
	}
	cert, complaint := w.checkDomain((*CreateDomainRequest)(request))
	if complaint != "" {
		return refuse(codeValidate, complaint)
	}
	d := w.domains[request.DomainID]
	if d == nil {
		return refuse(codeDomainUnknown, lookupError(kindDomains, request.DomainID))
	}
	if complaint := checkAuthCenter(d.id, request.AuthCenter); complaint != "" {
		return refuse(codeUpdateDomain, complaint)
	}
	next := *d
	next.role, next.auth, next.master = request.Role, request.AuthCenter, request.MasterDomainID
	if cert != "" {
		next.cert = cert
	}
	// What an update leaves out is not kept: the master becomes the domain
	// itself and the authentication is gone.
	if next.master == "" {
		next.master = d.id
	}
	if next.role == d.role && next.cert == d.cert && next.master == d.master && reflect.DeepEqual(next.auth, d.auth) {
		return done()
	}
	before := d.version
	s.pauseBeforeWrite()
	switch {
	case w.domains[request.DomainID] != d:
		return refuse(codeDomainUnknown, lookupError(kindDomains, request.DomainID))
	case d.version != before:
		return refuse(codeUpdateDomain, conflictError(kindDomains, request.DomainID))
	}
	w.seq++
	d.role, d.auth, d.master, d.cert, d.version = next.role, next.auth, next.master, next.cert, w.seq
	if d.role == "" && len(d.tokens) == 0 && w.namespaces[d.id] {
		w.addToken(d, w.timing.Apply)
	}
	w.wakeRoutesOf(d.id)
	return done()
}

func (s *Sandbox) deleteDomain(_ caller, request *DeleteDomainRequest) answer {
	w := s.world
	defer w.enter()()
	if request.DomainID == "" {
		return refuse(codeValidate, "domain id can not be empty")
	}
	d := w.domains[request.DomainID]
	if d == nil {
		return refuse(codeDomainUnknown, lookupError(kindDomains, request.DomainID))
	}
	w.seq++
	delete(w.domains, request.DomainID) // the namespace stays, with what is in it
	w.removeAutomaticRoute(d)
	return done()
}
