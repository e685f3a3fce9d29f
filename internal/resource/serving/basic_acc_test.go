package serving_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

const testServing = "kuscia_serving.test"

// rfc3339 matches all times.
var rfc3339 = knownvalue.StringRegexp(regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$`))

// endpoint is an element of endpoints.
func endpoint(domainID, role, port, scope string) knownvalue.Check {
	return knownvalue.ObjectExact(map[string]knownvalue.Check{
		"domain_id": knownvalue.StringExact(domainID), "role": knownvalue.StringExact(role),
		"port_name": knownvalue.StringExact(port), "scope": knownvalue.StringExact(scope),
		"endpoint": knownvalue.StringRegexp(regexp.MustCompile(`^[a-z][-a-z0-9.]+(:\d+)?$`)),
	})
}

// TestAccServing_basic creates a serving with its own app image, checks the
// whole state, and imports it in every way.
func TestAccServing_basic(t *testing.T) {
	e := newEnv(t)
	id, image := e.Name("basic"), e.Name("basic-image")
	variables := config.Variables{"serving_id": config.StringVariable(id), "app_image": config.StringVariable(image)}
	text := func(s string) knownvalue.Check { return knownvalue.StringExact(s) }

	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             all(e.CheckServingDestroyed(id), e.CheckAppImageDestroyed(image)),
		Steps: []resource.TestStep{
			{
				ConfigFile: acctest.File("two_parties.tf"), ConfigVariables: variables,
				ConfigPlanChecks: preApply(
					plancheck.ExpectResourceAction(testServing, plancheck.ResourceActionCreate),
					plancheck.ExpectUnknownValue(testServing, tfjsonpath.New("endpoints")),
					plancheck.ExpectUnknownValue(testServing, tfjsonpath.New("create_time")),
					plancheck.ExpectKnownValue(testServing, tfjsonpath.New("serving_input_config"), knownvalue.NotNull()),
					plancheck.ExpectKnownValue(testServing, tfjsonpath.New("parties").AtMapKey("bob").AtMapKey("replicas"), knownvalue.Int32Exact(1)),
				),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(testServing, tfjsonpath.New("serving_id"), text(id)),
					statecheck.ExpectKnownValue(testServing, tfjsonpath.New("initiator"), text("alice")),
					statecheck.ExpectKnownValue(testServing, tfjsonpath.New("affinity_mode"), text("anti-affinity")),
					statecheck.ExpectKnownValue(testServing, tfjsonpath.New("wait_for_rollout"), knownvalue.Bool(true)),
					statecheck.ExpectKnownValue(testServing, tfjsonpath.New("redeploy_triggers"), knownvalue.Null()),
					statecheck.ExpectKnownValue(testServing, tfjsonpath.New("timeouts"), knownvalue.Null()),
					statecheck.ExpectKnownValue(testServing, tfjsonpath.New("create_time"), rfc3339),
					statecheck.ExpectKnownValue(testServing, tfjsonpath.New("parties"), knownvalue.MapExact(map[string]knownvalue.Check{
						"bob": knownvalue.ObjectExact(map[string]knownvalue.Check{
							"domain_id": text("bob"), "role": knownvalue.Null(), "app_image": text(image), "image": text("secretflow/serving-anolis8:0.2.0b0"), "replicas": knownvalue.Int32Exact(1),
							"service_name_prefix": knownvalue.Null(), "resources": knownvalue.Null(), "container_resources": knownvalue.Null(),
							"update_strategy": knownvalue.ObjectExact(map[string]knownvalue.Check{
								"type": text("RollingUpdate"), "max_surge": text("25%"), "max_unavailable": text("25%")}),
						}),
						"alice/server": knownvalue.ObjectExact(map[string]knownvalue.Check{
							"domain_id": text("alice"), "role": text("server"), "app_image": text(image), "image": text("secretflow/serving-anolis8:0.2.0b0"), "replicas": knownvalue.Int32Exact(2),
							"service_name_prefix": text(id + "-a"),
							"update_strategy": knownvalue.ObjectExact(map[string]knownvalue.Check{
								"type": text("RollingUpdate"), "max_surge": text("1"), "max_unavailable": text("25%")}),
							"resources": knownvalue.Null(),
							"container_resources": knownvalue.MapExact(map[string]knownvalue.Check{"secretflow": knownvalue.ObjectExact(map[string]knownvalue.Check{
								"min_cpu": text("0.5"), "max_cpu": text("2"), "min_memory": text("512Mi"), "max_memory": text("2Gi")})}),
						}),
					})),
					statecheck.ExpectKnownValue(testServing, tfjsonpath.New("endpoints"), knownvalue.MapExact(map[string]knownvalue.Check{
						"alice/server/communication": endpoint("alice", "server", "communication", "Cluster"), "alice/server/service": endpoint("alice", "server", "service", "Domain"),
						"bob/communication": endpoint("bob", "", "communication", "Cluster"), "bob/service": endpoint("bob", "", "service", "Domain"),
					})),
				},
				Check: server(e, id, func(s *kuscia.Serving) error { return expect("state", s.Status.State, "Available") }),
			},
			// timeouts are non-null and empty after an import, so that no
			// configured ones are a difference; the spelling of quantities is
			// Kuscia's.
			{
				ConfigVariables: variables,
				ImportState:     true, ImportStateVerify: true, ResourceName: testServing, ImportStateId: id,
				ImportStateVerifyIdentifierAttribute: "serving_id",
				ImportStateVerifyIgnore:              []string{"timeouts", "progress_deadline", "parties.alice/server.container_resources.secretflow.min_cpu"},
			},
			{
				ConfigVariables: variables,
				ImportState:     true, ImportStateKind: resource.ImportBlockWithID, ResourceName: testServing, ImportStateId: id,
				ImportPlanChecks: resource.ImportPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
			},
		},
	})
}

// TestAccServing_importHandmade imports servings that were created with curl:
// replicas left to the app image, an affinity mode that cannot be read, values
// in any form. The first plan is empty, even with attributes that only the
// configuration has; the first change is an update in place of that attribute
// only.
func TestAccServing_importHandmade(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestPropertyImportedEdits", "TestLife"))
	e := newEnv(t)
	image := e.AppImage(func(i *kuscia.AppImage) { i.DeployTemplates[0].Replicas = 2 })
	prefix := e.Name("by-hand")
	withDefaults := e.AppImage(func(i *kuscia.AppImage) {
		i.DeployTemplates[0].Containers[0].Resources = &kuscia.ResourceRequirements{
			Requests: &kuscia.ResourceSpec{CPU: "100m"}, Limits: &kuscia.ResourceSpec{Memory: "1Gi"},
		}
	})
	minimal := alone(e, "minimal", image).with(func(s *servingHCL) {
		s.parties[0].replicas = "2"
		s.affinity, s.wait, s.timeouts = `"none"`, "false", `{ create = "5m" }`
		s.config = `jsonencode({ a = 1, b = 2 })`
	})
	written := alone(e, "written", image).with(func(s *servingHCL) {
		s.initiator = `"bob"`
		s.parties = []partyHCL{
			{key: "alice/a", domain: `"alice"`, role: `"a"`, image: quote(image), replicas: "1", strategy: `{ type = "Recreate" }`, prefix: quote(prefix)},
			{key: "bob/b", domain: `"bob"`, role: `"b"`, image: quote(image), replicas: "1", resources: `resources = { min_cpu = "1.5" }`},
		}
		// If serving_input_config is left out after an import, the stored text is
		// kept.
	})
	// The response has the app image's own resources; it is unknown whether
	// Kuscia stores them.
	unclear := alone(e, "unclear", withDefaults)
	// A party whose replicas were never set runs as many pods as the app image
	// has.
	unset := alone(e, "unset", image)
	stopped := alone(e, "stopped", e.AppImage(func(i *kuscia.AppImage) { i.DeployTemplates[0].Replicas = 0 }))
	servings := []servingHCL{minimal, written, unclear, unset, stopped}

	one := int32(1)
	handmade(t, e, &kuscia.CreateServingRequest{
		ServingID: minimal.servingID(), Initiator: "alice", AffinityMode: "none", ServingInputConfig: "{\n \"b\": 2,\n \"a\": 1 }\n",
		Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: image}},
	})
	handmade(t, e, &kuscia.CreateServingRequest{
		ServingID: unclear.servingID(), Initiator: "alice", Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: withDefaults}},
	})
	for _, s := range []servingHCL{unset, stopped} {
		handmade(t, e, &kuscia.CreateServingRequest{
			ServingID: s.servingID(), Initiator: "alice", Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: strings.Trim(s.parties[0].image, `"`)}},
		})
	}
	handmade(t, e, &kuscia.CreateServingRequest{
		ServingID: written.servingID(), Initiator: "bob", ServingInputConfig: "by hand",
		Parties: []kuscia.ServingParty{
			{DomainID: "bob", Role: "b", AppImage: image, Replicas: &one, Resources: []kuscia.Resource{{MinCPU: "1.5"}}},
			{DomainID: "alice", Role: "a", AppImage: image, Replicas: &one, UpdateStrategy: &kuscia.UpdateStrategy{Type: "Recreate", MaxSurge: "1"}, ServiceNamePrefix: prefix},
		},
	})
	imports := ""
	for _, s := range servings {
		imports += acctest.ImportInto(s.address(), s.servingID())
		sandboxtest.Eventually(t, "the status of "+s.servingID(), func() bool {
			found, err := e.API.QueryServing(t.Context(), s.servingID())
			return err == nil && found.Status != nil && found.Status.CreateTime != "" && len(found.Status.PartyStatuses) == len(found.Parties)
		})
	}
	changed := []servingHCL{
		minimal.with(func(s *servingHCL) { s.parties[0].replicas, s.triggers = "1", `{ v = "1" }` }),
		written.with(func(s *servingHCL) { s.parties[1].replicas = "2" }),
		unclear.with(func(s *servingHCL) { s.parties[0].replicas = "2" }),
		unset.with(func(s *servingHCL) { s.config = `"{}"` }),
		stopped.with(func(s *servingHCL) { s.parties[0].replicas = "1" }),
	}

	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             deleted(e, servings),
		Steps: []resource.TestStep{
			{Config: join(servings) + imports, ConfigPlanChecks: emptyPlan()},
			{
				PreConfig: forgetRequests(e),
				Config:    join(changed),
				ConfigPlanChecks: preApply(append(actions(plancheck.ResourceActionUpdate, minimal.address(), written.address(), unclear.address(), unset.address(), stopped.address()),
					// The first update also takes over the values that cannot be
					// read.
					expectDrift(minimal.address(), "parties.alice.replicas", "affinity_mode", "wait_for_rollout", "timeouts.create", "timeouts.delete", "timeouts.update", "redeploy_triggers"),
					// The resources of an import are those of each container.
					expectDrift(written.address(), "parties.bob/b.replicas", "parties.bob/b.resources", "parties.bob/b.container_resources"),
					expectDrift(unclear.address(), "parties.alice.replicas"),
					expectDrift(unset.address(), "serving_input_config"),
					expectDrift(stopped.address(), "parties.alice.replicas"))...),
				Check: all(
					server(e, written.servingID(), func(s *kuscia.Serving) error { return expect("config", s.ServingInputConfig, "by hand") }),
					expectSent(e, acctest.PathServingUpdate, minimal.servingID(), `{"parties": [{"domain_id": "alice", "replicas": 1}]}`),
					expectSent(e, acctest.PathServingUpdate, written.servingID(), `{"parties": [{"domain_id": "bob", "role": "b", "replicas": 2}]}`),
					expectSent(e, acctest.PathServingUpdate, unclear.servingID(), `{"parties": [{"domain_id": "alice", "replicas": 2}]}`),
					expectSent(e, acctest.PathServingUpdate, unset.servingID(), `{"serving_input_config": "{}"}`),
					expectSent(e, acctest.PathServingUpdate, stopped.servingID(), `{"parties": [{"domain_id": "alice", "replicas": 1}]}`),
				),
			},
		},
	})
}

// TestAccServing_importErrors: ids that cannot be imported.
func TestAccServing_importErrors(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestEveryType"))
	e := newEnv(t)
	s := alone(e, "test", e.AppImage())
	step := func(id, message string) resource.TestStep {
		return resource.TestStep{
			Config: s.String(), ImportState: true, ResourceName: testServing, ImportStateId: id,
			ExpectError: regexp.MustCompile(wrapped(message)),
		}
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		Steps: []resource.TestStep{
			step("Not.A.Label", "must be an RFC 1123 label"),
			step(e.Name("none"), "Cannot import non-existent remote object"),
		},
	})
}
