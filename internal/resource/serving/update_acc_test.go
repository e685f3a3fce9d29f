package serving_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// edit is a change of a serving's configuration and its expected effect.
type edit struct {
	before, after func(*servingHCL)
	// changes are the attributes that the plan shows as changed.
	changes []string
	// sent are the bodies of the update requests.
	sent []string
	// server checks the serving in Kuscia afterwards.
	server func(*kuscia.Serving) error
}

// TestAccServing_updateInPlace changes every attribute that can change in place,
// each in a serving of its own: the plan shows an update of exactly that
// attribute, the request contains nothing else, and Kuscia has it.
func TestAccServing_updateInPlace(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestPropertyEdits", "TestLife"))
	e := newEnv(t)
	image := e.AppImage()
	other := e.AppImage(func(i *kuscia.AppImage) { i.Image.Tag = "0.3.0b0" })
	party := func(change func(*partyHCL)) func(*servingHCL) {
		return func(s *servingHCL) { change(&s.parties[len(s.parties)-1]) }
	}
	bob := func(s *servingHCL) {
		s.parties = append(s.parties, partyHCL{domain: `"bob"`, image: quote(image), resources: full})
	}

	edits := map[string]edit{
		"replicas": {
			after:   party(func(p *partyHCL) { p.replicas = "3" }),
			changes: []string{"parties.alice.replicas"},
			sent:    []string{`{"parties": [{"domain_id": "alice", "replicas": 3}]}`},
			server: func(s *kuscia.Serving) error {
				return expect("replicas", *s.Parties[0].Replicas, 3)
			},
		},
		"strategy_bound": {
			after:   party(func(p *partyHCL) { p.strategy = `{ max_surge = "1" }` }),
			changes: []string{"parties.alice.update_strategy.max_surge"},
			sent:    []string{`{"parties": [{"domain_id": "alice", "update_strategy": {"type": "RollingUpdate", "max_surge": "1", "max_unavailable": "25%"}}]}`},
			server: func(s *kuscia.Serving) error {
				return expect("strategy", *s.Parties[0].UpdateStrategy, kuscia.UpdateStrategy{Type: "RollingUpdate", MaxSurge: "1", MaxUnavailable: "25%"})
			},
		},
		"strategy_type": {
			before:  party(func(p *partyHCL) { p.strategy = `{ max_unavailable = "10%" }` }),
			after:   party(func(p *partyHCL) { p.strategy = `{ type = "Recreate" }` }),
			changes: []string{"parties.alice.update_strategy.type", "parties.alice.update_strategy.max_surge", "parties.alice.update_strategy.max_unavailable"},
			sent:    []string{`{"parties": [{"domain_id": "alice", "update_strategy": {"type": "Recreate"}}]}`},
			server: func(s *kuscia.Serving) error {
				return expect("strategy", *s.Parties[0].UpdateStrategy, kuscia.UpdateStrategy{Type: "Recreate"})
			},
		},
		"app_image": {
			after:   party(func(p *partyHCL) { p.image = quote(other) }),
			changes: []string{"parties.alice.app_image", "parties.alice.image", "rollout_complete"},
			sent:    []string{`{"parties": [{"domain_id": "alice", "app_image": "` + other + `"}]}`},
			server: func(s *kuscia.Serving) error {
				return expect("app_image", s.Parties[0].AppImage, other)
			},
		},
		"resources": {
			after: party(func(p *partyHCL) {
				p.resources = `resources = { min_cpu = "500m", max_cpu = "3", min_memory = "1Gi", max_memory = "2048Mi" }`
			}),
			changes: []string{"parties.alice.resources.max_cpu", "rollout_complete"},
			sent:    []string{`{"parties": [{"domain_id": "alice", "resources": [{"container_name": "secretflow", "max_cpu": "3"}]}]}`},
			server: func(s *kuscia.Serving) error {
				return expect("resources", s.Parties[0].Resources[0], kuscia.Resource{ContainerName: "secretflow", MinCPU: "500m", MaxCPU: "3", MinMemory: "1Gi", MaxMemory: "2Gi"})
			},
		},
		"first_resources": {
			before:  party(func(p *partyHCL) { p.resources = "" }),
			after:   party(func(p *partyHCL) { p.resources = `resources = { max_cpu = "2" }` }),
			changes: []string{"parties.alice.resources", "rollout_complete"},
			sent:    []string{`{"parties": [{"domain_id": "alice", "resources": [{"container_name": "", "max_cpu": "2"}]}]}`},
			server: func(s *kuscia.Serving) error {
				return expect("resources", s.Parties[0].Resources[0], kuscia.Resource{ContainerName: "secretflow", MaxCPU: "2"})
			},
		},
		"config": {
			after:   func(s *servingHCL) { s.config = `jsonencode({ model = 2 })` },
			changes: []string{"serving_input_config", "rollout_complete"},
			sent:    []string{`{"serving_input_config": "{\"model\":2}"}`},
			server: func(s *kuscia.Serving) error {
				return expect("config", s.ServingInputConfig, `{"model":2}`)
			},
		},
		"first_config": {
			before:  func(s *servingHCL) { s.config = "" },
			after:   func(s *servingHCL) { s.config = `"plain text"` },
			changes: []string{"serving_input_config", "rollout_complete"},
			sent:    []string{`{"serving_input_config": "plain text"}`},
			server: func(s *kuscia.Serving) error {
				return expect("config", s.ServingInputConfig, "plain text")
			},
		},
		"second_party": {
			before: bob,
			after: func(s *servingHCL) {
				bob(s)
				s.parties[1].replicas = "2"
			},
			changes: []string{"parties.bob.replicas"},
			sent:    []string{`{"parties": [{"domain_id": "bob", "replicas": 2}]}`},
			server: func(s *kuscia.Serving) error {
				return errors.Join(expect("alice", *s.Parties[0].Replicas, 1), expect("bob", *s.Parties[1].Replicas, 2))
			},
		},
		"with_role": {
			before:  party(func(p *partyHCL) { p.role = `"server"` }),
			after:   party(func(p *partyHCL) { p.role, p.replicas = `"server"`, "2" }),
			changes: []string{"parties.alice.replicas"},
			sent:    []string{`{"parties": [{"domain_id": "alice", "role": "server", "replicas": 2}]}`},
		},
		// A key has no meaning for Kuscia.
		"renamed": {
			after:   party(func(p *partyHCL) { p.key = "host" }),
			changes: []string{"parties.alice", "parties.host"},
		},
		"renamed_and_scaled": {
			before:  bob,
			after:   func(s *servingHCL) { bob(s); s.parties[1].key, s.parties[1].replicas = "guest", "2" },
			changes: []string{"parties.bob", "parties.guest"},
			sent:    []string{`{"parties": [{"domain_id": "bob", "replicas": 2}]}`},
		},
		// Another form of the resources of a party that changes otherwise is shown
		// and not sent.
		"other_form": {
			after: party(func(p *partyHCL) {
				p.replicas, p.resources = "2", `container_resources = { secretflow = { min_cpu = "0.5", max_cpu = "2", min_memory = "1Gi", max_memory = "2Gi" } }`
			}),
			changes: []string{"parties.alice.replicas", "parties.alice.resources", "parties.alice.container_resources"},
			sent:    []string{`{"parties": [{"domain_id": "alice", "replicas": 2}]}`},
		},
		// An edit of the spelling together with a change is neither shown nor
		// sent.
		"respelled": {
			before: party(func(p *partyHCL) { p.strategy = `{ max_surge = "1" }` }),
			after: func(s *servingHCL) {
				s.config = `"{ \"model\": 1 }"`
				s.parties[0].strategy, s.parties[0].replicas = `{ max_surge = "01" }`, "2"
				s.parties[0].resources = `resources = { min_cpu = "500m", max_cpu = "2000m", min_memory = "1024Mi", max_memory = "2Gi" }`
			},
			changes: []string{"parties.alice.replicas"},
			sent:    []string{`{"parties": [{"domain_id": "alice", "replicas": 2}]}`},
		},
		"several": {
			after: func(s *servingHCL) {
				s.config = `jsonencode({ model = 3 })`
				s.parties[0].replicas, s.parties[0].image = "2", quote(other)
			},
			changes: []string{"serving_input_config", "parties.alice.replicas", "parties.alice.app_image", "parties.alice.image", "rollout_complete"},
			sent:    []string{`{"serving_input_config": "{\"model\":3}", "parties": [{"domain_id": "alice", "app_image": "` + other + `", "replicas": 2}]}`},
		},
		"wait": {
			after:   func(s *servingHCL) { s.wait = "false" },
			changes: []string{"wait_for_rollout", "rollout_complete"},
		},
		"timeouts": {
			before:  func(s *servingHCL) { s.timeouts = `{ update = "15m" }` },
			after:   func(s *servingHCL) { s.timeouts = `{ update = "10m", delete = "5m" }` },
			changes: []string{"timeouts.update", "timeouts.delete"},
		},
		"triggers": {
			before:  func(s *servingHCL) { s.triggers = `{ model = "1" }` },
			after:   func(s *servingHCL) { s.triggers = `{ model = "2" }` },
			changes: []string{"redeploy_triggers.model", "rollout_complete"},
			sent:    []string{`{"serving_input_config": "{\"model\":1}\n"}`},
			server: func(s *kuscia.Serving) error {
				if !tfvalue.ConfigTextEqual(s.ServingInputConfig, `{"model":1}`) {
					return fmt.Errorf("config %q", s.ServingInputConfig)
				}
				return nil
			},
		},
		"triggers_added": {
			after:   func(s *servingHCL) { s.triggers = `{ model = "1" }` },
			changes: []string{"redeploy_triggers"},
		},
		"triggers_and_replicas": {
			before: func(s *servingHCL) { s.triggers = `{ model = "1" }` },
			after: func(s *servingHCL) {
				s.triggers = `{ model = "2", other = "x" }`
				s.parties[0].replicas = "2"
			},
			changes: []string{"redeploy_triggers.model", "redeploy_triggers.other", "parties.alice.replicas", "rollout_complete"},
			sent:    []string{`{"serving_input_config": "{\"model\":1}\n", "parties": [{"domain_id": "alice", "replicas": 2}]}`},
		},
	}

	var before, after []servingHCL
	var plan []plancheck.PlanCheck
	var checks []resource.TestCheckFunc
	for label, edit := range edits {
		base := alone(e, label, image).with(func(s *servingHCL) {
			s.config = `jsonencode({ model = 1 })`
			s.parties[0].resources = full
		})
		was, is := base.with(edit.before), base.with(edit.after)
		before, after = append(before, was), append(after, is)
		plan = append(plan, plancheck.ExpectResourceAction(is.address(), plancheck.ResourceActionUpdate), expectChanges(is.address(), edit.changes...))
		checks = append(checks, expectSent(e, acctest.PathServingUpdate, is.servingID(), edit.sent...))
		if edit.server != nil {
			checks = append(checks, server(e, is.servingID(), edit.server))
		}
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             deleted(e, after),
		Steps: []resource.TestStep{
			{Config: join(before)},
			{PreConfig: forgetRequests(e), Config: join(after), ConfigPlanChecks: preApply(plan...), Check: all(checks...)},
		},
	})
}

func expect[T comparable](what string, got, want T) error {
	if got != want {
		return fmt.Errorf("%s: %v, want %v", what, got, want)
	}
	return nil
}
