package serving_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// containers replaces an app image's containers; only the first has ports.
func containers(template *kuscia.DeployTemplate, names ...string) {
	first := template.Containers[0]
	template.Containers = nil
	for i, name := range names {
		container := first
		container.Name = name
		if i > 0 {
			container.Ports = nil
		}
		template.Containers = append(template.Containers, container)
	}
}

// TestAccServing_resources: Kuscia accepts one list for all containers and
// returns one entry for each. Whatever form the configuration has, the plan
// after apply is empty, the plan after an import is empty, and an edit changes
// exactly that value.
func TestAccServing_resources(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestPropertyRoundTrip", "TestPropertyEdits"))
	e := newEnv(t)
	one := e.AppImage()
	two := e.AppImage(func(i *kuscia.AppImage) { containers(&i.DeployTemplates[0], "main", "side") })
	renamed := e.AppImage(func(i *kuscia.AppImage) { containers(&i.DeployTemplates[0], "main", "other") })
	defaults := e.AppImage(func(i *kuscia.AppImage) {
		containers(&i.DeployTemplates[0], "main", "side")
		i.DeployTemplates[0].Containers[0].Resources = &kuscia.ResourceRequirements{
			Requests: &kuscia.ResourceSpec{CPU: "0.1", Memory: "256Mi"}, Limits: &kuscia.ResourceSpec{CPU: "4"},
		}
	})
	roles := e.AppImage(func(i *kuscia.AppImage) {
		server, client := i.DeployTemplates[0], i.DeployTemplates[0]
		server.Name, server.Role, client.Name, client.Role = "server", "server", "client", "client"
		containers(&server, "main", "cache")
		containers(&client, "proxy")
		i.DeployTemplates = []kuscia.DeployTemplate{server, client}
	})
	party := func(image, lines string) func(*servingHCL) {
		return func(s *servingHCL) { s.parties[0].image, s.parties[0].resources = quote(image), lines }
	}
	wire := func(container, minCPU, maxCPU, minMemory, maxMemory string) kuscia.Resource {
		return kuscia.Resource{ContainerName: container, MinCPU: minCPU, MaxCPU: maxCPU, MinMemory: minMemory, MaxMemory: maxMemory}
	}

	cases := map[string]struct {
		before, after func(*servingHCL)
		action        plancheck.ResourceActionType // of the edit
		stored        []kuscia.Resource            // of alice after the edit
	}{
		"common": {
			party(two, `resources = { min_cpu = "0.5", max_cpu = "2" }`),
			party(two, `resources = { min_cpu = "0.5", max_cpu = "3" }`),
			plancheck.ResourceActionUpdate,
			[]kuscia.Resource{wire("main", "500m", "3", "", ""), wire("side", "500m", "3", "", "")},
		},
		"named": {
			party(two, `container_resources = { side = { max_memory = "1Gi" }, main = { max_cpu = "2" } }`),
			party(two, `container_resources = { side = { max_memory = "2Gi" }, main = { max_cpu = "2" } }`),
			plancheck.ResourceActionUpdate,
			[]kuscia.Resource{wire("main", "", "2", "", ""), wire("side", "", "", "", "2Gi")},
		},
		"both": {
			party(two, `resources = { min_cpu = "1", max_cpu = "2" }
container_resources = { main = { max_cpu = "4" } }`),
			party(two, `resources = { min_cpu = "1", max_cpu = "3" }
container_resources = { main = { max_cpu = "4" } }`),
			plancheck.ResourceActionUpdate,
			[]kuscia.Resource{wire("main", "1", "4", "", ""), wire("side", "1", "3", "", "")},
		},
		"common_to_named": {
			party(two, `resources = { max_cpu = "2" }`),
			party(two, `resources = { max_cpu = "2" }
container_resources = { side = { max_cpu = "5" } }`),
			plancheck.ResourceActionUpdate,
			[]kuscia.Resource{wire("main", "", "2", "", ""), wire("side", "", "5", "", "")},
		},
		"roles": {
			func(s *servingHCL) {
				s.parties = []partyHCL{
					{key: "alice/server", domain: `"alice"`, role: `"server"`, image: quote(roles), resources: `resources = { max_cpu = "2" }
container_resources = { cache = { max_memory = "1Gi" } }`},
					{key: "bob/client", domain: `"bob"`, role: `"client"`, image: quote(roles), resources: `container_resources = { proxy = { min_cpu = "0.1" } }`},
				}
			},
			func(s *servingHCL) {
				s.parties = []partyHCL{
					{key: "alice/server", domain: `"alice"`, role: `"server"`, image: quote(roles), resources: `resources = { max_cpu = "3" }
container_resources = { cache = { max_memory = "1Gi" } }`},
					{key: "bob/client", domain: `"bob"`, role: `"client"`, image: quote(roles), resources: `container_resources = { proxy = { min_cpu = "100m" } }`},
				}
			},
			plancheck.ResourceActionUpdate,
			[]kuscia.Resource{wire("main", "", "3", "", ""), wire("cache", "", "3", "", "1Gi")},
		},
		// Nothing is configured: the image's values do not matter.
		"image_defaults": {
			party(defaults, ""),
			party(defaults, "container_resources = {}"),
			plancheck.ResourceActionNoop,
			nil,
		},
		// The image's requests stay if the serving sets only limits.
		"over_defaults": {
			party(defaults, `resources = { max_cpu = "2", max_memory = "1Gi" }`),
			party(defaults, `resources = { max_cpu = "3", max_memory = "1Gi" }`),
			plancheck.ResourceActionUpdate,
			nil,
		},
		"removed": {
			party(two, full),
			party(two, ""),
			plancheck.ResourceActionReplace,
			[]kuscia.Resource{wire("main", "", "", "", ""), wire("side", "", "", "", "")},
		},
		"one_removed": {
			party(two, `resources = { max_cpu = "2" }
container_resources = { main = { min_cpu = "1" } }`),
			party(two, `resources = { max_cpu = "2" }`),
			plancheck.ResourceActionReplace,
			[]kuscia.Resource{wire("main", "", "2", "", ""), wire("side", "", "2", "", "")},
		},
		// The new image renames a container without configured values: the
		// stored list of the old image stays in the response and has no effect.
		"renamed_without_resources": {
			party(two, ""),
			party(renamed, ""),
			plancheck.ResourceActionUpdate,
			nil,
		},
		// A container that gets values and did not exist before.
		"renamed": {
			party(two, `resources = { max_cpu = "2" }`),
			party(renamed, `resources = { max_cpu = "2" }`),
			plancheck.ResourceActionReplace,
			[]kuscia.Resource{wire("main", "", "2", "", ""), wire("other", "", "2", "", "")},
		},
		"fewer_containers": {
			party(two, `resources = { max_cpu = "2" }`),
			func(s *servingHCL) {
				s.parties[0].image, s.parties[0].resources = quote(one), `resources = { max_cpu = "2" }`
			},
			plancheck.ResourceActionReplace,
			[]kuscia.Resource{wire("secretflow", "", "2", "", "")},
		},
	}

	var before, after []servingHCL
	var plan []plancheck.PlanCheck
	var checks []resource.TestCheckFunc
	var forget, imports strings.Builder
	for label, c := range cases {
		base := alone(e, label, one)
		was, is := base.with(c.before), base.with(c.after)
		before, after = append(before, was), append(after, is)
		plan = append(plan, plancheck.ExpectResourceAction(is.address(), c.action))
		if c.stored != nil {
			checks = append(checks, server(e, is.servingID(), func(s *kuscia.Serving) error {
				if got := s.Parties[0].Resources; !reflect.DeepEqual(got, c.stored) {
					return fmt.Errorf("resources are %v, want %v", got, c.stored)
				}
				return nil
			}))
		}
		forget.WriteString(acctest.TopLevel("removed", nil, attrs{"from": acctest.Reference(is.address()), "lifecycle": acctest.Nested{"destroy": false}}))
		imports.WriteString(acctest.ImportInto(is.address(), is.servingID()))
	}
	requests := e.CountRequests()
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             deleted(e, slices.Concat(before, after)),
		Steps: []resource.TestStep{
			{Config: join(before)},
			{Config: join(after), ConfigPlanChecks: preApply(plan...), Check: all(checks...)},
			{Config: forget.String()},
			{PreConfig: requests.Start, Config: join(after) + imports.String(), ConfigPlanChecks: emptyPlan(), Check: requests.ExpectNoWrites()},
		},
	})
}
