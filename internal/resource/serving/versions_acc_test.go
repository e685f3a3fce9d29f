package serving_test

import (
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

// oldServer is a sandbox with the behaviour of an old Kuscia, with an app image
// that was created in the cluster: before v0.13 there is no API for that.
func oldServer(t *testing.T, version string) (e *acctest.Env, image string) {
	t.Helper()
	requireAcc(t)
	t.Parallel()
	e = acctest.NewSandbox(t, sandbox.Options{Version: version})
	image = e.Name("image")
	err := e.Sandbox.PutAppImage(kuscia.AppImage{
		Name: image, Image: kuscia.AppImageInfo{Name: "secretflow/serving-anolis8", Tag: "0.2.0b0"},
		DeployTemplates: []kuscia.DeployTemplate{{Name: "secretflow", Replicas: 1, Containers: []kuscia.Container{{
			Name: "secretflow", Ports: []kuscia.ContainerPort{{Name: "service", Protocol: "HTTP", Scope: "Domain"}},
		}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return e, image
}

// TestAccServing_oldServers: what old servers support works with them.
func TestAccServing_oldServers(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestOldServer", "TestBatchStatusOfOldServers"))
	t.Parallel()
	for version, named := range map[string]bool{
		"v0.5.0.dev231201": false, // endpoints without port_name and scope
		"v0.10.0b0":        true,  // batch status fails on an unknown id
		"v0.11.0b0":        true,
		"v0.13.0b0":        true, // the app image API
		"v1.0.0b0":         true,
	} {
		t.Run(version, func(t *testing.T) {
			e, image := oldServer(t, version)
			before := alone(e, "test", image).with(func(s *servingHCL) {
				s.config = `jsonencode({ model = 1 })`
				s.parties[0].resources = full
				s.parties = append(s.parties, partyHCL{domain: `"bob"`, role: `"client"`, image: quote(image)})
			})
			after := before.with(func(s *servingHCL) {
				s.config, s.triggers = `jsonencode({ model = 2 })`, `{ v = "1" }`
				s.parties[1].replicas, s.parties[0].resources = "2", `resources = { min_cpu = "0.5", max_cpu = "3", min_memory = "1Gi", max_memory = "2Gi" }`
			})
			replaced := after.with(func(s *servingHCL) { s.parties = s.parties[:1] })
			status := acctest.DataBlock("kuscia_serving_status", "test", attrs{
				"serving_ids": []any{e.Name("missing"), acctest.Reference("kuscia_serving.test.serving_id")},
			})
			port := statecheck.ExpectKnownValue(testServing, tfjsonpath.New("endpoints").AtMapKey("alice/service").AtMapKey("port_name"), knownvalue.StringExact("service"))
			if !named {
				port = statecheck.ExpectKnownValue(testServing, tfjsonpath.New("endpoints"), knownvalue.MapPartial(map[string]knownvalue.Check{}))
			}
			resource.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
				CheckDestroy:             deleted(e, []servingHCL{before}),
				Steps: []resource.TestStep{
					{
						Config: before.String() + status,
						ConfigStateChecks: []statecheck.StateCheck{
							statecheck.ExpectKnownValue("data.kuscia_serving_status.test", tfjsonpath.New("missing_serving_ids"), knownvalue.ListSizeExact(1)),
							statecheck.ExpectKnownValue("data.kuscia_serving_status.test", tfjsonpath.New("servings"), knownvalue.MapSizeExact(1)),
							statecheck.ExpectKnownValue(testServing, tfjsonpath.New("endpoints"), knownvalue.MapSizeExact(2)),
							port,
						},
					},
					{
						Config: after.String(),
						ConfigPlanChecks: preApply(
							plancheck.ExpectResourceAction(testServing, plancheck.ResourceActionUpdate),
							expectChanges(testServing, "serving_input_config", "redeploy_triggers", "parties.bob.replicas", "parties.alice.resources.max_cpu", "rollout_complete")),
					},
					{
						Config:           replaced.String(),
						ConfigPlanChecks: preApply(plancheck.ExpectResourceAction(testServing, plancheck.ResourceActionReplace)),
					},
				},
			})
		})
	}
}

// TestAccServing_tooOld: what an old server would silently ignore or reject is
// an error that names the required version.
func TestAccServing_tooOld(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestTooOld"))
	t.Parallel()
	for version, refused := range map[string]map[string]struct {
		change  func(*servingHCL)
		message string
	}{
		"v0.10.0b0": {
			"prefix": {func(s *servingHCL) { s.config, s.parties[0].prefix = `"{}"`, `"glm"` },
				`service_name_prefix needs Kuscia v0\.11; the server is v0\.10\.0b0 and would silently ignore it`},
			"config": {nil, `Kuscia before v0\.11 refuses a serving without serving_input_config; the server is v0\.10\.0b0`},
		},
		"v1.0.0b0": {
			"affinity": {func(s *servingHCL) { s.affinity = `"affinity"` }, `affinity_mode needs Kuscia v1\.1; the server is v1\.0\.0b0`},
		},
	} {
		t.Run(version, func(t *testing.T) {
			e, image := oldServer(t, version)
			var servings []servingHCL
			var messages []string
			for label, r := range refused {
				servings = append(servings, alone(e, label, image).with(r.change))
				messages = append(messages, about(label)+r.message)
			}
			requests := e.CountRequests()
			acctest.ExpectFailure(t, resource.TestCase{
				ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
				Steps:                    []resource.TestStep{{Config: join(servings)}},
			}, acctest.Failure{Messages: messages})
			if err := requests.ExpectNoWrites()(nil); err != nil {
				t.Error(err)
			}
		})
	}
}
