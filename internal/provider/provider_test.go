package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
)

// configure runs Configure with a block of raw values; missing attributes are
// null.
func configure(t *testing.T, p provider.Provider, values map[string]tftypes.Value, deferral bool) *provider.ConfigureResponse {
	t.Helper()
	ctx := t.Context()
	var schemaResp provider.SchemaResponse
	p.Schema(ctx, provider.SchemaRequest{}, &schemaResp)

	object, ok := schemaResp.Schema.Type().TerraformType(ctx).(tftypes.Object)
	if !ok {
		t.Fatal("the provider block is not an object")
	}
	all := map[string]tftypes.Value{}
	for name, attributeType := range object.AttributeTypes {
		all[name] = tftypes.NewValue(attributeType, nil)
	}
	for name, value := range values {
		all[name] = value
	}

	var resp provider.ConfigureResponse
	p.Configure(ctx, provider.ConfigureRequest{
		TerraformVersion:   "1.11.4",
		Config:             tfsdk.Config{Raw: tftypes.NewValue(object, all), Schema: schemaResp.Schema},
		ClientCapabilities: provider.ConfigureProviderClientCapabilities{DeferralAllowed: deferral},
	}, &resp)
	return &resp
}

func newTestProvider(environment map[string]string) *kusciaProvider {
	return newProvider(Build{Version: "1.2.3"}, []Option{WithEnvironment(func(name string) string { return environment[name] })})
}

func text(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }

// TestConfigure: everything that is configured gets the same ready run,
// without a request to Kuscia: the endpoint has no listener.
func TestConfigure(t *testing.T) {
	resp := configure(t, newTestProvider(nil), map[string]tftypes.Value{"endpoint": text("http://127.0.0.1:1")}, true)
	if resp.Diagnostics.HasError() || resp.Deferred != nil {
		t.Fatal(resp.Diagnostics, resp.Deferred)
	}
	var diags diag.Diagnostics
	c := run.FromProviderData(resp.ResourceData, &diags)
	if !c.ReadyKuscia(&diags) || c.Kuscia == nil || c.AppImages == nil {
		t.Fatalf("not ready: %+v %v", c, diags)
	}
	for name, data := range map[string]any{
		"data sources": resp.DataSourceData, "ephemeral resources": resp.EphemeralResourceData,
		"actions": resp.ActionData, "list resources": resp.ListResourceData,
	} {
		if data != any(c) {
			t.Errorf("%s get %v", name, data)
		}
	}
}

// TestConfigureUnknown: an unknown value is not an error in itself, but one if
// a request is needed; if the CLI supports deferral, it is deferred.
func TestConfigureUnknown(t *testing.T) {
	unknown := map[string]tftypes.Value{
		"endpoint": tftypes.NewValue(tftypes.String, tftypes.UnknownValue),
		"token":    tftypes.NewValue(tftypes.String, tftypes.UnknownValue),
	}
	for _, deferral := range []bool{false, true} {
		resp := configure(t, newTestProvider(nil), unknown, deferral)
		if resp.Diagnostics.HasError() {
			t.Fatal(resp.Diagnostics)
		}
		if (resp.Deferred != nil) != deferral {
			t.Errorf("deferral offered %t, deferred %v", deferral, resp.Deferred)
		}
		var diags diag.Diagnostics
		if run.FromProviderData(resp.ResourceData, &diags).ReadyKuscia(&diags) {
			t.Error("ready without an endpoint")
		}
		if !diags.HasError() || !strings.Contains(diags[0].Detail(), `endpoint, token`) {
			t.Error(diags)
		}
	}
}

// TestConfigureProblems: errors have the path of the attribute.
func TestConfigureProblems(t *testing.T) {
	resp := configure(t, newTestProvider(map[string]string{"KUSCIA_TOKEN": "a", "KUSCIA_TOKEN_FILE": "b"}),
		map[string]tftypes.Value{"endpoint": text("https://kuscia.test")}, false)
	if len(resp.Diagnostics) != 1 || resp.ResourceData != nil {
		t.Fatal(resp.Diagnostics, resp.ResourceData)
	}
	withPath, ok := resp.Diagnostics[0].(diag.DiagnosticWithPath)
	if !ok || withPath.Path().String() != "token" {
		t.Errorf("%#v", resp.Diagnostics[0])
	}
}
