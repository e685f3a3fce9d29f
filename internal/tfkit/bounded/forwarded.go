package bounded

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// The methods below forward a request and bound the diagnostics of its response.

// ValidateProviderConfig bounds the diagnostics.
func (s *server) ValidateProviderConfig(ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	resp, err := s.fullServer.ValidateProviderConfig(ctx, req)
	return answer(s.providerLines(ctx, req.Config), resp, err, func(r *tfprotov6.ValidateProviderConfigResponse) *[]*tfprotov6.Diagnostic { return &r.Diagnostics })
}

// ConfigureProvider bounds the diagnostics.
func (s *server) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	resp, err := s.fullServer.ConfigureProvider(ctx, req)
	return answer(s.providerLines(ctx, req.Config), resp, err, func(r *tfprotov6.ConfigureProviderResponse) *[]*tfprotov6.Diagnostic { return &r.Diagnostics })
}

// ValidateDataResourceConfig bounds the diagnostics.
func (s *server) ValidateDataResourceConfig(ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	resp, err := s.fullServer.ValidateDataResourceConfig(ctx, req)
	return answer(s.dataSourceLines(ctx, req.TypeName, req.Config), resp, err, func(r *tfprotov6.ValidateDataResourceConfigResponse) *[]*tfprotov6.Diagnostic { return &r.Diagnostics })
}

// UpgradeResourceState bounds the diagnostics.
func (s *server) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	resp, err := s.fullServer.UpgradeResourceState(ctx, req)
	return answer(s.stateLines(ctx, req.TypeName, nil), resp, err, func(r *tfprotov6.UpgradeResourceStateResponse) *[]*tfprotov6.Diagnostic { return &r.Diagnostics })
}

// UpgradeResourceIdentity bounds the diagnostics.
func (s *server) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	resp, err := s.fullServer.UpgradeResourceIdentity(ctx, req)
	return answer(s.stateLines(ctx, req.TypeName, nil), resp, err, func(r *tfprotov6.UpgradeResourceIdentityResponse) *[]*tfprotov6.Diagnostic { return &r.Diagnostics })
}

// ReadResource bounds the diagnostics.
func (s *server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	resp, err := s.fullServer.ReadResource(ctx, req)
	return answer(s.stateLines(ctx, req.TypeName, req.CurrentState), resp, err, func(r *tfprotov6.ReadResourceResponse) *[]*tfprotov6.Diagnostic { return &r.Diagnostics })
}

// PlanResourceChange bounds the diagnostics.
func (s *server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp, err := s.fullServer.PlanResourceChange(ctx, req)
	return answer(s.resourceLines(ctx, req.TypeName, req.Config), resp, err, func(r *tfprotov6.PlanResourceChangeResponse) *[]*tfprotov6.Diagnostic { return &r.Diagnostics })
}

// ApplyResourceChange bounds the diagnostics.
func (s *server) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	resp, err := s.fullServer.ApplyResourceChange(ctx, req)
	return answer(s.resourceLines(ctx, req.TypeName, req.Config), resp, err, func(r *tfprotov6.ApplyResourceChangeResponse) *[]*tfprotov6.Diagnostic { return &r.Diagnostics })
}

// ImportResourceState bounds the diagnostics.
func (s *server) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	resp, err := s.fullServer.ImportResourceState(ctx, req)
	return answer(s.stateLines(ctx, req.TypeName, nil), resp, err, func(r *tfprotov6.ImportResourceStateResponse) *[]*tfprotov6.Diagnostic { return &r.Diagnostics })
}

// MoveResourceState bounds the diagnostics.
func (s *server) MoveResourceState(ctx context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	resp, err := s.fullServer.MoveResourceState(ctx, req)
	return answer(s.stateLines(ctx, req.TargetTypeName, nil), resp, err, func(r *tfprotov6.MoveResourceStateResponse) *[]*tfprotov6.Diagnostic { return &r.Diagnostics })
}

// ReadDataSource bounds the diagnostics.
func (s *server) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	resp, err := s.fullServer.ReadDataSource(ctx, req)
	return answer(s.dataSourceLines(ctx, req.TypeName, req.Config), resp, err, func(r *tfprotov6.ReadDataSourceResponse) *[]*tfprotov6.Diagnostic { return &r.Diagnostics })
}

// ValidateEphemeralResourceConfig bounds the diagnostics.
func (s *server) ValidateEphemeralResourceConfig(ctx context.Context, req *tfprotov6.ValidateEphemeralResourceConfigRequest) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	resp, err := s.fullServer.ValidateEphemeralResourceConfig(ctx, req)
	return answer(s.ephemeralLines(ctx, req.TypeName, req.Config), resp, err, func(r *tfprotov6.ValidateEphemeralResourceConfigResponse) *[]*tfprotov6.Diagnostic {
		return &r.Diagnostics
	})
}

// OpenEphemeralResource bounds the diagnostics.
func (s *server) OpenEphemeralResource(ctx context.Context, req *tfprotov6.OpenEphemeralResourceRequest) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	resp, err := s.fullServer.OpenEphemeralResource(ctx, req)
	return answer(s.ephemeralLines(ctx, req.TypeName, req.Config), resp, err, func(r *tfprotov6.OpenEphemeralResourceResponse) *[]*tfprotov6.Diagnostic { return &r.Diagnostics })
}

// RenewEphemeralResource bounds the diagnostics.
func (s *server) RenewEphemeralResource(ctx context.Context, req *tfprotov6.RenewEphemeralResourceRequest) (*tfprotov6.RenewEphemeralResourceResponse, error) {
	resp, err := s.fullServer.RenewEphemeralResource(ctx, req)
	return answer(s.ephemeralLines(ctx, req.TypeName, nil), resp, err, func(r *tfprotov6.RenewEphemeralResourceResponse) *[]*tfprotov6.Diagnostic { return &r.Diagnostics })
}

// CloseEphemeralResource bounds the diagnostics.
func (s *server) CloseEphemeralResource(ctx context.Context, req *tfprotov6.CloseEphemeralResourceRequest) (*tfprotov6.CloseEphemeralResourceResponse, error) {
	resp, err := s.fullServer.CloseEphemeralResource(ctx, req)
	return answer(s.ephemeralLines(ctx, req.TypeName, nil), resp, err, func(r *tfprotov6.CloseEphemeralResourceResponse) *[]*tfprotov6.Diagnostic { return &r.Diagnostics })
}

// ValidateListResourceConfig bounds the diagnostics.
func (s *server) ValidateListResourceConfig(ctx context.Context, req *tfprotov6.ValidateListResourceConfigRequest) (*tfprotov6.ValidateListResourceConfigResponse, error) {
	resp, err := s.fullServer.ValidateListResourceConfig(ctx, req)
	return answer(s.listLines(ctx, req.TypeName, req.Config), resp, err, func(r *tfprotov6.ValidateListResourceConfigResponse) *[]*tfprotov6.Diagnostic { return &r.Diagnostics })
}

// ValidateActionConfig bounds the diagnostics.
func (s *server) ValidateActionConfig(ctx context.Context, req *tfprotov6.ValidateActionConfigRequest) (*tfprotov6.ValidateActionConfigResponse, error) {
	resp, err := s.fullServer.ValidateActionConfig(ctx, req)
	return answer(s.actionLines(ctx, req.ActionType, req.Config), resp, err, func(r *tfprotov6.ValidateActionConfigResponse) *[]*tfprotov6.Diagnostic { return &r.Diagnostics })
}

// PlanAction bounds the diagnostics.
func (s *server) PlanAction(ctx context.Context, req *tfprotov6.PlanActionRequest) (*tfprotov6.PlanActionResponse, error) {
	resp, err := s.fullServer.PlanAction(ctx, req)
	return answer(s.actionLines(ctx, req.ActionType, req.Config), resp, err, func(r *tfprotov6.PlanActionResponse) *[]*tfprotov6.Diagnostic { return &r.Diagnostics })
}
