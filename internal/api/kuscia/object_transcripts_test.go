package kuscia

import (
	"context"
	"net/http"
	"regexp"
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

func TestEveryRecordedAnswerOfObjects(t *testing.T) {
	transcripts{
		glob: "testdata/transcripts/rest/*.json", files: 12, failures: objectFailures,
		skip: func(item *transcriptItem, path string) bool {
			return path != "/healthZ" && otherInterfaces.MatchString(path) || item.Request.Method == http.MethodGet
		},
		want: tally{exchanges: 916, successes: 676, failures: 240, leftOut: 44},
	}.check(t)
}

// callRecordedObject is callRecorded for objects other than servings and app
// images.
func callRecordedObject(ctx context.Context, c *Client, name string, item *transcriptItem) (any, error) {
	done := func(err error) (any, error) { return nil, err }
	switch name {
	case "domain/create":
		return done(c.CreateDomain(ctx, recordedRequest[DomainRequest](item)))
	case "domain/query":
		return c.QueryDomain(ctx, recordedRequest[domainIDRequest](item).DomainID)
	case "domain/update":
		return done(c.UpdateDomain(ctx, recordedRequest[DomainRequest](item)))
	case "domain/delete":
		return done(c.DeleteDomain(ctx, recordedRequest[domainIDRequest](item).DomainID))
	case "domain/batchQuery":
		list, err := c.BatchQueryDomains(ctx, recordedRequest[domainIDsRequest](item).DomainIDs)
		return map[string]any{"domains": list}, err
	case "route/create":
		return done(c.CreateDomainRoute(ctx, recordedRequest[DomainRoute](item)))
	case "route/query":
		return c.QueryDomainRoute(ctx, *recordedRequest[DomainRouteKey](item))
	case "route/delete":
		return done(c.DeleteDomainRoute(ctx, *recordedRequest[DomainRouteKey](item)))
	case "route/status/batchQuery":
		list, err := c.BatchQueryDomainRouteStatus(ctx, recordedRequest[domainRouteKeysRequest](item).RouteKeys)
		return map[string]any{"routes": list}, err
	case "domaindata/create":
		id, err := c.CreateDomainData(ctx, recordedRequest[DomainDataRequest](item))
		return map[string]any{"domaindata_id": id}, err
	case "domaindata/query":
		return c.QueryDomainData(ctx, recordedData[DomainDataKey](item))
	case "domaindata/update":
		return done(c.UpdateDomainData(ctx, recordedRequest[DomainDataRequest](item)))
	case "domaindata/delete":
		return done(c.DeleteDomainData(ctx, *recordedRequest[DomainDataKey](item)))
	case "domaindata/batchQuery":
		list, err := c.BatchQueryDomainData(ctx, recordedData[[]DomainDataKey](item))
		return map[string]any{"domaindata_list": list}, err
	case "domaindata/list":
		list, err := c.ListDomainData(ctx, recordedData[DomainDataFilter](item))
		return map[string]any{"domaindata_list": list}, err
	case "domaindatasource/create":
		id, err := c.CreateDomainDataSource(ctx, recordedRequest[DomainDataSourceRequest](item))
		return map[string]any{"datasource_id": id}, err
	case "domaindatasource/query":
		return c.QueryDomainDataSource(ctx, *recordedRequest[DomainDataSourceKey](item))
	case "domaindatasource/update":
		return done(c.UpdateDomainDataSource(ctx, recordedRequest[DomainDataSourceRequest](item)))
	case "domaindatasource/delete":
		return done(c.DeleteDomainDataSource(ctx, *recordedRequest[DomainDataSourceKey](item)))
	case "domaindatasource/batchQuery":
		list, err := c.BatchQueryDomainDataSources(ctx, recordedData[[]DomainDataSourceKey](item))
		return map[string]any{"datasource_list": list}, err
	case "domaindatasource/list":
		list, err := c.ListDomainDataSources(ctx, recordedRequest[domainIDRequest](item).DomainID)
		return map[string]any{"datasource_list": list}, err
	case "domaindatagrant/create":
		id, err := c.CreateDomainDataGrant(ctx, recordedRequest[DomainDataGrantRequest](item))
		return map[string]any{"domaindatagrant_id": id}, err
	case "domaindatagrant/query":
		return c.QueryDomainDataGrant(ctx, *recordedRequest[DomainDataGrantKey](item))
	case "domaindatagrant/update":
		return done(c.UpdateDomainDataGrant(ctx, recordedRequest[DomainDataGrantRequest](item)))
	case "domaindatagrant/delete":
		return done(c.DeleteDomainDataGrant(ctx, *recordedRequest[DomainDataGrantKey](item)))
	case "domaindatagrant/batchQuery":
		return c.BatchQueryDomainDataGrants(ctx, recordedData[[]DomainDataGrantKey](item))
	case "domaindatagrant/list":
		list, err := c.ListDomainDataGrants(ctx, recordedData[DomainDataGrantFilter](item))
		return map[string]any{"domaindatagrant_list": list}, err
	case "config/create":
		return done(c.CreateConfig(ctx, recordedData[[]ConfigEntry](item)...))
	case "config/update":
		return done(c.UpdateConfig(ctx, recordedData[[]ConfigEntry](item)...))
	case "config/delete":
		return done(c.DeleteConfig(ctx, recordedRequest[configKeysRequest](item).Keys...))
	case "config/batchQuery":
		return c.BatchQueryConfig(ctx, recordedRequest[configKeysRequest](item).Keys)
	case "config/query":
		key := recordedRequest[configKeyRequest](item).Key
		value, err := c.QueryConfig(ctx, key)
		return ConfigEntry{Key: key, Value: value}, err
	case "certificate/generate":
		return c.GenerateCertificate(ctx, recordedRequest[GenerateCertificateRequest](item))
	}
	// Operations that the client does not have use the same envelope.
	path := name
	if !strings.HasPrefix(path, "/") {
		path = "/api/v1/" + name
	}
	_, err := c.do(ctx, operation{Operation: httpapi.Operation{Name: name, Method: item.Request.Method, Path: path}}, nil, struct{}{})
	return nil, err
}
