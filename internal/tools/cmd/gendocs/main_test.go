//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/cli"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/workspace"
)

// TestWriteSchema: the schema contains the parts that older CLIs omit, under
// the name that tfplugindocs expects.
func TestWriteSchema(t *testing.T) {
	t.Parallel()
	ws, err := workspace.New("../../../..", cli.CLI{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ws.Close(); err != nil {
			t.Error(err)
		}
	})
	file := filepath.Join(ws.Dir, "schema.json")
	if err := writeSchema(t.Context(), ws, file); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(file)
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
}
