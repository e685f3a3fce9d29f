package kuscia

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

func TestHostileResponses(t *testing.T) {
	ok := `{"status":{"code":0,"message":"success"},"data":`
	cases := []struct{ name, body string }{
		{"null", `null`},
		{"a list", `[]`},
		{"nothing in it", `{}`},
		{"status null", `{"status":null,"data":{}}`},
		{"code as text", `{"status":{"code":"0"},"data":{}}`},
		{"code too large", `{"status":{"code":4294967296},"data":{}}`},
		{"status twice", `{"status":{"code":11600},"status":{"code":0},"data":{}}`},
		{"code twice, escaped", `{"status":{"code":11600,"c\u006fde":0},"data":{}}`},
		{"no data", `{"status":{"code":0}}`},
		{"data null", ok + `null}`},
		{"no parties", ok + `{}}`},
		{"parties an object", ok + `{"parties":{}}}`},
		{"party null", ok + `{"parties":[null]}}`},
		{"replicas as text", ok + `{"parties":[{"domain_id":"a","replicas":"2"}]}}`},
		{"replicas too large", ok + `{"parties":[{"domain_id":"a","replicas":2147483648}]}}`},
		{"party statuses with null", ok + `{"parties":[],"status":{"party_statuses":[null]}}}`},
		{"deep", ok + strings.Repeat(`[`, 100000) + strings.Repeat(`]`, 100000) + `}`},
		{"deep objects", ok + strings.Repeat(`{"a":`, 5000) + `1` + strings.Repeat(`}`, 5000) + `}`},
		{"more after the end", servingResponse + `{}`},
		{"not UTF-8", "\xff\xfe{"},
	}
	for _, c := range cases {
		client := newTestClient(t, &faultServer{fault: status(200, c.body), times: -1}, func(c *Config) { c.MaxRetries = 0 })
		serving, err := client.QueryServing(t.Context(), "glm")
		if err == nil {
			t.Errorf("%s: %+v", c.name, serving)
			continue
		}
		wantKind(t, c.name, err, ErrUnexpectedResponse)
		// A create with such a response may have taken effect, unless only the
		// data is wrong: a create has none.
		err = client.CreateServing(t.Context(), &CreateServingRequest{ServingID: "glm"})
		if err != nil && !apierror.OutcomeUnknown(err) {
			t.Errorf("%s: the create counts as not done: %v", c.name, err)
		}
	}
}

// TestWrongData: the other operations check their responses too.
func TestWrongData(t *testing.T) {
	ctx := t.Context()
	client := func(data string) *Client {
		return newTestClient(t, &faultServer{good: `{"status":{"code":0},"data":` + data + `}`})
	}
	bare := func(fields string) *Client {
		return newTestClient(t, &faultServer{good: `{"status":{"code":0},` + fields + `}`})
	}
	cases := []struct {
		name string
		call func() error
	}{
		{"status without list", func() error { _, err := client(`{}`).BatchQueryServingStatus(ctx, []string{"a"}); return err }},
		{"status without id", func() error {
			_, err := client(`{"servings":[{"status":null}]}`).BatchQueryServingStatus(ctx, []string{"a"})
			return err
		}},
		{"another app image", func() error { _, err := client(`{"name":"b"}`).QueryAppImage(ctx, "a"); return err }},
		{"app images missing", func() error { _, err := client(`[]`).BatchQueryAppImages(ctx, []string{"a"}); return err }},
		{"list without list", func() error { _, err := client(`{}`).ListAppImages(ctx, 0, ""); return err }},
		{"not an integer", func() error {
			_, err := client(`{"name":"a","deploy_templates":[{"containers":[{"startup_probe":{"termination_grace_period_seconds":"x"}}]}]}`).QueryAppImage(ctx, "a")
			return err
		}},
		{"no value", func() error { _, err := bare(`"key":"k"`).QueryConfig(ctx, "k"); return err }},
		{"not ready", func() error { return client(`{}`).Health(ctx) }},
	}
	for _, c := range cases {
		if err := c.call(); !errors.Is(err, ErrUnexpectedResponse) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// FuzzResponse: for any response, the client returns data or one of its errors.
func FuzzResponse(f *testing.F) {
	files, err := filepath.Glob("testdata/transcripts/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(200, content[:min(len(content), 4000)])
	}
	f.Add(200, []byte(servingResponse))
	f.Add(200, []byte(successResponse))
	f.Add(200, []byte(failureResponse("11601", `kusciadeployments.kuscia.secretflow "glm" not found`)))
	f.Add(200, []byte(`{"status":{"code":0},"data":{"servings":[{"serving_id":"glm","status":{"state":"Available","party_statuses":[{"domain_id":"alice","updatedReplicas":1}]}}]}}`))
	f.Add(200, []byte(`{"status":{"code":0},"data":{"name":"glm","deploy_templates":[{"containers":[{"liveness_probe":{"termination_grace_period_seconds":"5"}}]}]}}`))
	f.Add(200, []byte(`{"status":{"code":0,"code":1},"data":[null]}`))
	f.Add(401, []byte(``))
	f.Add(503, []byte(`<html>`))
	f.Add(307, []byte(`x`))
	transport := &oneResponse{}
	client, err := New(Config{Endpoint: "http://kuscia.invalid", Token: testToken})
	if err != nil {
		f.Fatal(err)
	}
	client.api.HTTP().Transport = transport
	client.api.Backoff = httpapi.Backoff{Base: 1, Max: 1, ConflictBase: 2, ConflictMax: 2, PendingDeletionBase: 2, PendingDeletionMax: 2}
	f.Fuzz(func(t *testing.T, code int, body []byte) {
		if code < 200 || code > 599 {
			return
		}
		transport.code, transport.body = code, string(body)
		ctx := t.Context()
		checkResponse := func(data any, isNil bool, err error) {
			t.Helper()
			var e *Error
			switch {
			case err == nil && isNil:
				t.Error("neither data nor error")
			case err == nil && code > 299:
				t.Errorf("HTTP %d is a success: %+v", code, data)
			case err != nil && !errors.As(err, &e):
				t.Errorf("%T: %v", err, err)
			case err != nil && strings.Contains(err.Error()+Hint(err), testToken):
				t.Errorf("the token is in %v", err)
			}
		}
		serving, err := client.QueryServing(ctx, "glm")
		checkResponse(serving, serving == nil, err)
		statuses, err := client.BatchQueryServingStatus(ctx, []string{"glm"})
		checkResponse(statuses, statuses == nil, err)
		image, err := client.QueryAppImage(ctx, "glm")
		checkResponse(image, image == nil, err)
		err = client.CreateServing(ctx, &CreateServingRequest{ServingID: "glm"})
		checkResponse(nil, false, err)
		if err == nil {
			document, _ := httpapi.NewDocument(body)
			if status, _, decodeErr := decodeEnvelope(document); decodeErr != nil || status.Code != 0 {
				t.Errorf("success from %q: %+v, %v", body, status, decodeErr)
			}
		}
	})
}

// oneResponse returns the same response to every request, without a network.
type oneResponse struct {
	code int
	body string
}

func (a *oneResponse) RoundTrip(request *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: a.code, Header: http.Header{}, Request: request, ContentLength: -1,
		Body: io.NopCloser(strings.NewReader(a.body)),
	}, nil
}
