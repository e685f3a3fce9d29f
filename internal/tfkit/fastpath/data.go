package fastpath

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/vmihailenco/msgpack/v5"
)

// fastReadDataSource returns the response of a data source that has a
// FastReadDataSource function, or nil; the framework then reads with the
// returned context.
func (s *server) fastReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (next context.Context, resp *tfprotov6.ReadDataSourceResponse) {
	defer fallBack(ctx, "read of the data source", req.TypeName, func() { next, resp = ctx, nil })
	rule := s.options.FastReadDataSource[req.TypeName]
	// With deferral allowed, the framework decides.
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
