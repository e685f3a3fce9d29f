package kuscia

import (
	"context"
	"errors"
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// Error codes of domains (Kuscia v1.1).
const (
	CodeCreateDomain      int32 = 11300
	CodeQueryDomain       int32 = 11301
	CodeQueryDomainStatus int32 = 11302
	CodeUpdateDomain      int32 = 11303
	CodeDeleteDomain      int32 = 11304
	CodeDomainNotExists   int32 = 11305
	CodeDomainExists      int32 = 11306
)

var (
	opCreateDomain     = register(operation{Operation: create("domain/create"), code: CodeCreateDomain})
	opQueryDomain      = register(operation{Operation: post("domain/query"), code: CodeQueryDomain})
	opUpdateDomain     = register(operation{Operation: update("domain/update"), code: CodeUpdateDomain})
	opDeleteDomain     = register(operation{Operation: update("domain/delete"), code: CodeDeleteDomain})
	opBatchQueryDomain = register(operation{Operation: post("domain/batchQuery"), code: CodeQueryDomainStatus})
)

// ErrDomainMissing means that the operation needs a domain that does not exist.
var ErrDomainMissing = errors.New("domain is missing")

var _ = errorRules.add(
	errorRule{code: CodeDomainNotExists, fits: isGone, kind: ErrNotFound},
	errorRule{code: CodeDomainExists, kind: ErrExists},
)

// ofAnotherDomain are the texts of a node for a request on behalf of another
// domain.
var ofAnotherDomain = []string{"can't operate domain", "could only operate", "could only query"}

var _ = hints.add(errorHint{
	fits: func(e *Error) bool { return e.Is(ErrUnauthorized) && containsAny(e.Message, ofAnotherDomain) },
	hint: "The endpoint belongs to the node of another domain. Use the endpoint of the domain's own node, or of the master if it is permitted to do this.",
})

var _ = secretFields.add("token")

// The roles of a domain.
const (
	// DomainRoleLocal: the nodes of the domain belong to this cluster.
	DomainRoleLocal = ""
	// DomainRolePartner: another cluster runs the domain.
	DomainRolePartner = "partner"
)

// MasterDomain is the id for which domain/query returns the cluster's CA
// certificate and nothing else. No domain can have this id.
const MasterDomain = "master"

// Domain is a party of the federation: the data of domain/query.
type Domain struct {
	// DomainID has up to 63 characters of a-z, 0-9 and -. The server accepts
	// dots, but then never creates the namespace, and the domain cannot be
	// used.
	DomainID string `json:"domain_id"`
	// Role is DomainRoleLocal or DomainRolePartner.
	Role string `json:"role"`
	// Cert is one or more certificates, as base64 of PEM; "" if there is none.
	// Compare its DER: the server may change the encoding.
	Cert string `json:"cert"`
	// NodeStatuses is empty until a node registers.
	NodeStatuses []NodeStatus `json:"node_statuses"`
	// DeployTokenStatuses is empty until about 0.1 s after the create, at most
	// 10 s (Kuscia v1.1), and always for a partner. Not in batch responses.
	DeployTokenStatuses []DeployTokenStatus `json:"deploy_token_statuses,omitempty"`
	// Annotations are set by Kuscia. Not in batch responses.
	Annotations map[string]string `json:"annotations,omitempty"`
	// AuthCenter is nil after an update without it. Not in batch responses.
	AuthCenter *AuthCenter `json:"auth_center,omitempty"`
	// MasterDomainID is "" after a create without it and the own id after an
	// update without it; both mean the same. Not in batch responses.
	MasterDomainID string `json:"master_domain_id,omitempty"`
}

// NodeStatus is a node of a domain, as it last reported.
type NodeStatus struct {
	Name string `json:"name"`
	// Status is Ready, NotReady, or "" in the first seconds.
	Status             string `json:"status"`
	Version            string `json:"version"`
	LastHeartbeatTime  string `json:"last_heartbeat_time"`
	LastTransitionTime string `json:"last_transition_time"`
}

// DeployTokenStatus is a token with which a node joins the domain, in clear
// text.
type DeployTokenStatus struct {
	Token string `json:"token"`
	// State is unused or used.
	State              string `json:"state"`
	LastTransitionTime string `json:"last_transition_time"`
}

// AuthCenter is the authentication of the nodes of a domain. Both fields are
// required.
type AuthCenter struct {
	// AuthenticationType is Token, MTLS or None.
	AuthenticationType string `json:"authentication_type"`
	// TokenGenMethod is RSA-GEN, RAND-GEN or UID-RSA-GEN.
	TokenGenMethod string `json:"token_gen_method"`
}

// DomainRequest is the body of domain/create and domain/update.
//
// An update replaces all fields: a missing role becomes DomainRoleLocal, a nil
// AuthCenter removes it, and an empty MasterDomainID becomes the own id. Only
// an empty Cert keeps the stored value.
type DomainRequest struct {
	Header   *RequestHeader `json:"header,omitempty"`
	DomainID string         `json:"domain_id"`
	Role     string         `json:"role"`
	// Cert is PEM, the base64 of PEM, or the base64 of DER.
	Cert string `json:"cert,omitempty"`
	// A nil AuthCenter means Token and RSA-GEN in a create.
	AuthCenter *AuthCenter `json:"auth_center,omitempty"`
	// MasterDomainID is the domain of the master; it must exist and have the
	// same role, unless it is the own id.
	MasterDomainID string `json:"master_domain_id,omitempty"`
}

// CreateDomain creates a domain, or returns ErrExists. The deploy token is
// created later. A lite node returns ErrUnsupported.
func (c *Client) CreateDomain(ctx context.Context, request *DomainRequest) error {
	return c.writeDomain(ctx, opCreateDomain, request)
}

// UpdateDomain replaces the definition of a domain, or returns ErrNotFound.
func (c *Client) UpdateDomain(ctx context.Context, request *DomainRequest) error {
	return c.writeDomain(ctx, opUpdateDomain, request)
}

func (c *Client) writeDomain(ctx context.Context, op operation, request *DomainRequest) error {
	body := *request
	body.Header = c.header(request.Header)
	_, err := c.do(ctx, op, []string{request.DomainID}, &body)
	return err
}

// QueryDomain returns a domain, or an error that is ErrNotFound.
func (c *Client) QueryDomain(ctx context.Context, id string) (*Domain, error) {
	var out Domain
	request := &domainIDRequest{Header: c.header(nil), DomainID: id}
	if err := c.read(ctx, opQueryDomain, []string{id}, request, &out, func() error {
		if out.DomainID != id {
			return fmt.Errorf("the response is for the domain %q", httpapi.Text(out.DomainID))
		}
		return checkCertificates(out.Cert)
	}); err != nil {
		return nil, err
	}
	return &out, nil
}

// DeleteDomain deletes a domain, or returns ErrNotFound. Routes of others to
// it, and its data, data sources, grants and configuration remain and are
// visible again if a domain with this id is created.
func (c *Client) DeleteDomain(ctx context.Context, id string) error {
	_, err := c.do(ctx, opDeleteDomain, []string{id}, &domainIDRequest{Header: c.header(nil), DomainID: id})
	return err
}

// BatchQueryDomains returns the domains in the order of the ids, each with id,
// role, certificate and nodes only. If one does not exist, it returns
// ErrNotFound and no domains.
func (c *Client) BatchQueryDomains(ctx context.Context, ids []string) ([]Domain, error) {
	var out struct {
		Domains []Domain `json:"domains"`
	}
	request := &domainIDsRequest{Header: c.header(nil), DomainIDs: ids}
	if err := c.read(ctx, opBatchQueryDomain, ids, request, &out, func() error {
		if err := sameCount(len(out.Domains), len(ids), "domains"); err != nil {
			return err
		}
		for i, id := range ids {
			if out.Domains[i].DomainID != id {
				return fmt.Errorf("the response is for the domain %q instead of %q", httpapi.Text(out.Domains[i].DomainID), id)
			}
			if err := checkCertificates(out.Domains[i].Cert); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return out.Domains, nil
}

// sameCount checks the number of elements in a batch response.
func sameCount(got, requested int, what string) error {
	if got != requested {
		return fmt.Errorf("the response has %d %s, requested %d", got, what, requested)
	}
	return nil
}

type domainIDRequest struct {
	Header   *RequestHeader `json:"header,omitempty"`
	DomainID string         `json:"domain_id"`
}

type domainIDsRequest struct {
	Header    *RequestHeader `json:"header,omitempty"`
	DomainIDs []string       `json:"domain_ids"`
}
