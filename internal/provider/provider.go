// Package provider is the provider block: its attributes, the sources of
// credentials, and the registration of resources and data sources. It passes
// one run.Run value to all of them and sends no requests to Kuscia
// itself.
package provider

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/functions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
)

var (
	_ provider.Provider                       = (*kusciaProvider)(nil)
	_ provider.ProviderWithListResources      = (*kusciaProvider)(nil)
	_ provider.ProviderWithValidateConfig     = (*kusciaProvider)(nil)
	_ provider.ProviderWithActions            = (*kusciaProvider)(nil)
	_ provider.ProviderWithEphemeralResources = (*kusciaProvider)(nil)
	_ provider.ProviderWithFunctions          = (*kusciaProvider)(nil)
)

// Build identifies the build of the provider.
type Build struct {
	// Version is the release without the leading v, or "dev".
	Version string
	// Commit is the source revision, or "".
	Commit string
}

// Option modifies a provider.
type Option func(*kusciaProvider)

// WithEnvironment replaces the process environment. Parallel tests give each
// provider its own environment.
func WithEnvironment(getenv func(name string) string) Option {
	return func(p *kusciaProvider) { p.getenv = getenv }
}

// New returns the factory of the provider.
func New(build Build, options ...Option) func() provider.Provider {
	return func() provider.Provider { return newProvider(build, options) }
}

func newProvider(build Build, options []Option) *kusciaProvider {
	p := &kusciaProvider{build: build, getenv: os.Getenv, readFile: httpapi.ReadCredentialFile}
	for _, option := range options {
		option(p)
	}
	p.getenv = withoutLineBreaks(p.getenv)
	return p
}

type kusciaProvider struct {
	build    Build
	getenv   func(string) string
	readFile func(string) ([]byte, error)

	// provided is the run that Configure begins.
	provided atomic.Pointer[run.Run]
}

// Metadata returns the name of the provider.
func (p *kusciaProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = typeName
	resp.Version = p.build.Version
}

// Schema describes the provider block.
func (p *kusciaProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = providerSchema()
}

// ValidateConfig validates the block itself, so that `terraform validate` works
// without an environment.
func (p *kusciaProvider) ValidateConfig(ctx context.Context, req provider.ValidateConfigRequest, resp *provider.ValidateConfigResponse) {
	b, diags := readBlock(ctx, req.Config)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	report(&resp.Diagnostics, checkBlock(b))
	report(&resp.Diagnostics, checkIEF(b))
	report(&resp.Diagnostics, checkKubernetes(b))
}

// Configure begins a run. It sends no requests to Kuscia: a plan that
// needs no request works without one.
func (p *kusciaProvider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	b, diags := readBlock(ctx, req.Config)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}

	r := &resolver{block: b, getenv: p.getenv}
	shared := requests{userAgent: userAgent(p.build, req.TerraformVersion), timeout: r.requestTimeout(), retries: r.maxRetries()}
	edge, problems := iefAccess(b, p.getenv, shared)
	report(&resp.Diagnostics, problems)
	cluster, problems := kubernetesAccess(b, p.getenv, shared)
	report(&resp.Diagnostics, problems)
	if withoutKuscia(b, p.getenv) {
		connections := clients.WithoutKuscia(endpointMissing)
		connections.IEF, connections.Kubernetes = edge, cluster
		adoptExisting := r.boolean(b.AdoptExisting, attrAdoptExisting)
		report(&resp.Diagnostics, r.problems)
		p.provide(resp, connections, adoptExisting)
		return
	}
	settings, problems := resolve(b, p.getenv, p.readFile)
	report(&resp.Diagnostics, problems)
	if resp.Diagnostics.HasError() {
		return
	}
	for _, w := range settings.Warnings {
		resp.Diagnostics.AddAttributeWarning(path.Root(w.Attribute), w.Summary, w.Detail)
	}

	if len(settings.Unknown) > 0 {
		tflog.Debug(ctx, "provider block has values that are not known yet", map[string]any{"attributes": settings.Unknown})
		if req.ClientCapabilities.DeferralAllowed {
			resp.Deferred = &provider.Deferred{Reason: provider.DeferredReasonProviderConfigUnknown}
		}
		connections := clients.WithUnknownSettings(settings.Unknown)
		connections.IEF, connections.Kubernetes = edge, cluster
		p.provide(resp, connections, false)
		return
	}

	settings.Config.UserAgent = userAgent(p.build, req.TerraformVersion)
	api, err := kuscia.New(settings.Config)
	if err != nil {
		// The client refuses settings that resolve accepts.
		report(&resp.Diagnostics, []problem{{Attribute: attributeOf(err), Summary: "Provider settings cannot be used", Detail: err.Error()}})
		return
	}
	tflog.Debug(ctx, "provider configured", map[string]any{
		"endpoint":   settings.Config.Endpoint,
		"user_agent": settings.Config.UserAgent,
		"commit":     p.build.Commit,
	})
	p.provide(resp, clients.Clients{Kuscia: api, IEF: edge, Kubernetes: cluster}, settings.AdoptExisting)
}

// Resources lists the resource types.
func (p *kusciaProvider) Resources(context.Context) []func() resource.Resource {
	return movestate.WithSharedKinds(collect(func(t crud.Types) []func() resource.Resource { return t.Resources }))
}

// DataSources lists the data source types.
func (p *kusciaProvider) DataSources(context.Context) []func() datasource.DataSource {
	return collect(func(t crud.Types) []func() datasource.DataSource { return t.DataSources })
}

// EphemeralResources lists the ephemeral resource types.
func (p *kusciaProvider) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return collect(func(t crud.Types) []func() ephemeral.EphemeralResource { return t.EphemeralResources })
}

// Actions lists the action types.
func (p *kusciaProvider) Actions(context.Context) []func() action.Action {
	return collect(func(t crud.Types) []func() action.Action { return t.Actions })
}

// Functions lists the functions.
func (p *kusciaProvider) Functions(context.Context) []func() function.Function {
	return []func() function.Function{
		functions.NewQuantity,
	}
}

// ListResources lists the resource types that `terraform query` can find.
func (p *kusciaProvider) ListResources(context.Context) []func() list.ListResource {
	return collect(func(t crud.Types) []func() list.ListResource { return t.ListResources })
}

// provide begins a run, and passes it to everything that needs it.
func (p *kusciaProvider) provide(resp *provider.ConfigureResponse, connections clients.Clients, adoptExisting bool) {
	c := run.New(connections)
	c.AdoptExisting = adoptExisting
	p.provided.Store(c)
	resp.ResourceData = c
	resp.DataSourceData = c
	resp.EphemeralResourceData = c
	resp.ActionData = c
	resp.ListResourceData = c
}

func report(diags *diag.Diagnostics, problems []problem) {
	for _, p := range problems {
		if p.Attribute == "" {
			diags.AddError(p.Summary, p.Detail)
			continue
		}
		names := strings.Split(p.Attribute, ".")
		at := path.Root(names[0])
		for _, name := range names[1:] {
			at = at.AtName(name)
		}
		diags.AddAttributeError(at, p.Summary, p.Detail)
	}
}

// attributeOf is the attribute for the field that the client refuses.
func attributeOf(err error) string {
	var config *kuscia.ConfigError
	if errors.As(err, &config) {
		switch config.Field {
		case "Token":
			return attrToken
		case "CACertificate":
			return attrCACertificate
		case "ClientCertificate":
			return attrClientCertificate
		case "ClientKey":
			return attrClientKey
		}
	}
	return attrEndpoint
}

// userAgent is shown in the access logs of Kuscia and gateways.
func userAgent(build Build, terraformVersion string) string {
	agent := "terraform-provider-kuscia/" + build.Version
	if terraformVersion != "" {
		agent += " (terraform " + terraformVersion + ")"
	}
	return agent
}
