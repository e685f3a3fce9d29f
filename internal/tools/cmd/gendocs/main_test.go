//go:build unix

package main

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/cli"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/workspace"
)

// schemaProgram builds the program that prints schemas and effects.
func schemaProgram(t *testing.T) string {
	t.Helper()
	ws, err := workspace.New("../../../..", cli.CLI{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ws.Close(); err != nil {
			t.Error(err)
		}
	})
	program := filepath.Join(ws.Dir, "provider-schema")
	if err := ws.Build(t.Context(), "./internal/cmd/provider-schema", program); err != nil {
		t.Fatal(err)
	}
	return program
}

// TestSchema: the schema contains the parts that older CLIs omit, under the name that
// tfplugindocs expects, and every resource has a table of what changes do.
func TestSchema(t *testing.T) {
	t.Parallel()
	program := schemaProgram(t)
	content, err := output(t.Context(), program)
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		FormatVersion   string                                           `json:"format_version"`
		ProviderSchemas map[string]map[string]map[string]json.RawMessage `json:"provider_schemas"`
	}
	if err := json.Unmarshal(content, &document); err != nil {
		t.Fatal(err)
	}
	if document.FormatVersion == "" {
		t.Error("no format version")
	}
	for _, section := range []string{"provider", "resource_schemas", "resource_identity_schemas", "list_resource_schemas"} {
		if len(document.ProviderSchemas[providerName][section]) == 0 {
			t.Errorf("no %s", section)
		}
	}

	content, err = output(t.Context(), program, "-effects")
	if err != nil {
		t.Fatal(err)
	}
	var effects map[string][]effect
	if err := json.Unmarshal(content, &effects); err != nil {
		t.Fatal(err)
	}
	for name := range document.ProviderSchemas[providerName]["resource_schemas"] {
		if len(effects[name]) == 0 {
			t.Errorf("no effects of changes of %s", name)
		}
	}
}
