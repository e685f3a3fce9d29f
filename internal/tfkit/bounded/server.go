// Package bounded wraps the protocol server: whatever a configuration or a
// server contains, a validation ends, and the CLI gets few, short and printable
// diagnostics.
package bounded

import (
	"context"
	"iter"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// fullServer has all interfaces that the framework's server implements. Callers
// detect some of them by type assertion.
type fullServer interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
	tfprotov6.StateStoreServer
}

// Wrap wraps a server. A server that lacks one of the optional interfaces is
// returned unwrapped: the wrapper would claim to implement it.
func Wrap(inner tfprotov6.ProviderServer) tfprotov6.ProviderServer {
	all, ok := inner.(fullServer)
	if !ok {
		return inner
	}
	return &server{fullServer: all}
}

// server forwards requests that it has no method for.
type server struct {
	fullServer

	schemas schemas
}

// answer bounds the diagnostics of a response about a block with these lines.
func answer[T any](of func() lines, resp *T, err error, diagnostics func(*T) *[]*tfprotov6.Diagnostic) (*T, error) {
	if resp != nil {
		found := diagnostics(resp)
		*found = Diagnostics(*found, of)
	}
	return resp, err
}

// ValidateResourceConfig refuses long lists, whose validation would take too
// long, and forwards other requests.
func (s *server) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	if refused := s.longLists(ctx, req); len(refused) > 0 {
		return &tfprotov6.ValidateResourceConfigResponse{Diagnostics: refused}, nil
	}
	resp, err := s.fullServer.ValidateResourceConfig(ctx, req)
	return answer(s.resourceLines(ctx, req.TypeName, req.Config), resp, err, func(r *tfprotov6.ValidateResourceConfigResponse) *[]*tfprotov6.Diagnostic { return &r.Diagnostics })
}

// longLists are the errors about lists that are too long.
func (s *server) longLists(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) []*tfprotov6.Diagnostic {
	if req.Config == nil || len(req.Config.MsgPack)+len(req.Config.JSON) < maxObjects*minObject {
		return nil // too short for a long list
	}
	schemas := s.providerSchema(ctx)
	if schemas == nil || schemas.ResourceSchemas[req.TypeName] == nil {
		return nil
	}
	value, err := req.Config.Unmarshal(schemas.ResourceSchemas[req.TypeName].ValueType())
	if err != nil {
		return nil
	}
	return LongLists(tftypes.NewAttributePath(), value)
}

// CallFunction bounds the text of the error.
func (s *server) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	resp, err := s.fullServer.CallFunction(ctx, req)
	if resp != nil && resp.Error != nil {
		resp.Error.Text = text(resp.Error.Text)
	}
	return resp, err
}

// ListResource bounds the diagnostics of every result.
func (s *server) ListResource(ctx context.Context, req *tfprotov6.ListResourceRequest) (*tfprotov6.ListResourceServerStream, error) {
	stream, err := s.fullServer.ListResource(ctx, req)
	if stream != nil {
		of := s.listLines(ctx, req.TypeName, req.Config)
		stream.Results = each(stream.Results, func(r *tfprotov6.ListResourceResult) { r.Diagnostics = Diagnostics(r.Diagnostics, of) })
	}
	return stream, err
}

// InvokeAction bounds and masks the messages, as the diagnostics of the result.
func (s *server) InvokeAction(ctx context.Context, req *tfprotov6.InvokeActionRequest) (*tfprotov6.InvokeActionServerStream, error) {
	stream, err := s.fullServer.InvokeAction(ctx, req)
	if stream != nil {
		of := sync.OnceValue(s.actionLines(ctx, req.ActionType, req.Config))
		masker := sync.OnceValue(func() httpapi.Masker { return of().masker() })
		stream.Events = each(stream.Events, func(e *tfprotov6.InvokeActionEvent) {
			switch event := e.Type.(type) {
			case tfprotov6.ProgressInvokeActionEventType:
				event.Message = text(masker().Mask(event.Message))
				e.Type = event
			case tfprotov6.CompletedInvokeActionEventType:
				event.Diagnostics = Diagnostics(event.Diagnostics, of)
				e.Type = event
			}
		})
	}
	return stream, err
}

// each changes every element of a sequence.
func each[T any](all iter.Seq[T], change func(*T)) iter.Seq[T] {
	if all == nil {
		return nil
	}
	return func(yield func(T) bool) {
		for one := range all {
			change(&one)
			if !yield(one) {
				return
			}
		}
	}
}
