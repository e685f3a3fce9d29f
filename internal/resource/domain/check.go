package domain

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// checkID returns the problem with a domain ID, "" for none.
func checkID(id string) string {
	if id == kuscia.MasterDomain {
		return fmt.Sprintf("The ID %q is reserved: Kuscia uses it for the CA certificate of the cluster, which data.kuscia_domain returns. Choose another one.", id)
	}
	return checkLookup(id)
}

// checkLookup returns the problem with the ID of a data source. It must be a
// namespace: Kuscia also accepts dots, but then never creates the namespace.
func checkLookup(id string) string {
	if len(validation.IsDNS1123Label(id)) == 0 {
		return ""
	}
	return fmt.Sprintf("%q is not an ID of a domain. Use lower-case letters, digits and hyphens, at most 63 characters, with a letter or digit at the start and at the end, for example \"alice\". "+
		"Dots are not allowed: Kuscia would store the domain but never create its namespace.", httpapi.Text(id))
}

var (
	roles               = []string{kuscia.DomainRolePartner}
	authenticationTypes = []string{"Token", "MTLS", "None"}
	tokenGenMethods     = []string{"RSA-GEN", "RAND-GEN", "UID-RSA-GEN"}
)

// checkDomain reports problems of a domain.
func checkDomain(c *check.Checker, d *object) {
	c.OneOf(check.Refused, path.Root(attrRole), "", d.Role, roles, "Omit it for a domain of this cluster.")
	switch at := path.Root(attrCert); {
	case d.emptyCert:
		c.Add(check.Unusable, at, "", "Empty certificate", "Kuscia keeps its certificate if it gets none, so it cannot be removed. Omit cert to keep Kuscia's certificate; to remove it, replace the domain.")
	case definition.HasPrivateKey(d.Cert):
		c.Add(check.Refused, at, "", "Private key in a certificate", "cert is public: everyone who may query the domain in Kuscia can read it, and it is in the state in clear text. Remove the private key from the text.")
	case d.Cert != "" && definition.DecodeCertificates(d.Cert) == nil:
		c.Add(check.Refused, at, "", "Invalid certificate", "cert must be an X.509 certificate, or a chain of them, as PEM (-----BEGIN CERTIFICATE-----) or as base64 of that; for example file(\"domain.crt\").")
	}
	if master := d.MasterDomainID; master != "" && checkID(master) != "" {
		c.Add(check.Refused, path.Root(attrMaster), master, "Invalid "+attrMaster, checkID(master))
	}
	checkAuthCenter(c, d)
}

// checkAuthCenter reports problems of auth_center. A domain has none after an update of another
// client without it.
func checkAuthCenter(c *check.Checker, d *object) {
	if d.AuthCenter == nil {
		return
	}
	const both = "Kuscia accepts auth_center only with both of its attributes. Set both, or omit auth_center."
	at := path.Root(attrAuthCenter)
	for _, field := range []struct {
		name, value string
		allowed     []string
	}{
		{attrAuthType, d.AuthCenter.AuthenticationType, authenticationTypes},
		{attrTokenGen, d.AuthCenter.TokenGenMethod, tokenGenMethods},
	} {
		if field.value == "" {
			c.Add(check.Refused, at.AtName(field.name), "", "Missing "+field.name, both)
		}
		c.OneOf(check.Refused, at.AtName(field.name), "", field.value, field.allowed, "Kuscia would refuse the domain.")
	}
}
