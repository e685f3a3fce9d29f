package kuscia

import (
	"bytes"
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
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/printable"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
)

// tally counts the contents of a transcript; a smaller count means that
// exchanges are not tested any more. The expected counts are in a file beside
// each transcript, so that a new recording adds to no list.
type tally struct {
	Exchanges int `json:"exchanges"`
	Successes int `json:"successes"`
	Failures  int `json:"failures"`
	LeftOut   int `json:"left_out"`
}

// countsFile has the expected counts of a transcript.
func countsFile(transcript string) string {
	return filepath.Join(filepath.Dir(transcript), "counts", filepath.Base(transcript))
}

// checkCounts compares the counts of a transcript with the expected ones.
func checkCounts(t *testing.T, transcript string, got tally) {
	t.Helper()
	var want struct{ Client *tally }
	text, err := os.ReadFile(countsFile(transcript))
	if err == nil {
		err = json.Unmarshal(text, &want)
	}
	if err != nil || want.Client == nil || got != *want.Client {
		encoded, _ := json.Marshal(got) // four numbers
		t.Errorf("%s contains %+v, want %+v (%v); for a new or changed recording, write this into %s: \"client\": %s",
			transcript, got, want.Client, err, countsFile(transcript), encoded)
	}
}

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

// recordedFailure is the expected error for an operation, code and text. The
// rows are written from the recordings, independently of the client's rules;
// the first row that matches applies.
type recordedFailure struct {
	operation string // regular expression over the name
	code      int32
	text      string // regular expression over the whole text
	want      error  // nil: none of the kinds
	used      *int
}

// allKinds are all kinds of errors; each expected error has exactly one of
// them.
var allKinds = []error{
	ErrNotFound, ErrExists, ErrConflict, ErrInvalid, ErrUnauthorized, ErrUnsupported, ErrUnavailable,
	ErrAppImageMissing, ErrTemplateMissing, ErrLeftover, ErrServerFault, ErrUnexpectedResponse, ErrTLS,
	ErrUnreadable, ErrDomainDataMissing, ErrDataSourceMissing, ErrDomainMissing,
}

// otherInterfaces are recorded operations that the client does not have: jobs
// and logs are not resources. GET of healthZ and the like are handled outside
// of the API.
var otherInterfaces = regexp.MustCompile(`^/api/v1/(job|log|healthZ)\b|^/(version|probe|healthz)$`)

// concernsClient reports whether the client sends such a request. TestTLSHints has the failures of
// connections.
func concernsClient(item *transcriptItem, path string) bool {
	return item.HTTPStatus != nil && (item.Request.Method != http.MethodGet || strings.HasPrefix(path, "/api/v1/")) && (path == "/healthZ" || !otherInterfaces.MatchString(path))
}

// TestEveryRecordedResponse returns every recorded response to the client, and checks that it
// returns the recorded data or an error of the right kind.
func TestEveryRecordedResponse(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.json")
	objects, failed := filepath.Glob("testdata/transcripts/rest/*.json")
	if err = errors.Join(err, failed); err != nil || len(files) == 0 || len(objects) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	var current atomic.Pointer[transcriptItem]
	client := newTestClient(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		replay(w, current.Load())
	}), func(c *Config) { c.MaxRetries = 0 })
	client.api.Backoff.PendingDeletionTimeout = 0

	for _, file := range append(files, objects...) {
		var got tally
		for i, item := range readTranscript(t, file) {
			if item.Request == nil {
				continue
			}
			path := regexp.MustCompile(`^https?://[^/]+`).ReplaceAllString(item.Request.URL, "")
			if !concernsClient(item, path) {
				got.LeftOut++
				continue
			}
			got.Exchanges++
			current.Store(item)
			name, operation := fmt.Sprintf("%s item %d (%s)", filepath.Base(file), i, item.Note), strings.TrimPrefix(path, "/api/v1/")
			data, err := callRecorded(t, client, operation, item)
			if recordedStatus(item).Code != 0 || *item.HTTPStatus != http.StatusOK {
				got.Failures++
				checkError(t, name, operation, item, err)
				continue
			}
			got.Successes++
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			compareData(t, name, item, data)
		}
		checkCounts(t, file, got)
	}
	for _, row := range recordedFailures {
		if *row.used == 0 {
			t.Errorf("no recorded failure matches %s %d %s any more", row.operation, row.code, row.text)
		}
	}
}

func readTranscript(t testing.TB, file string) []*transcriptItem {
	t.Helper()
	return testfile.JSON[struct {
		Items []*transcriptItem `json:"items"`
	}](t, file).Items
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

// recordedStatus is the status of a response, empty if there is none.
func recordedStatus(item *transcriptItem) (status struct {
	Code    int32  `json:"code"`
	Message string `json:"message"`
}) {
	response := struct {
		Status any `json:"status"`
	}{&status}
	_ = json.Unmarshal(item.Response, &response)
	return status
}

// recordedRequest decodes the body of a recorded request, as far as this client
// can send it. Bodies that are not JSON are recorded as text.
func recordedRequest[T any](item *transcriptItem) *T {
	request, body := new(T), item.Request.Body
	var text string
	if json.Unmarshal(body, &text) == nil {
		body = []byte(text)
	}
	body = bytes.ReplaceAll(body, []byte(`"servingId"`), []byte(`"serving_id"`)) // the server takes both
	_ = json.Unmarshal(body, request)                                            // keep what could be decoded
	return request
}

// recordedData is the data member of a recorded request.
func recordedData[T any](item *transcriptItem) T {
	return recordedRequest[struct {
		Data T `json:"data"`
	}](item).Data
}

// callRecorded makes the recorded call with the recorded request.
func callRecorded(t *testing.T, c *Client, name string, item *transcriptItem) (any, error) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if call, ok := recordedCalls[name]; ok {
		return call(ctx, c, item)
	}
	// Operations that the client does not have use the same envelope.
	path := name
	if !strings.HasPrefix(path, "/") {
		path = "/api/v1/" + name
	}
	_, err := c.do(ctx, operation{Operation: httpapi.Operation{Name: name, Method: item.Request.Method, Path: path}}, []string{whole[DomainDataKey](item).DomainDataID}, struct{}{})
	return nil, err
}

// compareData encodes the decoded data and compares it with the recorded
// response: its data, or the fields next to the status. Empty values are
// ignored on both sides, since the wire types omit them.
func compareData(t *testing.T, name string, item *transcriptItem, got any) {
	t.Helper()
	if got == nil {
		return
	}
	if reflect.ValueOf(got).Kind() == reflect.Pointer && reflect.ValueOf(got).IsNil() {
		t.Errorf("%s: no data", name)
		return
	}
	recorded, decoded := testjson.Decode[map[string]any](t, string(item.Response)), testjson.Decode[any](t, testjson.Encode(t, got))
	want, found := recorded["data"]
	if !found {
		delete(recorded, "status")
		want = recorded
	}
	if a, b := prune(decoded), prune(want); !reflect.DeepEqual(a, b) {
		t.Errorf("%s: decoded\n%v\nrecorded\n%v", name, a, b)
	}
}

// isMapField has the fields whose values are maps with keys of the user.
var isMapField = map[string]bool{"config_templates": true, "annotations": true, "attributes": true, "description": true}

// prune removes empty members of objects; list elements are kept.
func prune(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, element := range v {
			p := prune(element)
			list, isList := p.([]any)
			object, isObject := p.(map[string]any)
			// An empty probe is an object, not nothing; an empty map is nothing.
			empty := p == nil || p == "" || p == 0.0 && key != "replicas" || isList && len(list) == 0 || isObject && len(object) == 0 && isMapField[key]
			if !empty {
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

func checkError(t *testing.T, name, operation string, item *transcriptItem, err error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Errorf("%s: the error is %T (%v), not *Error", name, err, err)
		return
	}
	code, message := recordedStatus(item).Code, recordedStatus(item).Message
	if e.HTTPStatus != *item.HTTPStatus || CodeOf(e) != code {
		t.Errorf("%s: HTTP %d code %s, recorded %d and %d", name, e.HTTPStatus, e.Code, *item.HTTPStatus, code)
	}
	switch *item.HTTPStatus {
	case http.StatusUnauthorized:
		wantKind(t, name, err, ErrUnauthorized)
	case http.StatusNotFound:
		wantKind(t, name, err, ErrUnsupported)
	case http.StatusBadRequest:
		wantKind(t, name, err, ErrTLS)
	case http.StatusOK:
		message = strings.ReplaceAll(strings.TrimRight(message, "\n"), "\n", "\n"+printable.Prefix)
		if got := e.Message; got != message && !strings.HasSuffix(got, "(cut off)") {
			// Control characters of a text are replaced.
			if len(got) != len(message) || !strings.ContainsFunc(message, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Errorf("%s: text %q, recorded %q", name, got, message)
			}
		}
		for _, row := range recordedFailures {
			if row.code == code && matchesAll(row.operation, operation) && matchesAll(row.text, message) {
				*row.used++
				wantKind(t, name, err, row.want)
				return
			}
		}
		t.Errorf("%s: the table has no row for %s %s %.200s", name, operation, e.Code, message)
	default:
		t.Errorf("%s: unexpected HTTP status %d", name, *item.HTTPStatus)
	}
}

// matchesAll reports whether a regular expression matches a whole text.
func matchesAll(expression, text string) bool {
	return regexp.MustCompile(`^(?:` + expression + `)$`).MatchString(text)
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
