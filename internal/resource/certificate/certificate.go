package certificate

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

var (
	_ ephemeral.EphemeralResourceWithConfigure      = (*certificate)(nil)
	_ ephemeral.EphemeralResourceWithValidateConfig = (*certificate)(nil)
)

// New returns the ephemeral resource kuscia_certificate.
func New() ephemeral.EphemeralResource { return &certificate{} }

type certificate struct{ run *run.Run }

// model is the configuration and the result.
type model struct {
	CommonName       types.String `tfsdk:"common_name"`
	Country          types.String `tfsdk:"country"`
	Organization     types.String `tfsdk:"organization"`
	OrganizationUnit types.String `tfsdk:"organization_unit"`
	Locality         types.String `tfsdk:"locality"`
	Province         types.String `tfsdk:"province"`
	StreetAddress    types.String `tfsdk:"street_address"`
	DurationSec      types.Int64  `tfsdk:"duration_sec"`
	KeyType          types.String `tfsdk:"key_type"`
	Key              types.String `tfsdk:"key"`
	CertChain        types.List   `tfsdk:"cert_chain"`
}

// Metadata sets the type name.
func (r *certificate) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_certificate"
}

// Schema returns the schema. Its attributes are named as in the API.
func (r *certificate) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	subject := func(what string) schema.Attribute {
		return schema.StringAttribute{Optional: true, MarkdownDescription: what + " in the name of the certificate."}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "A new private key with a certificate for it, signed by the certificate of the domain of the node at the endpoint. It is not stored in state or plan files (Terraform 1.10, OpenTofu 1.11).\n\n" +
			"Every plan and every apply creates another one: the node generates a key for each call and does not store it. " +
			"Use it in a write-only attribute, which stores the value of the run in which its version changes, for example in `kuscia_config`, or the `source_client_private_key_wo` of a `kuscia_domain_route`; or in a provider block.",
		Attributes: map[string]schema.Attribute{
			"common_name":       schema.StringAttribute{Required: true, MarkdownDescription: "Common name of the certificate, not empty."},
			"country":           subject("Country"),
			"organization":      subject("Organization"),
			"organization_unit": subject("Unit of the organization"),
			"locality":          subject("Locality"),
			"province":          subject("Province"),
			"street_address":    subject("Street address"),
			"duration_sec": schema.Int64Attribute{Optional: true, CustomType: tfvalue.Int64Type{Min: 1, Max: maxDuration}, MarkdownDescription: "Validity of the certificate in seconds from now, at least 1. Default one day (86400). " +
				"Kuscia does not limit it to the validity of the domain's certificate, after which this certificate is not trusted."},
			"key_type": schema.StringAttribute{Optional: true, MarkdownDescription: "Form of the private key, `PKCS#1` (default) or `PKCS#8`."},
			"key":      schema.StringAttribute{Computed: true, Sensitive: true, MarkdownDescription: "The private key, base64 of PEM."},
			"cert_chain": schema.ListAttribute{Computed: true, ElementType: types.StringType,
				MarkdownDescription: "The certificate, and that of the domain which signed it, each as base64 of PEM."},
		},
	}
}

// Configure sets the run.
func (r *certificate) Configure(_ context.Context, req ephemeral.ConfigureRequest, resp *ephemeral.ConfigureResponse) {
	r.run = run.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// ValidateConfig reports values that the node would reject.
func (r *certificate) ValidateConfig(ctx context.Context, req ephemeral.ValidateConfigRequest, resp *ephemeral.ValidateConfigResponse) {
	var m model
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(m.problems()...)
	}
}

const (
	defaultDuration = 24 * 60 * 60
	// maxDuration is the longest duration in seconds that does not overflow on
	// the node: with a longer one the certificate would end before it begins.
	maxDuration = 9_223_372_036
)

var keyTypes = []string{kuscia.KeyTypePKCS1, kuscia.KeyTypePKCS8}

// problems returns the problems of a configuration, as far as it is known.
func (m model) problems() (diags diag.Diagnostics) {
	known := func(unknown, null bool) bool { return !unknown && !null }
	if known(m.CommonName.IsUnknown(), m.CommonName.IsNull()) && m.CommonName.ValueString() == "" {
		diags.AddAttributeError(path.Root("common_name"), "Missing common name", "common_name must not be empty: set the name that the certificate is for, for example \"alice\".")
	}
	if text := m.KeyType.ValueString(); known(m.KeyType.IsUnknown(), m.KeyType.IsNull()) && !slices.Contains(keyTypes, text) {
		diags.AddAttributeError(path.Root("key_type"), tfvalue.ValueNotAllowed,
			fmt.Sprintf("%s If omitted, it is %q.", tfvalue.NotAllowed(text, keyTypes), kuscia.KeyTypePKCS1))
	}
	if seconds := m.DurationSec.ValueInt64(); known(m.DurationSec.IsUnknown(), m.DurationSec.IsNull()) && (seconds < 1 || seconds > maxDuration) {
		diags.AddAttributeError(path.Root("duration_sec"), "Invalid duration",
			fmt.Sprintf("duration_sec is %d; it is a number of seconds from 1 to %d. Omit it for one day (%d).", seconds, int64(maxDuration), defaultDuration))
	}
	return diags
}

// Open makes the node generate a key and a certificate.
func (r *certificate) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var m model
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	// Values that were unknown during validation are known now.
	resp.Diagnostics.Append(m.problems()...)
	if resp.Diagnostics.HasError() || !r.run.ReadyKuscia(&resp.Diagnostics) {
		return
	}
	made, err := r.run.Kuscia.GenerateCertificate(ctx, m.request())
	if err != nil {
		message.AddError(&resp.Diagnostics, "Unable to generate certificate", err)
		return
	}
	chain, diags := types.ListValueFrom(ctx, types.StringType, made.CertChain)
	resp.Diagnostics.Append(diags...)
	m.Key, m.CertChain = types.StringValue(made.Key), chain
	resp.Diagnostics.Append(resp.Result.Set(ctx, m)...)
}

// request returns the request body.
func (m model) request() *kuscia.GenerateCertificateRequest {
	return &kuscia.GenerateCertificateRequest{
		CommonName: m.CommonName.ValueString(), Country: m.Country.ValueString(),
		Organization: m.Organization.ValueString(), OrganizationUnit: m.OrganizationUnit.ValueString(),
		Locality: m.Locality.ValueString(), Province: m.Province.ValueString(), StreetAddress: m.StreetAddress.ValueString(),
		DurationSec: m.DurationSec.ValueInt64(), KeyType: m.KeyType.ValueString(),
	}
}
