package kuscia

import (
	"context"
	"errors"
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

var (
	opCreateGrant     = row(operation{Operation: create("domaindatagrant/create"), code: CodeCreateDomainDataGrant})
	opQueryGrant      = row(operation{Operation: post("domaindatagrant/query"), code: CodeQueryDomainDataGrant})
	opUpdateGrant     = row(operation{Operation: update("domaindatagrant/update"), code: CodeUpdateDomainDataGrant})
	opDeleteGrant     = row(operation{Operation: update("domaindatagrant/delete"), code: CodeDeleteDomainDataGrant})
	opBatchQueryGrant = row(operation{Operation: post("domaindatagrant/batchQuery")})
	opListGrant       = row(operation{Operation: post("domaindatagrant/list")})
)

// The phases of a grant. GrantPending is that of a grant that nobody has looked
// at yet, and for ever that of a grant to a domain that does not exist.
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

// DomainDataGrantData is what a grant says. The server never returns
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

// GrantLimit is how long, how often and for what the data may be used.
type GrantLimit struct {
	// ExpirationTime is in nanoseconds since 1970 and cut to whole seconds;
	// 0 and less is never.
	ExpirationTime Int64 `json:"expiration_time"`
	// UseCount of 0 is without a limit.
	UseCount   int32    `json:"use_count"`
	FlowID     string   `json:"flow_id"`
	Components []string `json:"components"`
	// Initiator is stored and never returned.
	Initiator   string `json:"initiator"`
	InputConfig string `json:"input_config"`
}

// DomainDataGrantStatus is what the controller found when it last looked. It
// looks when a grant is created and every 10 minutes (Kuscia v1.1), not after
// an update or when time runs out. The copy of the grant in the domain of the
// grantee has the right phase within a second of an update.
type DomainDataGrantStatus struct {
	// Phase is GrantPending, GrantReady or GrantUnavailable.
	Phase string `json:"phase"`
	// Message says why a grant is unavailable.
	Message string           `json:"message"`
	Records []GrantUseRecord `json:"records"`
}

// GrantUseRecord is a use of granted data. (None was recorded; the fields are
// those of Kuscia's proto files.)
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
// Signature are replaced, by nothing where the request has none. After a change
// of GrantDomain the earlier grantee keeps its copy.
type DomainDataGrantRequest struct {
	Header *RequestHeader `json:"header,omitempty"`
	// DomainID is the domain of the data.
	DomainID string `json:"domain_id"`
	// DomainDataGrantID is made up by the server when a create has none.
	DomainDataGrantID string `json:"domaindatagrant_id,omitempty"`
	DomainDataID      string `json:"domaindata_id"`
	// GrantDomain may be a domain that does not exist; the grant then waits.
	GrantDomain string            `json:"grant_domain"`
	Limit       *GrantLimit       `json:"limit,omitempty"`
	Description map[string]string `json:"description,omitempty"`
	// Signature is of the domain's key, in base64; it is checked only against a
	// domain's certificate, and none is needed.
	Signature string `json:"signature,omitempty"`
}

func (r *DomainDataGrantRequest) key() DomainDataGrantKey {
	return DomainDataGrantKey{DomainID: r.DomainID, DomainDataGrantID: r.DomainDataGrantID}
}

// DomainDataGrantKey names a grant. With the domain of the grantee it names the
// grantee's copy.
type DomainDataGrantKey struct {
	DomainID          string `json:"domain_id"`
	DomainDataGrantID string `json:"domaindatagrant_id"`
}

// ID is how errors and logs call the grant.
func (k DomainDataGrantKey) ID() string { return k.DomainID + "/" + k.DomainDataGrantID }

// DomainDataGrantFilter says which grants of a domain are listed; "" is all.
type DomainDataGrantFilter struct {
	DomainID    string `json:"domain_id"`
	GrantDomain string `json:"grant_domain,omitempty"`
}

// CreateDomainDataGrant creates a grant and returns its id, or fails with
// ErrExists, or ErrDomainDataMissing when the data or their domain do not exist.
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
			return fmt.Errorf("the answer is about the grant %q", httpapi.Text(out.Data.DomainDataGrantID))
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return &out, nil
}

// UpdateDomainDataGrant replaces a grant, or fails with ErrNotFound.
func (c *Client) UpdateDomainDataGrant(ctx context.Context, request *DomainDataGrantRequest) error {
	body := *request
	body.Header = c.header(request.Header)
	_, err := c.do(ctx, opUpdateGrant, []string{request.key().ID()}, &body)
	return err
}

// DeleteDomainDataGrant deletes a grant with the grantee's copy, or fails with
// ErrNotFound. The grantee's copy of the data may stay.
func (c *Client) DeleteDomainDataGrant(ctx context.Context, key DomainDataGrantKey) error {
	request := &domainDataGrantKeyRequest{Header: c.header(nil), DomainDataGrantKey: key}
	_, err := c.do(ctx, opDeleteGrant, []string{key.ID()}, request)
	return err
}

// BatchQueryDomainDataGrants returns grants in the order of the keys. When one
// does not exist it fails as a whole with code CodeQueryDomainDataGrant and an
// error that is of no kind.
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

// ListDomainDataGrants returns all grants of a domain that pass the filter,
// sorted by id, also copies of those that others gave to it. An unknown domain
// has none.
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
		return errors.New("the answer has a grant without data or status")
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
