package examplestest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// managed is a resource's example in a folder in which the CLI works.
type managed struct {
	example

	w *acctest.Workspace
	// address is the resource, and others are the ids of the example's other
	// resources by their addresses.
	address string
	others  map[string]string
}

// manage applies a resource's example to a Kuscia.
func manage(t *testing.T, env *acctest.Env, e example, variables, address string, others map[string]string) *managed {
	t.Helper()
	return manageIn(t, workspace(t, env, e), e, variables, address, others)
}

// manageIn applies a resource's example in a workspace with its files.
func manageIn(t *testing.T, w *acctest.Workspace, e example, variables, address string, others map[string]string) *managed {
	t.Helper()
	m := &managed{example: e, w: w, address: address, others: others}
	if variables != "" {
		m.w.Write("terraform.tfvars", variables)
	}
	m.w.Init()
	m.w.Apply()
	m.w.Plan(acctest.PlanEmpty)
	return m
}

// importAll imports in every way, and then destroys what there is.
func (m *managed) importAll(t *testing.T) {
	t.Helper()
	if m.importIdentity == "" {
		t.Error("the example does not show the import by identity")
	}
	m.imports(t)
	m.w.Run(0, "destroy", "-auto-approve")
}

// imports imports the resource as the example's command says, then everything
// with blocks, by id and where the resource has one and the CLI can by identity. It
// changes nothing.
func (m *managed) imports(t *testing.T) {
	t.Helper()
	if m.importCommand == "" || m.importBlock == "" {
		t.Fatal("the example does not show the import by command and by block")
	}
	before := m.attributes(t)
	m.try(t, "state", "rm", m.address)
	m.try(t, "import", "-input=false", m.address, m.commandID(t, m.address))
	if after := m.attributes(t); !reflect.DeepEqual(before, after) {
		t.Errorf("imported is\n%v\nwhich was\n%v", after, before)
	}
	blocks := []string{m.importBlock}
	if m.importIdentity != "" && acctest.HasImportByIdentity(t) {
		blocks = append(blocks, m.importIdentity)
	}
	for _, block := range blocks {
		m.importWith(t, block)
	}
}

// importWith forgets everything and imports it with a block of the example, and
// one for each other resource.
func (m *managed) importWith(t *testing.T, file string) {
	t.Helper()
	others := slices.Sorted(maps.Keys(m.others))
	m.try(t, append([]string{"state", "rm", m.address}, others...)...)
	blocks := string(m.read(t, file))
	for _, other := range others {
		blocks += acctest.ImportInto(other, m.others[other])
	}
	m.w.Write("imports.tf", blocks)
	expectIn(t, m.w.Run(0, "apply", "-auto-approve"), fmt.Sprintf("%d imported, 0 added, 0 changed, 0 destroyed.", 1+len(others)))
	m.w.Plan(acctest.PlanEmpty)
	m.w.Write("imports.tf", "")
}

// try runs a command of the CLI whose options stand before its arguments.
func (m *managed) try(t *testing.T, arguments ...string) {
	t.Helper()
	if output, code := m.w.Try(arguments...); code != 0 {
		t.Fatalf("%v ends with %d:\n%s", arguments, code, output)
	}
}

// onlyTerraforms are attributes that no import can know.
var onlyTerraforms = []string{"follow_app_image", "redeploy_triggers", "timeouts", "wait_for_rollout", "progress_deadline", "affinity_mode", "wait_for_ready", "wait_for_deploy_token", "rollout_complete", "wait_for_healthy", "revision", "triggers"}

// attributes are those of the resource in the state, but for what only
// Terraform knows.
func (m *managed) attributes(t *testing.T) map[string]any {
	t.Helper()
	var state struct {
		Values struct {
			RootModule struct {
				Resources []struct {
					Address string
					Values  map[string]any
				}
			} `json:"root_module"`
		}
	}
	if err := json.Unmarshal([]byte(strings.TrimSpace(m.w.Run(0, "show", "-json"))), &state); err != nil {
		t.Fatal(err)
	}
	for _, resource := range state.Values.RootModule.Resources {
		if resource.Address == m.address {
			maps.DeleteFunc(resource.Values, func(name string, value any) bool { return slices.Contains(onlyTerraforms, name) || isUnset(value) })
			return resource.Values
		}
	}
	t.Fatalf("%s is not in the state", m.address)
	return nil
}

// isUnset reports whether a value is null or what it is without a configuration: settings
// of the provider are false and empty after an import.
func isUnset(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case bool:
		return !value
	case map[string]any:
		return len(value) == 0
	}
	return false
}
