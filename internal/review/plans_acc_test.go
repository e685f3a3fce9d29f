package review_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/warnings"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
)

// TestAccPlans plans every configuration of testdata, after.tf where before.tf
// was applied, and compares the review with the recorded one.
func TestAccPlans(t *testing.T) {
	t.Parallel()
	for _, name := range having(t, "after.tf") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := workspace(t, name)
			if before := optional(t, name, "before.tf"); before != "" {
				w.Write("main.tf", before)
				w.Init()
				w.DestroyAtEnd()
				w.Apply()
			}
			w.Write("main.tf", golden(t, name, "after.tf"))
			w.Init()
			log := reducedLog(t, w.Run(0, "plan", "-input=false", "-json", "-out=plan.bin"))
			recorded := reduced(t, shown(w, "plan.bin"))
			report := reviewed(t, recorded, log)
			acctest.Record(t, filepath.Join("testdata", name, "plan.log"), log)
			acctest.Record(t, filepath.Join("testdata", name, "plan.json"), recorded)
			compare(t, name, "review.md", report.Markdown())
		})
	}
}

// TestAccFailedPlan: a plan that fails either leaves no file, or one that is
// marked as failed, which is not to be applied.
func TestAccFailedPlan(t *testing.T) {
	t.Parallel()
	w := workspace(t, "failed")
	w.Write("main.tf", golden(t, "failed-plan", "failed.tf"))
	w.Init()
	log := reducedLog(t, w.Run(1, "plan", "-input=false", "-json", "-out=plan.bin"))
	if _, err := os.Stat(filepath.Join(w.Dir, "plan.bin")); err != nil {
		t.Log("the CLI writes no plan")
		return
	}
	recorded := reduced(t, shown(w, "plan.bin"))
	acctest.Record(t, "testdata/failed-plan/plan.json", recorded)
	acctest.Record(t, "testdata/failed-plan/plan.log", log)
	report := reviewed(t, recorded, log)
	if !report.Errored || !strings.Contains(report.Markdown(), "The plan failed and cannot be applied") {
		t.Errorf("the review does not say that the plan failed:\n%s", report.Markdown())
	}
}

// TestAccLogOfPlan: the log of a plan is taken for that plan, whatever its changes are, and for no other.
func TestAccLogOfPlan(t *testing.T) {
	t.Parallel()
	w := workspace(t, "changes")
	w.Write("main.tf", `
resource "terraform_data" "moved" {}
resource "terraform_data" "forgotten" {}
resource "terraform_data" "replaced" { triggers_replace = "a" }
resource "terraform_data" "updated" { input = "a" }
resource "terraform_data" "deleted" { count = 2 }
`)
	w.Init()
	w.DestroyAtEnd()
	w.Apply()
	w.Write("main.tf", `
resource "terraform_data" "here" {}
moved {
  from = terraform_data.moved
  to   = terraform_data.here
}
removed {
  from = terraform_data.forgotten
  lifecycle { destroy = false }
}
resource "terraform_data" "replaced" {
  triggers_replace = "b"
  lifecycle { create_before_destroy = true }
}
resource "terraform_data" "updated" { input = "b" }
resource "terraform_data" "deleted" { count = 1 }
resource "terraform_data" "created" {}
data "kuscia_domain" "read" {
  domain_id  = "alice"
  depends_on = [terraform_data.created]
}
output "o" { value = terraform_data.created.id }
`)
	w.Init()
	log := reducedLog(t, w.Run(0, "plan", "-input=false", "-json", "-out=plan.bin"))
	reviewed(t, shown(w, "plan.bin"), log)
	w.Run(0, "plan", "-input=false", "-json", "-out=other.bin", "-replace=terraform_data.updated")
	read, err := plan.Read(strings.NewReader(shown(w, "other.bin")))
	if err != nil {
		t.Fatal(err)
	}
	of, err := warnings.Read(strings.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	if err := review.Build(read).AddLog(of, read); err == nil || !strings.Contains(err.Error(), "the log is that of another plan") {
		t.Errorf("the log of another plan: %v", err)
	}
}

// workspace is one with a Kuscia, or a cluster for a gradual release.
func workspace(t *testing.T, name string) *acctest.Workspace {
	t.Helper()
	acctest.CLI(t)
	if name != "gradual-release" {
		return acctest.NewSandbox(t, sandbox.Options{}).NewWorkspace(t)
	}
	k := acctest.NewKubeServer(t)
	for _, image := range []string{"scores-1", "scores-2"} {
		k.AppImage(image, "example/"+image, "v1", 1)
	}
	return acctest.NewWorkspace(t, acctest.Factories(k.Variables()))
}

// reduced is a plan with what a review reads.
func reduced(t *testing.T, plan string) string {
	t.Helper()
	all := testjson.Decode[map[string]any](t, plan)
	for _, part := range []string{"planned_values", "prior_state", "variables", "relevant_attributes", "timestamp", "terraform_version"} {
		delete(all, part)
	}
	all["configuration"] = reducedConfiguration(all["configuration"].(map[string]any))
	for _, change := range all["resource_changes"].([]any) {
		change := change.(map[string]any)
		for _, side := range []string{"before", "after"} { // without what is different each time
			if object, ok := change["change"].(map[string]any)[side].(map[string]any); ok {
				delete(object, "create_time")
				delete(object, "endpoints")
			}
		}
	}
	content, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(content) + "\n"
}

// reducedLog has the diagnostics and changes of the log of a plan.
func reducedLog(t *testing.T, log string) string {
	t.Helper()
	var all []string
	for line := range strings.Lines(log) {
		if !strings.HasPrefix(line, "{") {
			continue
		}
		entry := testjson.Decode[map[string]any](t, line)
		switch entry["type"] {
		case "diagnostic":
			delete(entry["diagnostic"].(map[string]any), "snippet")
		case "planned_change", "change_summary", "resource_drift":
		default:
			continue
		}
		delete(entry, "@timestamp")
		all = append(all, strings.TrimSpace(testjson.Encode(t, entry))+"\n")
	}
	slices.Sort(all) // the CLI plans several objects at the same time
	return strings.Join(all, "")
}

// reviewed is the review of a plan with the diagnostics of its log.
func reviewed(t *testing.T, text, log string) *review.Report {
	t.Helper()
	read, err := plan.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	report := review.Build(read)
	of, err := warnings.Read(strings.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	if err := report.AddLog(of, read); err != nil {
		t.Fatal(err)
	}
	return report
}

// reducedConfiguration has the provider configurations of resources.
func reducedConfiguration(configuration map[string]any) map[string]any {
	resources := configuration["root_module"].(map[string]any)["resources"].([]any)
	for _, resource := range resources {
		maps.DeleteFunc(resource.(map[string]any), func(key string, _ any) bool {
			return !slices.Contains([]string{"address", "mode", "type", "name", "provider_config_key", "provisioners"}, key)
		})
	}
	return map[string]any{"root_module": map[string]any{"resources": resources}}
}

func build(t *testing.T, text string) *review.Report {
	t.Helper()
	read, err := plan.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return review.Build(read)
}

// shown is the JSON of a saved plan, without a warning of the CLI before it.
func shown(w *acctest.Workspace, file string) string {
	output := w.Run(0, "show", "-json", file)
	return output[max(strings.Index(output, "{"), 0):]
}
