package provider

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
)

// TestRequestLimitsHoldForEachAPI: request_timeout and max_retries mean the same for all three.
func TestRequestLimitsHoldForEachAPI(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	resp := configure(t, newTestProvider(map[string]string{
		"KUSCIA_ENDPOINT": server.URL, "KUSCIA_KUBE_HOST": server.URL,
		"KUSCIA_IEF_ENDPOINT": server.URL, "KUSCIA_IEF_PROJECT_ID": "p", "KUSCIA_IEF_TOKEN": "t0ken-of-the-test",
		"KUSCIA_REQUEST_TIMEOUT": "100ms", "KUSCIA_MAX_RETRIES": "1",
	}), nil, false)
	if resp.Diagnostics.HasError() {
		t.Fatal(resp.Diagnostics)
	}
	var diags diag.Diagnostics
	c := run.FromProviderData(resp.ResourceData, &diags)
	cluster, _ := c.ReadyKubernetes(&diags)
	edge, _ := c.ReadyIEF(&diags)
	if diags.HasError() {
		t.Fatal(diags)
	}
	for name, call := range map[string]func() error{
		"KusciaAPI":  func() error { _, err := c.Kuscia.QueryServing(t.Context(), "a"); return err },
		"Kubernetes": func() error { _, err := cluster.Get(t.Context(), kube.Domains, "", "a"); return err },
		"IEF":        func() error { _, err := edge.Get(t.Context(), ief.Scope{Version: ief.V3}, "a"); return err },
	} {
		began := time.Now()
		var e *apierror.Error
		if err := call(); !errors.As(err, &e) || e.Attempts != 2 || time.Since(began) > 10*time.Second {
			t.Errorf("%s: %v after %s", name, err, time.Since(began))
		}
	}
}
