package serving_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// ofAlice is a serving of alice as configuration text; more are attributes of
// the resource, prefix is HCL or empty.
func ofAlice(label, id, image, prefix, more string) string {
	if prefix == "" {
		prefix = `""`
	}
	return fmt.Sprintf(`
resource "kuscia_serving" %q {
  serving_id = %q
  initiator  = "alice"
  parties    = [{ domain_id = "alice", app_image = %q, service_name_prefix = %s }]
  %s
}
`, label, id, image, prefix, more)
}

// clash is a workspace with three app images: one and same have a port of the
// same name, other has another one.
type clash struct {
	*acctest.Workspace
	a, b, p          string
	one, same, other string
}

func newClash(t *testing.T) clash {
	t.Helper()
	e := newEnv(t)
	port := func(name string) func(*kuscia.AppImage) {
		return func(i *kuscia.AppImage) {
			i.DeployTemplates[0].Containers[0].Ports = []kuscia.ContainerPort{{Name: name, Protocol: "HTTP", Scope: "Cluster"}}
		}
	}
	c := clash{
		Workspace: e.NewWorkspace(t), a: e.Name("a"), b: e.Name("b"), p: e.Name("p"),
		one: e.AppImage(port("service")), same: e.AppImage(port("service")), other: e.AppImage(port("metrics")),
	}
	return c
}

func (c clash) refused(t *testing.T, config string, parts ...string) {
	t.Helper()
	c.Write("main.tf", config)
	said := acctest.Plain(c.Run(1, "plan", "-input=false"))
	for _, part := range parts {
		if !strings.Contains(said, part) {
			t.Errorf("the plan does not say %q:\n%s", part, said)
		}
	}
}

func (c clash) applied(t *testing.T, config string, arguments ...string) {
	t.Helper()
	c.Write("main.tf", config)
	c.Run(0, append([]string{"apply", "-auto-approve", "-input=false"}, arguments...)...)
	c.Plan(acctest.PlanEmpty)
}

// TestAccServing_clashInPlan: two servings that exclude each other are an error
// in the plan, whether both are new or one exists.
func TestAccServing_clashInPlan(t *testing.T) {
	c := newClash(t)
	c.Init()
	c.DestroyAtEnd()
	prefix := quote(c.p)

	c.refused(t, ofAlice("x", c.a, c.one, "", "")+ofAlice("y", c.a, c.other, "", ""),
		"Two resources for one serving", fmt.Sprintf("serving_id %q", c.a), "is created too")
	c.refused(t, ofAlice("x", c.a, c.one, "", "count = 2"), "Two resources for one serving")
	c.refused(t, ofAlice("x", c.a, c.one, prefix, "")+ofAlice("y", c.b, c.same, prefix, ""),
		"Services with the same names", fmt.Sprintf("%q", c.a), fmt.Sprintf("%q", c.b), c.p+"-service", "parties[0].service_name_prefix")
	c.refused(t, ofAlice("x", c.p, c.one, "", "")+ofAlice("y", c.b, c.same, prefix, ""), "Services with the same names")
	c.refused(t, ofAlice("y", c.a+"-r", c.one, `"`+c.p+`x"`, "")+
		strings.Replace(ofAlice("z", c.a, c.one, `"`+c.p+`y"`, ""), `domain_id = "alice",`, `domain_id = "alice", role = "r",`, 1),
		"Two parties with one Deployment", c.a+"-r")

	// The first exists and does not change, by the shortcut or with another
	// spelling.
	live := ofAlice("x", c.a, c.one, prefix, "")
	c.applied(t, live)
	for _, before := range []string{live, strings.Replace(live, "initiator", "affinity_mode = \"anti-affinity\"\n  initiator", 1)} {
		c.refused(t, before+ofAlice("y", c.a, c.other, "", ""), "Two resources for one serving", fmt.Sprintf("%q", c.a))
		c.refused(t, before+ofAlice("y", c.b, c.same, prefix, ""), "Services with the same names", fmt.Sprintf("%q", c.b))
	}
	// Other ports have other Services.
	c.applied(t, live+ofAlice("y", c.b, c.other, prefix, ""))
}

// TestAccServing_clashWithoutOne: what only appears to be two servings is
// planned and applied.
func TestAccServing_clashWithoutOne(t *testing.T) {
	c := newClash(t)
	c.Init()
	c.DestroyAtEnd()
	prefix := quote(c.p)
	trigger := func(value string) string {
		return fmt.Sprintf("resource \"terraform_data\" \"t\" {\n  input = %q\n}\n", value)
	}
	onTrigger := "lifecycle {\n    replace_triggered_by = [terraform_data.t]\n  }"

	x := ofAlice("x", c.a, c.one, prefix, onTrigger)
	c.applied(t, trigger("1")+x)
	// Replacements: with -replace, triggered, required by an attribute, tainted.
	c.applied(t, trigger("1")+x, "-replace=kuscia_serving.x")
	c.applied(t, trigger("2")+x)
	c.applied(t, trigger("2")+strings.Replace(x, "initiator", "affinity_mode = \"none\"\n  initiator", 1))
	c.Run(0, "taint", "kuscia_serving.x")
	c.applied(t, trigger("2")+x)
	c.Run(0, "plan", "-input=false", "-replace=kuscia_serving.x", "-refresh=false")

	// Moves.
	c.applied(t, ofAlice("y", c.a, c.one, prefix, "")+"moved {\n  from = kuscia_serving.x\n  to   = kuscia_serving.y\n}\n")
	c.applied(t, ofAlice("y", c.a, c.one, prefix, "count = 1"))
	c.applied(t, ofAlice("y", c.a, c.one, prefix, `for_each = toset(["k"])`)+"moved {\n  from = kuscia_serving.y[0]\n  to   = kuscia_serving.y[\"k\"]\n}\n")
	c.Write("m/main.tf", "variable \"id\" {}\n"+strings.Replace(ofAlice("y", "ID", c.one, prefix, ""), `"ID"`, "var.id", 1))
	c.Write("main.tf", fmt.Sprintf("module \"m\" {\n  source = \"./m\"\n  id = %q\n}\nmoved {\n  from = kuscia_serving.y[\"k\"]\n  to = module.m.kuscia_serving.y\n}\n", c.a))
	c.Run(0, "get")
	c.Apply()
	c.Plan(acctest.PlanEmpty)

	// Another resource takes over the id without a moved block: the plan is
	// legal, and only the apply can determine whether the old serving is deleted
	// in time.
	c.Write("main.tf", ofAlice("z", c.a, c.one, prefix, "")+ofAlice("w", c.b, c.other, prefix, ""))
	if plan := c.Plan(acctest.PlanDiffers); !strings.Contains(plan, "2 to add, 0 to change, 1 to destroy") {
		t.Errorf("the plan is\n%s", plan)
	}
}

// TestAccServing_createBeforeDestroy: the error describes why the id is in use.
func TestAccServing_createBeforeDestroy(t *testing.T) {
	c := newClash(t)
	c.Init()
	c.DestroyAtEnd()
	config := func(affinity string) string {
		return ofAlice("x", c.a, c.one, "", fmt.Sprintf("affinity_mode = %q\n  lifecycle {\n    create_before_destroy = true\n  }", affinity))
	}
	c.applied(t, config("none"))
	c.Write("main.tf", config("affinity"))
	said := acctest.Plain(c.Run(1, "apply", "-auto-approve", "-input=false"))
	if !strings.Contains(said, "already exists") || !strings.Contains(said, "remove create_before_destroy") {
		t.Errorf("the apply says\n%s", said)
	}
}

// TestAccServing_createBeforeDestroyAdopts: a serving that its own replacement
// adopted is not deleted as the old one.
func TestAccServing_createBeforeDestroyAdopts(t *testing.T) {
	c := newClash(t)
	c.Write("provider.tf", acctest.ProviderBlock(map[string]any{"adopt_existing": true}))
	c.Init()
	c.DestroyAtEnd()
	config := ofAlice("x", c.a, c.one, "", "lifecycle {\n    create_before_destroy = true\n  }")
	c.applied(t, config)
	said := acctest.Plain(c.Run(0, "apply", "-auto-approve", "-input=false", "-replace=kuscia_serving.x"))
	if !strings.Contains(said, "was not deleted") {
		t.Errorf("the apply says\n%s", said)
	}
	c.Plan(acctest.PlanEmpty)
}

// TestAccServing_createBeforeDestroyAdoptsAppImage: the app image of a serving
// with create_before_destroy inherits it, and is not deleted either.
func TestAccServing_createBeforeDestroyAdoptsAppImage(t *testing.T) {
	c := newClash(t)
	c.Write("provider.tf", acctest.ProviderBlock(map[string]any{"adopt_existing": true}))
	c.Init()
	c.DestroyAtEnd()
	config := fmt.Sprintf(`
resource "kuscia_app_image" "own" {
  name             = "%s-own"
  image            = { name = "example/app", tag = "1" }
  deploy_templates = [{ name = "app", containers = [{ name = "app" }] }]
}
`, c.a) + strings.Replace(ofAlice("x", c.a, c.one, "", "lifecycle {\n    create_before_destroy = true\n  }"), fmt.Sprintf("%q", c.one), "kuscia_app_image.own.name", 1)
	c.applied(t, config)
	said := acctest.Plain(c.Run(0, "apply", "-auto-approve", "-input=false", "-replace=kuscia_app_image.own"))
	if !strings.Contains(said, "was not deleted") {
		t.Errorf("the apply says\n%s", said)
	}
	c.Plan(acctest.PlanEmpty)
}
