package domain_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
)

// ephemeralToken is the token of a domain, with further or other attributes.
func ephemeralToken(domainID any, more attrs) string {
	attributes := attrs{"domain_id": domainID, "timeout": "5s"}
	maps.Copy(attributes, more)
	return acctest.TopLevel("ephemeral", []string{"kuscia_domain_deploy_token", "test"}, attributes)
}

// createdDomain is the ID of a domain of the same configuration.
const createdDomain = acctest.Reference("kuscia_domain.test.domain_id")

// handOver passes the token to a provisioner, which may use ephemeral values
// and writes it to a file.
var handOver = acctest.Block("terraform_data", "node", attrs{
	"depends_on": acctest.Reference("[kuscia_domain.test]"),
	`provisioner "local-exec"`: acctest.Nested{
		"command":     `printf %s "$TOKEN" > token`,
		"environment": attrs{"TOKEN": acctest.Reference("ephemeral.kuscia_domain_deploy_token.test.token")},
	},
})

// TestAccDomainDeployToken: one run creates the domain, with another provider block, and passes its
// token on. No file or output of Terraform contains the token.
func TestAccDomainDeployToken(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	acctest.RequireWriteOnly(t) // OpenTofu supports ephemeral values since the same version
	id := newID(e, "token")
	other := acctest.ProviderBlock(attrs{"alias": "other"}) +
		acctest.Block("kuscia_domain", "test", attrs{"provider": acctest.Reference("kuscia.other"), "domain_id": id})
	w := e.Initialized(t, other+ephemeralToken(createdDomain, attrs{"applying": acctest.Reference("terraform.applying")})+handOver)
	w.DestroyAtEnd()
	w.Run(0, "plan", "-input=false", "-out=plan.bin") // Terraform 1.11 does not show warnings of ephemeral resources
	output := w.Run(0, "apply", "-input=false", "plan.bin")
	tokens := tokensOf(t, e, id)
	if got := w.Read("token"); !slices.Contains(tokens, got) {
		t.Errorf("passed token %q, which is not one of the %d tokens of the domain", got, len(tokens))
	}
	for name, text := range map[string]string{
		"output": output, "state": w.Read("terraform.tfstate"), "plan": w.Run(0, "show", "-json", "plan.bin"),
	} {
		if strings.Contains(text, tokens[0]) {
			t.Errorf("the %s contains the token", name)
		}
	}
	w.Plan(acctest.PlanEmpty)
}

// TestAccDeployTokenOfDestroyedDomain: a destroy that has deleted the domain and was interrupted goes on
// as its error says.
func TestAccDeployTokenOfDestroyedDomain(t *testing.T) {
	short.LeaveOut(t, short.ShownBy("TestTokenWhereApplyingIsKnown"))
	t.Parallel()
	acctest.RequireWriteOnly(t)
	applying := attrs{"applying": acctest.Reference("terraform.applying")}
	for name, test := range map[string]struct {
		config func(id string) string
		args   []string
	}{
		"refresh":  {func(id string) string { return ephemeralToken(id, nil) }, []string{"-refresh=false"}},
		"applying": {func(id string) string { return ephemeralToken(id, applying) }, nil},
		"removed":  {func(string) string { return "" }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := acctest.New(t)
			id := newID(e, "token")
			domain := acctest.Block("kuscia_domain", "test", attrs{"domain_id": id}) + acctest.Block("terraform_data", "node", nil)
			w := e.Initialized(t, domain)
			w.Run(0, "apply", "-input=false", "-auto-approve")
			protocol.NoError(t, e.API.DeleteDomain(t.Context(), id))
			w.Write("main.tf", domain+ephemeralToken(id, nil))
			said := w.Run(1, "destroy", "-input=false", "-auto-approve")
			protocol.Says(t, "the destroy", strings.Join(strings.Fields(said), " "), "Kuscia has no domain", "To go on with a destroy")
			w.Write("main.tf", domain+test.config(id))
			w.Run(0, append([]string{"destroy", "-input=false", "-auto-approve"}, test.args...)...)
		})
	}
}
