package kuscia

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// What the transcripts of the objects hold; a smaller count means that
// exchanges are no longer looked at.
const (
	wantObjectExchanges = 916
	wantObjectSuccesses = 676
	wantObjectErrors    = 240
	wantObjectsLeftOut  = 44
)

// otherInterfaces are recorded operations that the client does not have: jobs
// run once and logs are text, so no resource stands for them. GET of healthZ
// and the like are answered before any API.
var otherInterfaces = regexp.MustCompile(`^/api/v1/(job|log|healthZ)\b|^/(version|probe|healthz)$`)

// expectedObjectErrors says by operation, code and text what each recorded
// failure is, written from the recordings. The first row that matches counts.
var expectedObjectErrors = []struct {
	operation string // regular expression over the name
	code      int32
	text      string // regular expression over the whole text
	want      error  // nil: none of the kinds
	used      *int
}{
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

// TestEveryRecordedAnswerOfObjects plays every recorded answer to the client:
// it has to come out as the recorded data or as the error of the right kind.
func TestEveryRecordedAnswerOfObjects(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/rest/*.json")
	if err != nil || len(files) != 12 {
		t.Fatalf("transcripts: %d files, %v", len(files), err)
	}
	var current atomic.Pointer[transcriptItem]
	client := newTestClient(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		replay(w, current.Load())
	}), func(c *Config) { c.MaxRetries = 0 })

	var exchanges, successes, failures, leftOut int
	for _, file := range files {
		for i, item := range readTranscript(t, file) {
			if item.Request == nil {
				continue
			}
			path := regexp.MustCompile(`^https?://[^/]+`).ReplaceAllString(item.Request.URL, "")
			if path != "/healthZ" && otherInterfaces.MatchString(path) || item.Request.Method == http.MethodGet {
				leftOut++
				continue
			}
			exchanges++
			current.Store(item)
			name := fmt.Sprintf("%s item %d (%s)", filepath.Base(file), i, item.Note)
			got, err := callRecordedObject(t, client, strings.TrimPrefix(path, "/api/v1/"), item)
			if recordedCode(item) == 0 && *item.HTTPStatus == http.StatusOK {
				successes++
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				compareObject(t, name, item, got)
				continue
			}
			failures++
			checkRecordedObjectError(t, name, strings.TrimPrefix(path, "/api/v1/"), item, err)
		}
	}
	for _, row := range expectedObjectErrors {
		if *row.used == 0 {
			t.Errorf("no recorded failure is %s %d %s any more", row.operation, row.code, row.text)
		}
	}
	t.Logf("%d exchanges: %d successes, %d failures; %d left out", exchanges, successes, failures, leftOut)
	if exchanges != wantObjectExchanges || successes != wantObjectSuccesses || failures != wantObjectErrors || leftOut != wantObjectsLeftOut {
		t.Errorf("the transcripts hold another number of exchanges than %d: %d successes, %d failures; %d left out",
			wantObjectExchanges, wantObjectSuccesses, wantObjectErrors, wantObjectsLeftOut)
	}
}

func readTranscript(t *testing.T, file string) []*transcriptItem {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var transcript struct {
		Items []*transcriptItem `json:"items"`
	}
	if err := json.Unmarshal(content, &transcript); err != nil {
		t.Fatal(err)
	}
	return transcript.Items
}

// recordedRequest decodes the body of a recorded request as far as it is one
// that this client can make.
func recordedRequest[T any](item *transcriptItem) *T {
	request := new(T)
	_ = json.Unmarshal(item.Request.Body, request) // the rest keeps what it could read
	return request
}

// recordedData is the data member of a recorded request.
func recordedData[T any](item *transcriptItem) T {
	return recordedRequest[struct {
		Data T `json:"data"`
	}](item).Data
}

// callRecordedObject calls what the recorded request called.
func callRecordedObject(t *testing.T, c *Client, operation string, item *transcriptItem) (any, error) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	done := func(err error) (any, error) { return nil, err }
	switch operation {
	case "/healthZ":
		return done(c.Health(ctx))
	case "appimage/query":
		return c.QueryAppImage(ctx, recordedRequest[appImageNameRequest](item).Name)
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
	// What the client does not have answers in the same envelope.
	_, err := c.do(ctx, objectOperation(operation), nil, struct{}{})
	return nil, err
}

// compareObject compares what was decoded, encoded again, with the recorded
// answer: its data, or what stands beside the status.
func compareObject(t *testing.T, name string, item *transcriptItem, got any) {
	t.Helper()
	if got == nil {
		return
	}
	encoded, err := json.Marshal(got)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var recorded map[string]any
	var decoded any
	if err := errors.Join(json.Unmarshal(item.Response, &recorded), json.Unmarshal(encoded, &decoded)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	want, found := recorded["data"]
	if !found {
		delete(recorded, "status")
		want = recorded
	}
	if a, b := prune(decoded), prune(want); !reflect.DeepEqual(a, b) {
		t.Errorf("%s: decoded\n%v\nrecorded\n%v", name, a, b)
	}
}

func checkRecordedObjectError(t *testing.T, name, operation string, item *transcriptItem, err error) {
	t.Helper()
	if *item.HTTPStatus != http.StatusOK {
		checkRecordedError(t, name, item, err)
		return
	}
	var e *Error
	if !errors.As(err, &e) {
		t.Errorf("%s: the error is %T (%v), not *Error", name, err, err)
		return
	}
	if e.HTTPStatus != *item.HTTPStatus || e.Code != recordedCode(item) {
		t.Errorf("%s: HTTP %d code %d, recorded %d and %d", name, e.HTTPStatus, e.Code, *item.HTTPStatus, recordedCode(item))
	}
	message := recordedMessage(item)
	for _, row := range expectedObjectErrors {
		if row.code == e.Code && regexp.MustCompile(`^(?:`+row.operation+`)$`).MatchString(operation) &&
			regexp.MustCompile(`^(?:`+row.text+`)$`).MatchString(message) {
			*row.used++
			wantKind(t, name, err, row.want)
			return
		}
	}
	t.Errorf("%s: the table does not say what %s %d %.200s is", name, operation, e.Code, message)
}
