package serving

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// FuzzImportID: an id is taken as it is, or refused with an error that quotes
// it; never anything in between.
func FuzzImportID(f *testing.F) {
	for _, seed := range []string{"glm", "0", "a-b", "", "-a", "a-", "A", "a.b", "a/b", " a", "a\n", strings.Repeat("x", 63), strings.Repeat("x", 64), "ä", "a\x00"} {
		f.Add(seed)
	}
	server := providerserver.NewProtocol6(bareProvider{})()
	kind := resourceSchema(f.Context()).Type().TerraformType(f.Context())
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

// isLabel is the rule for an RFC 1123 label, said in another way.
func isLabel(text string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	for i := range len(text) {
		if text[i] != '-' && strings.IndexByte(letters, text[i]) < 0 {
			return false
		}
	}
	return text != "" && len(text) <= 63 && strings.Trim(text, "-") == text
}

// FuzzRefresh: whatever a server answers, refreshing neither panics nor leaves
// anything unknown, a second refresh changes nothing, and a plan on the result
// is legal.
func FuzzRefresh(f *testing.F) {
	config := twoParties()
	for _, answer := range []*kuscia.Serving{answerTo(config), answerTo(configOf(partyOf("alice"))), {}} {
		raw, err := json.Marshal(answer)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Add([]byte(`{"parties":[{"domain_id":"alice","replicas":-1,"resources":[{"container_name":"","min_cpu":"abc"},{"container_name":"","min_cpu":"-1"}]},{"domain_id":"alice"}]}`))
	f.Add([]byte(`{"initiator":"x","parties":[{"domain_id":"alice","update_strategy":{"type":"Odd","max_surge":"x"}}],"status":{"create_time":"","party_statuses":[{"endpoints":[{},{}]},{}]}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var answer kuscia.Serving
		if json.Unmarshal(raw, &answer) != nil {
			t.Skip("not an answer")
		}
		for name, prior := range map[string]model{"state": stateOf(config), "import": {attributes: attributes{ServingID: types.StringValue("glm"), Endpoints: types.ListNull(endpointType), RedeployTriggers: types.MapNull(types.StringType), Timeouts: nullTimeouts()}}} {
			state, private := refresh(prior, &answer, privateData{}, anyReplicas(1))
			private = private.learn(&answer, state)
			for _, a := range attributePairs(state, state) {
				if a.a.IsUnknown() {
					t.Fatalf("%s: %s is unknown", name, a.name)
				}
			}
			if _, err := json.Marshal(private); err != nil {
				t.Fatal(err)
			}
			if duplicates(answer.Parties) {
				continue // which of two parties of one key is meant is anybody's guess
			}
			again, _ := refresh(state, &answer, private, anyReplicas(1))
			sameModel(t, again, state)
			differences(state, &answer, private)
			classify(t, config, state, private, allImages)
			if is, _, reasons := classify(t, state, state, private, allImages); is != nothing {
				t.Fatalf("%s: the state as configuration is %s %v", name, is, reasons)
			}
			var diags diag.Diagnostics
			updateRequest(state, state, private, &diags)
			noDiags(t, diags)
		}
	})
}

func duplicates(parties []kuscia.ServingParty) bool {
	seen := map[partyKey]bool{}
	for _, p := range parties {
		if key := (partyKey{p.DomainID, p.Role}); seen[key] {
			return true
		}
		seen[partyKey{p.DomainID, p.Role}] = true
	}
	return false
}
