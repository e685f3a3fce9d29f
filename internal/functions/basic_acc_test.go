package functions_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// call is a call of a function of the provider.
func call(function string) acctest.Reference {
	return acctest.Reference("provider::kuscia::" + function)
}

// TestAccQuantity: the canonical form is known in the plan.
func TestAccQuantity(t *testing.T) {
	acctest.CLI(t)
	t.Parallel()
	e := acctest.New(t)
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		Steps: []resource.TestStep{{
			Config:            acctest.Output("half", call(`quantity("0.5")`)),
			ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("half", knownvalue.StringExact("500m"))},
		}},
	})
}

// TestAccQuantity_refused: errors refer to the argument.
func TestAccQuantity_refused(t *testing.T) {
	acctest.CLI(t)
	t.Parallel()
	e := acctest.New(t)
	acctest.ExpectFailure(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		Steps: []resource.TestStep{{
			Config: acctest.Output("x", call(`quantity("2 GB")`)),
		}},
	}, acctest.Failure{Messages: []string{`Invalid value for "text" parameter: "2 GB" is not a Kubernetes quantity`}})
}
