package kuscia

import (
	"context"
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

var (
	opCreateDomainData     = row(operation{Operation: create("domaindata/create"), code: CodeCreateDomainData})
	opQueryDomainData      = row(operation{Operation: post("domaindata/query"), code: CodeQueryDomainData})
	opUpdateDomainData     = row(operation{Operation: update("domaindata/update"), code: CodePatchDomainData})
	opDeleteDomainData     = row(operation{Operation: update("domaindata/delete"), code: CodeDeleteDomainData})
	opBatchQueryDomainData = row(operation{Operation: post("domaindata/batchQuery")})
	opListDomainData       = row(operation{Operation: post("domaindata/list"), code: CodeListDomainData})
)

// DefaultDataSource is the data source that a node makes when it first starts,
// and that domain data have that name no other.
const DefaultDataSource = "default-data-source"

// DomainData describes a table, model, rule or report: the data of
// domaindata/query.
type DomainData struct {
	DomainDataID string `json:"domaindata_id"`
	Name         string `json:"name"`
	// Type is a Kubernetes label value, usually table, model, rule, report or
	// unknown. Nobody checks which.
	Type string `json:"type"`
	// RelativeURI is below the data source's path. A create cuts one leading
	// slash off, an update does not.
	RelativeURI  string            `json:"relative_uri"`
	DomainID     string            `json:"domain_id"`
	DataSourceID string            `json:"datasource_id"`
	Attributes   map[string]string `json:"attributes"`
	Partition    *DataPartition    `json:"partition"`
	Columns      []DataColumn      `json:"columns"`
	// Vendor is a Kubernetes label value: manual when nobody said otherwise,
	// grant for a copy of granted data.
	Vendor string `json:"vendor"`
	// Status is always Available.
	Status string `json:"status"`
	// Author is the own domain, or that of the grantor for a copy.
	Author string `json:"author"`
	// FileFormat is UNKNOWN, CSV or BINARY.
	FileFormat string `json:"file_format"`
}

// DataPartition is how a table is partitioned.
type DataPartition struct {
	// Type is path or odps. Nobody checks which.
	Type string `json:"type"`
	// Fields lose their NotNullable (Kuscia v1.1).
	Fields []DataColumn `json:"fields"`
}

// DataColumn is a column of a table. Nobody checks names and types.
type DataColumn struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Comment     string `json:"comment"`
	NotNullable bool   `json:"not_nullable"`
}

// DomainDataRequest is the body of domaindata/create and domaindata/update.
//
// In an update whatever is empty keeps what is stored: attributes and columns
// cannot be emptied, a partition cannot be removed, a FileFormat cannot become
// UNKNOWN again. What is not empty replaces as a whole. The stored data source
// has to exist, else every update is ErrDataSourceMissing.
type DomainDataRequest struct {
	Header   *RequestHeader `json:"header,omitempty"`
	DomainID string         `json:"domain_id"`
	// DomainDataID is made up by the server when a create has none.
	DomainDataID string            `json:"domaindata_id,omitempty"`
	Name         string            `json:"name,omitempty"`
	Type         string            `json:"type,omitempty"`
	RelativeURI  string            `json:"relative_uri,omitempty"`
	DataSourceID string            `json:"datasource_id,omitempty"`
	Attributes   map[string]string `json:"attributes,omitempty"`
	Partition    *DataPartition    `json:"partition,omitempty"`
	Columns      []DataColumn      `json:"columns,omitempty"`
	Vendor       string            `json:"vendor,omitempty"`
	// FileFormat is UNKNOWN, CSV or BINARY; any other text becomes UNKNOWN
	// without a word.
	FileFormat string `json:"file_format,omitempty"`
}

func (r *DomainDataRequest) key() DomainDataKey {
	return DomainDataKey{DomainID: r.DomainID, DomainDataID: r.DomainDataID}
}

// DomainDataKey names domain data.
type DomainDataKey struct {
	DomainID     string `json:"domain_id"`
	DomainDataID string `json:"domaindata_id"`
}

// ID is how errors and logs call the domain data.
func (k DomainDataKey) ID() string { return k.DomainID + "/" + k.DomainDataID }

// DomainDataFilter says which domain data of a domain are listed; "" is all.
type DomainDataFilter struct {
	DomainID string `json:"domain_id"`
	Type     string `json:"domaindata_type,omitempty"`
	Vendor   string `json:"domaindata_vendor,omitempty"`
}

// CreateDomainData creates domain data and returns their id. Data that exist
// are UPDATED, by the rules of an update and without the vendor: ask before.
// Only the loser of a race gets ErrExists. ErrDataSourceMissing is also what an
// unknown domain gives.
func (c *Client) CreateDomainData(ctx context.Context, request *DomainDataRequest) (string, error) {
	body := *request
	body.Header = c.header(request.Header)
	var out struct {
		ID string `json:"domaindata_id"`
	}
	err := c.read(ctx, opCreateDomainData, []string{request.key().ID()}, &body, &out, func() error {
		return createdID(out.ID, request.DomainDataID)
	})
	return out.ID, err
}

// createdID checks the id in the answer to a create.
func createdID(got, requested string) error {
	if got == "" || requested != "" && got != requested {
		return fmt.Errorf("the answer is about the id %q", got)
	}
	return nil
}

// QueryDomainData returns domain data, or an error that is ErrNotFound, also
// for an unknown domain.
func (c *Client) QueryDomainData(ctx context.Context, key DomainDataKey) (*DomainData, error) {
	var out DomainData
	request := &domainDataKeyRequest{Header: c.header(nil), Data: key}
	if err := c.read(ctx, opQueryDomainData, []string{key.ID()}, request, &out, func() error {
		if out.DomainID != key.DomainID || out.DomainDataID != key.DomainDataID {
			return fmt.Errorf("the answer is about the domain data %q of %q", httpapi.Text(out.DomainDataID), httpapi.Text(out.DomainID))
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return &out, nil
}

// UpdateDomainData changes what is not empty in the request, or fails with
// ErrNotFound.
func (c *Client) UpdateDomainData(ctx context.Context, request *DomainDataRequest) error {
	body := *request
	body.Header = c.header(request.Header)
	_, err := c.do(ctx, opUpdateDomainData, []string{request.key().ID()}, &body)
	return err
}

// DeleteDomainData deletes the description of data, not the data, or fails with
// ErrNotFound. Its grants go with it, some 0.2 s later.
func (c *Client) DeleteDomainData(ctx context.Context, key DomainDataKey) error {
	request := &domainDataDeleteRequest{Header: c.header(nil), DomainDataKey: key}
	_, err := c.do(ctx, opDeleteDomainData, []string{key.ID()}, request)
	return err
}

// BatchQueryDomainData returns domain data in the order of the keys. What does
// not exist is left out.
func (c *Client) BatchQueryDomainData(ctx context.Context, keys []DomainDataKey) ([]DomainData, error) {
	request := &domainDataKeysRequest{Header: c.header(nil), Data: keys}
	return c.readDomainDataList(ctx, opBatchQueryDomainData, idsOf(keys), request)
}

// ListDomainData returns all domain data of a domain that pass the filter,
// sorted by id, also copies of data that others have granted to it. An unknown
// domain has none.
func (c *Client) ListDomainData(ctx context.Context, filter DomainDataFilter) ([]DomainData, error) {
	request := &listDomainDataRequest{Header: c.header(nil), Data: filter}
	return c.readDomainDataList(ctx, opListDomainData, []string{filter.DomainID}, request)
}

func (c *Client) readDomainDataList(ctx context.Context, op operation, ids []string, request any) ([]DomainData, error) {
	var out struct {
		List []DomainData `json:"domaindata_list"`
	}
	if err := c.read(ctx, op, ids, request, &out, func() error {
		return hasList(out.List != nil, "domain data")
	}); err != nil {
		return nil, err
	}
	return out.List, nil
}

// hasList checks that an answer has the list that it is about.
func hasList(found bool, what string) error {
	if !found {
		return fmt.Errorf("the answer has no list of %s", what)
	}
	return nil
}

type domainDataKeyRequest struct {
	Header *RequestHeader `json:"header,omitempty"`
	Data   DomainDataKey  `json:"data"`
}

type domainDataKeysRequest struct {
	Header *RequestHeader  `json:"header,omitempty"`
	Data   []DomainDataKey `json:"data"`
}

type domainDataDeleteRequest struct {
	Header *RequestHeader `json:"header,omitempty"`
	DomainDataKey
}

type listDomainDataRequest struct {
	Header *RequestHeader   `json:"header,omitempty"`
	Data   DomainDataFilter `json:"data"`
}
