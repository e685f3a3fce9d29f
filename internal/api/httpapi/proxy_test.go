package httpapi_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// TestProxyIsBlamed: a proxy that cannot be resolved, or that refuses, is the cause, and not the
// endpoint, which nobody has reached.
func TestProxyIsBlamed(t *testing.T) {
	t.Parallel()
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, "no")
	}))
	t.Cleanup(refusing.Close)
	for name, proxy := range map[string]string{"unknown": "http://user:pl4nted@no-such-proxy.invalid:3128", "closed": "http://127.0.0.1:1", "refuses": refusing.URL} {
		client, err := httpapi.New(httpapi.Config{Name: "plain", Endpoint: "https://kuscia.example:8082", Protocol: httpapi.PlainProtocol{Key: "key"}, RequestTimeout: 5 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		address, err := url.Parse(proxy)
		if err != nil {
			t.Fatal(err)
		}
		client.HTTP().Transport.(*http.Transport).Proxy = http.ProxyURL(address)
		_, err = client.Do(t.Context(), httpapi.Call{Operation: httpapi.Operation{Name: "thing", Method: http.MethodGet, Path: "/"}})
		var e *apierror.Error
		if !errors.As(err, &e) || e.Cause != httpapi.CauseProxy || !strings.Contains(e.Message, "kuscia.example:8082 through the HTTP proxy") || strings.Contains(e.Message, "pl4nted") {
			t.Errorf("%s: %+v", name, err)
		}
	}
}
