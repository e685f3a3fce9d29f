package domainroute

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// toWire converts a planned route. token_config is omitted if it is empty and
// has no effect.
func toWire(root definition.Reader) *kuscia.DomainRoute {
	route := &kuscia.DomainRoute{
		Source: root.String("source"), Destination: root.String("destination"),
		AuthenticationType: root.String("authentication_type"),
	}
	endpoint, _ := root.Object("endpoint")
	route.Endpoint = &kuscia.RouteEndpoint{Host: endpoint.String("host"), Ports: []kuscia.RoutePort{}}
	for _, port := range endpoint.Objects("ports") {
		route.Endpoint.Ports = append(route.Endpoint.Ports, kuscia.RoutePort{
			Name: port.String("name"), Port: port.Int32("port"), Protocol: strings.ToUpper(port.String("protocol")),
			IsTLS: port.Bool("is_tls"), PathPrefix: port.String("path_prefix"),
		})
	}
	token, _ := root.Object("token_config")
	config := kuscia.RouteTokenConfig{
		TokenGenMethod: token.String("token_gen_method"), RollingUpdatePeriod: kuscia.Int64(token.Int64("rolling_update_period")),
	}
	if config.TokenGenMethod == "" {
		config.TokenGenMethod = defaultTokenGenMethod
	}
	if route.AuthenticationType == authToken || config != (kuscia.RouteTokenConfig{TokenGenMethod: defaultTokenGenMethod}) {
		route.TokenConfig = &config
	}
	if mtls, ok := root.Object("mtls_config"); ok {
		route.MTLSConfig = &kuscia.RouteMTLSConfig{
			TLSCA: mtls.String("tls_ca"), SourceClientCert: mtls.String("source_client_cert"), SourceClientPrivateKey: mtls.String("source_client_private_key"),
		}
	}
	if transit, ok := root.Object("transit"); ok {
		route.Transit = &kuscia.RouteTransit{TransitMethod: transit.String("transit_method")}
		if id := transit.String("domain_id"); id != "" {
			route.Transit.Domain = &kuscia.RouteTransitDomain{DomainID: id}
		}
	}
	if encryption, ok := root.Object("body_encryption"); ok {
		route.BodyEncryption = &kuscia.RouteBodyEncryption{Algorithm: encryption.String("algorithm")}
	}
	return route
}

type tree = definition.Tree

// fingerprint returns the SHA-256 of a route's public key, "" if there is none.
func fingerprint(key string) string {
	der := decodeKey(key)
	if der == nil {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256(der))
}

// fromWire converts a response into attribute values, including those of the
// data source.
func fromWire(route *kuscia.DomainRoute) tree {
	out := tree{
		"source": route.Source, "destination": route.Destination, "authentication_type": route.AuthenticationType, "name": route.Name,
	}
	if endpoint := route.Endpoint; endpoint != nil {
		out["endpoint"] = tree{
			"host": endpoint.Host,
			"ports": definition.Each(endpoint.Ports, func(p kuscia.RoutePort) tree {
				return tree{"name": p.Name, "port": int64(p.Port), "protocol": p.Protocol, "is_tls": p.IsTLS, "path_prefix": p.PathPrefix}
			}),
		}
	}
	if token := route.TokenConfig; token != nil {
		out["token_config"] = tree{
			"token_gen_method": token.TokenGenMethod, "rolling_update_period": int64(token.RollingUpdatePeriod),
		}
		out[attrSourceKey], out[attrDestinationKey] = fingerprint(token.SourcePublicKey), fingerprint(token.DestinationPublicKey)
	}
	if mtls := route.MTLSConfig; mtls != nil {
		out["mtls_config"] = tree{"tls_ca": mtls.TLSCA, "source_client_cert": mtls.SourceClientCert, "source_client_private_key": mtls.SourceClientPrivateKey}
	}
	if transit := route.Transit; transit != nil {
		to := tree{"transit_method": transit.TransitMethod}
		if transit.Domain != nil {
			to["domain_id"] = transit.Domain.DomainID
		}
		out["transit"] = to
	}
	if encryption := route.BodyEncryption; encryption != nil {
		out["body_encryption"] = tree{"algorithm": encryption.Algorithm}
	}
	if status := route.Status; status != nil {
		out[attrStatus], out[attrReason] = status.Status, status.Reason
	}
	return out
}
