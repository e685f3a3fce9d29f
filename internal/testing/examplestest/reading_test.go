package examplestest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// readings are the examples that only read, with outputs of theirs.
var readings = map[string]map[string]any{
	"data-sources/kuscia_app_image":           {"serving_tag": "0.8.0b0"},
	"data-sources/kuscia_app_images":          {"tags": map[string]any{"glm": "0.8.0b0", "secretflow-serving-image": "0.8.0b0"}},
	"data-sources/kuscia_config":              {"bucket": "models"},
	"data-sources/kuscia_deployment":          {"pods": map[string]any{"alice/glm": "1 of 1"}},
	"data-sources/kuscia_deployments":         {},
	"data-sources/kuscia_traffic_routing":     {"routed_services": []any{"gray-service"}},
	"data-sources/kuscia_domain_data":         {"score_columns": []any{"id", "score"}},
	"data-sources/kuscia_domain_data_list":    {"own_tables": map[string]any{"scores": "scores/2026.csv"}},
	"data-sources/kuscia_domain_data_grant":   {"bob_may_use_scores": true},
	"data-sources/kuscia_domain_data_grants":  {"data_of_alice_for_bob": []any{"scores"}},
	"data-sources/kuscia_domain_data_source":  {"default_type": "localfs"},
	"data-sources/kuscia_domain_data_sources": {"alice_data_sources": []any{"default-data-source"}},
	"data-sources/kuscia_domain_route":        {"alice_to_bob": "Succeeded"},
	"data-sources/kuscia_edge_deployment":     {},
	"data-sources/kuscia_edge_deployments":    {"not_ready": []any{}},
	"data-sources/kuscia_serving":             {"glm_app_images": map[string]any{"alice": "glm", "bob": "glm"}},
	"data-sources/kuscia_serving_status":      {"not_available": map[string]any{}, "unknown_to_kuscia": []any{"xgb"}},
	"functions/quantity":                      {"memory": "2Gi"},
}

// prepareReading are what examples of other files ask for (readBy).
var prepareReading []func(t *testing.T, env *acctest.Env)

// readBy adds examples that only read from another file, with their outputs, and
// makes what they ask for.
func readBy(outputs map[string]map[string]any, prepare func(t *testing.T, env *acctest.Env)) bool {
	maps.Copy(readings, outputs)
	prepareReading = append(prepareReading, prepare)
	return true
}

// TestAccReadingExamples applies all of them at once, each as a module: one Kuscia,
// an autonomy node, and one cluster have what they ask for. A second plan is empty.
func TestAccReadingExamples(t *testing.T) {
	t.Parallel()
	acctest.CLI(t) // skips before anything is made
	env := nodeOfAlice(t)
	makeWhatIsRead(t, env)
	k := kubeWith(t, "secretflow-serving-image")
	makeObjectsToRead(k)
	fabric := edgeFabric(t, "kuscia-lite-alice")
	root := edgeProvider(fabric)
	w := acctest.NewWorkspace(t, env.OnCluster(k))
	for _, e := range findExamples(t) {
		if _, ok := readings[e.dir]; !ok {
			continue
		}
		for _, file := range e.configuration {
			w.Write(file, string(e.read(t, file)))
		}
		name := moduleName(e.dir)
		root += fmt.Sprintf("module %q {\n  source = \"./%s\"\n}\noutput %[1]q {\n  value     = module.%[1]s\n  sensitive = true\n}\n", name, e.dir)
	}
	w.Write("main.tf", versions+root)
	w.Init()
	w.Apply()
	w.Plan(acctest.PlanEmpty)

	var outputs map[string]struct{ Value map[string]any }
	if err := json.Unmarshal([]byte(w.Run(0, "output", "-json")), &outputs); err != nil {
		t.Fatal(err)
	}
	for dir, want := range readings {
		got := outputs[moduleName(dir)].Value
		for name, value := range want {
			if !reflect.DeepEqual(got[name], value) {
				t.Errorf("%s: output %s is %v, want %v", dir, name, got[name], value)
			}
		}
		if len(got) == 0 {
			t.Errorf("%s has no output", dir)
		}
	}
	if deployments, _ := outputs["kuscia_deployments"].Value["not_available"].(map[string]any); len(deployments) != 1 || deployments["xgb"] == nil {
		t.Errorf("not available are %v, want xgb", deployments)
	}
	if instances, _ := outputs["kuscia_edge_deployment"].Value["instances"].(map[string]any); len(instances) != 1 {
		t.Errorf("the edge deployment has the instances %v", instances)
	}
}

func moduleName(dir string) string { return path.Base(filepath.ToSlash(dir)) }

// makeWhatIsRead makes what the examples ask for.
func makeWhatIsRead(t *testing.T, env *acctest.Env) {
	t.Helper()
	makeAppImage(t, env, "secretflow-serving-image")
	makeServing(t, env, "glm")
	env.Sandbox.PutConfigValue("oss-credentials", `{"bucket":"models"}`)
	makeGrant(t, env)
	makeDomainData(t, env, "fraud", "model")
	if err := env.API.CreateDomainRoute(t.Context(), &kuscia.DomainRoute{
		Source: "alice", Destination: "bob", AuthenticationType: "Token",
		Endpoint: &kuscia.RouteEndpoint{Host: "gateway.bob.example", Ports: []kuscia.RoutePort{{Name: "http", Port: 1080, Protocol: "HTTP"}}},
	}); err != nil {
		t.Fatal(err)
	}
	if err := env.Sandbox.SetRouteStatus("alice", "bob", true, ""); err != nil {
		t.Fatal(err)
	}
	for _, prepare := range prepareReading {
		prepare(t, env)
	}
}

// isReading reports whether TestAccReadingExamples has an example, so that it needs
// no test of its own.
func isReading(e example) bool {
	_, ok := readings[e.dir]
	return ok
}

// missingReadings are those without files.
func missingReadings(found []example) (missing []string) {
	for dir := range readings {
		if !slices.ContainsFunc(found, func(e example) bool { return e.dir == dir }) {
			missing = append(missing, dir)
		}
	}
	return missing
}
