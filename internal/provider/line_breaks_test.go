package provider

import (
	"reflect"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestLineBreaksAreCut: a line break at the end of any text of the block, as file() returns it, or of a
// variable of the environment, as a CI passes it, changes nothing.
func TestLineBreaksAreCut(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	var schema provider.SchemaResponse
	newTestProvider(nil).Schema(ctx, provider.SchemaRequest{}, &schema)
	texts := 0
	var filled func(of tftypes.Type, text string) tftypes.Value
	filled = func(of tftypes.Type, text string) tftypes.Value {
		switch of := of.(type) {
		case tftypes.Object:
			values := map[string]tftypes.Value{}
			for name, attribute := range of.AttributeTypes {
				values[name] = filled(attribute, text)
			}
			return tftypes.NewValue(of, values)
		case tftypes.Map:
			return tftypes.NewValue(of, map[string]tftypes.Value{"k": filled(of.ElementType, text)})
		case tftypes.List:
			return tftypes.NewValue(of, []tftypes.Value{filled(of.ElementType, text)})
		}
		if of.Is(tftypes.String) {
			texts++
			return tftypes.NewValue(of, text)
		}
		return tftypes.NewValue(of, nil)
	}
	read := func(text string) block {
		b, diags := readBlock(ctx, tfsdk.Config{Raw: filled(schema.Schema.Type().TerraformType(ctx), text), Schema: schema.Schema})
		if diags.HasError() {
			t.Fatal(diags)
		}
		return b
	}
	if got, want := read("a\nb \r\n\n"), read("a\nb "); !reflect.DeepEqual(got, want) || texts < 60 {
		t.Errorf("%d texts: %+v, want %+v", texts, got, want)
	}
	if got := newTestProvider(map[string]string{"X": "a\nb \r\n"}).getenv("X"); got != "a\nb " {
		t.Errorf("%q", got)
	}
}

// TestEndpointWithLineBreak: the endpoint of a file or of a CI's secret, in the block and in the
// environment, in validation and in use.
func TestEndpointWithLineBreak(t *testing.T) {
	t.Parallel()
	for name, environment := range map[string]map[string]string{"block": nil, "environment": {"KUSCIA_ENDPOINT": "http://127.0.0.1:1\n"}} {
		values := map[string]tftypes.Value{}
		if environment == nil {
			values["endpoint"] = text("http://127.0.0.1:1\r\n")
		}
		resp := configure(t, newTestProvider(environment), values, false)
		var diags diag.Diagnostics
		if c := run.FromProviderData(resp.ResourceData, &diags); resp.Diagnostics.HasError() || !c.ReadyKuscia(&diags) || c.Kuscia.Endpoint() != "http://127.0.0.1:1" {
			t.Errorf("%s: %v %v", name, resp.Diagnostics, diags)
		}
	}
}

// TestCertsDirPair: the pair of Kuscia's script for clients and that of the server are both taken, of
// both the client's, and a complete one before half of one.
func TestCertsDirPair(t *testing.T) {
	t.Parallel()
	a, b := twoPairs(t)
	https := block{Endpoint: str(httpsURL), CertsDir: str("/certs")}
	client := files{"/certs/kusciaapi-client.crt": content(a.cert), "/certs/kusciaapi-client.key": content(a.key)}
	server := files{"/certs/kusciaapi-server.crt": content(b.cert), "/certs/kusciaapi-server.key": content(b.key)}
	for name, test := range map[string]struct {
		in      []files
		without string
		key     string
		lacks   string // in the error
		hint    string
	}{
		"the script's":              {in: []files{client}, key: a.key},
		"the server's":              {in: []files{server}, key: b.key},
		"both":                      {in: []files{client, server}, key: a.key},
		"half of the script's":      {in: []files{client, server}, without: "/certs/kusciaapi-client.key", key: b.key},
		"only half of the script's": {in: []files{client}, without: "/certs/kusciaapi-client.key", lacks: "certs_dir (/certs) has no kusciaapi-client.key"},
		"the key alone":             {in: []files{server}, without: "/certs/kusciaapi-server.crt", lacks: "certs_dir (/certs) has no kusciaapi-server.crt"},
		"no pair":                   {hint: "certs_dir (/certs) has neither kusciaapi-client.crt and kusciaapi-client.key nor kusciaapi-server.crt and kusciaapi-server.key"},
	} {
		dir := files{"/certs/token": content(secret)}
		for _, some := range test.in {
			for path, text := range some {
				if path != test.without {
					dir[path] = text
				}
			}
		}
		got, problems := resolve(https, env{}.get, dir.read)
		switch {
		case test.lacks != "":
			if len(problems) != 1 || problems[0].Attribute != attrCertsDir {
				t.Errorf("%s: %v", name, problems)
				continue
			}
			protocol.Says(t, name, problems[0].Detail, test.lacks)
		case len(problems) > 0 || string(got.Config.ClientKey) != test.key || got.Config.NoClientCertificate != test.hint:
			t.Errorf("%s: %v, %q", name, problems, got.Config.NoClientCertificate)
		}
	}
}
