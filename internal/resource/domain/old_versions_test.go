package domain_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// certificateOf is a certificate as PEM, which a Kuscia has made.
func certificateOf(t *testing.T, e *acctest.Env) string {
	t.Helper()
	made, err := e.API.GenerateCertificate(t.Context(), &kuscia.GenerateCertificateRequest{CommonName: "old"})
	protocol.NoError(t, err)
	text, err := base64.StdEncoding.DecodeString(made.CertChain[0])
	protocol.NoError(t, err)
	return string(text)
}

// TestOldUpdates: an update keeps the certificate of a domain whatever the version, also one that a
// node has brought. Before v0.12 its annotations go, which the next refresh shows.
func TestOldUpdates(t *testing.T) {
	t.Parallel()
	for version, keeps := range map[string]bool{"v0.5.0b0": false, "v0.11.0b0": false, "v0.12.0b0": true, "v1.1.0b0": true} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			e := acctest.NewSandbox(t, sandbox.Options{Version: version})
			cert := certificateOf(t, e)
			configured, said := apply(t, e, attrs{"domain_id": "configured", "cert": cert}, nil)
			protocol.Says(t, "the create", said)
			brought, _ := apply(t, e, attrs{"domain_id": "brought"}, nil)
			protocol.NoError(t, e.Sandbox.JoinNode("brought"))
			for id, state := range map[string]protocol.State{"configured": configured, "brought": brought} {
				config := attrs{"domain_id": id, "auth_center": attrs{"authentication_type": "Token", "token_gen_method": "UID-RSA-GEN"}}
				if id == "configured" {
					config["cert"] = cert
				}
				protocol.NoError(t, sandbox.Edit(e.Sandbox, "", id, func(d *objects.Domain) { d.Annotations = map[string]string{"ticket": "4711"} }))
				_, state = e.Server(nil).Resource(t, "kuscia_domain").Read(t, state)
				before := stored(t, e, id).Cert
				state, said := apply(t, e, config, &state)
				if after := stored(t, e, id); before == "" || after.Cert != before || after.AuthCenter == nil || after.AuthCenter.TokenGenMethod != "UID-RSA-GEN" {
					t.Errorf("%s: the certificate is %q, before %q; %+v", id, after.Cert, before, after.AuthCenter)
				}
				if said != "" || len(stored(t, e, id).Annotations) == 1 != keeps {
					t.Errorf("%s: %q", id, said)
				}
				expectEmptyPlan(t, e, config, state)
			}
		})
	}
}

// TestOldCreates: a new domain gets its authentication, and with it the route to the master, and its
// certificate in each form is stored so that Kuscia finds it, whatever the version.
func TestOldCreates(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v0.5.0b0", "v0.7.0b0", "v0.9.0b0", "v0.10.0b0", "v0.13.0b0", "v1.1.0b0"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			e := acctest.NewSandbox(t, sandbox.Options{Version: version})
			pem := certificateOf(t, e)
			der := strings.Join(strings.Fields(strings.NewReplacer("-----BEGIN CERTIFICATE-----", "", "-----END CERTIFICATE-----", "").Replace(pem)), "")
			for id, cert := range map[string]string{"pem": pem, "crlf": strings.ReplaceAll(pem, "\n", "\r\n"), "der": der, "base64": base64.StdEncoding.EncodeToString([]byte(pem))} {
				config := attrs{"domain_id": id, "cert": cert}
				state, said := apply(t, e, config, nil)
				if said != "" {
					t.Errorf("%s: %s", id, said)
					continue
				}
				expectEmptyPlan(t, e, config, state)
				found := stored(t, e, id)
				if text, err := base64.StdEncoding.DecodeString(found.Cert); err != nil || !strings.HasPrefix(string(text), "-----BEGIN CERTIFICATE-----") {
					t.Errorf("%s: Kuscia has the certificate %q", id, found.Cert)
				}
				if auth := found.AuthCenter; auth == nil || auth.AuthenticationType != "Token" || auth.TokenGenMethod != "RSA-GEN" {
					t.Errorf("%s: the authentication is %+v", id, auth)
				}
				_, err := e.API.QueryDomainRoute(t.Context(), kuscia.DomainRouteKey{Source: id, Destination: "kuscia-system"})
				protocol.NoError(t, err)
			}
		})
	}
}
