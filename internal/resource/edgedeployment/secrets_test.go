package edgedeployment

import (
	"cmp"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// hiddenEnv is a variable in the write-only form.
func hiddenEnv(name, text string, version int64) tree {
	return tree{"name": name, "value_wo": text, "value_wo_version": version}
}

// TestSecrets_moved: a write-only variable keeps its value when the list around
// it changes, and one with another name gets the value of the configuration.
func TestSecrets_moved(t *testing.T) {
	t.Parallel()
	envs := func(list ...any) func(tree) { return container("envs", list) }
	prior := stored(t, minimal(envs(hiddenEnv("A", "", 1), hiddenEnv("B", "", 1))), nil)
	onServer := fromResponse(ief.Scope{Version: ief.V3}, deploymentWith("A", "a-server", "B", "b-server"), edgeDeployment.Definition.Null())
	for name, row := range map[string]struct {
		envs []any
		want map[string]string
	}{
		"as before":      {[]any{hiddenEnv("A", "a", 1), hiddenEnv("B", "b", 1)}, map[string]string{"A": "a-server", "B": "b-server"}},
		"first one gone": {[]any{hiddenEnv("B", "b", 1)}, map[string]string{"B": "b-server"}},
		"other order":    {[]any{hiddenEnv("B", "b", 1), hiddenEnv("A", "a", 1)}, map[string]string{"A": "a-server", "B": "b-server"}},
		"one before":     {[]any{tree{"name": "X", "value": "x"}, hiddenEnv("A", "a", 1), hiddenEnv("B", "b", 2)}, map[string]string{"X": "x", "A": "a-server", "B": "b"}},
		"another name":   {[]any{hiddenEnv("C", "c", 1), hiddenEnv("B", "b", 1)}, map[string]string{"C": "c", "B": "b-server"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := configured(minimal(envs(row.envs...)))
			planned := plan(config, prior, providerSettings{known: true, projectID: "p"}).Planned
			request, diags := createRequest(edgeDeployment.Definition.WithSecrets(planned, config, prior, onServer), config)
			if diags.HasError() {
				t.Fatal(diags)
			}
			for _, env := range request.Deployment.Template.Containers[0].Envs {
				if got := cmp.Or(env.Value, new("nothing")); *got != row.want[env.Name] {
					t.Errorf("%s is sent as %q, want %q", env.Name, *got, row.want[env.Name])
				}
			}
		})
	}
}

// TestSecrets_read: a variable that another client inserts before a write-only
// one does not bring the write-only value into the state.
func TestSecrets_read(t *testing.T) {
	t.Parallel()
	prior := stored(t, minimal(container("envs", []any{hiddenEnv("A", "", 1)})), nil)
	read := refresh(ief.Scope{Version: ief.V3}, deploymentWith("X", "x", "A", "secret"), prior)
	envs := definition.ElementsOf(definition.FieldsOf(definition.ElementsOf(definition.FieldsOf(read)["containers"])[0])["envs"])
	for _, env := range envs {
		fields := definition.FieldsOf(env)
		if value := definition.StringOf(fields["value"]); definition.StringOf(fields["name"]) == "A" && value != "" || value == "secret" {
			t.Errorf("the state has %s", env)
		}
	}
	if len(envs) != 2 {
		t.Errorf("%d variables in the state", len(envs))
	}
}

// TestResponse_noTemplate: a v2 response without instances does not change the
// template in the state.
func TestResponse_noTemplate(t *testing.T) {
	t.Parallel()
	state := stored(t, minimal(inV2), nil)
	scope := ief.Scope{Version: ief.V2}
	read := refresh(scope, &ief.Deployment{ID: "id-1", Name: "lite", Replicas: 1, ProjectID: "p", CreatedAt: "now", Description: "changed"}, state)
	different := edgeDeployment.Definition.Differences(state, read)
	if len(different) != 1 || !different[0].Equal(path.Root("description")) {
		t.Errorf("differs in %v", different)
	}
	if definition.StringOf(definition.FieldsOf(read)["description"]) != "changed" {
		t.Error("the description is not read")
	}
}

// deploymentWith is an answer with variables, by name and value.
func deploymentWith(envs ...string) *ief.Deployment {
	c := ief.Container{Name: "app", ImageURL: "kuscia:1"}
	for i := 0; i < len(envs); i += 2 {
		c.Envs = append(c.Envs, ief.Env{Name: envs[i], Value: &envs[i+1]})
	}
	return &ief.Deployment{
		ID: "id-1", Name: "lite", Replicas: 1, ProjectID: "p", CreatedAt: "now", NodeIDs: []string{"node-1"}, Source: "userdefined", APIVersion: string(ief.V3),
		Template: &ief.Template{Configs: ief.PodConfigs{RestartPolicy: "Always"}, Containers: []ief.Container{c}},
	}
}
