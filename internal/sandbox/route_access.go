package sandbox

import (
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// RouteToken returns how the tokens of a route are made, as it is stored, nil
// for a route without tokens, or ErrUnknown.
func (s *Sandbox) RouteToken(source, destination string) (*kuscia.RouteTokenConfig, error) {
	w := s.world
	defer w.enter()()
	r := w.route(source, destination)
	if r == nil || r.spec.Source != source {
		return nil, fmt.Errorf("route %q: %w", routeName(source, destination), ErrUnknown)
	}
	token := r.spec.Token
	if token == nil {
		return nil, nil //nolint:nilnil // such a route has none
	}
	return &kuscia.RouteTokenConfig{
		TokenGenMethod: token.TokenGenMethod, RollingUpdatePeriod: kuscia.Int64(token.RollingUpdatePeriod),
		SourcePublicKey: token.SourcePublicKey, DestinationPublicKey: token.DestinationPublicKey,
	}, nil
}
