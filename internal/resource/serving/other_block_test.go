package serving_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestCreatedByAnotherBlock: the CLI starts a process for each provider block,
// so that a plan does not know what another block creates, and the error
// explains that. In the same block the serving is planned.
func TestCreatedByAnotherBlock(t *testing.T) {
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{})
	plan := func(server *protocol.Server, kind string, config protocol.Object) string {
		t.Helper()
		r := server.Resource(t, kind)
		response, _ := r.Plan(t, protocol.Value(r.Kind, config), r.None())
		return protocol.Messages(response.Diagnostics)
	}
	domain := protocol.Object{"domain_id": "new"}
	image := protocol.Object{
		"name": "new", "image": protocol.Object{"name": "example.com/app", "tag": "1"},
		"deploy_templates": []any{protocol.Object{"name": "t", "containers": []any{protocol.Object{"name": "main"}}}},
	}
	serving := protocol.Object{
		"serving_id": "s", "initiator": "new", "serving_input_config": "{}",
		"parties": protocol.Object{"new": protocol.Object{"app_image": "new"}, "server": protocol.Object{"domain_id": "new", "role": "server", "app_image": "new"}},
	}
	one, other := e.Server(nil), e.Server(nil)
	if said := plan(one, "kuscia_domain", domain) + plan(one, "kuscia_app_image", image); said != "" {
		t.Fatal(said)
	}
	if said := plan(one, "kuscia_serving", serving); said != "" {
		t.Errorf("in the same block: %s", said)
	}
	said := plan(other, "kuscia_serving", serving)
	for _, text := range []string{"Domain does not exist", "App image does not exist", `parties["new"]: Kuscia has no domain "new" (also needed at parties["server"].domain_id)`, `parties["new"].app_image: Kuscia has no app image "new" (also needed at parties["server"].app_image)`} {
		if strings.Count(said, text) != 1 {
			t.Errorf("%q is not once in %s", text, said)
		}
	}
	if n := strings.Count(said, "An object that another provider block creates is unknown here: use the same block for both, or apply that first (terraform apply -target=ADDRESS)"); n != 2 {
		t.Errorf("%d times in %s", n, said)
	}
}
