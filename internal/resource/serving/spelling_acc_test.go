package serving_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccServing_spelling edits only the spelling of values, each in a serving
// of its own: the plan is empty, no request is sent, and the state keeps the
// first spelling.
func TestAccServing_spelling(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestPropertyRoundTrip", "TestLife"))
	e := newEnv(t)
	image := e.AppImage()
	two := e.AppImage(func(i *kuscia.AppImage) {
		container := i.DeployTemplates[0].Containers[0]
		container.Name, container.Ports = "sidecar", nil
		i.DeployTemplates[0].Containers = append(i.DeployTemplates[0].Containers, container)
	})
	resources := func(lines string) func(*servingHCL) {
		return func(s *servingHCL) { s.parties[0].resources = lines }
	}
	strategy := func(object string) func(*servingHCL) {
		return func(s *servingHCL) { s.parties[0].strategy = object }
	}

	edits := map[string]struct{ before, after func(*servingHCL) }{
		"quantities": {
			resources(`resources = { min_cpu = "0.5", max_cpu = "1500m", min_memory = "1Gi", max_memory = "1.5Gi" }`),
			resources(`resources = { min_cpu = "500m", max_cpu = "1.50", min_memory = "1024Mi", max_memory = "1536Mi" }`),
		},
		"more_quantities": {
			resources(`resources = { min_cpu = "0.0001", max_cpu = "1e3", min_memory = "128974848000m", max_memory = "2Gi" }`),
			resources(`resources = { min_cpu = "100u", max_cpu = "1k", min_memory = "128974848", max_memory = "2147483648" }`),
		},
		"json_keys": {
			func(s *servingHCL) { s.config = `"{\"b\": 1, \"a\": {\"c\": [1, 2]}}"` },
			func(s *servingHCL) { s.config = `jsonencode({ a = { c = [1, 2] }, b = 1 })` },
		},
		"json_space": {
			func(s *servingHCL) { s.config = `jsonencode({ a = 1 })` },
			func(s *servingHCL) { s.config = `"\n{ \"a\" : 1 }\n"` },
		},
		// In the other direction Terraform does not let a plan ignore the value.
		"config_empty": {
			func(s *servingHCL) { s.config = `""` },
			func(s *servingHCL) { s.config = "" },
		},
		"domain_id": {
			nil,
			func(s *servingHCL) { s.parties[0].key, s.parties[0].domain = "alice", `"${"alice"}"` },
		},
		"named_quantity": {
			func(s *servingHCL) {
				s.parties[0].image = quote(two)
				s.parties[0].resources = `container_resources = { secretflow = { max_cpu = "1" }, sidecar = { max_cpu = "2" } }`
			},
			func(s *servingHCL) {
				s.parties[0].image = quote(two)
				s.parties[0].resources = `container_resources = { sidecar = { max_cpu = "2000m" }, secretflow = { max_cpu = "1" } }`
			},
		},
		"resource_form": {
			func(s *servingHCL) {
				s.parties[0].image, s.parties[0].resources = quote(two), `resources = { max_cpu = "1" }`
			},
			func(s *servingHCL) {
				s.parties[0].image = quote(two)
				s.parties[0].resources = `container_resources = { secretflow = { max_cpu = "1" }, sidecar = { max_cpu = "1" } }`
			},
		},
		"resources_empty": {
			nil,
			resources("resources = {}\ncontainer_resources = {}"),
		},
		"strategy_default": {
			nil,
			strategy(`{ type = "RollingUpdate", max_surge = "25%", max_unavailable = "25%" }`),
		},
		"strategy_left_out": {
			strategy(`{ type = "RollingUpdate", max_surge = "25%" }`),
			nil,
		},
		"strategy_digits": {
			strategy(`{ max_surge = "1", max_unavailable = "0%" }`),
			strategy(`{ max_surge = "01", max_unavailable = "00%" }`),
		},
		"strategy_empty": {
			strategy(`{}`),
			strategy(`{ max_unavailable = "25%" }`),
		},
		"defaults_spelled_out": {
			nil,
			func(s *servingHCL) {
				s.affinity, s.wait = `"anti-affinity"`, "true"
				s.parties[0].role, s.parties[0].prefix, s.parties[0].replicas = `""`, `""`, "1"
			},
		},
		// As with config_empty, the other direction is stored.
		"triggers_empty": {
			func(s *servingHCL) { s.triggers = "{}" },
			func(s *servingHCL) { s.triggers = "" },
		},
		"role_left_out": {
			func(s *servingHCL) { s.parties[0].role, s.parties[0].replicas = `""`, "1" },
			func(s *servingHCL) { s.parties[0].role = "null" },
		},
	}

	var before, after []servingHCL
	for label, edit := range edits {
		base := alone(e, label, image)
		before, after = append(before, base.with(edit.before)), append(after, base.with(edit.after))
	}
	requests := e.CountRequests()
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             deleted(e, after),
		Steps: []resource.TestStep{
			{Config: join(before)},
			{
				PreConfig:        requests.Start,
				Config:           join(after),
				ConfigPlanChecks: emptyPlan(),
				Check:            requests.ExpectNoWrites(),
			},
		},
	})
}
