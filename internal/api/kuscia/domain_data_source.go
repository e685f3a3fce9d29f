package kuscia

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
)

// Error codes of data sources (Kuscia v1.1).
const (
	CodeCreateDomainDataSource    int32 = 11800
	CodeUpdateDomainDataSource    int32 = 11801
	CodeQueryDomainDataSource     int32 = 11802
	CodeBatchDomainDataSource     int32 = 11803
	CodeDeleteDomainDataSource    int32 = 11804
	CodeDomainDataSourceExists    int32 = 11805
	CodeDomainDataSourceNotExists int32 = 11806
	CodeDomainDataSourceEncode    int32 = 11807
	CodeListDomainDataSource      int32 = 11808
)

var (
	opCreateDataSource     = register(operation{Operation: create("domaindatasource/create"), code: CodeCreateDomainDataSource})
	opQueryDataSource      = register(operation{Operation: post("domaindatasource/query"), code: CodeQueryDomainDataSource})
	opUpdateDataSource     = register(operation{Operation: update("domaindatasource/update"), code: CodeUpdateDomainDataSource})
	opDeleteDataSource     = register(operation{Operation: update("domaindatasource/delete"), code: CodeDeleteDomainDataSource})
	opBatchQueryDataSource = register(operation{Operation: post("domaindatasource/batchQuery"), code: CodeBatchDomainDataSource})
	opListDataSource       = register(operation{Operation: post("domaindatasource/list"), code: CodeListDomainDataSource})
)

// ErrDataSourceMissing means that the operation needs a data source that does
// not exist. The domain data itself may exist.
var ErrDataSourceMissing = errors.New("data source is missing")

var _ = errorRules.add(
	errorRule{code: CodeInvalid, operations: "domaindatasource/", fits: has("master's kuscia api can't operate"), kind: ErrUnsupported},
	errorRule{code: CodeInvalid, operations: "domaindatasource/", fits: isOtherDomain, kind: ErrUnauthorized},
	errorRule{code: CodeQueryDomainDataSource, fits: has("master's kuscia api can't operate"), kind: ErrUnsupported},
	errorRule{code: CodeQueryDomainDataSource, fits: isOtherDomain, kind: ErrUnauthorized},
	errorRule{code: CodeListDomainDataSource, fits: isOtherDomain, kind: ErrUnauthorized},
	errorRule{code: CodeDomainDataSourceExists, kind: ErrExists},
	errorRule{code: CodeDomainDataSourceNotExists, fits: isGone, kind: ErrNotFound},
	errorRule{code: CodeCreateDomainDataSource, fits: isTakenDataSource, kind: ErrExists},
	errorRule{code: CodeCreateDomainDataSource, fits: has("info key and info all empty", "invalid datasource info", "not exist"), kind: ErrInvalid},
	errorRule{code: CodeUpdateDomainDataSource, fits: has("invalid datasource type", "doesn't support", "is empty", "should contain", "info is nil", "invalid datasource info"), kind: ErrInvalid},
	errorRule{code: CodeQueryDomainDataSource, fits: isMissingDataSource, kind: ErrNotFound},
	errorRule{code: CodeBatchDomainDataSource, fits: isMissingDataSource, kind: ErrNotFound},
	errorRule{code: CodeQueryDomainDataSource, fits: has("can not be empty"), kind: ErrInvalid},
	errorRule{code: CodeQueryDomainDataSource, fits: isUnreadableDataSource, kind: ErrUnreadable},
	errorRule{code: CodeBatchDomainDataSource, fits: isUnreadableDataSource, kind: ErrUnreadable},
	errorRule{code: CodeListDomainDataSource, fits: isUnreadableDataSource, kind: ErrUnreadable},
)

// isOtherDomain matches the error of a node for a request on behalf of another
// domain.
func isOtherDomain(_ []string, message string) bool {
	return strings.HasPrefix(message, "domain ") && strings.Contains(message, " can't operate domain ")
}

// isMissingDataSource matches the message only if it names one of the requested
// data sources.
func isMissingDataSource(ids []string, message string) bool {
	return slices.ContainsFunc(ids, func(id string) bool {
		return strings.HasSuffix(message, "domaindatasources.kuscia.secretflow "+strconv.Quote(lastPart(id))+" not found")
	})
}

func isTakenDataSource(ids []string, message string) bool {
	return slices.ContainsFunc(ids, func(id string) bool {
		return message == "domain data source "+lastPart(id)+" already exist"
	})
}

const missingInfoText = "missing datasource info for"

// HasNoInfo reports whether an error means that a data source has neither a key
// nor its own information.
func HasNoInfo(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Is(ErrUnreadable) && strings.HasPrefix(e.Message, missingInfoText)
}

// isUnreadableDataSource matches the messages for a data source whose
// information cannot be read: it was never stored, or the configuration entry
// of its key is not JSON of the expected type.
func isUnreadableDataSource(_ []string, message string) bool {
	return slices.ContainsFunc([]string{missingInfoText, "unexpected end of JSON input", "invalid character ", "json: cannot unmarshal ",
		"decrypt data source info failed", "unmarshal data source info failed", "query info key failed"},
		func(begin string) bool { return strings.HasPrefix(message, begin) })
}

var _ = hints.add(
	errorHint{fits: isKind(ErrDataSourceMissing), hint: "The domain has no such data source, or does not exist. The node of a domain creates " + DefaultDataSource +
		" on its first start; until then create a data source at that node and refer to it."},
	errorHint{fits: isKind(ErrUnreadable), hint: "The data source exists, but its node cannot return it: it was stored without access information, or the configuration entry of its info_key " +
		"is missing or is not valid JSON for its type. Write the entry again, or set the access information in an update."},
	errorHint{operations: "domaindatasource/", fits: isMasters, hint: "A master cannot change data sources. " + useNode},
	errorHint{operations: opQueryDataSource.Name, fits: isOldMasters, hint: versions.MasterDataSources.Message() + " " + useNode},
	errorHint{operations: opBatchQueryDataSource.Name, fits: isOldMasters, hint: versions.MasterDataSources.Message() + " " + useNode},
)

const useNode = "Use the endpoint of the node of the domain, autonomy or lite, for example with a provider alias."

// isMasters matches the error of a master for what only nodes can do.
func isMasters(e *Error) bool { return errors.Is(e, ErrUnsupported) && !isNotImplemented(e) }

// isOldMasters is isMasters for a version that reads no data sources. A later one refuses what it cannot do
// before it is begun.
func isOldMasters(e *Error) bool { return isMasters(e) && CodeOf(e) != CodeInvalid }

var _ = hints.add(errorHint{
	operations: opListDataSource.Name, fits: isNotImplemented,
	hint: "The server has no such operation. " + versions.DataSourceList.Message() + " " +
		"Check the version of the server, and that endpoint is a KusciaAPI without a wrong path.",
})

var _ = secretFields.add("password", "access_key_id", "access_key_secret")

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

// DomainDataSource is a place where a domain stores data: the data of
// domaindatasource/query. Only the node of the domain (autonomy or lite) can
// change it or read its Info; on a master a change is ErrUnsupported and Info
// is nil.
type DomainDataSource struct {
	DomainID     string `json:"domain_id"`
	DataSourceID string `json:"datasource_id"`
	Name         string `json:"name"`
	// Type is one of the DataSource constants.
	Type string `json:"type"`
	// Status is always "".
	Status string `json:"status"`
	// Info contains passwords and keys in clear text.
	Info *DataSourceInfo `json:"info"`
	// InfoKey is a key in the configuration of the node whose value is the JSON
	// of the type's info; Info is then read from there.
	InfoKey        string `json:"info_key"`
	AccessDirectly bool   `json:"access_directly"`
}

// DataSourceInfo is the access information. Only the one for the type is used;
// others are stored and returned.
type DataSourceInfo struct {
	LocalFS  *LocalFSInfo  `json:"localfs"`
	OSS      *OSSInfo      `json:"oss"`
	Database *DatabaseInfo `json:"database"`
	ODPS     *ODPSInfo     `json:"odps"`
}

// LocalFSInfo is a folder of the node.
type LocalFSInfo struct {
	// Path is required; trailing slashes are removed.
	Path string `json:"path"`
}

// OSSInfo is a bucket of an object store.
type OSSInfo struct {
	// Endpoint, Bucket, AccessKeyID and AccessKeySecret are required. Leading
	// and trailing slashes of Bucket and Prefix are removed.
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
// Only dameng requires Endpoint and Database.
type DatabaseInfo struct {
	Endpoint string `json:"endpoint"`
	User     string `json:"user"`
	Password string `json:"password"`
	Database string `json:"database"`
}

// ODPSInfo is a project of MaxCompute. All fields are required.
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
// In an update nil keeps the stored value, and "" and false are set. Info needs
// Type in the same request, is replaced as a whole, and is ignored if InfoKey
// is in the request, even as "". To change from InfoKey to Info, two updates
// are needed: first Type and Info (the key still takes precedence), then
// InfoKey "".
type DomainDataSourceRequest struct {
	Header   *RequestHeader `json:"header,omitempty"`
	DomainID string         `json:"domain_id"`
	// DataSourceID is generated by the server if it is empty in a create.
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

// DomainDataSourceKey identifies a data source.
type DomainDataSourceKey struct {
	DomainID     string `json:"domain_id"`
	DataSourceID string `json:"datasource_id"`
}

// ID identifies the data source in errors and logs.
func (k DomainDataSourceKey) ID() string { return k.DomainID + "/" + k.DataSourceID }

// CreateDomainDataSource creates a data source and returns its id, or returns
// ErrExists.
func (c *Client) CreateDomainDataSource(ctx context.Context, request *DomainDataSourceRequest) (string, error) {
	body := *request
	body.Header = c.header(request.Header)
	var out struct {
		ID string `json:"datasource_id"`
	}
	for _, secret := range request.Info.secrets() {
		ctx = WithMaskedText(ctx, secret)
	}
	err := c.read(ctx, opCreateDataSource, []string{request.key().ID()}, &body, &out, func() error {
		return createdID(out.ID, request.DataSourceID)
	})
	return out.ID, err
}

// QueryDomainDataSource returns a data source, or an error that is ErrNotFound,
// or ErrUnreadable for one that exists but cannot be returned: its information
// is missing, or not in the configuration at its InfoKey.
func (c *Client) QueryDomainDataSource(ctx context.Context, key DomainDataSourceKey) (*DomainDataSource, error) {
	var out DomainDataSource
	request := &domainDataSourceKeyRequest{Header: c.header(nil), DomainDataSourceKey: key}
	if err := c.read(ctx, opQueryDataSource, []string{key.ID()}, request, &out, func() error {
		if out.DomainID != key.DomainID || out.DataSourceID != key.DataSourceID {
			return fmt.Errorf("the response is for the data source %q of %q", httpapi.Text(out.DataSourceID), httpapi.Text(out.DomainID))
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return &out, nil
}

// UpdateDomainDataSource changes the fields in the request, or returns
// ErrNotFound. A request with the key alone changes nothing.
func (c *Client) UpdateDomainDataSource(ctx context.Context, request *DomainDataSourceRequest) error {
	body := *request
	body.Header = c.header(request.Header)
	_, err := c.do(ctx, opUpdateDataSource, []string{request.key().ID()}, &body, request.Info.secrets()...)
	return err
}

// DeleteDomainDataSource deletes a data source, even if domain data uses it. It
// succeeds if there is none.
func (c *Client) DeleteDomainDataSource(ctx context.Context, key DomainDataSourceKey) error {
	request := &domainDataSourceKeyRequest{Header: c.header(nil), DomainDataSourceKey: key}
	_, err := c.do(ctx, opDeleteDataSource, []string{key.ID()}, request)
	return err
}

// BatchQueryDomainDataSources returns data sources in the order of the keys. If
// one of them is missing or unreadable, it returns ErrNotFound or ErrUnreadable
// and no data sources.
func (c *Client) BatchQueryDomainDataSources(ctx context.Context, keys []DomainDataSourceKey) ([]DomainDataSource, error) {
	request := &domainDataSourceKeysRequest{Header: c.header(nil), Data: keys}
	list, err := c.readDataSourceList(ctx, opBatchQueryDataSource, idsOf(keys), request, func(count int) error {
		return sameCount(count, len(keys), "data sources")
	})
	return list, err
}

// ListDomainDataSources returns all data sources of a domain, sorted by id. At
// the node of the domain it returns ErrUnreadable if one cannot be returned; on
// a master it does not.
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
