package serving_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccServing_replace changes everything that cannot change on a live
// serving, each in a serving of its own: the plan shows a replacement because of
// exactly that attribute, the serving is deleted and created once with the same
// id, and Kuscia has the new specification.
func TestAccServing_replace(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestPlanTable", "TestLife"))
	e := newEnv(t)
	image := e.AppImage()
	first, second := e.Name("first"), e.Name("second") // unique in the domain, on a shared Kuscia too
	bob := partyHCL{domain: `"bob"`, image: quote(image)}
	withBob := func(s *servingHCL) { s.parties = append(s.parties, bob) }
	resources := func(lines string) func(*servingHCL) {
		return func(s *servingHCL) { s.parties[0].resources = lines }
	}
	stored := func(want kuscia.Resource) func(*kuscia.Serving) error {
		want.ContainerName = "secretflow"
		return func(s *kuscia.Serving) error { return expect("resources", s.Parties[0].Resources[0], want) }
	}

	edits := map[string]edit{
		"initiator": {
			before:  withBob,
			after:   func(s *servingHCL) { withBob(s); s.initiator = `"bob"` },
			changes: []string{"initiator"},
			server:  func(s *kuscia.Serving) error { return expect("initiator", s.Initiator, "bob") },
		},
		"affinity_mode": {
			after:   func(s *servingHCL) { s.affinity = `"none"` },
			changes: []string{"affinity_mode"},
		},
		"service_name_prefix": {
			before:  func(s *servingHCL) { s.parties[0].prefix = quote(first) },
			after:   func(s *servingHCL) { s.parties[0].prefix = quote(second) },
			changes: []string{"parties.alice.service_name_prefix"},
			server: func(s *kuscia.Serving) error {
				return expect("service_name_prefix", s.Parties[0].ServiceNamePrefix, second)
			},
		},
		"party_added": {
			after:   withBob,
			changes: []string{"parties.bob"},
			server:  func(s *kuscia.Serving) error { return expect("parties", len(s.Parties), 2) },
		},
		"party_removed": {
			before:  withBob,
			changes: []string{"parties.bob"},
			server:  func(s *kuscia.Serving) error { return expect("parties", len(s.Parties), 1) },
		},
		"domain": {
			before: func(s *servingHCL) { withBob(s); s.parties[1].key = "second" },
			after: func(s *servingHCL) {
				withBob(s)
				s.parties[0].role, s.parties[1].key, s.parties[1].domain = `"server"`, "second", `"alice"`
			},
			changes: []string{"parties.alice.role", "parties.second.domain_id"},
			server: func(s *kuscia.Serving) error {
				return errors.Join(expect("domain", s.Parties[1].DomainID, "alice"), expect("role", s.Parties[0].Role, "server"))
			},
		},
		// Delete and create of one id with a role: the Deployments of the old
		// serving still exist for a moment.
		"role": {
			before:  func(s *servingHCL) { withBob(s); s.parties[0].role, s.parties[1].role = `"server"`, `"client"` },
			after:   func(s *servingHCL) { withBob(s); s.parties[0].role, s.parties[1].role = `"client"`, `"server"` },
			changes: []string{"parties.alice.role", "parties.bob.role"},
			server:  func(s *kuscia.Serving) error { return expect("role", s.Parties[0].Role, "client") },
		},
		"config_emptied": {
			after:   func(s *servingHCL) { s.config = `""` },
			changes: []string{"serving_input_config"},
			server:  func(s *kuscia.Serving) error { return expect("config", s.ServingInputConfig, "") },
		},
		"config_left_out": {
			after:   func(s *servingHCL) { s.config = "" },
			changes: []string{"serving_input_config"},
			server:  func(s *kuscia.Serving) error { return expect("config", s.ServingInputConfig, "") },
		},
		"resource_cleared": {
			before:  resources(full),
			after:   resources(`resources = { min_cpu = "0.5", min_memory = "1Gi", max_memory = "2Gi" }`),
			changes: []string{"parties.alice.resources.max_cpu"},
			server:  stored(kuscia.Resource{MinCPU: "500m", MinMemory: "1Gi", MaxMemory: "2Gi"}),
		},
		"resources_left_out": {
			before:  resources(full),
			after:   resources(""),
			changes: []string{"parties.alice.resources"},
			server:  stored(kuscia.Resource{}),
		},
		"first_limit": {
			before:  resources(`resources = { min_cpu = "0.5" }`),
			after:   resources(`resources = { min_cpu = "0.5", max_memory = "2Gi" }`),
			changes: []string{"parties.alice.resources.max_memory"},
			server:  stored(kuscia.Resource{MinCPU: "500m", MaxMemory: "2Gi"}),
		},
		"first_request": {
			before:  resources(`resources = { max_cpu = "2" }`),
			after:   resources(`resources = { max_cpu = "2", min_cpu = "1" }`),
			changes: []string{"parties.alice.resources.min_cpu"},
			server:  stored(kuscia.Resource{MinCPU: "1", MaxCPU: "2"}),
		},
	}

	var before, after []servingHCL
	var plan []plancheck.PlanCheck
	var checks []resource.TestCheckFunc
	for label, edit := range edits {
		base := alone(e, label, image).with(func(s *servingHCL) { s.config = `jsonencode({ model = 1 })` })
		was, is := base.with(edit.before), base.with(edit.after)
		before, after = append(before, was), append(after, is)
		plan = append(plan, plancheck.ExpectResourceAction(is.address(), plancheck.ResourceActionDestroyBeforeCreate), expectChanges(is.address(), edit.changes...))
		checks = append(checks,
			expectSent(e, acctest.PathServingUpdate, is.servingID()),
			expectSent(e, acctest.PathServingDelete, is.servingID(), `{}`),
			expectCreates(e, is.servingID(), 1))
		if edit.server != nil {
			checks = append(checks, server(e, is.servingID(), edit.server))
		}
	}

	renamed := alone(e, "serving_id", image)
	fresh := renamed.with(func(s *servingHCL) { s.id = quote(e.Name("renamed")) })
	before, after = append(before, renamed), append(after, fresh)
	plan = append(plan, plancheck.ExpectResourceAction(fresh.address(), plancheck.ResourceActionDestroyBeforeCreate), expectChanges(fresh.address(), "id", "serving_id"))
	checks = append(checks,
		expectSent(e, acctest.PathServingDelete, renamed.servingID(), `{}`),
		expectCreates(e, fresh.servingID(), 1),
		e.CheckServingDestroyed(renamed.servingID()))

	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             deleted(e, slices.Concat(before, after)),
		Steps: []resource.TestStep{
			{Config: join(before)},
			{PreConfig: forgetRequests(e), Config: join(after), ConfigPlanChecks: preApply(plan...), Check: all(checks...)},
		},
	})
}

// expectCreates checks how many creates of a serving succeeded. Kuscia may
// reject a create while an old serving's Deployments are being deleted.
func expectCreates(e *acctest.Env, servingID string, want int) resource.TestCheckFunc {
	return func(*terraform.State) error {
		if e.Sandbox == nil {
			return nil
		}
		created := 0
		for _, request := range e.Sandbox.Requests() {
			if request.Op == acctest.PathServingCreate && request.Code == 0 && mentions(request.Body, servingID) {
				created++
			}
		}
		return expect("creates of "+servingID, created, want)
	}
}
