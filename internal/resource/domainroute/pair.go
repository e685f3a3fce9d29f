package domainroute

import (
	"bytes"
	"context"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// The name of a route is SOURCE-DESTINATION. The pairs (a, b-c) and (a-b, c)
// therefore have the same name: only one of the routes can exist, and a query
// of either pair returns this route with the requested source and destination.
// The domains show which pair the route belongs to: whether they exist, and,
// for a route with tokens, whether its public keys are those of their
// certificates.

// pairs finds the pair of domains that a route belongs to.
type pairs struct{ domains *run.DomainCache }

// routeName returns the name of a route on the server.
func routeName(key kuscia.DomainRouteKey) string { return key.Source + "-" + key.Destination }

// otherPairs returns the other pairs of domain IDs with the same name.
func otherPairs(key kuscia.DomainRouteKey) (others []kuscia.DomainRouteKey) {
	name := routeName(key)
	for i := range name {
		if name[i] != '-' || i == len(key.Source) {
			continue
		}
		other := kuscia.DomainRouteKey{Source: name[:i], Destination: name[i+1:]}
		if checkDomainID(other.Source) == "" && checkDomainID(other.Destination) == "" {
			others = append(others, other)
		}
	}
	return others
}

// match describes whether a route belongs to a pair of domains.
type match int

const (
	// cannotTell: the domains exist, but there are no keys to compare.
	cannotTell match = iota
	// matches: a public key of the route is that of a domain.
	matches
	// contradicts: a public key of the route is not that of the domain.
	contradicts
	// noDomain: one of the domains does not exist.
	noDomain
	// notAsked: the query of a domain failed.
	notAsked
)

// owner returns the other pair that a route belongs to, if there is evidence
// against the requested pair and none against the other. Otherwise the route is
// assumed to be the requested one.
func (p pairs) owner(ctx context.Context, requested kuscia.DomainRouteKey, route *kuscia.DomainRoute) (kuscia.DomainRouteKey, bool) {
	others := otherPairs(requested)
	if len(others) == 0 || p.domains == nil {
		return requested, false
	}
	own := p.match(ctx, requested, route)
	if own != contradicts && own != noDomain {
		return requested, false
	}
	for _, other := range others {
		if is := p.match(ctx, other, route); is == matches || is == cannotTell && own == noDomain {
			return other, true
		}
	}
	return requested, false
}

// another returns another pair that a route may belong to instead of the
// requested one.
func (p pairs) another(ctx context.Context, requested kuscia.DomainRouteKey, route *kuscia.DomainRoute) (kuscia.DomainRouteKey, bool) {
	others := otherPairs(requested)
	if len(others) == 0 || p.domains == nil || p.match(ctx, requested, route) == matches {
		return requested, false
	}
	for _, other := range others {
		if is := p.match(ctx, other, route); is != contradicts && is != noDomain {
			return other, true
		}
	}
	return requested, false
}

func (p pairs) match(ctx context.Context, key kuscia.DomainRouteKey, route *kuscia.DomainRoute) match {
	keys := kuscia.RouteTokenConfig{}
	if route.TokenConfig != nil {
		keys = *route.TokenConfig
	}
	found := cannotTell
	for _, end := range []struct{ domain, key string }{{key.Source, keys.SourcePublicKey}, {key.Destination, keys.DestinationPublicKey}} {
		domain, err := p.domains.Current(ctx, end.domain)
		switch {
		case errors.Is(err, kuscia.ErrNotFound):
			return noDomain
		case err != nil:
			return notAsked
		}
		of, has := publicKeyOf(domain.Cert), decodeKey(end.key)
		switch {
		case of == nil || has == nil:
		case !bytes.Equal(of, has):
			found = contradicts
		case found != contradicts:
			found = matches
		}
	}
	return found
}

// publicKeyOf returns the public key of a certificate in the form that routes
// have, nil if there is none.
func publicKeyOf(cert string) []byte {
	certificates, err := x509.ParseCertificates(definition.DecodeCertificates(cert))
	if err != nil || len(certificates) == 0 {
		return nil
	}
	key, ok := certificates[0].PublicKey.(*rsa.PublicKey)
	if !ok {
		return nil
	}
	return x509.MarshalPKCS1PublicKey(key)
}

// decodeKey returns the DER of a route's public key, which is base64 of PEM.
func decodeKey(text string) []byte {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil {
		return nil
	}
	block, _ := pem.Decode(raw)
	if block == nil {
		return nil
	}
	return block.Bytes
}

// otherPairError is the error for a route with this name that belongs to
// another pair of domains. The requested route does not exist then.
type otherPairError struct{ requested, other kuscia.DomainRouteKey }

// Is makes the error match errors for a route that does not exist.
func (e *otherPairError) Is(target error) bool { return target == kuscia.ErrNotFound }

func (e *otherPairError) Error() string {
	return fmt.Sprintf("Kuscia names a route by its source, a dash and its destination, and %q is already the name of the route from %q to %q. "+
		"A route from %q to %q cannot exist at the same time: delete the other one first, or use another ID for one of the domains",
		routeName(e.requested), httpapi.Text(e.other.Source), httpapi.Text(e.other.Destination), httpapi.Text(e.requested.Source), httpapi.Text(e.requested.Destination))
}

// Explanation explains the error to users who query the requested route.
func (e *otherPairError) Explanation() string { return e.Error() + "." }
