package appimage_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccAppImage_sourceLine: an error about a name inside the app image does
// not point to the line with the name of the app image itself.
func TestAccAppImage_sourceLine(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	w := e.NewWorkspace(t)
	w.Init()
	good := appImage{name: "app", container: `ports = [{ name = "p" }]`}.hcl()
	for at, test := range map[string]struct{ old, bad, line string }{
		"image.name":                              {`"example/app"`, `"Corp/App"`, "image = {"},
		"deploy_templates[0].name":                {`}], "name" = "app" }]`, `}], "name" = "" }]`, "deploy_templates = [{"},
		"deploy_templates[0].containers[0].name":  {"\"name\" = \"app\"\n}]", "\"name\" = \"APP\"\n}]", `resource "kuscia_app_image" "test" {`},
		"deploy_templates[0].containers[0].ports": {`name = "p"`, `name = "UP"`, `resource "kuscia_app_image" "test" {`},
	} {
		if !strings.Contains(good, test.old) {
			t.Fatalf("no %q in %s", test.old, good)
		}
		w.Write("main.tf", strings.Replace(good, test.old, test.bad, 1))
		said := w.Run(1, "plan", "-input=false")
		if !strings.Contains(said, at) || !strings.Contains(said, test.line) || strings.Contains(said, `  name = "app"`) {
			t.Errorf("%s: got output\n%s", at, said)
		}
	}
}
