package examplestest_test

import (
	"context"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// testRedeployAction changes the app image, which restarts the serving.
func testRedeployAction(t *testing.T, e example) {
	env := fixedNames(t)
	requests := env.CountRequests()
	changed := e.folder(t, e.configuration, strings.NewReplacer(`"0.8.0b0"`, `"0.9.0b0"`).Replace)
	run(t, env.ProtoV6ProviderFactories(), resource.TestCase{
		// Skips with this reason: Terraform has actions from 1.14 on, OpenTofu
		// has none.
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_14_0)},
		CheckDestroy:           env.CheckServingDestroyed("glm"),
		Steps: []resource.TestStep{
			e.apply(t),
			{
				PreConfig:       requests.Start,
				ConfigDirectory: config.StaticDirectory(changed),
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction("kuscia_serving.glm", plancheck.ResourceActionNoop)},
					PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
				Check: requests.Expect(acctest.PathServingUpdate, 1),
			},
		},
	})
}

// testMoving takes over what another provider has made, without a change.
func testMoving(t *testing.T, e example) {
	env := fixedNames(t)
	makeAppImage(t, env, "glm")
	requests := env.CountRequests()
	step := func(name string) resource.TestStep {
		file := path.Join(e.dir, name)
		if !slices.Contains(e.configuration, file) {
			t.Fatalf("no %s", file)
		}
		dir := e.folder(t, []string{file}, strings.NewReplacer("Mastercard/restapi", namespace+"/restapi").Replace)
		return resource.TestStep{ConfigDirectory: config.StaticDirectory(dir)}
	}
	after := step("main.tf")
	after.PreConfig = requests.Start
	after.ConfigPlanChecks = resource.ConfigPlanChecks{
		PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction("kuscia_serving.glm", plancheck.ResourceActionNoop)},
		PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
	}
	after.Check = requests.ExpectNoWrites()
	factories := maps.Clone(env.ProtoV6ProviderFactories())
	factories["restapi"] = env.RESTProvider()
	run(t, factories, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		CheckDestroy:           env.CheckServingDestroyed("glm"),
		Steps:                  []resource.TestStep{step("before/main.tf"), after},
	})
}

// testUnknownKeys: a typo within a party is dropped by the CLI without a word,
// and found by the precondition, which knows every attribute that there is.
func testUnknownKeys(t *testing.T, e example) {
	env := fixedNames(t)
	makeAppImage(t, env, "secretflow-serving")
	p := newProject(t, at(env), e)
	p.init(t)
	p.run(t, 0, "apply", "-no-color", "-auto-approve")
	p.run(t, 0, "plan", "-no-color", "-detailed-exitcode")

	const bob = `bob   = { app_image = "secretflow-serving", replicas = 2 }`
	p.replace(t, bob, strings.Replace(bob, "replicas", "replica", 1))
	expectIn(t, p.run(t, 1, "plan", "-no-color"), "A party has attributes that kuscia_serving does not know: replica.")
	p.replace(t, "length(setsubtract(keys(party), local.party_keys)) == 0]", "true]")
	expectIn(t, p.run(t, 0, "plan", "-no-color"), "~ replicas = 2 -> 1")
	p.run(t, 0, "destroy", "-no-color", "-auto-approve")

	schemas := p.run(t, 0, "providers", "schema", "-json")
	var schema struct {
		Providers map[string]struct {
			Resources map[string]struct {
				Block struct {
					Attributes map[string]struct {
						Nested struct {
							Attributes map[string]struct{ Optional, Required bool }
						} `json:"nested_type"`
					}
				}
			} `json:"resource_schemas"`
		} `json:"provider_schemas"`
	}
	if err := json.Unmarshal([]byte(schemas), &schema); err != nil {
		t.Fatal(err)
	}
	for _, provider := range schema.Providers {
		var known []string
		for name, attribute := range provider.Resources["kuscia_serving"].Block.Attributes["parties"].Nested.Attributes {
			if attribute.Optional || attribute.Required {
				known = append(known, name)
			}
		}
		slices.Sort(known)
		if text := `["` + strings.Join(known, `", "`) + `"]`; !strings.Contains(string(e.read(t, "unknown-keys/main.tf")), text) {
			t.Errorf("a party has %s, which the example does not say", text)
		}
	}
	if len(schema.Providers) != 1 {
		t.Errorf("%d providers", len(schema.Providers))
	}
}

// testAutoscaler: what somebody else makes of the number of pods is no
// difference, and no other change takes it back.
func testAutoscaler(t *testing.T, e example) {
	env := fixedNames(t)
	makeAppImage(t, env, "secretflow-serving")
	p := newProject(t, at(env), e)
	p.init(t)
	p.run(t, 0, "apply", "-no-color", "-auto-approve")
	five := int32(5)
	env.Do(func(ctx context.Context, api *kuscia.Client) error {
		return api.UpdateServing(ctx, &kuscia.UpdateServingRequest{ServingID: "glm", Parties: []kuscia.ServingParty{{DomainID: "bob", Replicas: &five}}})
	})()
	waitPods(t, env, "glm", "bob", five)
	p.run(t, 0, "plan", "-no-color", "-detailed-exitcode")

	p.replace(t, "glm-1", "glm-2")
	p.run(t, 0, "apply", "-no-color", "-auto-approve")
	serving, err := env.API.QueryServing(t.Context(), "glm")
	if err != nil {
		t.Fatal(err)
	}
	for _, party := range serving.Parties {
		if want := map[string]int32{"alice": 2, "bob": 5}[party.DomainID]; party.Replicas == nil || *party.Replicas != want {
			t.Errorf("%s has %v replicas, want %d", party.DomainID, party.Replicas, want)
		}
	}
	p.run(t, 0, "plan", "-no-color", "-detailed-exitcode")
	p.run(t, 0, "destroy", "-no-color", "-auto-approve")
}
