package appimage_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
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

// TestChangedMeanwhile: Kuscia's object after an update differs from the plan. The error names
// the attribute, and the state contains the actual value.
func TestChangedMeanwhile(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	e.RequireSandbox(t, "it slows an answer down")
	name := e.Name("meanwhile")
	after := image(name, attrs{"name": "example/app", "tag": "2", "id": "i"})
	r := e.Server(nil).Resource(t, "kuscia_app_image")
	state := r.Create(t, protocol.Value(r.Kind, image(name, attrs{"name": "example/app", "tag": "1"})))
	e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultSlow, Path: "appimage/update", Delay: 3 * time.Second})
	go meddle(e, name)
	state, said := e.Server(nil).Resource(t, "kuscia_app_image").Apply(t, protocol.Value(r.Kind, after), state)
	for _, want := range []string{"is not as planned", "another value for image.id"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in %q", want, said)
		}
	}
	if id := state.Text("image", "id"); id != "meddled" {
		t.Errorf("the ID in the state is %q", id)
	}
}

// meddle changes the app image with this ID as soon as the update has taken effect.
func meddle(e *acctest.Env, name string) {
	for range 600 {
		stored, err := e.Sandbox.AppImage(name)
		if err == nil && stored.Image.Tag == "2" {
			stored.Image.ID = "meddled"
			_ = e.Sandbox.PutAppImage(stored)
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// TestDataSourceErrors: an app image that does not exist, and a malformed name.
func TestDataSourceErrors(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	missing := e.Name("missing")
	for name, want := range map[string]string{missing: `Kuscia has no app image "` + missing + `"`, "No_Name": "Invalid name"} {
		_, diagnostics := e.Server(nil).DataSource(t, "kuscia_app_image", attrs{"name": name})
		if said := protocol.Messages(diagnostics); !protocol.Failed(diagnostics) || !strings.Contains(said, want) {
			t.Errorf("%q is not in %q", want, said)
		}
	}
}

// TestAppImagesDataSource: all app images, more than a page of the server, sorted by name.
func TestAppImagesDataSource(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	tags := map[string]string{}
	for i := range 12 {
		tags[e.AppImage(func(image *kuscia.AppImage) { image.Image.Tag = fmt.Sprint(i) })] = fmt.Sprint(i)
	}
	value, diagnostics := e.Server(nil).DataSource(t, "kuscia_app_images", nil)
	protocol.Check(t, nil, diagnostics)
	all, _ := protocol.Plain(value).(attrs)
	var names []string
	for _, element := range all["app_images"].([]any) {
		one, _ := element.(attrs)
		name, _ := one["name"].(string)
		names = append(names, name)
		if tag, mine := tags[name]; mine && (one["image"].(attrs)["tag"] != tag || !hash.MatchString(one["rollout_revision"].(string))) {
			t.Errorf("%s is %v", name, one)
		}
		delete(tags, name)
	}
	if len(tags) > 0 || !slices.IsSorted(names) || fmt.Sprint(all["names"]) != fmt.Sprint(names) {
		t.Errorf("found %v, not %v; names are %v", names, tags, all["names"])
	}
}
