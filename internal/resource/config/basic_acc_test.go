package config_test

import (
	"context"
	"fmt"
	"regexp"
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

// object is an entry with the value "one".
func object(key string) acctest.Object {
	return acctest.Object{
		Address: address, Config: entry(key, `"one"`), ID: key, Identity: map[string]string{"key": key},
		Create: func(ctx context.Context, api *kuscia.Client) error {
			return api.CreateConfig(ctx, kuscia.ConfigEntry{Key: key, Value: "theirs"})
		},
		Query: func(ctx context.Context, api *kuscia.Client) (any, error) {
			value, err := api.QueryConfig(ctx, key)
			if err == nil && value == "" {
				err = kuscia.ErrNotFound
			}
			return value, err
		},
		Delete: func(ctx context.Context, api *kuscia.Client) error { return api.DeleteConfig(ctx, key) },
		Unchanged: func(ctx context.Context, api *kuscia.Client) error {
			value, err := api.QueryConfig(ctx, key)
			if err == nil && value != "theirs" {
				err = fmt.Errorf("the value is %q", value)
			}
			return err
		},
	}
}

// TestAccConfig_object: the generated configuration has no value.
func TestAccConfig_object(t *testing.T) {
	t.Parallel()
	acctest.TestObject(t, acctest.New, func(e *acctest.Env) acctest.Object { return object(e.Name("config")) })
}

func TestAccConfig(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	key := e.Name("config")
	lookup := acctest.DataBlock("kuscia_config", "test", map[string]any{"key": key, "depends_on": acctest.Reference("[kuscia_config.test]")})
	resource.Test(t, e.TestCase(object(key),
		resource.TestStep{
			Config: entry(key, `"one"`),
			ConfigPlanChecks: acctest.Planned(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate),
				plancheck.ExpectKnownValue(address, tfjsonpath.New("id"), knownvalue.StringExact(key)),
				plancheck.ExpectSensitiveValue(address, tfjsonpath.New("value")),
			),
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
			PreConfig:        e.Do(object(key).Delete),
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

// TestAccConfig_oldServer: the error names the version that has the API.
func TestAccConfig_oldServer(t *testing.T) {
	t.Parallel()
	old := acctest.NewSandbox(t, sandbox.Options{Version: "v0.11.0b0"})
	acctest.ExpectFailure(t, resource.TestCase{
		ProtoV6ProviderFactories: old.ProtoV6ProviderFactories(), Steps: []resource.TestStep{{Config: entry("key", `"one"`)}},
	}, acctest.Failure{Messages: []string{`The configuration API needs Kuscia v0\.12 or later, and this one is v0\.11`}})
}
