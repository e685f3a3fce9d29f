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

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// What the transcripts hold; a smaller count means that exchanges are no
// longer looked at.
const (
	wantExchanges  = 558
	wantSuccesses  = 430
	wantErrors     = 128
	wantTransports = 4
)

type transcriptItem struct {
	Note    string `json:"note"`
	Request *struct {
		Method string          `json:"method"`
		URL    string          `json:"url"`
		Body   json.RawMessage `json:"body"`
	} `json:"request"`
	HTTPStatus  *int            `json:"http_status"`
	ContentType *string         `json:"content_type"`
	Response    json.RawMessage `json:"response"`
}

// expectedErrors says by code and text what each recorded failure is. It was
// written from the recordings, independently of the client's own rules; the
// first row that matches counts.
var expectedErrors = []struct {
	code int32
	text string // regular expression over the whole text
	want error  // nil: none of the kinds
	used *int
}{
	{11100, `.*`, ErrInvalid, new(int)},
	{11101, `EOF|invalid character .*|json: cannot unmarshal .*`, ErrServerFault, new(int)},
	{11101, `doBizProcess panic, err: .*`, ErrServerFault, new(int)},
	{11102, `domain's kuscia api could only handle .*`, ErrUnauthorized, new(int)},
	{11305, `domains\.kuscia\.secretflow "(nope|erin)" not found`, ErrNotFound, new(int)},
	{11306, `domains\.kuscia\.secretflow "erin" already exists`, ErrExists, new(int)},
	{11600, `serving "cross-domain/serving-1" already exists, please ensure that the name is not duplicated`, ErrExists, new(int)},
	{11600, `k8s deployment "cross-domain/serving-full" of sub resources for serving already exists, .*`, ErrLeftover, new(int)},
	{11600, `can not get appimage nope-image from cluster, .* not found`, ErrAppImageMissing, new(int)},
	{11600, `container_name nope of party .* doesn't exist in app image .*`, ErrInvalid, new(int)},
	{11600, `resource (min_cpu|max_memory) .* format is invalid for party .*`, ErrInvalid, new(int)},
	{11600, `update strategy type should be Recreate or RollingUpdate .*`, ErrInvalid, new(int)},
	{11600, `can not get deploy template from appimage (?s:.*)`, ErrTemplateMissing, new(int)},
	{11600, `etcdserver: request is too large|Request entity too large: limit is 3145728`, ErrInvalid, new(int)},
	{11601, `kusciadeployments\.kuscia\.secretflow "(serving-full|nope|Bad_ID)" not found`, ErrNotFound, new(int)},
	{11601, `can not get appimage (nope-image|tmp-image|m-late) from cluster, .* not found`, ErrAppImageMissing, new(int)},
	{11601, `can not get deploy template from appimage (?s:.*)`, ErrTemplateMissing, new(int)},
	{11601, `invalid resource name "a/b": .*`, ErrInvalid, new(int)},
	{11601, `serving not found`, ErrUnauthorized, new(int)},
	{11603, `serving not found`, ErrUnauthorized, new(int)},
	{11604, `serving not found`, ErrUnauthorized, new(int)},
	{11603, `kusciadeployments\.kuscia\.secretflow "su-nope" not found`, ErrNotFound, new(int)},
	{11603, `party domain_id/role (alice/server|carol/|/) does not exist`, ErrInvalid, new(int)},
	{11603, `resource min_cpu abc format is invalid .*|quantities must match .*`, ErrInvalid, new(int)},
	{11603, `can not get appimage (nope-image|m-late) from cluster, .* not found`, ErrAppImageMissing, new(int)},
	{11603, `update strategy type should be .*`, ErrInvalid, new(int)},
	{11604, `kusciadeployments\.kuscia\.secretflow "(serving-full|nope)" not found`, ErrNotFound, new(int)},
	{13100, `can't parse .* to resource quantity, .*|AppImage\.kuscia\.secretflow "ai-x" is invalid: .*`, ErrInvalid, new(int)},
	{13102, `can't parse limit cpu abc to resource quantity, .*`, ErrInvalid, new(int)},
	{13103, `appimages\.kuscia\.secretflow "nope" not found`, ErrNotFound, new(int)},
	{13105, `(can't get appimage for nope, err: )?appimages\.kuscia\.secretflow "(nope|ai-min)" not found`, ErrNotFound, new(int)},
	{13106, `appimages\.kuscia\.secretflow "ai-min" already exists`, ErrExists, new(int)},
	{13107, `invalid continue token: .*`, ErrInvalid, new(int)},
}

// allKinds are the kinds that an error may be; each expected error is exactly
// one of them.
var allKinds = []error{
	ErrNotFound, ErrExists, ErrConflict, ErrInvalid, ErrUnauthorized, ErrUnsupported, ErrUnavailable,
	ErrAppImageMissing, ErrTemplateMissing, ErrLeftover, ErrServerFault, ErrUnexpectedAnswer, ErrTLS,
	ErrDomainMissing, ErrDataSourceMissing, ErrDomainDataMissing, ErrUnreadable,
}

func TestEveryRecordedAnswer(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.json")
	if err != nil || len(files) != 12 {
		t.Fatalf("transcripts: %d files, %v", len(files), err)
	}
	var current atomic.Pointer[transcriptItem]
	client := newTestClient(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		replay(w, current.Load())
	}), func(c *Config) { c.MaxRetries = 0 })
	client.api.Backoff.LeftoverFor = 0

	var exchanges, successes, failures, transports int
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var transcript struct {
			Items []transcriptItem `json:"items"`
		}
		if err := json.Unmarshal(content, &transcript); err != nil {
			t.Fatal(err)
		}
		for i := range transcript.Items {
			item := &transcript.Items[i]
			if item.Request == nil {
				continue
			}
			if item.HTTPStatus == nil {
				// The connection failed; TestTLSHints makes each of these.
				transports++
				continue
			}
			exchanges++
			current.Store(item)
			name := fmt.Sprintf("%s item %d (%s)", filepath.Base(file), i, item.Note)
			got, err := callRecorded(client, item)
			if recordedCode(item) == 0 && *item.HTTPStatus == http.StatusOK {
				successes++
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				compareData(t, name, item, got)
				continue
			}
			failures++
			checkRecordedError(t, name, item, err)
		}
	}
	for _, row := range expectedErrors {
		if *row.used == 0 {
			t.Errorf("no recorded failure is %d %s any more", row.code, row.text)
		}
	}
	t.Logf("%d exchanges: %d successes, %d failures; %d failed connections", exchanges, successes, failures, transports)
	if exchanges != wantExchanges || successes != wantSuccesses || failures != wantErrors || transports != wantTransports {
		t.Errorf("the transcripts hold another number of exchanges than %d: %d successes, %d failures; %d failed connections",
			wantExchanges, wantSuccesses, wantErrors, wantTransports)
	}
}

func replay(w http.ResponseWriter, item *transcriptItem) {
	if item.ContentType != nil {
		w.Header().Set("Content-Type", *item.ContentType)
	} else {
		w.Header()["Content-Type"] = nil
	}
	w.WriteHeader(*item.HTTPStatus)
	body := item.Response
	var text string
	if json.Unmarshal(body, &text) == nil {
		body = []byte(text)
	}
	_, _ = w.Write(body)
}

func recordedCode(item *transcriptItem) int32 {
	var answer struct {
		Status struct {
			Code int32 `json:"code"`
		} `json:"status"`
	}
	_ = json.Unmarshal(item.Response, &answer)
	return answer.Status.Code
}

func recordedMessage(item *transcriptItem) string {
	var answer struct {
		Status struct {
			Message string `json:"message"`
		} `json:"status"`
	}
	_ = json.Unmarshal(item.Response, &answer)
	return answer.Status.Message
}

// callRecorded calls what the recorded request called, with what it said as
// far as that is a request which this client can make.
func callRecorded(c *Client, item *transcriptItem) (any, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	var body struct {
		ServingID  string   `json:"serving_id"`
		CamelID    string   `json:"servingId"`
		ServingIDs []string `json:"serving_ids"`
		Name       string   `json:"name"`
		Names      []string `json:"names"`
		DomainID   string   `json:"domain_id"`
		DomainIDs  []string `json:"domain_ids"`
	}
	raw := item.Request.Body
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = []byte(text)
	}
	_ = json.Unmarshal(raw, &body)
	if body.ServingID == "" {
		body.ServingID = body.CamelID
	}
	_, path, _ := strings.Cut(strings.SplitN(item.Request.URL, "//", 2)[1], "/")
	switch path {
	case "api/v1/serving/create", "api/v1/serving/nope":
		return nil, c.CreateServing(ctx, &CreateServingRequest{ServingID: body.ServingID})
	case "api/v1/serving/query":
		return c.QueryServing(ctx, body.ServingID)
	case "api/v1/serving/update":
		return nil, c.UpdateServing(ctx, &UpdateServingRequest{ServingID: body.ServingID})
	case "api/v1/serving/delete":
		return nil, c.DeleteServing(ctx, body.ServingID)
	case "api/v1/serving/status/batchQuery":
		return c.BatchQueryServingStatus(ctx, body.ServingIDs)
	case "api/v1/appimage/create":
		return nil, c.CreateAppImage(ctx, &AppImage{Name: body.Name})
	case "api/v1/appimage/query":
		return c.QueryAppImage(ctx, body.Name)
	case "api/v1/appimage/update":
		return nil, c.UpdateAppImage(ctx, &UpdateAppImageRequest{Name: body.Name})
	case "api/v1/appimage/delete":
		return nil, c.DeleteAppImage(ctx, body.Name)
	case "api/v1/appimage/batchQuery":
		return c.BatchQueryAppImages(ctx, body.Names)
	case "api/v1/appimage/list":
		return c.ListAppImages(ctx, 0, "")
	case "healthZ":
		return nil, c.Health(ctx)
	}
	// The client has no domain operations; their answers come in the same
	// envelope.
	op := operation{Operation: httpapi.Operation{Name: path, Method: item.Request.Method, Path: "/" + path}}
	answer, err := c.do(ctx, op, append(body.DomainIDs, body.DomainID), struct{}{})
	if err != nil {
		return nil, err
	}
	return answer.Data, nil
}

// compareData encodes what was decoded again and compares it with the
// recording. Empty values are left out on both sides: the wire types leave
// them out of requests.
func compareData(t *testing.T, name string, item *transcriptItem, got any) {
	t.Helper()
	if got == nil {
		return
	}
	if reflect.ValueOf(got).Kind() == reflect.Pointer && reflect.ValueOf(got).IsNil() {
		t.Errorf("%s: no data", name)
		return
	}
	if list, ok := got.([]ServingStatus); ok {
		got = map[string]any{"servings": list}
	}
	encoded, err := json.Marshal(got)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var recorded struct {
		Data any `json:"data"`
	}
	var decoded any
	if err := errors.Join(json.Unmarshal(item.Response, &recorded), json.Unmarshal(encoded, &decoded)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if a, b := prune(decoded), prune(recorded.Data); !reflect.DeepEqual(a, b) {
		t.Errorf("%s: decoded\n%v\nrecorded\n%v", name, a, b)
	}
}

// isMapField has the fields that are maps of the user's keys.
var isMapField = map[string]bool{"config_templates": true, "annotations": true, "attributes": true, "description": true}

// prune leaves out empty members of objects; list elements stay.
func prune(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, element := range v {
			switch p := prune(element).(type) {
			case nil:
			case string:
				if p != "" {
					out[key] = p
				}
			case float64:
				if p != 0 || key == "replicas" {
					out[key] = p
				}
			case []any:
				if len(p) > 0 {
					out[key] = p
				}
			case map[string]any:
				// An empty probe is an object and not nothing; an empty map is.
				if len(p) > 0 || !isMapField[key] {
					out[key] = p
				}
			default:
				out[key] = p
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = prune(v[i])
		}
		return out
	}
	return value
}

func checkRecordedError(t *testing.T, name string, item *transcriptItem, err error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Errorf("%s: the error is %T (%v), not *Error", name, err, err)
		return
	}
	if e.HTTPStatus != *item.HTTPStatus || CodeOf(e) != recordedCode(item) {
		t.Errorf("%s: HTTP %d code %s, recorded %d and %d", name, e.HTTPStatus, e.Code, *item.HTTPStatus, recordedCode(item))
	}
	switch *item.HTTPStatus {
	case http.StatusUnauthorized:
		wantKind(t, name, err, ErrUnauthorized)
	case http.StatusNotFound:
		wantKind(t, name, err, ErrUnsupported)
	case http.StatusBadRequest:
		wantKind(t, name, err, ErrTLS)
	case http.StatusOK:
		message := recordedMessage(item)
		if got := e.Message; got != strings.TrimRight(message, "\n") && !strings.HasSuffix(got, "(cut off)") {
			// Control characters of a text are replaced.
			if len(got) != len(message) || !strings.ContainsFunc(message, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Errorf("%s: text %q, recorded %q", name, got, message)
			}
		}
		for _, row := range expectedErrors {
			if row.code == recordedCode(item) && regexp.MustCompile(`^(?:`+row.text+`)$`).MatchString(message) {
				*row.used++
				wantKind(t, name, err, row.want)
				return
			}
		}
		t.Errorf("%s: the table does not say what %s %.200s is", name, e.Code, message)
	default:
		t.Errorf("%s: HTTP %d is not expected", name, *item.HTTPStatus)
	}
}

// wantKind checks that the error is of that kind and of no other.
func wantKind(t *testing.T, name string, err, want error) {
	t.Helper()
	for _, kind := range allKinds {
		if got := errors.Is(err, kind); got != (want != nil && errors.Is(kind, want)) {
			t.Errorf("%s: errors.Is(%v, %q) is %v", name, err, kind, got)
		}
	}
}
