package kuscia

import (
	"context"
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

var (
	opCreateDataSource     = row(operation{Operation: create("domaindatasource/create"), code: CodeCreateDomainDataSource})
	opQueryDataSource      = row(operation{Operation: post("domaindatasource/query"), code: CodeQueryDomainDataSource})
	opUpdateDataSource     = row(operation{Operation: update("domaindatasource/update"), code: CodeUpdateDomainDataSource})
	opDeleteDataSource     = row(operation{Operation: update("domaindatasource/delete"), code: CodeDeleteDomainDataSource})
	opBatchQueryDataSource = row(operation{Operation: post("domaindatasource/batchQuery"), code: CodeBatchDomainDataSource})
	opListDataSource       = row(operation{Operation: post("domaindatasource/list"), code: CodeListDomainDataSource})
)

// The types of data sources.
const (
	DataSourceLocalFS    = "localfs"
	DataSourceOSS        = "oss"
	DataSourceMySQL      = "mysql"
	DataSourceODPS       = "odps"
	DataSourcePostgreSQL = "postgresql"
	DataSourceHive       = "hive"
	DataSourceDameng     = "dameng"
)

// DomainDataSource is a place where a domain keeps data: the data of
// domaindatasource/query. Only the node of the domain (autonomy or lite) may
// change it or see its Info; at a master a change is ErrUnsupported and Info is
// nil.
type DomainDataSource struct {
	DomainID     string `json:"domain_id"`
	DataSourceID string `json:"datasource_id"`
	Name         string `json:"name"`
	// Type is one of the DataSource constants.
	Type string `json:"type"`
	// Status is always "".
	Status string `json:"status"`
	// Info has the passwords and keys in clear.
	Info *DataSourceInfo `json:"info"`
	// InfoKey is the key of the configuration of the node whose value is the
	// JSON of the kind's object; Info then comes from there.
	InfoKey        string `json:"info_key"`
	AccessDirectly bool   `json:"access_directly"`
}

// DataSourceInfo is how to reach the data. The kind that belongs to the type
// counts; others are stored and returned.
type DataSourceInfo struct {
	LocalFS  *LocalFSInfo  `json:"localfs"`
	OSS      *OSSInfo      `json:"oss"`
	Database *DatabaseInfo `json:"database"`
	ODPS     *ODPSInfo     `json:"odps"`
}

// LocalFSInfo is a folder of the node.
type LocalFSInfo struct {
	// Path is needed; slashes at its end are cut off.
	Path string `json:"path"`
}

// OSSInfo is a bucket of an object store.
type OSSInfo struct {
	// Endpoint, Bucket, AccessKeyID and AccessKeySecret are needed. Bucket and
	// Prefix lose their outer slashes.
	Endpoint        string `json:"endpoint"`
	Bucket          string `json:"bucket"`
	Prefix          string `json:"prefix"`
	AccessKeyID     string `json:"access_key_id"`
	AccessKeySecret string `json:"access_key_secret"`
	Virtualhost     bool   `json:"virtualhost"`
	Version         string `json:"version"`
	// StorageType is oss or minio.
	StorageType string `json:"storage_type"`
}

// DatabaseInfo is a database of the types mysql, postgresql, hive and dameng.
// Only dameng needs Endpoint and Database.
type DatabaseInfo struct {
	Endpoint string `json:"endpoint"`
	User     string `json:"user"`
	Password string `json:"password"`
	Database string `json:"database"`
}

// ODPSInfo is a project of MaxCompute. All fields are needed.
type ODPSInfo struct {
	// Endpoint begins with http:// or https://.
	Endpoint        string `json:"endpoint"`
	Project         string `json:"project"`
	AccessKeyID     string `json:"access_key_id"`
	AccessKeySecret string `json:"access_key_secret"`
}

func (i *DataSourceInfo) secrets() []string {
	var secrets []string
	if i == nil {
		return nil
	}
	if i.OSS != nil {
		secrets = append(secrets, i.OSS.AccessKeyID, i.OSS.AccessKeySecret)
	}
	if i.Database != nil {
		secrets = append(secrets, i.Database.Password)
	}
	if i.ODPS != nil {
		secrets = append(secrets, i.ODPS.AccessKeyID, i.ODPS.AccessKeySecret)
	}
	return secrets
}

// DomainDataSourceRequest is the body of domaindatasource/create and
// domaindatasource/update.
//
// In an update nil keeps, and "" and false are set. Info needs Type in the same
// request, replaces whole, and is ignored when InfoKey is in the request, even
// as "". A source goes from InfoKey to Info in two updates: first Type and Info
// (the key still wins), then InfoKey "".
type DomainDataSourceRequest struct {
	Header   *RequestHeader `json:"header,omitempty"`
	DomainID string         `json:"domain_id"`
	// DataSourceID is made up by the server when a create has none.
	DataSourceID   string          `json:"datasource_id,omitempty"`
	Type           string          `json:"type,omitempty"`
	Name           *string         `json:"name,omitempty"`
	Info           *DataSourceInfo `json:"info,omitempty"`
	InfoKey        *string         `json:"info_key,omitempty"`
	AccessDirectly *bool           `json:"access_directly,omitempty"`
}

func (r *DomainDataSourceRequest) key() DomainDataSourceKey {
	return DomainDataSourceKey{DomainID: r.DomainID, DataSourceID: r.DataSourceID}
}

// DomainDataSourceKey names a data source.
type DomainDataSourceKey struct {
	DomainID     string `json:"domain_id"`
	DataSourceID string `json:"datasource_id"`
}

// ID is how errors and logs call the data source.
func (k DomainDataSourceKey) ID() string { return k.DomainID + "/" + k.DataSourceID }

// CreateDomainDataSource creates a data source and returns its id, or fails
// with ErrExists.
func (c *Client) CreateDomainDataSource(ctx context.Context, request *DomainDataSourceRequest) (string, error) {
	body := *request
	body.Header = c.header(request.Header)
	var out struct {
		ID string `json:"datasource_id"`
	}
	for _, secret := range request.Info.secrets() {
		ctx = KeepSecret(ctx, secret)
	}
	err := c.read(ctx, opCreateDataSource, []string{request.key().ID()}, &body, &out, func() error {
		return createdID(out.ID, request.DataSourceID)
	})
	return out.ID, err
}

// QueryDomainDataSource returns a data source, or an error that is ErrNotFound,
// or ErrUnreadable for one that exists and cannot be shown: its information is
// not there, or not in the configuration behind its InfoKey.
func (c *Client) QueryDomainDataSource(ctx context.Context, key DomainDataSourceKey) (*DomainDataSource, error) {
	var out DomainDataSource
	request := &domainDataSourceKeyRequest{Header: c.header(nil), DomainDataSourceKey: key}
	if err := c.read(ctx, opQueryDataSource, []string{key.ID()}, request, &out, func() error {
		if out.DomainID != key.DomainID || out.DataSourceID != key.DataSourceID {
			return fmt.Errorf("the answer is about the data source %q of %q", httpapi.Text(out.DataSourceID), httpapi.Text(out.DomainID))
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return &out, nil
}

// UpdateDomainDataSource changes what is in the request, or fails with
// ErrNotFound. A request with the key alone changes nothing.
func (c *Client) UpdateDomainDataSource(ctx context.Context, request *DomainDataSourceRequest) error {
	body := *request
	body.Header = c.header(request.Header)
	_, err := c.do(ctx, opUpdateDataSource, []string{request.key().ID()}, &body, request.Info.secrets()...)
	return err
}

// DeleteDomainDataSource deletes a data source, also one that domain data use.
// It succeeds when there is none.
func (c *Client) DeleteDomainDataSource(ctx context.Context, key DomainDataSourceKey) error {
	request := &domainDataSourceKeyRequest{Header: c.header(nil), DomainDataSourceKey: key}
	_, err := c.do(ctx, opDeleteDataSource, []string{key.ID()}, request)
	return err
}

// BatchQueryDomainDataSources returns data sources in the order of the keys. It
// fails as a whole with ErrNotFound or ErrUnreadable when that is so for one.
func (c *Client) BatchQueryDomainDataSources(ctx context.Context, keys []DomainDataSourceKey) ([]DomainDataSource, error) {
	request := &domainDataSourceKeysRequest{Header: c.header(nil), Data: keys}
	list, err := c.readDataSourceList(ctx, opBatchQueryDataSource, idsOf(keys), request, func(count int) error {
		return sameCount(count, len(keys), "data sources")
	})
	return list, err
}

// ListDomainDataSources returns all data sources of a domain, sorted by id. At
// the node of the domain it fails as a whole with ErrUnreadable when one cannot
// be shown; a master has no such trouble.
func (c *Client) ListDomainDataSources(ctx context.Context, domainID string) ([]DomainDataSource, error) {
	request := &domainIDRequest{Header: c.header(nil), DomainID: domainID}
	return c.readDataSourceList(ctx, opListDataSource, []string{domainID}, request, func(int) error { return nil })
}

func (c *Client) readDataSourceList(ctx context.Context, op operation, ids []string, request any, check func(count int) error) ([]DomainDataSource, error) {
	var out struct {
		List []DomainDataSource `json:"datasource_list"`
	}
	if err := c.read(ctx, op, ids, request, &out, func() error {
		if err := hasList(out.List != nil, "data sources"); err != nil {
			return err
		}
		return check(len(out.List))
	}); err != nil {
		return nil, err
	}
	return out.List, nil
}

type domainDataSourceKeyRequest struct {
	Header *RequestHeader `json:"header,omitempty"`
	DomainDataSourceKey
}

type domainDataSourceKeysRequest struct {
	Header *RequestHeader        `json:"header,omitempty"`
	Data   []DomainDataSourceKey `json:"data"`
}
