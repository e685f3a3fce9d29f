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
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// The name of a route is its source, a dash and its destination. So a to b-c and
// a-b to c are one name, of which only one route can exist, and a query of
// either pair answers with that route under the names that were asked. Which of
// the pairs it belongs to is told by the domains: whether they exist, and, for a
// route with tokens, whether its public keys are those of their certificates.

// pairs finds out to which pair of domains a route belongs.
type pairs struct{ domains *clients.DomainCache }

// routeName is the name that the server gives a route.
func routeName(key kuscia.DomainRouteKey) string { return key.Source + "-" + key.Destination }

// otherPairs are the other pairs of domain ids that make the same name.
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

// match is how a route goes with a pair of domains.
type match int

const (
	// cannotTell: the domains exist, and nothing says whose the route is.
	cannotTell match = iota
	// matches: a public key of the route is that of a domain.
	matches
	// contradicts: a public key of the route is not that of the domain.
	contradicts
	// noDomain: one of the domains does not exist.
	noDomain
	// notAsked: the server does not say.
	notAsked
)

// owner is the other pair to which a route belongs. It is found only where
// something speaks against the pair that was asked and nothing against the
// other: otherwise the route is taken for the one that was asked.
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

// another is a pair to which a route may belong as well as to the one that was
// asked.
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
		domain, err := p.domains.Get(ctx, end.domain)
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

// publicKeyOf is the public key of a certificate as routes have it, nil where
// there is none.
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

// decodeKey is the DER of a public key of a route: base64 of PEM.
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

// otherPairError says that the route of this name leads from another domain to
// another one. For the pair that was asked it is a route that is not there.
type otherPairError struct{ requested, other kuscia.DomainRouteKey }

// Is makes it a route that does not exist.
func (e *otherPairError) Is(target error) bool { return target == kuscia.ErrNotFound }

func (e *otherPairError) Error() string {
	return fmt.Sprintf("Kuscia names a route by its source, a dash and its destination, and %q is taken by the route from %q to %q. "+
		"A route from %q to %q cannot exist beside it: delete the other one first, or give one of the domains another id",
		routeName(e.requested), httpapi.Text(e.other.Source), httpapi.Text(e.other.Destination), httpapi.Text(e.requested.Source), httpapi.Text(e.requested.Destination))
}

// Explanation is for those who look for a route that is not there.
func (e *otherPairError) Explanation() string { return e.Error() + "." }
