package examplestest_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// The names in the quickstart.
const (
	quickstartServing  = "serving-1"
	quickstartAppImage = "secretflow-serving-image"
)

// testQuickstart creates what the Kuscia documentation's own requests create,
// updates it as they do, asks for the status, and destroys it. The names are
// replaced on a real Kuscia only, where they may be in use.
func testQuickstart(t *testing.T, e example) {
	env := acctest.New(t)
	serving, appImage := quickstartServing, quickstartAppImage
	if env.Sandbox == nil {
		serving, appImage = env.Name("quickstart"), env.Name("quickstart")
	}
	dir := config.StaticDirectory(e.folder(t, e.configuration, strings.NewReplacer(
		quickstartServing, serving,
		quickstartAppImage, appImage,
	).Replace))

	empty := []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}
	run(t, env.ProtoV6ProviderFactories(), resource.TestCase{
		CheckDestroy: resource.ComposeAggregateTestCheckFunc(
			env.CheckServingDestroyed(serving),
			env.CheckAppImageDestroyed(appImage),
		),
		Steps: []resource.TestStep{
			{
				ConfigDirectory: dir,
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply: []plancheck.PlanCheck{
						plancheck.ExpectResourceAction("kuscia_app_image.serving", plancheck.ResourceActionCreate),
						plancheck.ExpectResourceAction("kuscia_serving.glm", plancheck.ResourceActionCreate),
					},
					PostApplyPostRefresh: empty,
				},
				ConfigStateChecks: append(running(serving),
					statecheck.ExpectKnownOutputValue("endpoints", knownvalue.MapExact(map[string]knownvalue.Check{
						"alice/brpc-builtin": knownvalue.NotNull(),
						"alice/internal":     knownvalue.NotNull(),
						"alice/service":      knownvalue.StringExact(serving + "-service.alice.svc"),
						"bob/brpc-builtin":   knownvalue.NotNull(),
						"bob/internal":       knownvalue.NotNull(),
						"bob/service":        knownvalue.StringExact(serving + "-service.bob.svc"),
					})),
				),
				Check: expectRequest(env, acctest.PathServingCreate, createRequest()),
			},
			{
				ConfigDirectory: dir,
				ConfigVariables: config.Variables{"larger_resources": config.BoolVariable(true)},
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply: []plancheck.PlanCheck{
						plancheck.ExpectResourceAction("kuscia_app_image.serving", plancheck.ResourceActionNoop),
						plancheck.ExpectResourceAction("kuscia_serving.glm", plancheck.ResourceActionUpdate),
					},
					PostApplyPostRefresh: empty,
				},
				ConfigStateChecks: running(serving),
				Check:             expectRequest(env, acctest.PathServingUpdate, updateRequest()),
			},
		},
	})
}

// running is what the status data source and the outputs say when both parties run.
func running(serving string) []statecheck.StateCheck {
	const address = "data.kuscia_serving_status.glm"
	party := func(domain string) knownvalue.Check {
		return knownvalue.ObjectPartial(map[string]knownvalue.Check{
			"domain_id":            knownvalue.StringExact(domain),
			"state":                knownvalue.StringExact("Available"),
			"replicas":             knownvalue.Int64Exact(1),
			"available_replicas":   knownvalue.Int64Exact(1),
			"unavailable_replicas": knownvalue.Int64Exact(0),
			"updated_replicas":     knownvalue.Int64Exact(1),
			"endpoints":            knownvalue.ListSizeExact(3),
		})
	}
	return []statecheck.StateCheck{
		statecheck.ExpectKnownOutputValue("state", knownvalue.StringExact("Available")),
		statecheck.ExpectKnownOutputValue("available_parties", knownvalue.Int64Exact(2)),
		statecheck.ExpectKnownValue(address, tfjsonpath.New("all_available"), knownvalue.Bool(true)),
		statecheck.ExpectKnownValue(address, tfjsonpath.New("missing_serving_ids"), knownvalue.ListSizeExact(0)),
		statecheck.ExpectKnownValue(address, tfjsonpath.New("servings").AtMapKey(serving).AtMapKey("party_statuses"),
			knownvalue.ListExact([]knownvalue.Check{party("alice"), party("bob")})),
	}
}

// createRequest is the create request of the Kuscia documentation with two features of each
// party instead of five, and with the server's defaults written out where it leaves them to
// the server: the strategy of bob and the affinity mode.
func createRequest() kuscia.CreateServingRequest {
	one := int32(1)
	rolling := &kuscia.UpdateStrategy{Type: "RollingUpdate", MaxSurge: "25%", MaxUnavailable: "25%"}
	resources := []kuscia.Resource{{MinCPU: "0.1", MaxCPU: "2", MinMemory: "100Mi", MaxMemory: "2Gi"}}
	return kuscia.CreateServingRequest{
		ServingID:          quickstartServing,
		ServingInputConfig: `{"partyConfigs":{"alice":{"serverConfig":{"featureMapping":{"v22":"x22","v21":"x21"}},"modelConfig":{"modelId":"glm-test-1","basePath":"/tmp/alice","sourcePath":"examples/alice/glm-test.tar.gz","sourceType":"ST_FILE"},"featureSourceConfig":{"mockOpts":{}},"channel_desc":{"protocol":"http"}},"bob":{"serverConfig":{"featureMapping":{"v6":"x6","v7":"x7"}},"modelConfig":{"modelId":"glm-test-1","basePath":"/tmp/bob","sourcePath":"examples/bob/glm-test.tar.gz","sourceType":"ST_FILE"},"featureSourceConfig":{"mockOpts":{}},"channel_desc":{"protocol":"http"}}}}`,
		Initiator:          "alice",
		AffinityMode:       kuscia.AntiAffinity,
		Parties: []kuscia.ServingParty{
			{DomainID: "alice", AppImage: quickstartAppImage, Replicas: &one, UpdateStrategy: rolling, Resources: resources},
			{DomainID: "bob", AppImage: quickstartAppImage, Replicas: &one, UpdateStrategy: rolling, Resources: resources},
		},
	}
}

// updateRequest is the update request of the Kuscia documentation, less the
// values that do not change and with the container named: an update sends what
// changes, where it changes.
func updateRequest() kuscia.UpdateServingRequest {
	larger := []kuscia.Resource{{ContainerName: "secretflow", MaxCPU: "3", MaxMemory: "3Gi"}}
	return kuscia.UpdateServingRequest{
		ServingID: quickstartServing,
		Parties:   []kuscia.ServingParty{{DomainID: "alice", Resources: larger}, {DomainID: "bob", Resources: larger}},
	}
}

// expectRequest compares the one request to a path with what is desired. Only
// the sandbox tells what it was asked.
func expectRequest[T any](env *acctest.Env, path string, want T) resource.TestCheckFunc {
	return func(*terraform.State) error {
		if env.Sandbox == nil {
			return nil
		}
		var bodies []string
		for _, request := range env.Sandbox.Requests() {
			if request.Op == path {
				bodies = append(bodies, request.Body)
			}
		}
		if len(bodies) != 1 {
			return fmt.Errorf("%d requests to %s, want one", len(bodies), path)
		}
		var got T
		if err := json.Unmarshal([]byte(bodies[0]), &got); err != nil {
			return fmt.Errorf("request to %s: %w", path, err)
		}
		if g, w := normal(got), normal(want); !reflect.DeepEqual(g, w) {
			return fmt.Errorf("request to %s:\n got %v\nwant %v", path, g, w)
		}
		return nil
	}
}

// normal is a request as a tree, with the configuration text read as JSON:
// its spelling does not matter.
func normal(request any) any {
	var tree map[string]any
	mustJSON(request, &tree)
	if text, ok := tree["serving_input_config"].(string); ok {
		var content any
		mustJSON(json.RawMessage(text), &content)
		tree["serving_input_config"] = content
	}
	return tree
}

func mustJSON(from, to any) {
	text, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		panic(err)
	}
}
