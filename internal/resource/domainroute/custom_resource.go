package domainroute

import (
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/manifest"
)

// customResource is a ClusterDomainRoute. Kuscia's controllers follow changes of one.
var customResource = &manifest.CustomResource[kuscia.DomainRoute]{
	Kind: kube.ClusterDomainRoutes,
	Name: func(id []string) (namespace, name string) { return "", routeName(keyOf(id)) },
	IsOf: func(id []string, spec manifest.Object) bool {
		return spec["source"] == id[0] && spec["destination"] == id[1]
	},
	Fields: manifest.Fields{
		{Path: "sourceWhiteIPList", Protects: true},
		// Without a protocol a gateway uses Kuscia's.
		{Path: "interConnProtocol", Written: func(value any) bool { return value == "kuscia" }},
		{Path: "requestHeadersToAdd", Written: isServiceToken},
		{Path: "tokenConfig.sourcePublicKey", Controller: true},
		{Path: "tokenConfig.destinationPublicKey", Controller: true},
	},
	// Other clients change by it what Kuscia does.
	Metadata: map[string]func(name string) bool{manifest.Labels: func(name string) bool { return name == "kuscia.secretflow/grpc-degrade" }},
	Carried: manifest.Carried{
		"source": nil, "destination": nil, "authenticationType": nil,
		"endpoint":       {"host": nil, "ports": {"name": nil, "port": nil, "protocol": nil, "isTLS": nil, "pathPrefix": nil}},
		"tokenConfig":    {manifest.Whole: nil, "tokenGenMethod": nil, "rollingUpdatePeriod": nil},
		"mTLSConfig":     {manifest.Whole: nil, "tlsCA": nil, "sourceClientCert": nil, "sourceClientPrivateKey": nil},
		"transit":        {manifest.Whole: nil, "transitMethod": nil, "domain": {"domainID": nil}},
		"bodyEncryption": {manifest.Whole: nil, "algorithm": nil},
	},
	Manifest: toManifest,
	Secrets: func(route *kuscia.DomainRoute) []string {
		if route.MTLSConfig == nil {
			return nil
		}
		return []string{route.MTLSConfig.SourceClientPrivateKey}
	},
}

// isServiceToken reports whether the only header is the token that Kuscia's controller adds for a
// partner.
func isServiceToken(value any) bool {
	headers, _ := value.(manifest.Object)
	_, has := headers["Authorization"]
	return len(headers) == 1 && has
}

// toManifest returns the specification that the KusciaAPI writes for a route: what does not belong to
// its type is left out.
func toManifest(route *kuscia.DomainRoute) manifest.Object {
	spec := manifest.Object{"source": route.Source, "destination": route.Destination, "authenticationType": route.AuthenticationType}
	if route.Endpoint != nil {
		spec["endpoint"] = manifestEndpoint(route.Endpoint)
	}
	if token := route.TokenConfig; token != nil && route.AuthenticationType == authToken {
		spec["tokenConfig"] = manifest.Object{"tokenGenMethod": token.TokenGenMethod, "rollingUpdatePeriod": int64(token.RollingUpdatePeriod)}
	}
	if mtls := route.MTLSConfig; mtls != nil && route.AuthenticationType == authMTLS {
		spec["mTLSConfig"] = manifest.NotEmpty(manifest.Object{
			"tlsCA": mtls.TLSCA, "sourceClientCert": mtls.SourceClientCert, "sourceClientPrivateKey": mtls.SourceClientPrivateKey,
		})
	}
	if transit := route.Transit; transit != nil {
		to := manifest.Object{"transitMethod": transit.TransitMethod}
		if transit.Domain != nil {
			to["domain"] = manifest.Object{"domainID": transit.Domain.DomainID}
		}
		spec["transit"] = to
	}
	if encryption := route.BodyEncryption; encryption != nil {
		spec["bodyEncryption"] = manifest.Object{"algorithm": encryption.Algorithm}
	}
	return spec
}

func manifestEndpoint(endpoint *kuscia.RouteEndpoint) manifest.Object {
	var ports []any
	for _, port := range endpoint.Ports {
		protocol, tls := strings.CutSuffix(port.Protocol, "S")
		ports = append(ports, manifest.NotEmpty(manifest.Object{
			"name": port.Name, "port": int64(port.Port), "protocol": protocol, "isTLS": tls || port.IsTLS, "pathPrefix": port.PathPrefix,
		}))
	}
	return manifest.NotEmpty(manifest.Object{"host": endpoint.Host, "ports": ports})
}
