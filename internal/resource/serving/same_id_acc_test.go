package serving_test

import (
	"cmp"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// ofAlice is a serving of alice; prefix is HCL or empty.
func ofAlice(label, id, image, prefix string, changes ...func(*servingHCL)) string {
	s := servingHCL{label: label, id: quote(id), initiator: `"alice"`, parties: []partyHCL{{domain: `"alice"`, image: quote(image), prefix: cmp.Or(prefix, `""`)}}}
	for _, change := range changes {
		change(&s)
	}
	return s.String()
}

func affinity(mode string) func(*servingHCL) {
	return func(s *servingHCL) { s.affinity = quote(mode) }
}

func lifecycle(line string) func(*servingHCL) {
	return func(s *servingHCL) { s.lifecycle = line }
}

const createFirst = "create_before_destroy = true"

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

func (c clash) applied(t *testing.T, config string, arguments ...string) {
	t.Helper()
	c.Write("main.tf", config)
	c.Run(0, append([]string{"apply", "-auto-approve", "-input=false"}, arguments...)...)
	c.Plan(acctest.PlanEmpty)
}

// TestAccServing_sameID: what only appears to be two servings is planned and
// applied.
func TestAccServing_sameID(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	c := newClash(t)
	c.DestroyAtEnd()
	prefix := quote(c.p)
	trigger := func(value string) string {
		return acctest.Block("terraform_data", "t", attrs{"input": value})
	}
	onTrigger := lifecycle("replace_triggered_by = [terraform_data.t]")

	x := ofAlice("x", c.a, c.one, prefix, onTrigger)
	c.applied(t, trigger("1")+x)
	// Replacements: with -replace, triggered, required by an attribute, tainted.
	c.applied(t, trigger("1")+x, "-replace=kuscia_serving.x")
	c.applied(t, trigger("2")+x)
	c.applied(t, trigger("2")+ofAlice("x", c.a, c.one, prefix, onTrigger, affinity("none")))
	c.Run(0, "taint", "kuscia_serving.x")
	c.applied(t, trigger("2")+x)
	c.Run(0, "plan", "-input=false", "-replace=kuscia_serving.x", "-refresh=false")

	// Moves.
	c.applied(t, ofAlice("y", c.a, c.one, prefix)+acctest.Moved("kuscia_serving.x", "kuscia_serving.y"))
	c.applied(t, ofAlice("y", c.a, c.one, prefix, func(s *servingHCL) { s.count = "1" }))
	c.applied(t, ofAlice("y", c.a, c.one, prefix, func(s *servingHCL) { s.each = `toset(["k"])` })+acctest.Moved("kuscia_serving.y[0]", `kuscia_serving.y["k"]`))
	c.Write("m/main.tf", acctest.Variable("id", nil)+ofAlice("y", "", c.one, prefix, func(s *servingHCL) { s.id = "var.id" }))
	c.Write("main.tf", acctest.TopLevel("module", []string{"m"}, attrs{"source": "./m", "id": c.a})+acctest.Moved(`kuscia_serving.y["k"]`, "module.m.kuscia_serving.y"))
	c.Run(0, "get")
	c.Apply()
	c.Plan(acctest.PlanEmpty)

	// Another resource takes over the id without a moved block: the plan is
	// legal, and only the apply can determine whether the old serving is deleted
	// in time.
	c.Write("main.tf", ofAlice("z", c.a, c.one, prefix)+ofAlice("w", c.b, c.other, prefix))
	if plan := c.Plan(acctest.PlanDiffers); !strings.Contains(plan, "2 to add, 0 to change, 1 to destroy") {
		t.Errorf("the plan is\n%s", plan)
	}
}

// TestAccServing_createBeforeDestroy: the error describes why the id is in use.
func TestAccServing_createBeforeDestroy(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	c := newClash(t)
	c.DestroyAtEnd()
	config := func(mode string) string {
		return ofAlice("x", c.a, c.one, "", affinity(mode), lifecycle(createFirst))
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
	acctest.SkipShort(t, acctest.RareCase)
	c := newClash(t)
	c.Write("provider.tf", acctest.ProviderBlock(map[string]any{"adopt_existing": true}))
	c.Init()
	c.DestroyAtEnd()
	config := ofAlice("x", c.a, c.one, "", lifecycle(createFirst))
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
	acctest.SkipShort(t, acctest.RareCase)
	c := newClash(t)
	c.Write("provider.tf", acctest.ProviderBlock(map[string]any{"adopt_existing": true}))
	c.Init()
	c.DestroyAtEnd()
	config := acctest.AppImageBlock{Label: "own", Name: c.a + "-own"}.String() +
		ofAlice("x", c.a, "", "", lifecycle(createFirst), func(s *servingHCL) { s.parties[0].image = "kuscia_app_image.own.name" })
	c.applied(t, config)
	said := acctest.Plain(c.Run(0, "apply", "-auto-approve", "-input=false", "-replace=kuscia_app_image.own"))
	if !strings.Contains(said, "was not deleted") {
		t.Errorf("the apply says\n%s", said)
	}
	c.Plan(acctest.PlanEmpty)
}
