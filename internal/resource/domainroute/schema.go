package domainroute

import (
	"cmp"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Attributes only of the data source: they change without a configuration
// change.
const (
	attrStatus         = "status"
	attrReason         = "reason"
	attrSourceKey      = "source_key_fingerprint"
	attrDestinationKey = "destination_key_fingerprint"
)

// Other attributes that several functions refer to.
const (
	attrAuthType    = "authentication_type"
	attrTokenConfig = "token_config"
)

// Authentication types of a route.
const (
	authToken = "Token"
	authMTLS  = "MTLS"
	authNone  = "None"
)

// Kuscia's defaults (observed on Kuscia v1.1).
const defaultTokenGenMethod = "RSA-GEN"

// routeSchema defines the attributes of a route, named as in the API.
func routeSchema() definition.Schema {
	return definition.Schema{
		Description: "A route from one domain of Kuscia to another. Requests of the source to the destination need one. Responses need no route back, " +
			"but a party that sends requests itself needs its own, so a federation of two domains has two routes.\n\n" +
			"The KusciaAPI cannot change a route: every change replaces it, and requests between the domains fail during the replacement. " +
			"With `kubernetes` in the provider block, and the verbs `get` and `patch` of `clusterdomainroutes.kuscia.secretflow`, a change is made in place instead, with all that the KusciaAPI does not carry, such as `sourceWhiteIPList`; only another `source` or `destination` is a new route. " +
			"In place does not mean without an interruption: for another `endpoint`, or where the tokens appear or go, Kuscia deletes its copies of the route in the domains and makes them again, and requests fail until the gateways have agreed on a new token, as after a create. With any other change the connection and its token remain.\n\n" +
			"Kuscia names a route by its source, a dash and its destination. So the routes from `a` to `b-c` and from `a-b` to `c` cannot exist at the same time; the provider reports this if it can detect it. " +
			"It checks whether the domains exist, and whether the public keys of a route with tokens are those of their certificates. " +
			"If all four domains exist and have no certificates, or the route has no tokens, it cannot be detected: an import or a refresh assumes that the route is the requested one, and `adopt_existing` does not adopt it. Two such routes in one plan are refused.\n\n" +
			"Kuscia itself creates the route from each of its domains to its master, and deletes it with the domain. It cannot be created, only imported. " +
			"Routes that a configuration creates remain when one of their domains is deleted.",
		Update: "updated in place with `kubernetes` in the provider block, otherwise replaced",
		Attributes: []definition.Attribute{
			{Name: "source", Replace: definition.Always, Description: "Domain that sends requests over the route."},
			{Name: "destination", Replace: definition.Always, Description: "Domain that receives the requests; not the source."},
			{Name: attrAuthType, Description: "How the gateways authenticate: `Token`, `MTLS` or `None`, in this spelling. Kuscia would store any other value as an empty string, and the route would never work.", Since: []definition.Since{{
				Need:   versions.Need{Feature: versions.RouteWithoutToken, Without: "whose controllers such a route ends, again after each start", Instead: "set authentication_type = \"Token\""},
				Values: []string{authMTLS, authNone},
			}}},
			{Name: "endpoint", Type: definition.Object, Presence: definition.Optional, Description: "Address of the gateway of the destination. Required unless there is a `transit`.", Attributes: []definition.Attribute{
				{Name: "host", Presence: definition.Optional, Description: "An IPv4 address or a DNS name, without scheme and port."},
				{Name: "ports", Type: definition.ObjectList, Presence: definition.Optional, Description: "Ports of the gateway, at least one unless there is a `transit`.", Attributes: []definition.Attribute{
					{Name: "name", Description: "Name of the port, unique in the route."},
					{Name: "port", Type: definition.Number, Description: "Number of the port, 1 to 65535."},
					{Name: "protocol", SemanticEquality: definition.Fold, Description: "`HTTP` or `GRPC`. `HTTPS` and `GRPCS` of the API are `HTTP` and `GRPC` with `is_tls = true`, which is how Kuscia stores it."},
					{Name: "is_tls", Type: definition.Bool, Presence: definition.Optional, Description: "Whether the port uses TLS. Default `false`.", Since: since(versions.RouteTLS, "which would store or show the route without TLS", "set is_tls = false")},
					{Name: "path_prefix", Presence: definition.Optional, Description: "Prefix of the path of each request.", Since: since(versions.RoutePathPrefix, withoutIt, "remove path_prefix")},
				}},
			}},
			{Name: attrTokenConfig, Type: definition.Object, Presence: definition.Optional, Description: "How the tokens of the route are generated; only with `authentication_type = \"Token\"`.", Attributes: []definition.Attribute{
				{Name: "token_gen_method", Presence: definition.Optional, SemanticEquality: sameMethod, Description: "`RSA-GEN` (default) or `UID-RSA-GEN`."},
				{Name: "rolling_update_period", Type: definition.Number, Presence: definition.Optional, Description: "Seconds after which Kuscia renews the token; `0` (default) means never.", Since: since(versions.RouteRollingUpdate, withoutIt, "remove rolling_update_period")},
			}},
			{Name: "mtls_config", Type: definition.Object, Presence: definition.Nullable, Description: "Certificates of the route; required with `authentication_type = \"MTLS\"`, and otherwise not allowed.", Attributes: []definition.Attribute{
				{Name: "tls_ca", SemanticEquality: definition.Certificate, Description: "CA certificate that the source trusts, base64 of PEM."},
				{Name: "source_client_cert", SemanticEquality: definition.Certificate, Description: "Client certificate of the source, base64 of PEM."},
				{Name: "source_client_private_key", Presence: definition.Optional, WriteOnly: true, Description: "Its private key, base64 of PEM. Everyone who may query the route in Kuscia can read it."},
			}},
			{Name: "transit", Type: definition.Object, Presence: definition.Nullable, Description: "Routes requests through a third domain or a reverse tunnel instead of an `endpoint`.", Since: since(versions.RouteTransit, "which would not return it", "set endpoint instead"), Attributes: []definition.Attribute{
				{Name: "transit_method", Description: "`THIRD-DOMAIN` or `REVERSE-TUNNEL`."},
				{Name: "domain_id", Presence: definition.Optional, Description: "Domain through which requests are routed; required with `THIRD-DOMAIN`. Kuscia does not check that it exists."},
			}},
			{Name: "body_encryption", Type: definition.Object, Presence: definition.Nullable, Description: "Encrypts the bodies of requests; with `authentication_type = \"Token\"` only.", Since: since(versions.RouteBodyEncryption, withoutIt, "remove body_encryption"), Attributes: []definition.Attribute{
				{Name: "algorithm", Description: "`AES` or `SM4`."},
			}},
			{Name: "name", Presence: definition.Computed, Description: "Name of the route in Kuscia: source, dash, destination."},
		},
		Derive:     derive,
		DataSource: statusAttributes(),
	}
}

// withoutIt is what an older Kuscia does with an attribute that it does not know.
const withoutIt = "which would store the route without it"

// since declares an attribute that only some versions of Kuscia have.
func since(feature versions.Feature, without, instead string) []definition.Since {
	return []definition.Since{{Need: versions.Need{Feature: feature, Without: without, Instead: instead}}}
}

// sameMethod compares two methods of a token. The default and none are one value, so that the route
// has no token_config unless it is set.
func sameMethod(a, b string) bool {
	return cmp.Or(a, defaultTokenGenMethod) == cmp.Or(b, defaultTokenGenMethod)
}

// derive sets the name, which follows from source and destination.
func derive(value, _ definition.Value) map[string]definition.Value {
	fields := definition.FieldsOf(value)
	name := definition.UnknownString()
	if source, destination := fields["source"], fields["destination"]; source.IsKnown() && destination.IsKnown() {
		name = definition.StringValue(definition.StringOf(source) + "-" + definition.StringOf(destination))
	}
	return map[string]definition.Value{"name": name}
}

// statusAttributes are the attributes that only data sources have.
func statusAttributes() []definition.Attribute {
	return []definition.Attribute{
		{Name: attrStatus, Presence: definition.Computed, Description: "`Succeeded`, or `Failed`, which is also the state of a route that is not ready yet."},
		{Name: attrReason, Presence: definition.Computed, Description: "Why the route is `Failed`, with the time of Kuscia's check. Empty until Kuscia has checked the route."},
		{Name: attrSourceKey, Presence: definition.Computed, Description: "SHA-256 of the public key of the source (DER of PKCS #1), in hexadecimal, of a route with tokens. Kuscia takes the key from the certificate of the domain, shortly after the create and after every change of it; empty for a domain without one."},
		{Name: attrDestinationKey, Presence: definition.Computed, Description: "SHA-256 of the public key of the destination, as `source_key_fingerprint`."},
	}
}
