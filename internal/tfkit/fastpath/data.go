package fastpath

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/vmihailenco/msgpack/v5"
)

// fastReadDataSource is the answer of a data source that a rule gives, else nil; then
// the context is the one to read with.
func (s *server) fastReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (next context.Context, resp *tfprotov6.ReadDataSourceResponse) {
	defer fallBack(ctx, "read of the data source", req.TypeName, func() { next, resp = ctx, nil })
	rule := s.options.FastReadDataSource[req.TypeName]
	// A provider that may defer answers need not read at all.
	if rule == nil || req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed || !present(req.Config) {
		return ctx, nil
	}
	config := decode(req.Config.MsgPack)
	if config == nil {
		return ctx, nil
	}
	next, state, ok := rule(ctx, config)
	if !ok {
		return next, nil
	}
	encoded, err := msgpack.Marshal(state)
	if err != nil {
		return next, nil
	}
	return next, &tfprotov6.ReadDataSourceResponse{State: &tfprotov6.DynamicValue{MsgPack: encoded}}
}
