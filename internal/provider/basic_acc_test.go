package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccProvider_noBlock: the environment alone is sufficient. It runs against
// a real Kuscia too.
func TestAccProvider_noBlock(t *testing.T) {
	t.Parallel()
	env := acctest.New(t)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.ProtoV6ProviderFactories(),
		Steps: []resource.TestStep{{
			ConfigFile:      acctest.File("status.tf"),
			ConfigVariables: config.Variables{"serving_ids": config.ListVariable(config.StringVariable("no-such-serving"))},
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue("data.kuscia_serving_status.test", tfjsonpath.New("missing_serving_ids"),
					knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact("no-such-serving")})),
			},
		}},
	})
}
