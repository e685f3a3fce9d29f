// Package fastpath wraps the framework's protocol server. It answers upgrades,
// validations, reads and plans that change nothing without the framework, and
// releases the memory of finished requests, which the framework would keep. It
// changes no result: it delegates every request to the framework for which it
// cannot prove the result.
package fastpath

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// NoOpPlan reports whether the planned state of a resource is provably equal to
// its prior state, without diagnostics. The maps are the attributes in the
// encoding of the protocol; private is the private state, by key.
type NoOpPlan func(ctx context.Context, config, prior map[string]any, private map[string][]byte) bool

// NoOpRead refreshes a resource and reports whether state and private state
// provably stay unchanged, without diagnostics. In that case identity is the
// resource's identity. Otherwise the framework reads with the returned context.
type NoOpRead func(ctx context.Context, state map[string]any, private map[string][]byte) (next context.Context, identity map[string]string, unchanged bool)

// FastValidate reports whether a configuration of a resource is provably valid,
// without diagnostics. All its values are known.
type FastValidate func(ctx context.Context, config map[string]any) bool

// Options configure the wrapper.
type Options struct {
	// FastValidate has the functions by resource type.
	FastValidate map[string]FastValidate
	// NoOpPlan and NoOpRead have the functions by resource type. Requests for a type
	// without one always go to the framework.
	NoOpPlan map[string]NoOpPlan
	NoOpRead map[string]NoOpRead
	// Responded returns the servers that have responded in this process. ExpectResponses is
	// called in an apply with those that had at the plan of a create, and with nil, for all, if
	// the object exists. May be nil.
	Responded       func() []string
	ExpectResponses func(servers []string)
	// Release drops the context of a request after the response (see
	// releasableContext). Goroutines that still run do not log any more.
	Release bool
}

// fullServer has all interfaces that the framework's server implements. Callers
// detect some of them by type assertion, so the wrapper has to implement them
// too.
type fullServer interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
	tfprotov6.StateStoreServer
}

// Wrap wraps a server. A server that lacks one of the optional interfaces is
// returned unwrapped: the wrapper would claim to implement it.
func Wrap(inner tfprotov6.ProviderServer, options Options) tfprotov6.ProviderServer {
	all, ok := inner.(fullServer)
	if !ok {
		return inner
	}
	return &server{fullServer: all, options: options}
}

// server forwards requests that it has no method for.
type server struct {
	fullServer
	options Options

	once   sync.Once
	stored map[string]storedSchema // set by once, by resource type
}

// releasable returns the context to call the framework with, and a function to
// call after the response.
func (s *server) releasable(ctx context.Context) (context.Context, func()) {
	if !s.options.Release {
		return ctx, func() {}
	}
	releasable := newReleasableContext(ctx)
	return releasable, releasable.release
}

// PlanResourceChange answers without the framework when nothing changes.
func (s *server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	if resp := s.noOpPlan(ctx, req); resp != nil {
		return resp, nil
	}
	ctx, release := s.releasable(ctx)
	defer release()
	resp, err := s.fullServer.PlanResourceChange(ctx, req)
	s.recordResponded(req, resp)
	return resp, err
}

// ValidateResourceConfig answers without the framework when there are no
// diagnostics.
func (s *server) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	if s.fastValidate(ctx, req) {
		return &tfprotov6.ValidateResourceConfigResponse{}, nil
	}
	ctx, release := s.releasable(ctx)
	defer release()
	return s.fullServer.ValidateResourceConfig(ctx, req)
}

// UpgradeResourceState answers without the framework when there is nothing to
// upgrade.
func (s *server) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	if resp := s.noOpUpgrade(ctx, req); resp != nil {
		return resp, nil
	}
	ctx, release := s.releasable(ctx)
	defer release()
	return s.fullServer.UpgradeResourceState(ctx, req)
}

// UpgradeResourceIdentity forwards the request.
func (s *server) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	ctx, release := s.releasable(ctx)
	defer release()
	return s.fullServer.UpgradeResourceIdentity(ctx, req)
}

// ReadResource answers without the framework when the resource is unchanged.
func (s *server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	ctx, resp := s.noOpRead(ctx, req)
	if resp != nil {
		return resp, nil
	}
	ctx, release := s.releasable(ctx)
	defer release()
	return s.fullServer.ReadResource(ctx, req)
}

// ApplyResourceChange forwards the request, and announces which servers have responded to its
// plan.
func (s *server) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	s.expectResponses(req)
	ctx, release := s.releasable(ctx)
	defer release()
	return s.fullServer.ApplyResourceChange(ctx, req)
}

// ImportResourceState forwards the request.
func (s *server) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	ctx, release := s.releasable(ctx)
	defer release()
	return s.fullServer.ImportResourceState(ctx, req)
}

// ReadDataSource forwards the request.
func (s *server) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	ctx, release := s.releasable(ctx)
	defer release()
	return s.fullServer.ReadDataSource(ctx, req)
}
