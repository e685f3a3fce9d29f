package kuscia

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
)

// quickBackoff has a hundredth of the default durations.
var quickBackoff = httpapi.Backoff{
	Base: 2 * time.Millisecond, Max: 20 * time.Millisecond, MaxRetryAfter: 50 * time.Millisecond,
	ConflictBase: time.Millisecond, ConflictMax: 5 * time.Millisecond, ConflictTimeout: 400 * time.Millisecond,
	PendingDeletionBase: time.Millisecond, PendingDeletionMax: 5 * time.Millisecond, PendingDeletionTimeout: 300 * time.Millisecond,
}

const testToken = "T0KEN-planted-5ecret"

// newTestClient returns a client of a server with that handler.
func newTestClient(t testing.TB, handler http.Handler, change ...func(*Config)) *Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return newClientFor(t, server.URL, change...)
}

func newClientFor(t testing.TB, endpoint string, change ...func(*Config)) *Client {
	t.Helper()
	config := Config{Endpoint: endpoint, Token: testToken, RequestTimeout: 5 * time.Second, MaxRetries: 3}
	for _, f := range change {
		f(&config)
	}
	client, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	client.api.Backoff = quickBackoff
	t.Cleanup(client.api.HTTP().CloseIdleConnections)
	return client
}

const (
	successResponse = `{"status":{"code":0,"message":"success","details":[]}}`
	servingResponse = `{"status":{"code":0,"message":"success","details":[]},"data":{"serving_input_config":"","initiator":"alice","parties":[{"domain_id":"alice","role":"","app_image":"sf","update_strategy":{"type":"RollingUpdate","max_surge":"25%","max_unavailable":"25%"},"resources":[],"service_name_prefix":""}],"status":null}}`
)

func failureResponse(code, message string) string {
	return `{"status":{"code":` + code + `,"message":` + testjson.Text(message) + `,"details":[]},"data":null}`
}
