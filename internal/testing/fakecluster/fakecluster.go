// Package fakecluster gives clients of Kubernetes APIs whose responses a test writes itself.
package fakecluster

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
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

// Objects is a client of a server with objects, in JSON by their names, and no others.
func Objects(tb testing.TB, objects map[string]string) *kube.Client {
	tb.Helper()
	return Client(tb, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := path.Base(r.URL.Path)
		Respond(w, name, objects[name])
	}))
}

// Respond writes an object in JSON, or that there is none of its name if it is "".
func Respond(w http.ResponseWriter, name, object string) {
	w.Header().Set("Content-Type", "application/json")
	if object == "" {
		w.WriteHeader(http.StatusNotFound)
		object = fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404,"details":{"name":%q}}`, name)
	}
	_, _ = io.WriteString(w, object) //nolint:gosec // it is JSON, and of a test
}
