package compat_test

import (
	"encoding/json"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/schemajson"
)

const recordedFile = "testdata/schema.json"

// TestSchemaIsAsRecorded makes every change of the schema visible in review.
func TestSchemaIsAsRecorded(t *testing.T) {
	now := schemaOfProvider(t)
	acctest.Record(t, recordedFile, string(now))
	if testfile.Read(t, recordedFile) != string(now) {
		t.Errorf("the schema is not the one in %s: run make schema, look at the difference and commit it", recordedFile)
	}
}

// schemaOfProvider returns the schema of the provider as JSON, without
// descriptions: these are in docs/.
func schemaOfProvider(t *testing.T) []byte {
	t.Helper()
	schemas, err := schemajson.Read(t.Context(), provider.NewServer(provider.Build{Version: "test"}, true)(), "kuscia")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(withoutText(testjson.Decode[any](t, testjson.Encode(t, schemas.Schemas["kuscia"]))), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

// withoutText removes descriptions and what is false or empty.
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
