package httpapi

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// PlainProtocol is the protocol of a typical API: a key, HTTP status codes, and errors as JSON.
type PlainProtocol struct{ Key string }

func (p PlainProtocol) Authorize(*http.Request, []byte) error {
	if p.Key == "" {
		return errors.New("no key")
	}
	return nil
}

func (PlainProtocol) Classify(call *Call, response *http.Response, body []byte) Classification {
	if response.StatusCode == http.StatusOK {
		return Classification{}
	}
	c := ClassifyStatus(call, response, body)
	var answer struct {
		Code    string `json:"error_code"`
		Message string `json:"error_msg"`
	}
	if json.Unmarshal(body, &answer) == nil && answer.Code != "" {
		c.Code, c.Message = answer.Code, answer.Message
	}
	return c
}

func (PlainProtocol) Hint(*apierror.Error) string { return "" }

// TestNotAuthorised: a request that cannot be authorized is not sent.
func TestNotAuthorised(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the request was sent") }))
	t.Cleanup(server.Close)
	client, err := New(Config{Name: "plain", Endpoint: server.URL, Protocol: PlainProtocol{}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Do(t.Context(), Call{Operation: Operation{Name: "thing/create", Method: http.MethodPost, Path: "/", Writes: true, Creates: true}})
	if err == nil || !strings.Contains(err.Error(), "thing/create: make the request: no key") || apierror.OutcomeUnknown(err) {
		t.Errorf("%v", err)
	}
}
