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
			recorded := reduced(t, shown(w))
			report := reviewed(t, recorded, log)
			if log != "" {
				acctest.Record(t, filepath.Join("testdata", name, "plan.log"), log)
			}
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
	recorded := reduced(t, shown(w))
	acctest.Record(t, "testdata/failed-plan/plan.json", recorded)
	acctest.Record(t, "testdata/failed-plan/plan.log", log)
	report := reviewed(t, recorded, log)
	if !report.Errored || !strings.Contains(report.Markdown(), "The plan failed and cannot be applied") {
		t.Errorf("the review does not say that the plan failed:\n%s", report.Markdown())
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

// reducedLog has the diagnostics of the log of a plan; "" without any.
func reducedLog(t *testing.T, log string) string {
	t.Helper()
	var all []string
	for line := range strings.Lines(log) {
		if !strings.HasPrefix(line, "{") {
			continue
		}
		entry := testjson.Decode[map[string]any](t, line)
		if entry["type"] != "diagnostic" {
			continue
		}
		delete(entry, "@timestamp")
		delete(entry["diagnostic"].(map[string]any), "snippet")
		all = append(all, strings.TrimSpace(testjson.Encode(t, entry))+"\n")
	}
	slices.Sort(all) // the CLI plans several objects at the same time
	return strings.Join(all, "")
}

// reviewed is the review of a plan with the diagnostics of its log.
func reviewed(t *testing.T, text, log string) *review.Report {
	t.Helper()
	report := build(t, text)
	all, err := warnings.Read(strings.NewReader(`{"@level":"info","type":"version"}` + "\n" + log))
	if err != nil {
		t.Fatal(err)
	}
	report.AddDiagnostics(all)
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

// shown is the JSON of the saved plan, without a warning of the CLI before it.
func shown(w *acctest.Workspace) string {
	output := w.Run(0, "show", "-json", "plan.bin")
	return output[max(strings.Index(output, "{"), 0):]
}
