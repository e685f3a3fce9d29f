package sandbox

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// clientFor returns the client for a recorded exchange, and the address of the
// sandbox for it.
func (r *replay) clientFor(item transcriptItem, address *url.URL) (*http.Client, string) {
	target := *address
	port := address.Port()
	if port == portInternal {
		target.Host = strings.TrimPrefix(r.internal.URL, "http://")
		return http.DefaultClient, target.String()
	}
	s := r.servers[port]
	if s == nil {
		r.t.Fatalf("%s: no server for port %s", item.Note, port)
	}
	target.Host = s.address
	if address.Scheme == "http" {
		return http.DefaultClient, target.String()
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: r.pool(s)}
	switch {
	case strings.Contains(item.Note, "CA unknown to the client"):
		config.RootCAs = x509.NewCertPool()
	case strings.Contains(item.Note, "no client cert"), port != portMTLS && !strings.Contains(item.Note, "client cert sent"):
	case strings.Contains(item.Note, "of another CA"):
		// Go's client would not send a certificate that the server does not
		// request.
		pair := r.foreignPair()
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil }
	default:
		config.Certificates = []tls.Certificate{loadPair(r, s.CertsDir())}
	}
	transport := &http.Transport{TLSClientConfig: config} // HTTP/1.1, as in the recordings
	r.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}, target.String()
}

// clientOf trusts the CA of a sandbox.
func (r *replay) clientOf(s *Sandbox) *http.Client {
	transport := &http.Transport{TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: r.pool(s)}}
	r.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func (r *replay) pool(s *Sandbox) *x509.CertPool {
	pool := x509.NewCertPool()
	if s.options.Protocol == ProtocolNOTLS {
		return pool
	}
	ca, err := os.ReadFile(filepath.Join(s.CertsDir(), server.FileCA))
	must(r.t, err)
	if !pool.AppendCertsFromPEM(ca) {
		r.t.Fatal("no CA in the folder")
	}
	return pool
}

func loadPair(r *replay, dir string) tls.Certificate {
	pair, err := tls.LoadX509KeyPair(filepath.Join(dir, server.FileServerCert), filepath.Join(dir, server.FileServerKey))
	must(r.t, err)
	return pair
}

func (r *replay) foreignPair() tls.Certificate {
	files, err := server.MakeCertificates()
	must(r.t, err)
	pair, err := tls.X509KeyPair(files[server.FileServerCert], files[server.FileServerKey])
	must(r.t, err)
	return pair
}

// compareTransportError checks that an exchange that failed below HTTP in the
// recording fails in the same way here.
func compareTransportError(item transcriptItem, err error) error {
	var recorded string
	if item.HTTPStatus != nil || json.Unmarshal(item.Response, &recorded) != nil {
		return fmt.Errorf("transport error that was not recorded: %w", err)
	}
	kinds := []struct{ recorded, here string }{
		{"ALERT_CERTIFICATE_REQUIRED", "certificate required"},
		{"ALERT_UNKNOWN_CA", "unknown certificate authority"},
		{"CERTIFICATE_VERIFY_FAILED", "certificate signed by unknown authority"},
		{"WRONG_VERSION_NUMBER", "HTTP response to HTTPS client"},
	}
	for _, kind := range kinds {
		if strings.Contains(recorded, kind.recorded) {
			if strings.Contains(err.Error(), kind.here) {
				return nil
			}
			return fmt.Errorf("recorded %s, here: %w", kind.recorded, err)
		}
	}
	return errors.New("recorded transport error of unknown kind: " + recorded)
}
