package datasource_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

const variable = `
variable "secret" {
  type      = string
  sensitive = true
  ephemeral = true
}
`

const planted = "planted-password-51c7"

// TestAccDataSource_secrets: a password in the write-only form is in no state
// file, plan and log, at any level; a folder's configuration is generated.
func TestAccDataSource_secrets(t *testing.T) {
	t.Parallel()
	acctest.RequireTerraform(t, tfversion.Version1_11_0, "write-only attributes")
	e := acctest.NewSandbox(t, sandbox.Options{Autonomy: "alice"})
	w := e.NewWorkspace(t)
	w.Write("main.tf", acctest.RequiredProvider+variable+acctest.Block("kuscia_domain_data_source", "hidden", map[string]any{
		"domain_id": "alice", "type": "mysql", "database": map[string]any{
			"endpoint": "db.example:3306", "user": "u", "password_wo": acctest.Reference("var.secret"), "password_wo_version": 1,
		},
	}))
	w.Write("terraform.tfvars", fmt.Sprintf("secret = %q\n", planted))
	w.Init()
	w.DestroyAtEnd()
	w.Apply()
	w.Plan(acctest.PlanEmpty)
	w.Run(0, "plan", "-input=false", "-out=again.tfplan")
	state := w.Read("terraform.tfstate")
	if !strings.Contains(state, "db.example:3306") {
		t.Fatal("the state has nothing; looking for secrets in it shows nothing")
	}
	if strings.Contains(state+w.Run(0, "show", "-json", "again.tfplan"), planted) {
		t.Error("the password is in the state or in the plan")
	}

	w.Write("import.tf", acctest.ImportInto("kuscia_domain_data_source.default", "alice/default-data-source"))
	if plan := w.Run(0, "plan", "-input=false", "-no-color", "-generate-config-out=generated.tf"); !strings.Contains(plan, "1 to import, 0 to add, 0 to change, 0 to destroy") {
		t.Errorf("the generated configuration changes something:\n%s", plan)
	}
}
