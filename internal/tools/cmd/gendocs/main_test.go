//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
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

// TestFillPages: a page gets its subcategory, table and links.
func TestFillPages(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for file, content := range map[string]string{
		"docs/resources/config.md":                 "subcategory: \"\"\n" + changesMark + "\n" + guidesMark + "\n",
		"docs/data-sources/config.md":              "subcategory: \"\"\n",
		"templates/guides/secrets.md.tmpl":         "page_title: \"Secrets\"\n",
		"templates/guides/several-kuscias.md.tmpl": "page_title: \"Several Kuscias\"\n",
	} {
		path := filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := fillPages(root, []byte(`{"kuscia_config": [{"attributes": ["key"], "result": "replaced"}, {"result": "updated"}]}`)); err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"docs/resources/config.md": {
			`subcategory: "Domains and nodes"`, "| `key` | replaced |\n| everything else | updated |",
			"Guides: [Secrets](../guides/secrets.md), [Several Kuscias](../guides/several-kuscias.md).",
		},
		"docs/data-sources/config.md": {`subcategory: "Domains and nodes"`},
	}
	for file, texts := range want {
		content, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			if !strings.Contains(string(content), text) {
				t.Errorf("%s has no %q:\n%s", file, text, content)
			}
		}
	}
}
