package serving_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// plans is the folder of the texts, with a README.
const plans = "testdata/plans/"

// addTriggers is a text of federation.tf and another one for it.
var addTriggers = [2]string{
	`  initiator  = "alice"`,
	`  initiator  = "alice"
  redeploy_triggers = { restart = "1" }
  replace_triggers  = { definition = kuscia_app_image.scores.definition_revision }`,
}

// planTexts are changes of federation.tf, the last ones of what has triggers.
var planTexts = []struct {
	name   string
	change [2]string
}{
	{"scale-one-party", [2]string{"carol = { app_image = kuscia_app_image.scores.name, replicas = 1 }", "carol = { app_image = kuscia_app_image.scores.name, replicas = 3 }"}},
	{"add-party", [2]string{"  parties = {\n", "  parties = {\n    dave = { app_image = kuscia_app_image.scores.name }\n"}},
	{"remove-party", [2]string{"    carol = { app_image = kuscia_app_image.scores.name, replicas = 1 }\n", ""}},
	{"rename-key", [2]string{"carol = { app_image", `"carol-bank" = { domain_id = "carol", app_image`}},
	{"new-tag", [2]string{`tag = "1.0"`, `tag = "1.1"`}},
	{"new-model", [2]string{"scores-1", "scores-2"}},
	{"resources-of-one-container", [2]string{`server   = { max_cpu = "4", max_memory = "4Gi" }`, `server   = { max_cpu = "4", max_memory = "8Gi" }`}},
	{"resources-in-app-image", [2]string{`memory = "2Gi"`, `memory = "3Gi"`}},
	{"new-command", [2]string{"--threads=4", "--threads=8"}},
	{"add-triggers", addTriggers},
	{"new-command-with-trigger", [2]string{"--threads=4", "--threads=8"}},
	{"restart", [2]string{`restart = "1"`, `restart = "2"`}},
}

// TestAccPlanTexts: what the CLI prints of plans, as a reviewer reads it. -update writes it
// into testdata/plans.
func TestAccPlanTexts(t *testing.T) {
	t.Parallel()
	acctest.RequireTerraformTexts(t)
	config := testfile.Read(t, plans+"federation.tf")
	e := acctest.NewSandbox(t, sandbox.Options{Domains: []string{"alice", "bob", "carol", "dave"}})
	w := e.Applied(t, config)
	for _, test := range planTexts {
		changed := strings.ReplaceAll(config, test.change[0], test.change[1])
		w.Write("main.tf", changed)
		acctest.GoldenPlan(t, plans+test.name+".txt", w.Plan(acctest.PlanDiffers))
		if test.change == addTriggers {
			config = changed
			w.Apply()
		}
	}

	imported := e.NewWorkspace(t)
	plan := imported.Generate(map[string]string{"kuscia_serving.imported": "scores"})
	acctest.GoldenPlan(t, plans+"import.txt", plan)
	acctest.Golden(t, plans+"import.tf", imported.Read("generated.tf"))
}

// TestAccPlanTextQuickstart: the first plan of the quickstart.
func TestAccPlanTextQuickstart(t *testing.T) {
	t.Parallel()
	acctest.RequireTerraformTexts(t)
	w := acctest.NewSandbox(t, sandbox.Options{}).NewWorkspace(t)
	files, err := filepath.Glob("../../../examples/quickstart/*.tf")
	if err != nil || len(files) == 0 {
		t.Fatal("no quickstart", err)
	}
	for _, file := range files {
		w.Write(filepath.Base(file), testfile.Read(t, file))
	}
	w.Init()
	acctest.GoldenPlan(t, plans+"quickstart.txt", w.Plan(acctest.PlanDiffers))
}
