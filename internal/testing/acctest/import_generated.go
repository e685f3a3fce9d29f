package acctest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// ImportGenerated imports objects, by the addresses of their resources, with
// the configuration that the CLI generates. That is valid and changes nothing,
// and the plan after the import is empty. It returns the plan of the import. At
// the end of the test everything is destroyed.
func (e *Env) ImportGenerated(t *testing.T, ids map[string]string) (w *Workspace, plan string) {
	t.Helper()
	w = e.NewWorkspace(t)
	return w, w.ImportGenerated(ids)
}

// Generate writes import blocks for objects, by the addresses of their resources, and lets
// the CLI generate their configuration in generated.tf. It returns the plan. Previews of
// Terraform 1.17 need the provider in the blocks; with the generated resources it is an
// error. OpenTofu writes keys as alice/server without quotes (its issue 3978), which a user
// has to add before the plan.
func (w *Workspace) Generate(ids map[string]string) (plan string) {
	w.t.Helper()
	imports, generating := RequiredProvider, RequiredProvider
	for address, id := range ids {
		imports += ImportInto(address, id)
		generating += block("import", map[string]any{"to": Reference(address), "id": id, "provider": Reference("kuscia")})
	}
	w.Write("main.tf", generating)
	w.Init()
	plan, code := w.Try("plan", "-input=false", "-no-color", "-generate-config-out=generated.tf")
	w.Write("main.tf", imports)
	if code == 0 {
		return plan
	}
	generated := w.Read("generated.tf")
	quoted := unquotedKey.ReplaceAllString(generated, `$1"$2/$3" = `)
	if quoted == generated {
		w.t.Fatalf("the plan ends with %d:\n%s", code, plan)
	}
	w.Write("generated.tf", quoted)
	return w.Run(0, "plan", "-input=false")
}

// unquotedKey is a key of OpenTofu that is no identifier.
var unquotedKey = regexp.MustCompile(`(?m)^( +)([a-z0-9-]+) / ([a-z0-9-]+) = `)

// ImportGenerated is Env.ImportGenerated in a new workspace.
func (w *Workspace) ImportGenerated(ids map[string]string) (plan string) {
	w.t.Helper()
	plan = w.Generate(ids)
	if want := fmt.Sprintf("%d to import, 0 to add, 0 to change, 0 to destroy", len(ids)); !strings.Contains(plan, want) {
		w.t.Errorf("the plan of the generated configuration changes something:\n%s\n%s", plan, w.Read("generated.tf"))
	}
	w.Run(0, "validate")
	w.DestroyAtEnd()
	w.Apply()
	w.Plan(PlanEmpty)
	return plan
}
