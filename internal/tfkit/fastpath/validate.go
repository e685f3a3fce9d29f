package fastpath

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// fastValidate reports whether a configuration is valid without diagnostics.
// Unknown values are left to the framework.
func (s *server) fastValidate(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (valid bool) {
	defer fallBack(ctx, "validate", req.TypeName, func() { valid = false })
	rule := s.options.FastValidate[req.TypeName]
	if rule == nil || !present(req.Config) {
		return false
	}
	config := decode(req.Config.MsgPack)
	return config != nil && rule(ctx, config)
}
