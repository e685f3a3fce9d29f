package kube

import (
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testcert"
)

// TestClientCertificate: the client identifies itself by the certificate that is
// configured, or by the one that a credential plugin returns.
func TestClientCertificate(t *testing.T) {
	t.Parallel()
	user := ""
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user = r.TLS.PeerCertificates[0].Subject.CommonName
		answer(w, http.StatusOK, storedDeployment)
	}))
	server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert, MinVersion: tls.VersionTLS12}
	server.StartTLS()
	t.Cleanup(server.Close)
	authority := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	certificate, key := testcert.Pair(t, "configured")
	returned, returnedKey := testcert.Pair(t, "returned")
	file := newFolder(t).write("credential", execCredential(fmt.Sprintf(`"clientCertificateData":%q,"clientKeyData":%q`, returned, returnedKey)))
	for want, config := range map[string]Config{
		"configured": {ClientCertificate: certificate, ClientKey: key},
		"returned":   {Exec: &Exec{APIVersion: "client.authentication.k8s.io/v1", Command: "cat", Args: []string{file}}},
	} {
		config.Host, config.ClusterCACertificate = server.URL, authority
		if err := get(t.Context(), config); err != nil || user != want {
			t.Errorf("%s: the user is %q: %v", want, user, err)
		}
	}
}
