package kuscia

import (
	"net/http"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
)

// TestCertificatesOfServer: a certificate that would control the terminal, or a CI, is an error where
// it is read: the CLI prints values of several lines raw.
func TestCertificatesOfServer(t *testing.T) {
	t.Parallel()
	for cert, refused := range map[string]bool{
		"": false, "LS0tLS1CRUdJTg==": false, "-----BEGIN CERTIFICATE-----\r\nMII\n-----END CERTIFICATE-----\n": false,
		"-----BEGIN CERTIFICATE-----\n\x1b[2J": true, "a\n::add-mask::alice": true, "a\u202eb": true,
	} {
		domain := testjson.Text(cert)
		for operation, data := range map[string]string{
			"domain": `{"domain_id":"alice","cert":` + domain + `}`,
			"batch":  `{"domains":[{"domain_id":"alice","cert":` + domain + `}]}`,
			"route":  `{"source":"alice","destination":"bob","mtls_config":{"source_client_cert":` + domain + `}}`,
			"its CA": `{"source":"alice","destination":"bob","mtls_config":{"tls_ca":` + domain + `}}`,
		} {
			client := newTestClient(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write([]byte(`{"status":{"code":0},"data":` + data + `}`))
			}))
			var err error
			switch operation {
			case "domain":
				_, err = client.QueryDomain(t.Context(), "alice")
			case "batch":
				_, err = client.BatchQueryDomains(t.Context(), []string{"alice"})
			case "route", "its CA":
				_, err = client.QueryDomainRoute(t.Context(), DomainRouteKey{Source: "alice", Destination: "bob"})
			}
			if got := err != nil && strings.Contains(err.Error(), "characters that no certificate has"); got != refused || !refused && err != nil {
				t.Errorf("%s with %q: %v", operation, cert, err)
			}
		}
	}
}
