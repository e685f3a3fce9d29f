package schemajson_test

import (
	"context"
	"encoding/json"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/schemajson"
)

// TestAccReadIsWhatTheCLISays compares each section with the output of the CLI,
// as far as its version has them.
func TestAccReadIsWhatTheCLISays(t *testing.T) {
	t.Parallel()
	acctest.CLI(t)
	e := acctest.New(t)
	w := e.NewWorkspace(t)
	w.Write("main.tf", acctest.ProviderBlock(nil))
	w.Init()
	output, code := w.Try("providers", "schema", "-json")
	if code != 0 {
		t.Fatal(output)
	}
	server, err := e.ProtoV6ProviderFactories()["kuscia"]()
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := schemajson.Read(t.Context(), server, "kuscia")
	if err != nil {
		t.Fatal(err)
	}

	var said tfjson.ProviderSchemas
	if err := json.Unmarshal([]byte(output), &said); err != nil {
		t.Fatalf("%v:\n%s", err, output)
	}
	if len(said.Schemas) != 1 || said.FormatVersion != schemas.FormatVersion {
		t.Fatalf("%d providers, format %s", len(said.Schemas), said.FormatVersion)
	}
	ours := sections(t, schemas.Schemas["kuscia"])
	for _, provider := range said.Schemas {
		compared := 0
		for name, section := range sections(t, provider) {
			compared++
			if ours[name] != section {
				t.Errorf("%s:\n%s\nthe CLI prints:\n%s", name, ours[name], section)
			}
		}
		if compared < 3 {
			t.Errorf("only %d sections compared", compared)
		}
	}
}

// sections are the parts of a provider's schemas as JSON text.
func sections(t *testing.T, provider *tfjson.ProviderSchema) map[string]string {
	t.Helper()
	text, err := json.Marshal(provider)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for name, section := range all {
		out[name] = string(section)
	}
	return out
}

// server has schemas of kinds that this provider does not use.
type server struct {
	tfprotov6.ProviderServer
	schemas    tfprotov6.GetProviderSchemaResponse
	identities tfprotov6.GetResourceIdentitySchemasResponse
}

func (s *server) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return &s.schemas, nil
}

func (s *server) GetResourceIdentitySchemas(context.Context, *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return &s.identities, nil
}

func TestReadEverySection(t *testing.T) {
	t.Parallel()
	schema := &tfprotov6.Schema{Version: 2, Block: &tfprotov6.SchemaBlock{
		Description: "What it is.", DescriptionKind: tfprotov6.StringKindMarkdown,
		Attributes: []*tfprotov6.SchemaAttribute{
			{Name: "plain", Type: tftypes.List{ElementType: tftypes.Number}, Required: true, Deprecated: true},
			{Name: "secret", Type: tftypes.DynamicPseudoType, Optional: true, WriteOnly: true, Sensitive: true},
			{Name: "nested", Computed: true, NestedType: &tfprotov6.SchemaObject{
				Nesting: tfprotov6.SchemaObjectNestingModeMap, Attributes: []*tfprotov6.SchemaAttribute{{Name: "x", Type: tftypes.Bool, Optional: true}},
			}},
		},
		BlockTypes: []*tfprotov6.SchemaNestedBlock{{
			TypeName: "block", Nesting: tfprotov6.SchemaNestedBlockNestingModeList, MinItems: 1, MaxItems: 3,
			Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{{Name: "y", Type: tftypes.String, Optional: true}}},
		}},
	}}
	const block = `{"attributes":{` +
		`"nested":{"nested_type":{"attributes":{"x":{"type":"bool","description_kind":"plain","optional":true}},"nesting_mode":"map"},"description_kind":"plain","computed":true},` +
		`"plain":{"type":["list","number"],"description_kind":"plain","deprecated":true,"required":true},` +
		`"secret":{"type":"dynamic","description_kind":"plain","optional":true,"sensitive":true,"write_only":true}},` +
		`"block_types":{"block":{"nesting_mode":"list","block":{"attributes":{"y":{"type":"string","description_kind":"plain","optional":true}},"description_kind":"plain"},"min_items":1,"max_items":3}},` +
		`"description":"What it is.","description_kind":"markdown"}`
	s := &server{
		schemas: tfprotov6.GetProviderSchemaResponse{
			EphemeralResourceSchemas: map[string]*tfprotov6.Schema{"k_e": schema},
			ListResourceSchemas:      map[string]*tfprotov6.Schema{"k_l": schema},
			ActionSchemas:            map[string]*tfprotov6.ActionSchema{"k_a": {Schema: schema}},
			Functions: map[string]*tfprotov6.Function{"f": {
				Summary: "Short.", Description: "Long.", Return: &tfprotov6.FunctionReturn{Type: tftypes.String},
				Parameters:        []*tfprotov6.FunctionParameter{{Name: "a", Type: tftypes.Number, AllowNullValue: true}},
				VariadicParameter: &tfprotov6.FunctionParameter{Name: "rest", Type: tftypes.String, Description: "More."},
			}},
		},
		identities: tfprotov6.GetResourceIdentitySchemasResponse{IdentitySchemas: map[string]*tfprotov6.ResourceIdentitySchema{
			"k_r": {Version: 1, IdentityAttributes: []*tfprotov6.ResourceIdentitySchemaAttribute{{Name: "id", Type: tftypes.String, OptionalForImport: true}}},
		}},
	}
	schemas, err := schemajson.Read(t.Context(), s, "k")
	if err != nil {
		t.Fatal(err)
	}
	got := sections(t, schemas.Schemas["k"])
	for name, want := range map[string]string{
		"ephemeral_resource_schemas": `{"k_e":{"version":2,"block":` + block + `}}`,
		"list_resource_schemas":      `{"k_l":{"version":2,"block":` + block + `}}`,
		"action_schemas":             `{"k_a":{"block":` + block + `}}`,
		"functions": `{"f":{"description":"Long.","summary":"Short.","return_type":"string",` +
			`"parameters":[{"name":"a","is_nullable":true,"type":"number"}],"variadic_parameter":{"name":"rest","description":"More.","type":"string"}}}`,
		"resource_identity_schemas": `{"k_r":{"version":1,"attributes":{"id":{"type":"string","optional_for_import":true}}}}`,
	} {
		if got[name] != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got[name], want)
		}
	}
}
