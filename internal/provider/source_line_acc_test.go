package provider_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// sourceLines are resources with one wrong value each. "# here" marks its line, and "# around"
// the line that a CLI shows that looks no deeper than an element of an attribute of the resource;
// without it, every CLI shows the line of the value.
var sourceLines = map[string]string{
	"serving, prefix": servingWith(`
    service_name_prefix = "UPPER" # here`),
	"serving, amount": servingWith(`
    container_resources = {
      app = {
        min_cpu    = "1"
        min_memory = "1GB" # here
      }
    }`),
	"app image, object": imageWith(`
    name = "" # here`, `"HTTP"`, ``),
	"app image, protocol": imageWith(`
    name = "example/app"`, `"UDP" # here`, `# around`),
	"edge deployment, variable": `resource "kuscia_edge_deployment" "test" {
  name     = "lite"
  node_ids = ["node-1"]
  containers = [
    { # around
      name      = "app"
      image_url = "kuscia:1"
      envs = [
        { name = "A", value = "a" },
        {
          name  = "1 B" # here
          value = "b"
        },
      ]
    },
  ]
}`,
}

// servingWith is a serving with two parties, of which the second has the attributes.
func servingWith(party string) string {
	return `resource "kuscia_serving" "test" {
  serving_id           = "test"
  initiator            = "alice"
  serving_input_config = "{}"
  parties = {
    alice = { app_image = "app" }
    bob = { # around
    app_image = "app"` + party + `
    }
  }
}`
}

// imageWith is an app image with the lines of an image and a protocol; mark is that of the template.
func imageWith(image, protocol, mark string) string {
	return `resource "kuscia_app_image" "test" {
  name = "test"
  image = {` + image + `
    tag  = "1"
  }
  deploy_templates = [{ ` + mark + `
    name = "app"
    containers = [{
      name    = "main"
      command = ["sh"]
      ports = [
        { name = "first" },
        {
          name     = "second"
          protocol = ` + protocol + `
        },
      ]
    }]
  }]
}`
}

// TestAccSourceLine: an error about a value shows the deepest line of it that the CLI can show.
// Terraform 1.17 shows the line of any value, older versions and OpenTofu that of an element of
// an attribute of the resource.
func TestAccSourceLine(t *testing.T) {
	t.Parallel()
	w := acctest.New(t).NewWorkspace(t)
	root, module := "", map[string]string{}
	for name, configuration := range sourceLines {
		module[name] = fmt.Sprintf("m%d", len(module))
		w.Write(module[name]+"/main.tf", configuration)
		root += acctest.TopLevel("module", []string{module[name]}, object{"source": "./" + module[name]})
	}
	w.Write("main.tf", root)
	w.Init()
	type diagnostic struct {
		Severity, Summary, Detail string
		Range                     struct {
			Filename string
			Start    struct{ Line int }
		}
	}
	var result struct{ Diagnostics []diagnostic }
	output, _ := w.Try("validate", "-json")
	if err := json.Unmarshal([]byte(output[max(0, strings.Index(output, "{")):]), &result); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	errors := map[string][]diagnostic{} // by file
	for _, d := range result.Diagnostics {
		if d.Severity == "error" {
			errors[d.Range.Filename] = append(errors[d.Range.Filename], d)
		}
	}
	shown := map[bool]bool{} // whether the CLI shows deep lines
	for name, configuration := range sourceLines {
		lineOf := func(mark string) int {
			return 1 + slices.IndexFunc(strings.Split(configuration, "\n"), func(line string) bool { return strings.Contains(line, mark) })
		}
		here, around := lineOf("# here"), lineOf("# around")
		found := errors[module[name]+"/main.tf"]
		if len(found) != 1 {
			t.Errorf("%s: %d errors: %v", name, len(found), found)
			continue
		}
		switch line := found[0].Range.Start.Line; {
		case around > 0 && (line == here || line == around):
			shown[line == here] = true
		case line != here:
			t.Errorf("%s: line %d for %s: %s\n%s", name, line, found[0].Summary, found[0].Detail, configuration)
		}
	}
	if len(shown) != 1 {
		t.Errorf("the lines of some values are shown, and of others only those around: %v", shown)
	}
}
