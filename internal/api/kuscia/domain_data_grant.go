package kuscia

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// Error codes of grants (Kuscia v1.1).
const (
	CodeCreateDomainDataGrant    int32 = 11700
	CodeUpdateDomainDataGrant    int32 = 11701
	CodeQueryDomainDataGrant     int32 = 11702
	CodeDeleteDomainDataGrant    int32 = 11703
	CodeDomainDataGrantExists    int32 = 11704
	CodeDomainDataGrantNotExists int32 = 11705
)

var (
	opCreateGrant     = register(operation{Operation: create("domaindatagrant/create"), code: CodeCreateDomainDataGrant})
	opQueryGrant      = register(operation{Operation: post("domaindatagrant/query"), code: CodeQueryDomainDataGrant})
	opUpdateGrant     = register(operation{Operation: update("domaindatagrant/update"), code: CodeUpdateDomainDataGrant})
	opDeleteGrant     = register(operation{Operation: update("domaindatagrant/delete"), code: CodeDeleteDomainDataGrant})
	opBatchQueryGrant = register(operation{Operation: post("domaindatagrant/batchQuery")})
	opListGrant       = register(operation{Operation: post("domaindatagrant/list")})
)

var _ = errorRules.add(
	errorRule{code: CodeInvalid, operations: "domaindatagrant/create", fits: isMissingDomainData, kind: ErrDomainDataMissing},
	errorRule{code: CodeDomainDataGrantNotExists, fits: isGone, kind: ErrNotFound},
	errorRule{code: CodeDomainDataGrantExists, kind: ErrExists},
	errorRule{code: CodeCreateDomainDataGrant, fits: has(" is exist"), kind: ErrExists},
	errorRule{code: CodeQueryDomainDataGrant, fits: has("may not be empty", "may not be set"), kind: ErrInvalid},
	errorRule{code: CodeDeleteDomainDataGrant, fits: has("may not be empty", "may not be set"), kind: ErrInvalid},
)

var _ = hints.add(errorHint{
	operations: opUpdateGrant.Name, fits: isKind(ErrNotFound),
	hint: "The grant was deleted after the plan. Kuscia deletes the grants of domain data with it, so that a replacement of the data ends them, " +
		"also one in this apply by another provider block. The next apply creates the grant.",
})

func isMissingDomainData(_ []string, message string) bool {
	return strings.HasPrefix(message, "domaindata [") && strings.HasSuffix(message, "] not exists")
}

var _ = secretFields.add("input_config")

// The phases of a grant. GrantPending is the phase before the controller has
// processed the grant, and permanently if the grantee does not exist.
const (
	GrantPending     = ""
	GrantReady       = "Ready"
	GrantUnavailable = "Unavailable"
)

// DomainDataGrant lets another domain use domain data: the data of
// domaindatagrant/query.
type DomainDataGrant struct {
	Data   *DomainDataGrantData   `json:"data"`
	Status *DomainDataGrantStatus `json:"status"`
}

// DomainDataGrantData is the content of a grant. The server never returns
// DomainID, Description, Signature and the Initiator of the limit.
type DomainDataGrantData struct {
	DomainDataGrantID string `json:"domaindatagrant_id"`
	// Author is the domain of the data.
	Author       string            `json:"author"`
	DomainDataID string            `json:"domaindata_id"`
	GrantDomain  string            `json:"grant_domain"`
	Limit        *GrantLimit       `json:"limit"`
	Description  map[string]string `json:"description"`
	Signature    string            `json:"signature"`
	DomainID     string            `json:"domain_id"`
}

// GrantLimit limits the use of the data: how long, how often and what for.
type GrantLimit struct {
	// ExpirationTime is in nanoseconds since 1970 and truncated to whole
	// seconds; 0 and less means never.
	ExpirationTime Int64 `json:"expiration_time"`
	// UseCount 0 means no limit.
	UseCount   int32    `json:"use_count"`
	FlowID     string   `json:"flow_id"`
	Components []string `json:"components"`
	// Initiator is stored and never returned.
	Initiator   string `json:"initiator"`
	InputConfig string `json:"input_config"`
}

// DomainDataGrantStatus is the result of the controller's last check. It checks
// when a grant is created and every 10 minutes (Kuscia v1.1), not after an
// update or an expiration. The copy of the grant in the domain of the grantee
// has the correct phase within a second of an update.
type DomainDataGrantStatus struct {
	// Phase is GrantPending, GrantReady or GrantUnavailable.
	Phase string `json:"phase"`
	// Message explains why a grant is unavailable.
	Message string           `json:"message"`
	Records []GrantUseRecord `json:"records"`
}

// GrantUseRecord is a use of granted data. (There are no recordings; the fields
// are those of Kuscia's proto files.)
type GrantUseRecord struct {
	UseTime     Int64  `json:"use_time"`
	GrantDomain string `json:"grant_domain"`
	Component   string `json:"component"`
	Output      string `json:"output"`
}

// DomainDataGrantRequest is the body of domaindatagrant/create and
// domaindatagrant/update.
//
// An update needs all ids; DomainDataID cannot change. Limit, Description and
// Signature are replaced, by empty values if the request has none. After a
// change of GrantDomain the previous grantee keeps its copy.
type DomainDataGrantRequest struct {
	Header *RequestHeader `json:"header,omitempty"`
	// DomainID is the domain of the data.
	DomainID string `json:"domain_id"`
	// DomainDataGrantID is generated by the server if it is empty in a create.
	DomainDataGrantID string `json:"domaindatagrant_id,omitempty"`
	DomainDataID      string `json:"domaindata_id"`
	// GrantDomain may be a domain that does not exist; the grant then waits.
	GrantDomain string            `json:"grant_domain"`
	Limit       *GrantLimit       `json:"limit,omitempty"`
	Description map[string]string `json:"description,omitempty"`
	// Signature is a signature of the domain's key, in base64. It is optional,
	// and only verified with a domain's certificate.
	Signature string `json:"signature,omitempty"`
}

func (r *DomainDataGrantRequest) key() DomainDataGrantKey {
	return DomainDataGrantKey{DomainID: r.DomainID, DomainDataGrantID: r.DomainDataGrantID}
}

// DomainDataGrantKey identifies a grant. With the domain of the grantee it
// identifies the grantee's copy.
type DomainDataGrantKey struct {
	DomainID          string `json:"domain_id"`
	DomainDataGrantID string `json:"domaindatagrant_id"`
}

// ID identifies the grant in errors and logs.
func (k DomainDataGrantKey) ID() string { return k.DomainID + "/" + k.DomainDataGrantID }

// DomainDataGrantFilter filters the grants of a domain; "" matches all.
type DomainDataGrantFilter struct {
	DomainID    string `json:"domain_id"`
	GrantDomain string `json:"grant_domain,omitempty"`
}

// CreateDomainDataGrant creates a grant and returns its id, or returns
// ErrExists, or ErrDomainDataMissing if the data or its domain does not exist.
func (c *Client) CreateDomainDataGrant(ctx context.Context, request *DomainDataGrantRequest) (string, error) {
	body := *request
	body.Header = c.header(request.Header)
	var out struct {
		ID string `json:"domaindatagrant_id"`
	}
	err := c.read(ctx, opCreateGrant, []string{request.key().ID()}, &body, &out, func() error {
		return createdID(out.ID, request.DomainDataGrantID)
	})
	return out.ID, err
}

// QueryDomainDataGrant returns a grant, or an error that is ErrNotFound.
func (c *Client) QueryDomainDataGrant(ctx context.Context, key DomainDataGrantKey) (*DomainDataGrant, error) {
	var out DomainDataGrant
	request := &domainDataGrantKeyRequest{Header: c.header(nil), DomainDataGrantKey: key}
	if err := c.read(ctx, opQueryGrant, []string{key.ID()}, request, &out, func() error {
		if err := out.complete(); err != nil {
			return err
		}
		if out.Data.DomainDataGrantID != key.DomainDataGrantID {
			return fmt.Errorf("the response is for the grant %q", httpapi.Text(out.Data.DomainDataGrantID))
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return &out, nil
}

// UpdateDomainDataGrant replaces a grant, or returns ErrNotFound.
func (c *Client) UpdateDomainDataGrant(ctx context.Context, request *DomainDataGrantRequest) error {
	body := *request
	body.Header = c.header(request.Header)
	_, err := c.do(ctx, opUpdateGrant, []string{request.key().ID()}, &body)
	return err
}

// DeleteDomainDataGrant deletes a grant with the grantee's copy, or returns
// ErrNotFound. The grantee's copy of the data may remain.
func (c *Client) DeleteDomainDataGrant(ctx context.Context, key DomainDataGrantKey) error {
	request := &domainDataGrantKeyRequest{Header: c.header(nil), DomainDataGrantKey: key}
	_, err := c.do(ctx, opDeleteGrant, []string{key.ID()}, request)
	return err
}

// BatchQueryDomainDataGrants returns grants in the order of the keys. If one
// does not exist, it returns no grants and an error with code
// CodeQueryDomainDataGrant that is of no kind.
func (c *Client) BatchQueryDomainDataGrants(ctx context.Context, keys []DomainDataGrantKey) ([]DomainDataGrant, error) {
	var out []DomainDataGrant
	request := &domainDataGrantKeysRequest{Header: c.header(nil), Data: keys}
	if err := c.read(ctx, opBatchQueryGrant, idsOf(keys), request, &out, func() error {
		if err := sameCount(len(out), len(keys), "grants"); err != nil {
			return err
		}
		return completeGrants(out)
	}); err != nil {
		return nil, err
	}
	return out, nil
}

// ListDomainDataGrants returns all grants of a domain that match the filter,
// sorted by id, including copies of those that others have made to it. For an
// unknown domain the list is empty.
func (c *Client) ListDomainDataGrants(ctx context.Context, filter DomainDataGrantFilter) ([]DomainDataGrant, error) {
	var out struct {
		List []DomainDataGrant `json:"domaindatagrant_list"`
	}
	request := &listDomainDataGrantRequest{Header: c.header(nil), Data: filter}
	if err := c.read(ctx, opListGrant, []string{filter.DomainID}, request, &out, func() error {
		if err := hasList(out.List != nil, "grants"); err != nil {
			return err
		}
		return completeGrants(out.List)
	}); err != nil {
		return nil, err
	}
	return out.List, nil
}

func (g *DomainDataGrant) complete() error {
	if g.Data == nil || g.Status == nil {
		return errors.New("the response has a grant without data or status")
	}
	return nil
}

func completeGrants(list []DomainDataGrant) error {
	for i := range list {
		if err := list[i].complete(); err != nil {
			return err
		}
	}
	return nil
}

type domainDataGrantKeyRequest struct {
	Header *RequestHeader `json:"header,omitempty"`
	DomainDataGrantKey
}

type domainDataGrantKeysRequest struct {
	Header *RequestHeader       `json:"header,omitempty"`
	Data   []DomainDataGrantKey `json:"data"`
}

type listDomainDataGrantRequest struct {
	Header *RequestHeader        `json:"header,omitempty"`
	Data   DomainDataGrantFilter `json:"data"`
}
