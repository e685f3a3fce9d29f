package lifetest_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestOldServer: the error names the version that has the missing API, and that of the server.
func TestOldServer(t *testing.T) {
	t.Parallel()
	old := acctest.NewSandbox(t, sandbox.Options{Version: "v0.11.0b0"})
	for typeName, want := range map[string]string{
		"kuscia_app_image": "The AppImage API needs Kuscia v0.13 or later, and this one is v0.11",
		"kuscia_config":    "The configuration API needs Kuscia v0.12 or later, and this one is v0.11",
	} {
		r := old.Server(nil).Resource(t, typeName)
		_, said := r.Apply(t, protocol.Value(r.Kind, lives[typeName].minimal("old")), r.None())
		id := map[string]string{"kuscia_app_image": "name", "kuscia_config": "key"}[typeName]
		_, diagnostics := old.Server(nil).DataSource(t, typeName, attrs{id: "old"})
		for _, said := range []string{said, protocol.Messages(diagnostics)} {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q is not in %s", typeName, want, said)
			}
		}
	}
	for version, want := range map[string]string{"v0.11.0b0": "Kuscia v1.0 or later", "v0.13.0b0": "Kuscia v1.0 or later, and this one is v0.13.0b0"} {
		_, diagnostics := acctest.NewSandbox(t, sandbox.Options{Version: version}).Server(nil).DataSource(t, "kuscia_app_images", nil)
		if said := protocol.Messages(diagnostics); !strings.Contains(said, "The list of app images needs "+want) {
			t.Errorf("%s: %s", version, said)
		}
	}
}
