package fastpath

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// CallFunction adds the null arguments that OpenTofu (1.12) leaves out of a
// request; the framework would refuse the request.
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
