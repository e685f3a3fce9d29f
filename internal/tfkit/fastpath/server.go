// Package fastpath stands between the protocol and the framework's server. It
// answers upgrades, validations, reads and plans that change nothing and a large
// data source itself, and keeps the framework from holding on to what finished requests
// used. It completes the arguments of functions and the paths of messages, and
// otherwise changes no result: whatever it is not sure of goes to the framework.
package fastpath

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// NoOpPlan reports whether the plan of a resource is certainly its prior
// state to the letter, without a message. The maps are the attributes as the
// protocol carries them; private is the private state, by key. The context has
// the configuration (see PlannedConfig).
type NoOpPlan func(ctx context.Context, config, prior map[string]any, private map[string][]byte) bool

// NoOpRead refreshes a resource and reports whether state and private state
// certainly stay what they are, without a message. Then identity is that of the
// resource. Otherwise the framework reads with the returned context.
type NoOpRead func(ctx context.Context, state map[string]any, private map[string][]byte) (next context.Context, identity map[string]string, unchanged bool)

// AnswersData reads a data source and returns its state: a value that encodes as
// the protocol carries it. When ok is false the framework reads, with the
// returned context.
type AnswersData func(ctx context.Context, config map[string]any) (next context.Context, state any, ok bool)

// FastValidate reports whether a configuration of a resource is certainly
// valid, without a message. Every value in it is known.
type FastValidate func(ctx context.Context, config map[string]any) bool

// Options say what the wrapper does.
type Options struct {
	// FastValidate has the rules by resource type, like the following.
	FastValidate map[string]FastValidate
	// NoOpPlan and NoOpRead have the rules by resource type. A type
	// without one always goes to the framework.
	NoOpPlan map[string]NoOpPlan
	NoOpRead map[string]NoOpRead
	// AnswersData has the rules by data source type.
	AnswersData map[string]AnswersData
	// SourceLines leads the CLI to the right line where it would show a wrong
	// one (see locate).
	SourceLines bool
	// Release lets go of the context of a request once it is answered. What
	// works on after that then logs nothing.
	Release bool
}

// complete is everything that the framework's server can do. Some of it is
// looked for with type assertions, and a wrapper must not hide it.
type complete interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
	tfprotov6.StateStoreServer
}

// Wrap puts the wrapper around a server. A server that lacks one of the
// optional parts is returned as it is: wrapped it would seem to have it.
func Wrap(inner tfprotov6.ProviderServer, options Options) tfprotov6.ProviderServer {
	all, ok := inner.(complete)
	if !ok {
		return inner
	}
	return &server{complete: all, options: options}
}

// server passes on what it does not define itself.
type server struct {
	complete
	options Options

	once  sync.Once
	forms map[string]stored // of once
}

func (s *server) hold(ctx context.Context) (context.Context, func()) {
	if !s.options.Release {
		return ctx, func() {}
	}
	held := hold(ctx)
	return held, held.release
}

// PlanResourceChange answers itself when nothing changes.
func (s *server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	ctx = withConfig(ctx, req.Config)
	if resp := s.planNothing(ctx, req); resp != nil {
		return resp, nil
	}
	ctx, release := s.hold(ctx)
	defer release()
	resp, err := s.complete.PlanResourceChange(ctx, req)
	if resp != nil {
		s.locate(ctx, req.TypeName, resp.Diagnostics)
	}
	return resp, err
}

// ValidateResourceConfig answers itself when there is nothing to say.
func (s *server) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	if s.fastValidate(ctx, req) {
		return &tfprotov6.ValidateResourceConfigResponse{}, nil
	}
	ctx, release := s.hold(ctx)
	defer release()
	resp, err := s.complete.ValidateResourceConfig(ctx, req)
	if resp != nil {
		s.locate(ctx, req.TypeName, resp.Diagnostics)
	}
	return resp, err
}

// UpgradeResourceState answers itself when there is nothing to upgrade.
func (s *server) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	if resp := s.upgradeNothing(ctx, req); resp != nil {
		return resp, nil
	}
	ctx, release := s.hold(ctx)
	defer release()
	return s.complete.UpgradeResourceState(ctx, req)
}

// UpgradeResourceIdentity passes the request on.
func (s *server) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	ctx, release := s.hold(ctx)
	defer release()
	return s.complete.UpgradeResourceIdentity(ctx, req)
}

// ReadResource answers itself when the resource is as it was.
func (s *server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	ctx, resp := s.readNothing(ctx, req)
	if resp != nil {
		return resp, nil
	}
	ctx, release := s.hold(ctx)
	defer release()
	return s.complete.ReadResource(ctx, req)
}

// ApplyResourceChange passes the request on, and messages with paths that lead
// the CLI to the right line.
func (s *server) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	ctx, release := s.hold(ctx)
	defer release()
	resp, err := s.complete.ApplyResourceChange(ctx, req)
	if resp != nil {
		s.locate(ctx, req.TypeName, resp.Diagnostics)
	}
	return resp, err
}

// ImportResourceState passes the request on.
func (s *server) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	ctx, release := s.hold(ctx)
	defer release()
	return s.complete.ImportResourceState(ctx, req)
}

// ReadDataSource answers itself where there is a rule.
func (s *server) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	ctx, resp := s.answerData(ctx, req)
	if resp != nil {
		return resp, nil
	}
	ctx, release := s.hold(ctx)
	defer release()
	return s.complete.ReadDataSource(ctx, req)
}
