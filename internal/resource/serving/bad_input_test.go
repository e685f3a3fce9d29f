package serving_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// TestBadInput: each mistake is one error at its attribute, with a message that describes what is
// allowed, without a query of Kuscia. An imported serving may have those that only a plan rejects.
// The lines of testdata/bad_input.txt that begin with a brace are changes of a valid configuration.
func TestBadInput(t *testing.T) {
	t.Parallel()
	serving := protocol.NewServer(t, provider.NewServer(provider.Build{}, true)()).Resource(t, "kuscia_serving")
	const file = "testdata/bad_input.txt"
	var text strings.Builder
	for line := range strings.Lines(testfile.Read(t, file)) {
		if !strings.HasPrefix(line, "{") {
			continue
		}
		config := protocol.Object{"serving_id": "glm", "initiator": "alice", "parties": protocol.Object{"alice": protocol.Object{"app_image": "sf"}}}
		decoder := json.NewDecoder(strings.NewReader(line))
		decoder.UseNumber()
		if err := decoder.Decode(&config); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		value, phase := protocol.Value(serving.Kind, config), "validation"
		diagnostics := serving.Validate(t, value).Diagnostics
		if len(diagnostics) == 0 {
			response, _ := serving.Plan(t, value, serving.None())
			diagnostics, phase = response.Diagnostics, "plan"
		}
		if len(diagnostics) != 1 || !protocol.Failed(diagnostics) {
			t.Errorf("%s: %s", line, protocol.Messages(diagnostics))
		}
		fmt.Fprintf(&text, "%s%s: %s\n", line, phase, protocol.Messages(diagnostics))
	}
	acctest.Golden(t, file, text.String())
}
