package sandbox

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
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
	s, target := r.servers[address.Port()], *address
	target.Host = s.address
	if address.Scheme == "http" {
		return http.DefaultClient, target.String()
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: x509.NewCertPool()}
	if s.options.Protocol != ProtocolNOTLS && !strings.Contains(item.Note, "CA unknown to the client") {
		ca, err := os.ReadFile(filepath.Join(s.CertsDir(), server.FileCA))
		must(r.t, err)
		config.RootCAs.AppendCertsFromPEM(ca)
	}
	sends := address.Port() == portMTLS && !strings.Contains(item.Note, "no client cert") || strings.Contains(item.Note, "client cert sent")
	if sends && !strings.Contains(item.Note, "CA unknown to the client") {
		pair, err := tls.LoadX509KeyPair(filepath.Join(s.CertsDir(), server.FileServerCert), filepath.Join(s.CertsDir(), server.FileServerKey))
		if strings.Contains(item.Note, "of another CA") {
			files, failed := server.MakeCertificates()
			must(r.t, failed)
			pair, err = tls.X509KeyPair(files[server.FileServerCert], files[server.FileServerKey])
		}
		must(r.t, err)
		// Go's client would not send a certificate that the server does not request.
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil }
	}
	transport := &http.Transport{TLSClientConfig: config} // HTTP/1.1, as in the recordings
	r.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}, target.String()
}

// compareTransportError checks that an exchange that failed below HTTP in the
// recording fails in the same way here.
func compareTransportError(item transcriptItem, err error) error {
	var recorded string
	if item.HTTPStatus != nil || json.Unmarshal(item.Response, &recorded) != nil {
		return fmt.Errorf("transport error that was not recorded: %w", err)
	}
	for kind, here := range map[string]string{
		"ALERT_CERTIFICATE_REQUIRED": "certificate required", "ALERT_UNKNOWN_CA": "unknown certificate authority",
		"CERTIFICATE_VERIFY_FAILED": "certificate signed by unknown authority", "WRONG_VERSION_NUMBER": "HTTP response to HTTPS client",
	} {
		if strings.Contains(recorded, kind) && strings.Contains(err.Error(), here) {
			return nil
		}
	}
	return fmt.Errorf("recorded %s, here: %w", recorded, err)
}
