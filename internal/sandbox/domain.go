package sandbox

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/rand/v2"
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
	token                  string
	withNode               bool // a node has joined
}

// AuthCenter is how a domain authenticates.
type AuthCenter struct {
	AuthenticationType string `json:"authentication_type"`
	TokenGenMethod     string `json:"token_gen_method"`
}

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

// addDomain stores a domain and its namespace.
func (w *world) addDomain(id, role string) *domain {
	d := &domain{
		id: id, role: role, created: w.now, token: w.randomText(32),
		auth: &AuthCenter{AuthenticationType: "Token", TokenGenMethod: "RSA-GEN"},
	}
	w.domains[id] = d
	w.namespaces[id] = true
	return d
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
	if w.domains[request.DomainID] != nil {
		return refuse(codeDomainExists, existsError(kindDomains, request.DomainID))
	}
	d := w.addDomain(request.DomainID, request.Role)
	d.cert, d.master = cert, request.MasterDomainID
	if request.AuthCenter != nil {
		d.auth = request.AuthCenter
	}
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

// checkCertificate takes a certificate as PEM or as base64 of PEM and returns
// the latter. (The server takes a few further spellings.)
func checkCertificate(text string) (cert, complaint string) {
	text = strings.Trim(text, "\n")
	if text == "" {
		return "", ""
	}
	if isCertificate([]byte(text)) {
		return base64.StdEncoding.EncodeToString([]byte(text)), ""
	}
	decoded, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return "", "cert must be encoded with base64"
	}
	if !isCertificate(decoded) {
		return "", "cert must be a PEM certificate"
	}
	return text, ""
}

func isCertificate(text []byte) bool {
	block, _ := pem.Decode(text)
	if block == nil {
		return false
	}
	_, err := x509.ParseCertificate(block.Bytes)
	return err == nil
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
	d.role = request.Role
	if cert != "" {
		d.cert = cert
	}
	// What an update leaves out is not kept: the master becomes the domain
	// itself and the authentication is gone.
	d.master = request.MasterDomainID
	if d.master == "" {
		d.master = d.id
	}
	d.auth = request.AuthCenter
	return done()
}

func (s *Sandbox) deleteDomain(_ caller, request *DeleteDomainRequest) answer {
	w := s.world
	defer w.enter()()
	if request.DomainID == "" {
		return refuse(codeValidate, "domain id can not be empty")
	}
	if w.domains[request.DomainID] == nil {
		return refuse(codeDomainUnknown, lookupError(kindDomains, request.DomainID))
	}
	delete(w.domains, request.DomainID) // the namespace stays
	return done()
}
