package examplestest_test

import (
	"os"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// testAppImageList queries as the example says and imports what is found.
func testAppImageList(t *testing.T, e example) {
	acctest.RequireTerraform(t, tfversion.Version1_14_0, "terraform query")
	env := fixedNames(t)
	for _, name := range []string{"secretflow-1", "secretflow-2", "other"} {
		makeAppImage(t, env, name)
	}
	w := workspace(t, env, e)
	w.Write("provider.tf", acctest.RequiredProvider+acctest.ProviderBlock(nil))
	w.Init()
	output := w.Run(0, "query", "-generate-config-out=app_images.tf")
	if !strings.Contains(output, "secretflow-1") || !strings.Contains(output, "secretflow-2") || strings.Contains(output, "other") {
		t.Errorf("found:\n%s", output)
	}
	if plan := w.Plan(acctest.PlanDiffers); !strings.Contains(plan, "2 to import, 0 to add, 0 to change, 0 to destroy") {
		t.Errorf("the generated configuration changes something:\n%s", plan)
	}
	w.DestroyAtEnd()
	w.Apply()
	w.Plan(acctest.PlanEmpty)
}

// testImportServings imports the one serving that is there, is warned of the
// other, and imports that as well once it is there.
func testImportServings(t *testing.T, e example) {
	env := fixedNames(t)
	makeAppImage(t, env, "secretflow-serving")
	create := func(id string, replicas int32, domains ...string) {
		t.Helper()
		request := &kuscia.CreateServingRequest{ServingID: id, Initiator: domains[0], ServingInputConfig: "made by hand"}
		for _, domain := range domains {
			request.Parties = append(request.Parties, kuscia.ServingParty{DomainID: domain, AppImage: "secretflow-serving", Replicas: &replicas})
		}
		if err := env.API.CreateServing(t.Context(), request); err != nil {
			t.Fatal(err)
		}
	}
	create("glm", 2, "alice", "bob")
	w := workspace(t, env, e)
	w.Init()
	w.Run(0, "validate")

	requests := env.CountRequests()
	plan := w.Plan(acctest.PlanDiffers)
	if !strings.Contains(plan, "1 to import, 1 to add, 0 to change, 0 to destroy") {
		t.Errorf("one serving is there and one is not:\n%s", plan)
	}
	if !strings.Contains(plan, "Not in Kuscia, and would be created: xgb.") {
		t.Errorf("the plan does not warn of the serving that is not there:\n%s", plan)
	}
	if n := requests.Since(acctest.PathServingStatus); n != 1 {
		t.Errorf("%d requests tell which servings are there, want one for all", n)
	}

	create("xgb", 1, "alice")
	plan = w.Plan(acctest.PlanDiffers)
	if !strings.Contains(plan, "2 to import, 0 to add, 0 to change, 0 to destroy") || strings.Contains(plan, "Not in Kuscia") {
		t.Errorf("both servings are there:\n%s", plan)
	}
	w.DestroyAtEnd()
	requests.Start()
	w.Apply()
	if err := requests.ExpectNoWrites()(nil); err != nil {
		t.Errorf("the import changes something: %v", err)
	}
	w.Plan(acctest.PlanEmpty)
}

// workspace is example.workspace with the provider for a test's Kuscia.
func workspace(t *testing.T, env *acctest.Env, e example) *acctest.Workspace {
	t.Helper()
	return e.workspace(t, env.ProtoV6ProviderFactories())
}

// workspace is a folder with the files of the example, and the provider of factories.
func (e example) workspace(t *testing.T, factories providers) *acctest.Workspace {
	t.Helper()
	w := acctest.NewWorkspace(t, factories)
	for _, file := range append(e.configuration, e.queries...) {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		w.Write(file[strings.LastIndex(file, "/")+1:], string(content))
	}
	return w
}
