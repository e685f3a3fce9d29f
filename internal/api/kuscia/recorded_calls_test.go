package kuscia

import "context"

// recordedCall makes a recorded call with the recorded request.
type recordedCall func(ctx context.Context, c *Client, item *transcriptItem) (any, error)

// changes is a call without data in its response, with the recorded request.
func changes[T any](call func(*Client, context.Context, *T) error) recordedCall {
	return func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return nil, call(c, ctx, recordedRequest[T](item))
	}
}

// of is a call with a part of the recorded request, whose result has a name in the response.
func of[T, R any](field string, request func(*transcriptItem) T, call func(*Client, context.Context, T) (R, error)) recordedCall {
	return func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		result, err := call(c, ctx, request(item))
		if field == "" {
			return result, err
		}
		return map[string]any{field: result}, err
	}
}

// removes is a call with a part of the recorded request, and without data in its response.
func removes[T any](request func(*transcriptItem) T, call func(*Client, context.Context, T) error) recordedCall {
	return func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return nil, call(c, ctx, request(item))
	}
}

// whole is the recorded request, domainID one of its fields.
func whole[T any](item *transcriptItem) T { return *recordedRequest[T](item) }

func domainID(item *transcriptItem) string { return whole[domainIDRequest](item).DomainID }

func servingID(item *transcriptItem) string {
	return whole[servingIDRequest](item).ServingID
}

func imageName(item *transcriptItem) string { return whole[appImageNameRequest](item).Name }

// recordedCalls are the calls of each object in the recordings, by operation.
var recordedCalls = map[string]recordedCall{
	"serving/create":            changes((*Client).CreateServing),
	"serving/nope":              changes((*Client).CreateServing),
	"serving/query":             of("", servingID, (*Client).QueryServing),
	"serving/update":            changes((*Client).UpdateServing),
	"serving/delete":            removes(servingID, (*Client).DeleteServing),
	"serving/status/batchQuery": of("servings", func(item *transcriptItem) []string { return whole[servingIDsRequest](item).ServingIDs }, (*Client).BatchQueryServingStatus),
	"appimage/create":           changes((*Client).CreateAppImage),
	"appimage/query":            of("", imageName, (*Client).QueryAppImage),
	"appimage/update":           changes((*Client).UpdateAppImage),
	"appimage/delete":           removes(imageName, (*Client).DeleteAppImage),
	"appimage/batchQuery":       of("", func(item *transcriptItem) []string { return whole[appImageNamesRequest](item).Names }, (*Client).BatchQueryAppImages),
	"appimage/list": func(ctx context.Context, c *Client, _ *transcriptItem) (any, error) {
		return c.ListAppImages(ctx, 0, "")
	},
	"/healthZ": func(ctx context.Context, c *Client, _ *transcriptItem) (any, error) { return nil, c.Health(ctx) },

	"certificate/generate": of("", recordedRequest[GenerateCertificateRequest], (*Client).GenerateCertificate),

	"config/create": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return nil, c.CreateConfig(ctx, recordedData[[]ConfigEntry](item)...)
	},
	"config/update": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return nil, c.UpdateConfig(ctx, recordedData[[]ConfigEntry](item)...)
	},
	"config/delete": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return nil, c.DeleteConfig(ctx, whole[configKeysRequest](item).Keys...)
	},
	"config/batchQuery": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		return c.BatchQueryConfig(ctx, whole[configKeysRequest](item).Keys)
	},
	"config/query": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
		key := whole[configKeyRequest](item).Key
		value, err := c.QueryConfig(ctx, key)
		return ConfigEntry{Key: key, Value: value}, err
	},

	"domaindatagrant/create":     of("domaindatagrant_id", recordedRequest[DomainDataGrantRequest], (*Client).CreateDomainDataGrant),
	"domaindatagrant/query":      of("", whole[DomainDataGrantKey], (*Client).QueryDomainDataGrant),
	"domaindatagrant/update":     changes((*Client).UpdateDomainDataGrant),
	"domaindatagrant/delete":     removes(whole[DomainDataGrantKey], (*Client).DeleteDomainDataGrant),
	"domaindatagrant/batchQuery": of("", recordedData[[]DomainDataGrantKey], (*Client).BatchQueryDomainDataGrants),
	"domaindatagrant/list":       of("domaindatagrant_list", recordedData[DomainDataGrantFilter], (*Client).ListDomainDataGrants),

	"domaindatasource/create":     of("datasource_id", recordedRequest[DomainDataSourceRequest], (*Client).CreateDomainDataSource),
	"domaindatasource/query":      of("", whole[DomainDataSourceKey], (*Client).QueryDomainDataSource),
	"domaindatasource/update":     changes((*Client).UpdateDomainDataSource),
	"domaindatasource/delete":     removes(whole[DomainDataSourceKey], (*Client).DeleteDomainDataSource),
	"domaindatasource/batchQuery": of("datasource_list", recordedData[[]DomainDataSourceKey], (*Client).BatchQueryDomainDataSources),
	"domaindatasource/list":       of("datasource_list", domainID, (*Client).ListDomainDataSources),

	"domaindata/create":     of("domaindata_id", recordedRequest[DomainDataRequest], (*Client).CreateDomainData),
	"domaindata/query":      of("", recordedData[DomainDataKey], (*Client).QueryDomainData),
	"domaindata/update":     changes((*Client).UpdateDomainData),
	"domaindata/delete":     removes(whole[DomainDataKey], (*Client).DeleteDomainData),
	"domaindata/batchQuery": of("domaindata_list", recordedData[[]DomainDataKey], (*Client).BatchQueryDomainData),
	"domaindata/list":       of("domaindata_list", recordedData[DomainDataFilter], (*Client).ListDomainData),

	"route/create": changes((*Client).CreateDomainRoute),
	"route/query":  of("", whole[DomainRouteKey], (*Client).QueryDomainRoute),
	"route/delete": removes(whole[DomainRouteKey], (*Client).DeleteDomainRoute),
	"route/status/batchQuery": of("routes", func(item *transcriptItem) []DomainRouteKey { return whole[domainRouteKeysRequest](item).RouteKeys },
		(*Client).BatchQueryDomainRouteStatus),

	"domain/create":     changes((*Client).CreateDomain),
	"domain/query":      of("", domainID, (*Client).QueryDomain),
	"domain/update":     changes((*Client).UpdateDomain),
	"domain/delete":     removes(domainID, (*Client).DeleteDomain),
	"domain/batchQuery": of("domains", func(item *transcriptItem) []string { return whole[domainIDsRequest](item).DomainIDs }, (*Client).BatchQueryDomains),
}

// recordedFailures are all recorded failures, those that all objects have in common last.
var recordedFailures = []recordedFailure{
	{`certificate/generate`, 2000, `.*`, ErrInvalid, new(int)},
	{`config/create`, 11900, `request key\[.*\] already exist, duplicate creation is not allowed`, ErrExists, new(int)},
	{`config/create`, 11900, `ConfigMap "domain-config" is invalid: .*|key\[.*\] length is 257 bytes and exceed the max length 256 bytes`, ErrInvalid, new(int)},
	{`domaindatagrant/create`, 11100, `domaindata \[.*\] not exists`, ErrDomainDataMissing, new(int)},
	{`domaindatagrant/create`, 11700, `CreateDomainDataGrant failed, because domaindatagrant rk-g1 is exist`, ErrExists, new(int)},
	{`domaindatagrant/create`, 11700, `DomainDataGrant\.kuscia\.secretflow .* is invalid: .*`, ErrInvalid, new(int)},
	{`domaindatagrant/(query|delete)`, 11702, `resource name may not be empty|an empty namespace may not be set .*`, ErrInvalid, new(int)},
	{`domaindatagrant/delete`, 11703, `resource name may not be empty|an empty namespace may not be set .*`, ErrInvalid, new(int)},
	{`domaindatagrant/batchQuery`, 11702, `BatchQuery has error. Empty/Error/Total\(1/1/3\)`, nil, new(int)},
	{`domaindatagrant/.*`, 11705, `domaindatagrants\.kuscia\.secretflow ".*" not found`, ErrNotFound, new(int)},
	{`domaindatasource/.*`, 11100, `master's kuscia api can't operate domain data source`, ErrUnsupported, new(int)},
	{`domaindatasource/.*`, 11100, `domain rk-auto can't operate domain rk-b data source`, ErrUnauthorized, new(int)},
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
	{`domaindata/create`, 11100, `kuscia lite api could only operate it's own domaindata, .*`, ErrUnauthorized, new(int)},
	{`domaindata/create`, 11500, `DomainData\.kuscia\.secretflow .* is invalid: .*`, ErrInvalid, new(int)},
	{`domaindata/list`, 11503, `found 'b', expected: .*`, ErrInvalid, new(int)},
	{`domaindata/update`, 11505, `DomainData\.kuscia\.secretflow .* is invalid: .*`, ErrInvalid, new(int)},
	{`domaindata/.*`, 11506, `domaindatas\.kuscia\.secretflow ".*" not found`, ErrNotFound, new(int)},
	{`domaindata/(create|update)`, 11806, "domain data source `.*` is not exists in domain `.*`", ErrDataSourceMissing, new(int)},
	{`route/create`, 11305, `domains\.kuscia\.secretflow "rk-none" not found`, ErrDomainMissing, new(int)},
	{`route/create`, 11400, `DomainRoute Port Protocol should be HTTP or HTTPS or GRPC or GRPCS`, ErrInvalid, new(int)},
	{`route/create`, 11400, `ClusterDomainRoute\.kuscia\.secretflow .* is invalid: .*`, ErrInvalid, new(int)},
	{`route/.*`, 11404, `clusterdomainroutes\.kuscia\.secretflow ".*" not found`, ErrNotFound, new(int)},
	{`route/create`, 11405, `clusterdomainroutes\.kuscia\.secretflow ".*" already exists`, ErrExists, new(int)},
	{`domain/(create|update)`, 11300, `Domain\.kuscia\.secretflow .* is invalid: .*`, ErrInvalid, new(int)},
	{`domain/update`, 11303, `Domain\.kuscia\.secretflow .* is invalid: .*`, ErrInvalid, new(int)},
	{`domain/.*`, 11305, `domains\.kuscia\.secretflow ".*" not found`, ErrNotFound, new(int)},
	{`domain/create`, 11306, `domains\.kuscia\.secretflow ".*" already exists`, ErrExists, new(int)},
	{`.*`, 11600, `serving "cross-domain/serving-1" already exists, please ensure that the name is not duplicated`, ErrExists, new(int)},
	{`.*`, 11600, `k8s deployment "cross-domain/serving-full" of sub resources for serving already exists, .*`, ErrLeftover, new(int)},
	{`.*`, 11600, `can not get appimage nope-image from cluster, .* not found`, ErrAppImageMissing, new(int)},
	{`.*`, 11600, `container_name nope of party .* doesn't exist in app image .*`, ErrInvalid, new(int)},
	{`.*`, 11600, `resource (min_cpu|max_memory) .* format is invalid for party .*`, ErrInvalid, new(int)},
	{`.*`, 11600, `update strategy type should be Recreate or RollingUpdate .*`, ErrInvalid, new(int)},
	{`.*`, 11600, `can not get deploy template from appimage (?s:.*)`, ErrTemplateMissing, new(int)},
	{`.*`, 11600, `etcdserver: request is too large|Request entity too large: limit is 3145728`, ErrInvalid, new(int)},
	{`.*`, 11601, `kusciadeployments\.kuscia\.secretflow "(serving-full|nope|Bad_ID)" not found`, ErrNotFound, new(int)},
	{`.*`, 11601, `can not get appimage (nope-image|tmp-image|m-late) from cluster, .* not found`, ErrAppImageMissing, new(int)},
	{`.*`, 11601, `can not get deploy template from appimage (?s:.*)`, ErrTemplateMissing, new(int)},
	{`.*`, 11601, `invalid resource name "a/b": .*`, ErrInvalid, new(int)},
	{`.*`, 11601, `serving not found`, ErrUnauthorized, new(int)},
	{`.*`, 11603, `serving not found`, ErrUnauthorized, new(int)},
	{`.*`, 11604, `serving not found`, ErrUnauthorized, new(int)},
	{`.*`, 11603, `kusciadeployments\.kuscia\.secretflow "su-nope" not found`, ErrNotFound, new(int)},
	{`.*`, 11603, `party domain_id/role (alice/server|carol/|/) does not exist`, ErrInvalid, new(int)},
	{`.*`, 11603, `resource min_cpu abc format is invalid .*|quantities must match .*`, ErrInvalid, new(int)},
	{`.*`, 11603, `can not get appimage (nope-image|m-late) from cluster, .* not found`, ErrAppImageMissing, new(int)},
	{`.*`, 11603, `update strategy type should be .*`, ErrInvalid, new(int)},
	{`.*`, 11604, `kusciadeployments\.kuscia\.secretflow "(serving-full|nope)" not found`, ErrNotFound, new(int)},
	{`.*`, 13100, `can't parse .* to resource quantity, .*|AppImage\.kuscia\.secretflow "ai-x" is invalid: .*`, ErrInvalid, new(int)},
	{`.*`, 13102, `can't parse limit cpu abc to resource quantity, .*`, ErrInvalid, new(int)},
	{`.*`, 13103, `appimages\.kuscia\.secretflow "nope" not found`, ErrNotFound, new(int)},
	{`.*`, 13105, `(can't get appimage for nope, err: )?appimages\.kuscia\.secretflow "(nope|ai-min)" not found`, ErrNotFound, new(int)},
	{`.*`, 13106, `appimages\.kuscia\.secretflow "ai-min" already exists`, ErrExists, new(int)},
	{`.*`, 13107, `invalid continue token: .*`, ErrInvalid, new(int)},
	{`.*`, 11100, `.*`, ErrInvalid, new(int)},
	{`.*`, 11101, `.*`, ErrServerFault, new(int)},
	{`.*`, 11102, `domain's (kusciaAPI|kuscia api) could only .*`, ErrUnauthorized, new(int)},
	{`.*`, 11103, `Post "http://kusciaapi.master.svc/.*`, ErrUnavailable, new(int)},
	{`.*`, 11104, `kuscia lite api not support this interface now`, ErrUnsupported, new(int)},
}
