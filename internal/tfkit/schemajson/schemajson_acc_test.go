package schemajson_test

import (
	"encoding/json"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
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

	said := testjson.Decode[tfjson.ProviderSchemas](t, output)
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
	out := map[string]string{}
	for name, section := range testjson.Decode[map[string]json.RawMessage](t, testjson.Encode(t, provider)) {
		out[name] = string(section)
	}
	return out
}
