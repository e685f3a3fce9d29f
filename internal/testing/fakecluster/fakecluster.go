// Package fakecluster gives clients of Kubernetes APIs whose responses a test writes itself.
package fakecluster

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// Client is a client of a server with a handler, until the end of the test. It repeats a
// transient failure once.
func Client(tb testing.TB, handler http.Handler) *kube.Client {
	tb.Helper()
	server := httptest.NewServer(handler)
	tb.Cleanup(server.Close)
	client, err := kube.New(kube.Config{Host: server.URL, MaxRetries: 1})
	if err != nil {
		tb.Fatal(err)
	}
	return client
}
