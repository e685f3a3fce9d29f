package serving

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
)

// FuzzImportID: an id is either imported unchanged or rejected with an error
// that quotes it.
func FuzzImportID(f *testing.F) {
	for _, seed := range []string{"glm", "0", "a-b", "", "-a", "a-", "A", "a.b", "a/b", " a", "a\n", strings.Repeat("x", 63), strings.Repeat("x", 64), "ä", "a\x00"} {
		f.Add(seed)
	}
	server := providerserver.NewProtocol6(bareProvider{})()
	kind := rules.Definition.Type()
	f.Fuzz(func(t *testing.T, id string) {
		resp, err := server.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{TypeName: "kuscia_serving", ID: id})
		if err != nil {
			t.Fatal(err)
		}
		if refused := len(resp.Diagnostics) > 0; refused == isLabel(id) {
			t.Fatalf("%q: %v", id, resp.Diagnostics)
		} else if refused {
			return
		}
		state, err := resp.ImportedResources[0].State.Unmarshal(kind)
		if err != nil {
			t.Fatal(err)
		}
		var attributes map[string]tftypes.Value
		if err := state.As(&attributes); err != nil {
			t.Fatal(err)
		}
		var read string
		if err := attributes["serving_id"].As(&read); err != nil || read != id {
			t.Fatalf("%q becomes %q: %v", id, read, err)
		}
	})
}

// bareProvider offers kuscia_serving alone.
type bareProvider struct{}

func (bareProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "kuscia"
}

func (bareProvider) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (bareProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}

func (bareProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (bareProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{NewResource}
}

// isLabel is another implementation of the rule for an RFC 1123 label.
func isLabel(text string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	for i := range len(text) {
		if text[i] != '-' && strings.IndexByte(letters, text[i]) < 0 {
			return false
		}
	}
	return text != "" && len(text) <= 63 && strings.Trim(text, "-") == text
}
