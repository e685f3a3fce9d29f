package serving_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccServing_unknown sets every attribute, including nested ones and whole
// lists, from a value that is known only after apply, for a create and for an
// update. Terraform itself checks that the result is as planned.
func TestAccServing_unknown(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestPropertyUnknown", "TestLife"))
	e := newEnv(t)
	image := e.AppImage()
	other := e.AppImage(func(i *kuscia.AppImage) { i.Image.Tag = "0.3.0b0" })
	id, prefix := e.Name("id"), e.Name("prefix")

	// values become known, at first and after the edit.
	values := func(edited bool) string {
		n, tag := "1", image
		if edited {
			n, tag = "2", other
		}
		party := attrs{"app_image": tag, "replicas": acctest.Reference(n)}
		return acctest.Block("terraform_data", "v", attrs{"input": attrs{
			"generation": n, "id": id, "alice": "alice", "config": acctest.Reference("jsonencode({ a = " + n + " })"), "affinity": "none",
			"role": "server", "image": tag, "replicas": acctest.Reference(n), "prefix": prefix, "type": "RollingUpdate", "surge": n,
			"strategy":  attrs{"type": "RollingUpdate", "max_surge": n, "max_unavailable": "25%"},
			"cpu":       n,
			"resources": attrs{"min_cpu": "100m", "max_cpu": n}, "containers": attrs{"secretflow": attrs{"min_cpu": "100m", "max_cpu": n}},
			"party": party, "parties": attrs{"alice": party},
			"triggers": attrs{"v": n}, "wait": true, "timeouts": attrs{"create": "5m"}, "none": acctest.Reference("null"),
		}})
	}
	const v = "terraform_data.v.output."
	first := func(change func(*partyHCL)) func(*servingHCL) {
		return func(s *servingHCL) { change(&s.parties[0]) }
	}
	edits := map[string]func(*servingHCL){
		"serving_id":           func(s *servingHCL) { s.id = v + "id" },
		"initiator":            func(s *servingHCL) { s.initiator = v + "alice" },
		"serving_input_config": func(s *servingHCL) { s.config = v + "config" },
		"affinity_mode":        func(s *servingHCL) { s.affinity = v + "affinity" },
		"parties":              func(s *servingHCL) { s.partiesExpr = v + "parties" },
		"party":                func(s *servingHCL) { s.partiesExpr = "{ alice = " + v + "party }" },
		"triggers":             func(s *servingHCL) { s.config, s.triggers = `"{}"`, v+"triggers" },
		"trigger":              func(s *servingHCL) { s.config, s.triggers = `"{}"`, "{ v = "+v+"generation }" },
		"triggers_and_config":  func(s *servingHCL) { s.config, s.triggers = v+"config", v+"triggers" },
		"wait_for_rollout":     func(s *servingHCL) { s.wait = v + "wait" },
		"timeouts":             func(s *servingHCL) { s.timeouts = v + "timeouts" },
		"timeout":              func(s *servingHCL) { s.timeouts = "{ create = " + v + "timeouts.create }" },
		"none":                 func(s *servingHCL) { s.config, s.affinity, s.triggers = v+"none", v+"none", v+"none" },
		"domain_id":            first(func(p *partyHCL) { p.key, p.domain = "first", v+"alice" }),
		"role":                 first(func(p *partyHCL) { p.role = v + "role" }),
		"app_image":            first(func(p *partyHCL) { p.image = v + "image" }),
		"replicas":             first(func(p *partyHCL) { p.replicas = v + "replicas" }),
		"service_name_prefix":  first(func(p *partyHCL) { p.prefix = v + "prefix" }),
		"update_strategy":      first(func(p *partyHCL) { p.strategy = v + "strategy" }),
		"strategy_type":        first(func(p *partyHCL) { p.strategy = "{ type = " + v + "type }" }),
		"max_surge":            first(func(p *partyHCL) { p.strategy = "{ max_surge = " + v + "surge }" }),
		"strategy_none": first(func(p *partyHCL) {
			p.strategy, p.role, p.replicas = v+"none", v+"none", v+"none"
			p.resources = "resources = " + v + "none\ncontainer_resources = " + v + "none"
		}),
		"resources":           first(func(p *partyHCL) { p.resources = "resources = " + v + "resources" }),
		"container_resources": first(func(p *partyHCL) { p.resources = "container_resources = " + v + "containers" }),
		"container":           first(func(p *partyHCL) { p.resources = "container_resources = { secretflow = " + v + "resources }" }),
		"max_cpu":             first(func(p *partyHCL) { p.resources = `resources = { min_cpu = "0.1", max_cpu = ` + v + "cpu }" }),
		"several": func(s *servingHCL) {
			s.config, s.parties[0].replicas, s.parties[0].image, s.parties[0].resources = v+"config", v+"replicas", v+"image", "resources = "+v+"resources"
		},
	}
	var servings []servingHCL
	var plan []plancheck.PlanCheck
	for label, edit := range edits {
		s := alone(e, label, image).with(edit)
		servings = append(servings, s)
		plan = append(plan, plancheck.ExpectResourceAction(s.address(), plancheck.ResourceActionCreate))
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             deleted(e, servings),
		Steps: []resource.TestStep{
			{
				Config: values(false) + join(servings),
				ConfigPlanChecks: preApply(append(plan,
					plancheck.ExpectUnknownValue("kuscia_serving.parties", tfjsonpath.New("parties")),
					plancheck.ExpectUnknownValue("kuscia_serving.replicas", tfjsonpath.New("parties").AtMapKey("alice").AtMapKey("replicas")),
					plancheck.ExpectUnknownValue("kuscia_serving.max_cpu", tfjsonpath.New("parties").AtMapKey("alice").AtMapKey("resources").AtMapKey("max_cpu")),
				)...),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue("kuscia_serving.none", tfjsonpath.New("affinity_mode"), knownvalue.StringExact("anti-affinity")),
					statecheck.ExpectKnownValue("kuscia_serving.strategy_none", tfjsonpath.New("parties").AtMapKey("alice").AtMapKey("replicas"), knownvalue.Int32Exact(1)),
				},
			},
			{
				Config: values(true) + join(servings),
				ConfigPlanChecks: preApply(
					plancheck.ExpectResourceAction("kuscia_serving.replicas", plancheck.ResourceActionUpdate),
					expectChanges("kuscia_serving.replicas", "parties.alice.replicas"),
					plancheck.ExpectResourceAction("kuscia_serving.max_cpu", plancheck.ResourceActionUpdate),
					expectChanges("kuscia_serving.max_cpu", "parties.alice.resources.max_cpu", "rollout_complete"),
					plancheck.ExpectResourceAction("kuscia_serving.serving_input_config", plancheck.ResourceActionUpdate),
					expectChanges("kuscia_serving.serving_input_config", "serving_input_config", "rollout_complete"),
					plancheck.ExpectResourceAction("kuscia_serving.app_image", plancheck.ResourceActionUpdate),
					plancheck.ExpectResourceAction("kuscia_serving.triggers", plancheck.ResourceActionUpdate),
					// A party whose key is unknown may be another one.
					plancheck.ExpectResourceAction("kuscia_serving.parties", plancheck.ResourceActionReplace),
					plancheck.ExpectResourceAction("kuscia_serving.domain_id", plancheck.ResourceActionReplace),
				),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue("kuscia_serving.replicas", tfjsonpath.New("parties").AtMapKey("alice").AtMapKey("replicas"), knownvalue.Int32Exact(2)),
					statecheck.ExpectKnownValue("kuscia_serving.app_image", tfjsonpath.New("parties").AtMapKey("alice").AtMapKey("app_image"), knownvalue.StringExact(other)),
				},
			},
		},
	})
}

// TestAccServing_forEach: servings and their parties come from a map, with null
// for every optional attribute.
func TestAccServing_forEach(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	e := newEnv(t)
	image := e.AppImage()
	base := e.Name("each")
	config := func(replicas map[string]int) string {
		var entries []string
		for _, name := range []string{"one", "two", "three"} {
			if n, ok := replicas[name]; ok {
				entries = append(entries, fmt.Sprintf("%s = { alice = %d, bob = 1 }", name, n))
			}
		}
		const null = acctest.Reference("null")
		return acctest.Block("kuscia_serving", "test", attrs{
			"for_each": acctest.Reference("{ " + strings.Join(entries, ", ") + " }"), "serving_id": acctest.Reference(`"` + base + `-${each.key}"`),
			"initiator": "alice", "serving_input_config": null, "affinity_mode": null,
			"parties": acctest.Reference(`{ for domain, replicas in each.value : domain => {
    domain_id           = null
    role                = null
    app_image           = ` + quote(image) + `
    replicas            = replicas
    service_name_prefix = null
    update_strategy     = domain == "alice" ? null : { type = null, max_surge = null, max_unavailable = null }
    resources           = domain == "alice" ? null : { min_cpu = "1", max_cpu = null, min_memory = null, max_memory = null }
    container_resources = null
  } }`),
			"redeploy_triggers": null, "wait_for_rollout": null, "timeouts": null,
		})
	}
	at := func(name string) string { return fmt.Sprintf("kuscia_serving.test[%q]", name) }
	ids := []string{base + "-one", base + "-two", base + "-three"}
	// The test framework's Check, CheckDestroy and destroy cannot read for_each.
	gone := func(ids ...string) func() {
		return func() {
			if err := e.CheckServingDestroyed(ids...)(nil); err != nil {
				t.Error(err)
			}
		}
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		Steps: []resource.TestStep{
			{Config: config(map[string]int{"one": 1, "two": 1})},
			{
				Config: config(map[string]int{"two": 2, "three": 1}),
				ConfigPlanChecks: preApply(slices.Concat(
					actions(plancheck.ResourceActionDestroy, at("one")),
					actions(plancheck.ResourceActionUpdate, at("two")),
					actions(plancheck.ResourceActionCreate, at("three")),
					[]plancheck.PlanCheck{expectChanges(at("two"), "parties.alice.replicas")})...),
				PostApplyFunc: gone(ids[0]),
			},
			{Config: config(nil), PostApplyFunc: gone(ids...)},
		},
	})
}
