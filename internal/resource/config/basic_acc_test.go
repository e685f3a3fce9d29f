package config_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

const address = "kuscia_config.test"

func entry(key, value string) string {
	return acctest.Block("kuscia_config", "test", map[string]any{"key": key, "value": acctest.Reference(value)})
}

func testCase(e *acctest.Env, key string, steps ...resource.TestStep) resource.TestCase {
	return resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy: acctest.CheckDestroyed("entry "+key, func(ctx context.Context) error {
			value, err := e.API.QueryConfig(ctx, key)
			if err == nil && value == "" {
				return kuscia.ErrNotFound
			}
			return err
		}),
		Steps: steps,
	}
}

func TestAccConfig(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	key := e.Name("config")
	lookup := acctest.DataBlock("kuscia_config", "test", map[string]any{"key": key, "depends_on": acctest.Reference("[kuscia_config.test]")})
	resource.Test(t, testCase(e, key,
		resource.TestStep{
			Config: entry(key, `"one"`),
			ConfigPlanChecks: acctest.Planned(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate),
				plancheck.ExpectKnownValue(address, tfjsonpath.New("id"), knownvalue.StringExact(key)),
				plancheck.ExpectSensitiveValue(address, tfjsonpath.New("value")),
			),
		},
		resource.TestStep{
			ResourceName: address, ImportState: true, ImportStateId: key, Config: entry(key, `"one"`),
			ImportStateVerify: true, ImportStateVerifyIdentifierAttribute: "key",
		},
		resource.TestStep{
			Config:           entry(key, `"two"`) + lookup,
			ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue("data.kuscia_config.test", tfjsonpath.New("value"), knownvalue.StringExact("two")),
				statecheck.ExpectSensitiveValue("data.kuscia_config.test", tfjsonpath.New("value")),
			},
		},
		resource.TestStep{
			PreConfig:        e.Do(func(ctx context.Context, api *kuscia.Client) error { return api.DeleteConfig(ctx, key) }),
			Config:           entry(key, `"two"`),
			ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate)),
		},
		resource.TestStep{
			// A value known only at apply.
			Config:           acctest.Block("terraform_data", "given", map[string]any{"input": "three"}) + entry(key, "terraform_data.given.output"),
			ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate), plancheck.ExpectUnknownValue(address, tfjsonpath.New("value"))),
		},
		resource.TestStep{
			Config:      acctest.DataBlock("kuscia_config", "test", map[string]any{"key": e.Name("missing")}),
			ExpectError: regexp.MustCompile(`(?s)Kuscia\s+has\s+no\s+configuration\s+entry`),
		},
	))
}

// TestAccConfig_identity: the identity is the key.
func TestAccConfig_identity(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	key := e.Name("config")
	test := testCase(e, key,
		resource.TestStep{Config: entry(key, `"one"`), ConfigStateChecks: []statecheck.StateCheck{
			statecheck.ExpectIdentity(address, map[string]knownvalue.Check{"key": knownvalue.StringExact(key)}),
		}},
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithResourceIdentity},
	)
	test.TerraformVersionChecks = acctest.IdentityVersions
	resource.Test(t, test)
}

// TestAccConfig_oldServer: the error names the version that has the API.
func TestAccConfig_oldServer(t *testing.T) {
	t.Parallel()
	old := acctest.NewSandbox(t, sandbox.Options{Version: "v0.11.0b0"})
	acctest.ExpectFailure(t, resource.TestCase{
		ProtoV6ProviderFactories: old.ProtoV6ProviderFactories(), Steps: []resource.TestStep{{Config: entry("key", `"one"`)}},
	}, acctest.Failure{Messages: []string{`The configuration API exists since Kuscia v0\.12, and this one is v0\.11`}})
}

// TestAccConfig_generated: the configuration that Terraform generates has no
// value. It is valid and its plan is empty.
func TestAccConfig_generated(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	key := e.Name("config")
	if err := e.API.CreateConfig(t.Context(), kuscia.ConfigEntry{Key: key, Value: "theirs"}); err != nil {
		t.Fatal(err)
	}
	w := e.NewWorkspace(t)
	w.Write("main.tf", acctest.RequiredProvider+acctest.ImportInto(address, key))
	w.Init()
	if plan := w.Run(0, "plan", "-input=false", "-no-color", "-generate-config-out=generated.tf"); !strings.Contains(plan, "1 to import, 0 to add, 0 to change, 0 to destroy") {
		t.Errorf("the plan of the generated configuration is not empty:\n%s", plan)
	}
	w.DestroyAtEnd()
	w.Apply()
	w.Plan(acctest.PlanEmpty)
	if value, err := e.API.QueryConfig(t.Context(), key); err != nil || value != "theirs" {
		t.Errorf("the value is %q, %v", value, err)
	}
}
