package compat_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

const (
	goldenFile    = "testdata/schema.json"
	changelogFile = "../../../CHANGELOG.md"
)

// TestSchemaIsAsRecorded makes every change of the schema visible in review.
func TestSchemaIsAsRecorded(t *testing.T) {
	schema, err := schemaOfProvider(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	now := encode(schema)
	if *update {
		if err := os.WriteFile(goldenFile, now, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	golden, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(golden, now) {
		return
	}
	for _, change := range breaks(readSchema(t, goldenFile), schema) {
		t.Errorf("breaks users: %s", change)
	}
	t.Errorf("the schema is not the one in %s: run make schema, look at the difference and commit it. The first lines that differ:\n%s", goldenFile, firstDifference(golden, now))
}

// TestSchemaBreaksNothingUnannounced compares with the newest release.
func TestSchemaBreaksNothingUnannounced(t *testing.T) {
	releases := releases(t)
	newest := releases[len(releases)-1]
	schema, err := schemaOfProvider(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	changelog, err := os.ReadFile(changelogFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range breaks(readSchema(t, filepath.Join(newest, "schema.json")), schema) {
		if !announced(string(changelog), change) {
			t.Errorf("breaks users of %s: %s. Keep it as it was, or say so in CHANGELOG.md under Unreleased, in an entry that begins with **BREAKING** and names %s",
				filepath.Base(newest), change, strings.Join(change.names(), " and "))
		}
	}
}

// TestAccSchemaIsWhatTheCLISees compares the recorded schema with the output of
// a real CLI, as far as that CLI supports the parts.
func TestAccSchemaIsWhatTheCLISees(t *testing.T) {
	t.Parallel()
	c := newCLI(t, nil)
	c.write("main.tf", acctest.RequiredProvider)
	output, code := c.run("providers", "schema", "-json")
	if code != 0 {
		t.Fatalf("providers schema: exit code %d\n%s", code, output)
	}
	var printed struct {
		Schemas map[string]map[string]any `json:"provider_schemas"`
	}
	if err := json.Unmarshal([]byte(output), &printed); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	var golden map[string]any
	text, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, schema := range printed.Schemas {
		for _, part := range []string{"provider", "resource_schemas", "data_source_schemas", "functions", "resource_identity_schemas"} {
			if schema[part] == nil {
				continue
			}
			compared++
			if got, want := withoutText(schema[part]), withoutText(golden[part]); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: the CLI prints\n%s\nwhich is not as in %s", part, pretty(got), goldenFile)
			}
		}
	}
	if compared < 3 {
		t.Errorf("only %d parts compared:\n%s", compared, output)
	}
}

// withoutText removes descriptions, and false or empty values, which only some
// CLIs print.
func withoutText(value any) any {
	switch v := value.(type) {
	case map[string]any:
		kept := map[string]any{}
		for key, inner := range v {
			isText := key == "description" || key == "description_kind" || key == "summary" || key == "deprecation_message"
			if _, isMap := inner.(map[string]any); isText && !isMap {
				continue
			}
			if inner = withoutText(inner); inner != nil && inner != false && inner != float64(0) {
				kept[key] = inner
			}
		}
		return kept
	case []any:
		kept := make([]any, len(v))
		for i := range v {
			kept[i] = withoutText(v[i])
		}
		return kept
	}
	return value
}

func pretty(value any) string {
	text, err := json.MarshalIndent(value, "", " ")
	must(err)
	return string(text)
}

func readSchema(t *testing.T, path string) *tfjson.ProviderSchema {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var schema tfjson.ProviderSchema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return &schema
}

// firstDifference shows the first difference between two texts.
func firstDifference(was, is []byte) string {
	const around = 3
	a, b := strings.Split(string(was), "\n"), strings.Split(string(is), "\n")
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	from := max(0, at-around)
	return "- " + strings.Join(a[from:min(len(a), at+around)], "\n- ") + "\n+ " + strings.Join(b[from:min(len(b), at+around)], "\n+ ")
}
