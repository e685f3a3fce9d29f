package kube

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// clientCertificate returns a self-signed certificate and its key, as PEM.
func clientCertificate(t *testing.T, user string) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: user}, NotAfter: time.Now().Add(time.Hour)}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed})), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}))
}

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
	certificate, key := clientCertificate(t, "configured")
	returned, returnedKey := clientCertificate(t, "returned")
	credential, err := json.Marshal(map[string]any{
		"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
		"status": map[string]any{"clientCertificateData": returned, "clientKeyData": returnedKey},
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "credential")
	if err := os.WriteFile(file, credential, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, config := range map[string]Config{
		"configured": {ClientCertificate: certificate, ClientKey: key},
		"returned":   {Exec: &Exec{APIVersion: "client.authentication.k8s.io/v1", Command: "cat", Args: []string{file}}},
	} {
		config.Host, config.ClusterCACertificate = server.URL, authority
		client, err := New(config)
		if err == nil {
			_, err = client.Get(t.Context(), KusciaDeployments, CrossDomain, "kd")
		}
		if err != nil || user != want {
			t.Errorf("%s: the user is %q: %v", want, user, err)
		}
	}
}
