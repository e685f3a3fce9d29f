package functions_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// call is a call of a function of the provider.
func call(function string) acctest.Reference {
	return acctest.Reference("provider::kuscia::" + function)
}

// TestAccServingEndpoint: in one apply, the addresses are unknown before the
// serving exists, and known afterwards.
func TestAccServingEndpoint(t *testing.T) {
	acctest.CLI(t)
	t.Parallel()
	e := acctest.New(t)
	id := e.Name("address")
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             e.CheckServingDestroyed(id),
		Steps: []resource.TestStep{{
			Config: acctest.Output("service", call(`serving_endpoint(kuscia_serving.test.endpoints, "alice", null, "service")`)) +
				acctest.Output("absent", map[string]any{"address": call(`serving_endpoint(kuscia_serving.test.endpoints, "alice", null, "other")`)}) +
				acctest.Output("half", call(`quantity("0.5")`)) + acctest.Block("kuscia_serving", "test", map[string]any{
				"serving_id": id, "initiator": "alice", "parties": []any{map[string]any{"domain_id": "alice", "app_image": e.AppImage()}},
			}),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply:             []plancheck.PlanCheck{plancheck.ExpectUnknownOutputValue("service")},
				PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			},
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownOutputValue("service", knownvalue.StringRegexp(regexp.MustCompile(regexp.QuoteMeta(id)+`-service\.alice\.svc:\d+$`))),
				statecheck.ExpectKnownOutputValue("absent", knownvalue.ObjectExact(map[string]knownvalue.Check{"address": knownvalue.Null()})),
				statecheck.ExpectKnownOutputValue("half", knownvalue.StringExact("500m")),
			},
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
