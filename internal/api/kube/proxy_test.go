package kube_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// TestProxyIsBlamed: a proxy that refuses to connect is the cause, and not the API server.
func TestProxyIsBlamed(t *testing.T) {
	t.Parallel()
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	t.Cleanup(refusing.Close)
	file := filepath.Join(t.TempDir(), "kubeconfig")
	content := fmt.Sprintf(`{"clusters": [{"name": "c", "cluster": {"server": "https://api.example:6443", "proxy-url": %q}}], "users": [{"name": "u", "user": {"token": "t0ken"}}],
"contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}], "current-context": "x"}`, refusing.URL)
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	client, err := kube.New(kube.Config{ConfigPath: file})
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Get(t.Context(), kube.Domains, "", "alice")
	var e *apierror.Error
	if !errors.As(err, &e) || e.Cause != httpapi.CauseProxy {
		t.Errorf("%+v", err)
	}
}
