package fastpath

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// CallFunction completes what OpenTofu (1.12) leaves out: it sends no value at
// all for an argument that is null, which the framework refuses as a fault.
func (s *server) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	complete := *req
	complete.Arguments = slices.Clone(req.Arguments)
	for i, argument := range complete.Arguments {
		if argument == nil || len(argument.MsgPack) == 0 && len(argument.JSON) == 0 {
			complete.Arguments[i] = &tfprotov6.DynamicValue{MsgPack: []byte{null}}
		}
	}
	ctx, release := s.releasable(ctx)
	defer release()
	return s.fullServer.CallFunction(ctx, &complete)
}
