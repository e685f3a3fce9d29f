package appimage_test

import (
	"regexp"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// hash is the format of a revision.
var hash = regexp.MustCompile(`^[0-9a-f]{32}$`)

// image is a configuration with one container.
func image(name string, image attrs) attrs {
	return attrs{"name": name, "image": image, "deploy_templates": []any{attrs{"name": "app", "containers": []any{attrs{"name": "app"}}}}}
}

// TestDefaults: what a plan of a new app image knows, and that it gets one replica, where
// Kuscia's default is none.
func TestDefaults(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	name := e.Name("minimal")
	r := e.Server(nil).Resource(t, "kuscia_app_image")
	config := protocol.Value(r.Kind, image(name, attrs{"name": "example/app", "tag": "1"}))
	_, planned := r.Plan(t, config, r.None())
	plan, _ := protocol.Plain(planned).(attrs)
	for _, revision := range []string{"rollout_revision", "definition_revision"} {
		if text, _ := plan[revision].(string); !hash.MatchString(text) {
			t.Errorf("%s is planned as %q", revision, text)
		}
	}
	state := r.Create(t, config)
	found, err := e.API.QueryAppImage(t.Context(), name)
	if err != nil || found.DeployTemplates[0].Replicas != 1 || plan["id"] != name || plan["config_templates"] != nil {
		t.Errorf("stored %+v, planned %v: %v", found, plan, err)
	}
	if _, said := r.Delete(t, state); said != "" {
		t.Error(said)
	}
}
