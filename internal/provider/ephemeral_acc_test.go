package provider_test

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/config"
	acc "github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccProvider_ephemeralVariables: every credential can be an ephemeral
// variable, which Terraform does not store.
func TestAccProvider_ephemeralVariables(t *testing.T) {
	t.Parallel()
	s := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolMTLS}).Sandbox
	acctest.RequireWriteOnly(t) // older versions have no ephemeral values either
	values := map[string]string{
		"token": s.Token(), "ca": read(t, s.CertsDir(), "ca.crt"), "certificate": read(t, s.CertsDir(), "kusciaapi-server.crt"),
		"key": read(t, s.CertsDir(), "kusciaapi-server.key"), "header": "team-a",
	}
	variables, given := "", config.Variables{}
	for name, value := range values {
		variables += acctest.Variable(name, object{"ephemeral": true})
		given[name] = config.StringVariable(value)
	}
	block := acctest.ProviderBlock(object{
		"endpoint": s.Endpoint(), "token": acctest.Reference("var.token"), "ca_certificate": acctest.Reference("var.ca"),
		"client_certificate": acctest.Reference("var.certificate"), "client_key": acctest.Reference("var.key"),
		"custom_headers": object{"tenant": acctest.Reference("var.header")},
	})
	acc.Test(t, acc.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(nil),
		Steps: []acc.TestStep{{
			Config:            variables + block + status,
			ConfigVariables:   given,
			ConfigStateChecks: answered(),
		}},
	})
}

// TestAccProvider_ephemeralResource reads the token from an ephemeral resource,
// such as one of a secret store. If its arguments are unknown in the plan, it
// is opened only in the apply, and the plan has no token.
func TestAccProvider_ephemeralResource(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestConfigureUnknown", "TestAccProvider_ephemeralVariables"))
	t.Parallel()
	env := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolTLS})
	acctest.RequireWriteOnly(t)
	name := env.Name("ephemeral")
	factories := acctest.Factories(nil)
	factories["vault"] = func() (tfprotov6.ProviderServer, error) {
		return providerserver.NewProtocol6(vault{"kuscia": env.Sandbox.Token()})(), nil
	}
	configuration := func(path any) string {
		return acctest.Block("terraform_data", "path", object{"input": "kuscia"}) +
			acctest.TopLevel("ephemeral", []string{"vault_secret", "token"}, object{"path": path}) +
			acctest.ProviderBlock(object{
				"endpoint": env.Sandbox.Endpoint(), "token": acctest.Reference("ephemeral.vault_secret.token.value"),
				"ca_certificate_file": env.Sandbox.CertsDir() + "/ca.crt",
			}) + appImage(name)
	}
	const later = acctest.Reference("terraform_data.path.output")
	requests := env.CountRequests()
	acc.Test(t, acc.TestCase{
		ProtoV6ProviderFactories: factories,
		CheckDestroy:             env.CheckAppImageDestroyed(name),
		Steps: []acc.TestStep{
			{
				Config:             configuration(later),
				PlanOnly:           true,
				ExpectNonEmptyPlan: true,
			},
			{
				PreConfig: func() {
					if err := requests.ExpectNoRequests()(nil); err != nil {
						t.Error(err)
					}
				},
				Config: configuration(later),
				ConfigPlanChecks: acc.ConfigPlanChecks{
					PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction("kuscia_app_image.test", plancheck.ResourceActionCreate)},
					PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
			},
			{Config: configuration("kuscia")},
		},
	})
}

// vault is a provider with one ephemeral resource, with its secrets by path.
type vault map[string]string

func (vault) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "vault"
}
func (vault) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse)          {}
func (vault) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}
func (vault) DataSources(context.Context) []func() datasource.DataSource                        { return nil }
func (vault) Resources(context.Context) []func() resource.Resource                              { return nil }

func (v vault) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{func() ephemeral.EphemeralResource { return secret(v) }}
}

type secret map[string]string

func (secret) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_secret"
}

func (secret) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"path": schema.StringAttribute{Required: true}, "value": schema.StringAttribute{Computed: true},
	}}
}

func (s secret) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var data struct {
		Path  types.String `tfsdk:"path"`
		Value types.String `tfsdk:"value"`
	}
	resp.Diagnostics.Append(req.Config.Get(ctx, &data)...)
	data.Value = types.StringValue(s[data.Path.ValueString()])
	resp.Diagnostics.Append(resp.Result.Set(ctx, &data)...)
}
