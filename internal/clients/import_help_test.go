package clients_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

// The block that the help shows is a configuration as it is, and so is the
// command a command.
func TestImportHelp(t *testing.T) {
	t.Parallel()
	help := clients.ImportHelp("kuscia_serving", "glm", "choose another serving_id")
	begin, end := strings.Index(help, "  import {"), strings.Index(help, "  }\n")
	if begin < 0 || end < begin {
		t.Fatalf("no import block in %q", help)
	}
	file, diags := hclparse.NewParser().ParseHCL([]byte(help[begin:end+4]), "main.tf")
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	body, ok := file.Body.(*hclsyntax.Body)
	if !ok || len(body.Blocks) != 1 || body.Blocks[0].Type != "import" || len(body.Blocks[0].Body.Attributes) != 2 {
		t.Fatalf("not one import block: %q", help[begin:end])
	}
	attributes := body.Blocks[0].Body.Attributes
	if to := attributes["to"].Expr.Variables(); len(to) != 1 || to[0].RootName() != "kuscia_serving" {
		t.Errorf("to = %v", to)
	}
	if id, diags := attributes["id"].Expr.Value(nil); diags.HasErrors() || id.AsString() != "glm" {
		t.Errorf("id = %v, %v", id, diags)
	}
	if !slices.Contains(strings.Split(help, "\n"), "  terraform import kuscia_serving.NAME glm") {
		t.Errorf("no command on a line of its own: %q", help)
	}
	if !strings.HasSuffix(help, "Otherwise choose another serving_id.") {
		t.Errorf("%q", help)
	}
}
