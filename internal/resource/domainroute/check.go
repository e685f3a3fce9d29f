package domainroute

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// domainID is Kuscia's pattern for domain IDs.
var domainID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$`) })

// checkDomainID returns the problem with a domain ID, "" for none.
func checkDomainID(id string) string {
	if domainID().MatchString(id) {
		return ""
	}
	return fmt.Sprintf("%q is not the ID of a domain. Use lower-case letters, digits, hyphens and dots, at most 63 characters, with a letter or digit at both ends, for example \"alice\".", httpapi.Text(id))
}

var (
	atSource        = path.Root("source")
	atDestination   = path.Root("destination")
	atType          = path.Root("authentication_type")
	atEndpoint      = path.Root("endpoint")
	atPorts         = atEndpoint.AtName("ports")
	atToken         = path.Root("token_config")
	atMTLS          = path.Root("mtls_config")
	atTransit       = path.Root("transit")
	atEncryption    = path.Root("body_encryption")
	authTypes       = []string{authToken, authMTLS, authNone}
	genMethods      = []string{defaultTokenGenMethod, "UID-RSA-GEN"}
	transitMethods  = []string{thirdDomain, "REVERSE-TUNNEL"}
	encryptionTypes = []string{"AES", "SM4"}
)

const thirdDomain = "THIRD-DOMAIN"

// checkRoute reports problems of a route.
func checkRoute(c *check.Checker, route *kuscia.DomainRoute) {
	if route.Source == route.Destination && route.Source != "" {
		c.Add(check.Unusable, atDestination, route.Source, "Route to itself",
			fmt.Sprintf("Source and destination are both %q. Kuscia would store the route, but it has no effect. Set another destination.", httpapi.Text(route.Source)), atSource)
	}
	checkEndpoint(c, route)
	checkAuthentication(c, route)
	checkTransit(c, route)
	if encryption := route.BodyEncryption; encryption != nil {
		required(c, atEncryption.AtName("algorithm"), encryption.Algorithm, encryptionTypes)
		if route.AuthenticationType != authToken {
			c.Add(check.Unusable, atEncryption, route.AuthenticationType, "Encryption without tokens",
				"body_encryption works with authentication_type = \"Token\" only: Kuscia would store the route and never process it. Omit it, or use tokens.", atType)
		}
	}
}

// required rejects an empty value, and a value that is not in a list.
func required(c *check.Checker, at path.Path, value string, allowed []string) {
	if value == "" {
		c.Add(check.Refused, at, "", tfvalue.ValueNotAllowed, tfvalue.NotAllowed(value, allowed))
		return
	}
	c.OneOf(check.Refused, at, "", value, allowed, "It is case-sensitive.")
}

// host is the pattern of Kuscia's CustomResourceDefinition: an IPv4 address or
// a DNS name.
var host = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^$|^(([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])\.)*([A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9-]*[A-Za-z0-9])$`)
})

const maxPort = 65535

func checkEndpoint(c *check.Checker, route *kuscia.DomainRoute) {
	endpoint := route.Endpoint
	if !host().MatchString(endpoint.Host) {
		c.Add(check.Refused, atEndpoint.AtName("host"), endpoint.Host, "Invalid host",
			fmt.Sprintf("%q is neither an IPv4 address nor a DNS name. Set it without scheme, port and path, for example \"gateway.bob.example\"; a port belongs to endpoint.ports.", httpapi.Text(endpoint.Host)))
	}
	if len(endpoint.Ports) == 0 && route.Transit == nil {
		c.Add(check.Unusable, atPorts, "", "Missing endpoint", "A route needs at least one port in endpoint.ports, or a transit. Add one.", atTransit, atEndpoint)
	}
	names := map[string]bool{}
	for i, port := range endpoint.Ports {
		checkPort(c, port, atPorts.AtListIndex(i), names)
	}
}

func checkPort(c *check.Checker, port kuscia.RoutePort, at path.Path, names map[string]bool) {
	if port.Port < 1 || port.Port > maxPort {
		c.Add(check.Refused, at.AtName("port"), "", "Invalid port", fmt.Sprintf("port is %d; it must be a number from 1 to %d.", port.Port, maxPort))
	}
	switch port.Protocol {
	case "HTTPS", "GRPCS":
		plain := strings.TrimSuffix(port.Protocol, "S")
		c.Add(check.Refused, at.AtName("protocol"), port.Protocol, "Protocol with TLS",
			fmt.Sprintf("Kuscia stores %s as %s with TLS. Write protocol = %q and is_tls = true.", httpapi.Text(port.Protocol), plain, plain))
	default:
		required(c, at.AtName("protocol"), port.Protocol, []string{"HTTP", "GRPC"})
	}
	switch {
	case port.Name == "":
		c.Add(check.Unusable, at.AtName("name"), "", "Missing port name", "The name of a port must not be empty: set a unique name, for example \"http\".")
	case names[port.Name]:
		c.Add(check.Unusable, at.AtName("name"), port.Name, "Duplicate port name", fmt.Sprintf("%q is the name of another port, and the port names of a route must be unique. Set another name.", httpapi.Text(port.Name)))
	}
	names[port.Name] = true
}

func checkAuthentication(c *check.Checker, route *kuscia.DomainRoute) {
	const never = "It is case-sensitive. Kuscia would store any other value as an empty string, and the route would never work."
	if route.AuthenticationType == "" {
		c.Add(check.Unusable, atType, "", "Missing authentication type", "authentication_type must not be empty: use "+tfvalue.Alternatives(authTypes)+".")
	}
	c.OneOf(check.Unusable, atType, "", route.AuthenticationType, authTypes, never)
	if token := route.TokenConfig; token != nil {
		required(c, atToken.AtName("token_gen_method"), token.TokenGenMethod, genMethods)
		if token.RollingUpdatePeriod < 0 {
			c.Add(check.Refused, atToken.AtName("rolling_update_period"), "", "Negative period", fmt.Sprintf("rolling_update_period is %d; it must be a number of seconds from 1, or 0 for never.", token.RollingUpdatePeriod))
		}
		if route.AuthenticationType != authToken {
			c.Add(check.Refused, atToken, route.AuthenticationType, "Tokens are not used",
				"token_config is used only with authentication_type = \"Token\"; otherwise Kuscia ignores it. Omit it.", atType)
		}
	}
	switch mtls := route.MTLSConfig; {
	case mtls == nil && route.AuthenticationType == authMTLS:
		c.Add(check.Unusable, atMTLS, "", "Missing certificates",
			"authentication_type = \"MTLS\" needs mtls_config. Kuscia would create the route without it, and then crash on every query of it. Set mtls_config, or another authentication_type.", atType)
	case mtls != nil && route.AuthenticationType != authMTLS:
		c.Add(check.Refused, atMTLS, route.AuthenticationType, "Certificates are not used",
			"mtls_config is used only with authentication_type = \"MTLS\"; otherwise Kuscia ignores it. Omit it.", atType)
	case mtls != nil:
		checkCertificate(c, atMTLS.AtName("tls_ca"), mtls.TLSCA)
		checkCertificate(c, atMTLS.AtName("source_client_cert"), mtls.SourceClientCert)
		checkEncoded(c, atMTLS.AtName("source_client_private_key"), mtls.SourceClientPrivateKey)
	}
}

// checkCertificate requires a certificate without its private key, which would
// be in the state in plain text.
func checkCertificate(c *check.Checker, at path.Path, text string) {
	switch {
	case text == "":
		c.Add(check.Unusable, at, "", "Missing certificate", "The certificate is empty: Kuscia would store the route and never process it. Set the certificate as base64 of PEM.")
	case definition.HasPrivateKey(text):
		c.Add(check.Refused, at, "", "Private key in a certificate", "The text also contains a private key, which the state would store in clear text. Set only the certificate; the key belongs into source_client_private_key.")
	default:
		checkEncoded(c, at, text)
	}
}

// checkEncoded requires base64. Its errors do not contain the value, which may
// be a private key.
func checkEncoded(c *check.Checker, at path.Path, text string) {
	if _, err := base64.StdEncoding.DecodeString(text); err != nil {
		c.Add(check.Unusable, at, "", "Invalid base64", "Kuscia expects base64 of PEM here. For a file use filebase64(\"...\"), for PEM text base64encode(...).")
	}
}

func checkTransit(c *check.Checker, route *kuscia.DomainRoute) {
	transit := route.Transit
	if transit == nil {
		return
	}
	required(c, atTransit.AtName("transit_method"), transit.TransitMethod, transitMethods)
	at := atTransit.AtName("domain_id")
	switch {
	case transit.Domain == nil && transit.TransitMethod == thirdDomain:
		c.Add(check.Refused, at, "", "Missing domain", "transit_method = \"THIRD-DOMAIN\" needs domain_id, the domain through which requests are routed.", atTransit.AtName("transit_method"))
	case transit.Domain == nil:
	case transit.Domain.DomainID == route.Source || transit.Domain.DomainID == route.Destination:
		c.Add(check.Unusable, at, transit.Domain.DomainID, "Transit through the source or destination",
			fmt.Sprintf("%q is the source or the destination. Kuscia does not check it, and the route would not work. Set a third domain.", httpapi.Text(transit.Domain.DomainID)), atSource, atDestination)
	default:
		if problem := checkDomainID(transit.Domain.DomainID); problem != "" {
			c.Add(check.Unusable, at, transit.Domain.DomainID, "Invalid domain_id", problem)
		}
	}
}
