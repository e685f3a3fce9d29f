package plantexts_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief/ieftest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// begin leaves out what the plan texts of servings show, which are made in the same way.
func begin(t *testing.T) {
	t.Helper()
	t.Parallel()
	short.LeaveOut(t, short.ShownBy("TestAccPlanTexts"))
	acctest.RequireTerraformTexts(t)
}

// changed is a configuration with other texts, each of which it has.
func changed(t *testing.T, config string, changes ...[2]string) string {
	t.Helper()
	for _, change := range changes {
		if !strings.Contains(config, change[0]) {
			t.Fatalf("the configuration has no %q", change[0])
		}
		config = strings.ReplaceAll(config, change[0], change[1])
	}
	return config
}

// without is a configuration without the resource at an address.
func without(t *testing.T, config, typeName, label string) string {
	t.Helper()
	_, after, found := strings.Cut(config, "resource \""+typeName+"\" \""+label+"\"")
	block, _, closed := strings.Cut(after, "\n}\n")
	if !found || !closed {
		t.Fatalf("the configuration has no %s.%s", typeName, label)
	}
	return changed(t, config, [2]string{"resource \"" + typeName + "\" \"" + label + "\"" + block + "\n}\n", ""})
}

// plans compares the plan of a configuration with its text.
func plans(t *testing.T, w *acctest.Workspace, name, config string) {
	t.Helper()
	w.Write("main.tf", config)
	acctest.GoldenPlan(t, "testdata/"+name+".txt", w.Plan(acctest.PlanDiffers))
}

// TestAccPlanTextsOfFederation: domains, routes, data, grants and configurations.
func TestAccPlanTextsOfFederation(t *testing.T) {
	begin(t)
	config := testfile.Read(t, "testdata/federation.tf")
	e := acctest.NewSandbox(t, sandbox.Options{Autonomy: "alice"})
	w := e.NewWorkspace(t)
	for _, certificate := range []string{"first.pem", "second.pem"} {
		w.Write(certificate, testfile.Read(t, "testdata/"+certificate))
	}
	w.Write("main.tf", config)
	w.Init()
	w.Apply()
	plans(t, w, "federation-settings", changed(t, config,
		[2]string{"use_count = 10", "use_count = 20"},
		[2]string{`{ name = "score", type = "float" }`, `{ name = "score", type = "float" }, { name = "salary", type = "float" }`},
		[2]string{"models-1", "models-2"}, [2]string{"/data/alice", "/data/other"},
		[2]string{"2026.csv", "2027.csv"}, [2]string{"retries = 1", "retries = 2"},
		[2]string{`token_gen_method    = "UID-RSA-GEN"`, `token_gen_method    = "RSA-GEN"`},
	))
	plans(t, w, "federation-access", changed(t, config,
		[2]string{`grant_domain       = "bob"`, `grant_domain       = "carol"`},
		[2]string{"port = 1080", "port = 1081"}, [2]string{"rolling_update_period = 3600", "rolling_update_period = 7200"},
	))
	plans(t, w, "federation-certificate", changed(t, config, [2]string{`"first.pem"`, `"second.pem"`}))
	plans(t, w, "federation-removed", without(t, config, "kuscia_domain_data_grant", "scores"))
}

// TestAccPlanTextsOfCluster: KusciaDeployments, and their releases.
func TestAccPlanTextsOfCluster(t *testing.T) {
	begin(t)
	config := testfile.Read(t, "testdata/cluster.tf")
	k := acctest.NewKubeServer(t)
	k.RequireKruise(t)
	k.AppImage("scores-1", "example/scores", "1.0", 1)
	k.AppImage("scores-2", "example/scores", "2.0", 1)
	w := acctest.NewWorkspace(t, acctest.Factories(k.Variables()))
	w.Write("main.tf", config)
	w.Init()
	w.Apply()
	plans(t, w, "deployment", changed(t, config, [2]string{`"scores-1"`, `"scores-2"`}, [2]string{"replicas = 2", "replicas = 3"}))
	plans(t, w, "deployment-scaled", changed(t, config, [2]string{`replicas = 1 }`, `replicas = 2 }`}))
	plans(t, w, "rollout-steps", changed(t, config, [2]string{`{ replicas = "50%" }`, `{ replicas = "25%" }, { replicas = "50%", pause = { duration = 60 } }`}, [2]string{`"Android"`, `"iOS"`}))
	plans(t, w, "rollout-style", changed(t, config, [2]string{"canary = {", "canary = {\n    enable_extra_workload_for_canary = true"}))
	released := changed(t, config, [2]string{`"scores-1"`, `"scores-2"`})
	w.Write("main.tf", released)
	w.Apply()
	plans(t, w, "rollout-approval", released+testfile.Read(t, "testdata/approval.tf"))
}

// TestAccPlanTextsOfEdge: edge deployments, by both versions of the API.
func TestAccPlanTextsOfEdge(t *testing.T) {
	begin(t)
	config := testfile.Read(t, "testdata/edge.tf")
	server := ieftest.Start(t, ief.Options{})
	w := acctest.NewWorkspace(t, acctest.Factories(server.Environment()))
	w.Write("main.tf", config)
	w.Init()
	w.Apply()
	plans(t, w, "edge-image", changed(t, config, [2]string{"agent:1.0.0", "agent:1.1.0"}, [2]string{"512Mi", "1Gi"}))
	plans(t, w, "edge-nodes", changed(t, config, [2]string{`["node-1"]`, `["node-2"]`}))
}
