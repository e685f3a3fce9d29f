package kuscia

import (
	"context"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// otherInterfaces are recorded operations that the client does not have: jobs
// and logs are not resources. GET of healthZ and the like are handled outside
// of the API.
var otherInterfaces = regexp.MustCompile(`^/api/v1/(job|log|healthZ)\b|^/(version|probe|healthz)$`)

// objectFailures are the recorded failures of all other objects.
var objectFailures = []recordedFailure{
	{`domaindatasource/.*`, 11100, `master's kuscia api can't operate domain data source`, ErrUnsupported, new(int)},
	{`domaindatasource/.*`, 11100, `domain rk-auto can't operate domain rk-b data source`, ErrUnauthorized, new(int)},
	{`domaindata/create`, 11100, `kuscia lite api could only operate it's own domaindata, .*`, ErrUnauthorized, new(int)},
	{`domaindatagrant/create`, 11100, `domaindata \[.*\] not exists`, ErrDomainDataMissing, new(int)},
	{`.*`, 11100, `.*`, ErrInvalid, new(int)},
	{`.*`, 11101, `.*`, ErrServerFault, new(int)},
	{`.*`, 11102, `domain's kusciaAPI could only .*`, ErrUnauthorized, new(int)},
	{`.*`, 11103, `Post "http://kusciaapi.master.svc/.*`, ErrUnavailable, new(int)},
	{`.*`, 11104, `kuscia lite api not support this interface now`, ErrUnsupported, new(int)},
	{`domain/(create|update)`, 11300, `Domain\.kuscia\.secretflow .* is invalid: .*`, ErrInvalid, new(int)},
	{`domain/update`, 11303, `Domain\.kuscia\.secretflow .* is invalid: .*`, ErrInvalid, new(int)},
	{`domain/.*`, 11305, `domains\.kuscia\.secretflow ".*" not found`, ErrNotFound, new(int)},
	{`route/create`, 11305, `domains\.kuscia\.secretflow "rk-none" not found`, ErrDomainMissing, new(int)},
	{`domain/create`, 11306, `domains\.kuscia\.secretflow ".*" already exists`, ErrExists, new(int)},
	{`route/create`, 11400, `DomainRoute Port Protocol should be HTTP or HTTPS or GRPC or GRPCS`, ErrInvalid, new(int)},
	{`route/create`, 11400, `ClusterDomainRoute\.kuscia\.secretflow .* is invalid: .*`, ErrInvalid, new(int)},
	{`route/.*`, 11404, `clusterdomainroutes\.kuscia\.secretflow ".*" not found`, ErrNotFound, new(int)},
	{`route/create`, 11405, `clusterdomainroutes\.kuscia\.secretflow ".*" already exists`, ErrExists, new(int)},
	{`domaindata/create`, 11500, `DomainData\.kuscia\.secretflow .* is invalid: .*`, ErrInvalid, new(int)},
	{`domaindata/list`, 11503, `found 'b', expected: .*`, ErrInvalid, new(int)},
	{`domaindata/update`, 11505, `DomainData\.kuscia\.secretflow .* is invalid: .*`, ErrInvalid, new(int)},
	{`domaindata/.*`, 11506, `domaindatas\.kuscia\.secretflow ".*" not found`, ErrNotFound, new(int)},
	{`domaindata/(create|update)`, 11806, "domain data source `.*` is not exists in domain `.*`", ErrDataSourceMissing, new(int)},
	{`domaindatagrant/create`, 11700, `CreateDomainDataGrant failed, because domaindatagrant rk-g1 is exist`, ErrExists, new(int)},
	{`domaindatagrant/create`, 11700, `DomainDataGrant\.kuscia\.secretflow .* is invalid: .*`, ErrInvalid, new(int)},
	{`domaindatagrant/(query|delete)`, 11702, `resource name may not be empty|an empty namespace may not be set .*`, ErrInvalid, new(int)},
	{`domaindatagrant/delete`, 11703, `resource name may not be empty|an empty namespace may not be set .*`, ErrInvalid, new(int)},
	{`domaindatagrant/batchQuery`, 11702, `BatchQuery has error. Empty/Error/Total\(1/1/3\)`, nil, new(int)},
	{`domaindatagrant/.*`, 11705, `domaindatagrants\.kuscia\.secretflow ".*" not found`, ErrNotFound, new(int)},
	{`domaindatasource/create`, 11800, `domain data source rk-lf already exist`, ErrExists, new(int)},
	{`domaindatasource/create`, 11800, `domain data source info key and info all empty|parse data source failed, invalid datasource info|domain data source info key .* not exist`, ErrInvalid, new(int)},
	{`domaindatasource/update`, 11801, `invalid datasource type:|domain data source type "s3" doesn't support, .*|oss 'endpoint' is empty`, ErrInvalid, new(int)},
	{`domaindatasource/query`, 11802, `get domain .* kuscia data source .* failed, domaindatasources\.kuscia\.secretflow ".*" not found`, ErrNotFound, new(int)},
	{`domaindatasource/query`, 11802, `missing datasource info for |unexpected end of JSON input`, ErrUnreadable, new(int)},
	{`domaindatasource/query`, 11802, `domain rk-auto data source id can not be empty`, ErrInvalid, new(int)},
	{`domaindatasource/query`, 11802, `domain rk-auto can't operate domain rk-b data source`, ErrUnauthorized, new(int)},
	{`domaindatasource/batchQuery`, 11803, `get domain .* kuscia data source rk-none failed, .* not found`, ErrNotFound, new(int)},
	{`domaindatasource/update`, 11806, `domain rk-auto data source rk-none doesn't exist`, ErrNotFound, new(int)},
	{`domaindatasource/list`, 11808, `missing datasource info for |unexpected end of JSON input`, ErrUnreadable, new(int)},
	{`domaindatasource/list`, 11808, `domain rk-auto can't operate domain rk-b data source`, ErrUnauthorized, new(int)},
	{`config/create`, 11900, `request key\[.*\] already exist, duplicate creation is not allowed`, ErrExists, new(int)},
	{`config/create`, 11900, `ConfigMap "domain-config" is invalid: .*`, ErrInvalid, new(int)},
	{`config/create`, 11900, `key\[.*\] length is 257 bytes and exceed the max length 256 bytes`, ErrInvalid, new(int)},
	{`certificate/generate`, 2000, `.*`, ErrInvalid, new(int)},
}

func TestEveryRecordedResponseOfObjects(t *testing.T) {
	transcripts{
		glob: "testdata/transcripts/rest/*.json", files: 12, failures: slices.Concat(recordedFailures, objectFailures),
		skip: func(item *transcriptItem, path string) bool {
			return path != "/healthZ" && otherInterfaces.MatchString(path) || item.Request.Method == http.MethodGet
		},
		want: tally{exchanges: 916, successes: 676, failures: 240, leftOut: 44},
	}.check(t)
}

// recordedCall makes a recorded call with the recorded request.
type recordedCall func(ctx context.Context, c *Client, item *transcriptItem) (any, error)

// These are the calls and failures of objects in the recordings. The tests of an
// object may add theirs (recordObject), before those for all
// objects.
var (
	recordedCalls    = map[string]recordedCall{}
	recordedFailures []recordedFailure
)

// recordObject adds the calls, by operation, and the failures of an object.
func recordObject(calls map[string]recordedCall, failures ...recordedFailure) map[string]recordedCall {
	maps.Copy(recordedCalls, calls)
	recordedFailures = append(recordedFailures, failures...)
	return calls
}

func done(err error) (any, error) { return nil, err }

var _ = recordObject(map[string]recordedCall{
	"domain/create": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return done(c.CreateDomain(ctx, recordedRequest[DomainRequest](item)))
	},
	"domain/query": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return c.QueryDomain(ctx, recordedRequest[domainIDRequest](item).DomainID)
	},
	"domain/update": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return done(c.UpdateDomain(ctx, recordedRequest[DomainRequest](item)))
	},
	"domain/delete": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return done(c.DeleteDomain(ctx, recordedRequest[domainIDRequest](item).DomainID))
	},
	"domain/batchQuery": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		list, err := c.BatchQueryDomains(ctx, recordedRequest[domainIDsRequest](item).DomainIDs)
		return map[string]any{"domains": list}, err
	},
	"route/create": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return done(c.CreateDomainRoute(ctx, recordedRequest[DomainRoute](item)))
	},
	"route/query": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return c.QueryDomainRoute(ctx, *recordedRequest[DomainRouteKey](item))
	},
	"route/delete": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return done(c.DeleteDomainRoute(ctx, *recordedRequest[DomainRouteKey](item)))
	},
	"route/status/batchQuery": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		list, err := c.BatchQueryDomainRouteStatus(ctx, recordedRequest[domainRouteKeysRequest](item).RouteKeys)
		return map[string]any{"routes": list}, err
	},
	"domaindata/create": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		id, err := c.CreateDomainData(ctx, recordedRequest[DomainDataRequest](item))
		return map[string]any{"domaindata_id": id}, err
	},
	"domaindata/query": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return c.QueryDomainData(ctx, recordedData[DomainDataKey](item))
	},
	"domaindata/update": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return done(c.UpdateDomainData(ctx, recordedRequest[DomainDataRequest](item)))
	},
	"domaindata/delete": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return done(c.DeleteDomainData(ctx, *recordedRequest[DomainDataKey](item)))
	},
	"domaindata/batchQuery": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		list, err := c.BatchQueryDomainData(ctx, recordedData[[]DomainDataKey](item))
		return map[string]any{"domaindata_list": list}, err
	},
	"domaindata/list": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		list, err := c.ListDomainData(ctx, recordedData[DomainDataFilter](item))
		return map[string]any{"domaindata_list": list}, err
	},
	"domaindatasource/create": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		id, err := c.CreateDomainDataSource(ctx, recordedRequest[DomainDataSourceRequest](item))
		return map[string]any{"datasource_id": id}, err
	},
	"domaindatasource/query": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return c.QueryDomainDataSource(ctx, *recordedRequest[DomainDataSourceKey](item))
	},
	"domaindatasource/update": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return done(c.UpdateDomainDataSource(ctx, recordedRequest[DomainDataSourceRequest](item)))
	},
	"domaindatasource/delete": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return done(c.DeleteDomainDataSource(ctx, *recordedRequest[DomainDataSourceKey](item)))
	},
	"domaindatasource/batchQuery": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		list, err := c.BatchQueryDomainDataSources(ctx, recordedData[[]DomainDataSourceKey](item))
		return map[string]any{"datasource_list": list}, err
	},
	"domaindatasource/list": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		list, err := c.ListDomainDataSources(ctx, recordedRequest[domainIDRequest](item).DomainID)
		return map[string]any{"datasource_list": list}, err
	},
	"domaindatagrant/create": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		id, err := c.CreateDomainDataGrant(ctx, recordedRequest[DomainDataGrantRequest](item))
		return map[string]any{"domaindatagrant_id": id}, err
	},
	"domaindatagrant/query": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return c.QueryDomainDataGrant(ctx, *recordedRequest[DomainDataGrantKey](item))
	},
	"domaindatagrant/update": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return done(c.UpdateDomainDataGrant(ctx, recordedRequest[DomainDataGrantRequest](item)))
	},
	"domaindatagrant/delete": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return done(c.DeleteDomainDataGrant(ctx, *recordedRequest[DomainDataGrantKey](item)))
	},
	"domaindatagrant/batchQuery": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return c.BatchQueryDomainDataGrants(ctx, recordedData[[]DomainDataGrantKey](item))
	},
	"domaindatagrant/list": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		list, err := c.ListDomainDataGrants(ctx, recordedData[DomainDataGrantFilter](item))
		return map[string]any{"domaindatagrant_list": list}, err
	},
	"config/create": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return done(c.CreateConfig(ctx, recordedData[[]ConfigEntry](item)...))
	},
	"config/update": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return done(c.UpdateConfig(ctx, recordedData[[]ConfigEntry](item)...))
	},
	"config/delete": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return done(c.DeleteConfig(ctx, recordedRequest[configKeysRequest](item).Keys...))
	},
	"config/batchQuery": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return c.BatchQueryConfig(ctx, recordedRequest[configKeysRequest](item).Keys)
	},
	"config/query": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		key := recordedRequest[configKeyRequest](item).Key
		value, err := c.QueryConfig(ctx, key)
		return ConfigEntry{Key: key, Value: value}, err
	},
	"certificate/generate": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return c.GenerateCertificate(ctx, recordedRequest[GenerateCertificateRequest](item))
	},
})

// callRecordedObject is callRecorded for objects other than servings and app
// images.
func callRecordedObject(ctx context.Context, c *Client, name string, item *transcriptItem) (any, error) {
	if call, ok := recordedCalls[name]; ok {
		return call(ctx, c, item)
	}
	// Operations that the client does not have use the same envelope.
	path := name
	if !strings.HasPrefix(path, "/") {
		path = "/api/v1/" + name
	}
	_, err := c.do(ctx, operation{Operation: httpapi.Operation{Name: name, Method: item.Request.Method, Path: path}}, nil, struct{}{})
	return nil, err
}
