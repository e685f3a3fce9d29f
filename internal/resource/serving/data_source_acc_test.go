package serving_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// status checks the status of a serving whose parties, in order, run the given
// number of pods.
func status(state string, parties ...knownvalue.Check) knownvalue.Check {
	return knownvalue.ObjectPartial(map[string]knownvalue.Check{
		"state": knownvalue.StringExact(state), "total_parties": knownvalue.Int32Exact(int32(len(parties))),
		"party_statuses": knownvalue.ListExact(parties),
	})
}

func partyStatus(domainID, role string, replicas int32) knownvalue.Check {
	return knownvalue.ObjectExact(map[string]knownvalue.Check{
		"domain_id": knownvalue.StringExact(domainID), "role": knownvalue.StringExact(role), "state": knownvalue.StringExact("Available"),
		"replicas": knownvalue.Int32Exact(replicas), "available_replicas": knownvalue.Int32Exact(replicas),
		"unavailable_replicas": knownvalue.Int32Exact(0), "updated_replicas": knownvalue.Int32Exact(replicas),
		"create_time": rfc3339,
		"endpoints": knownvalue.ListExact([]knownvalue.Check{
			knownvalue.ObjectPartial(map[string]knownvalue.Check{"port_name": knownvalue.StringExact("communication"), "scope": knownvalue.StringExact("Cluster"), "endpoint": knownvalue.NotNull()}),
			knownvalue.ObjectPartial(map[string]knownvalue.Check{"port_name": knownvalue.StringExact("service"), "scope": knownvalue.StringExact("Domain"), "endpoint": knownvalue.NotNull()}),
		}),
	})
}

// TestAccServingDataSources reads a running serving, one that never gets a
// status from Kuscia, and ids that do not exist.
func TestAccServingDataSources(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestAccReadingExamples", "TestLife"))
	e := newEnv(t)
	image := e.AppImage()
	running := alone(e, "running", image).with(func(s *servingHCL) {
		s.config = `jsonencode({ model = 1 })`
		s.parties = []partyHCL{
			{domain: `"bob"`, role: `"client"`, image: quote(image), replicas: "2", resources: `resources = { min_cpu = "0.5" }`, strategy: `{ type = "Recreate" }`},
			{domain: `"alice"`, image: quote(image)},
		}
	})
	pending, missing := e.Name("pending"), e.Name("missing")
	// A domain that does not exist is accepted, and the status stays null.
	handmade(t, e, &kuscia.CreateServingRequest{
		ServingID: pending, Initiator: "nowhere", Parties: []kuscia.ServingParty{{DomainID: "nowhere", AppImage: image}},
	})
	lookup := func(label string, id any) string {
		return acctest.DataBlock("kuscia_serving", label, map[string]any{"serving_id": id})
	}
	statuses := func(label string, ids ...any) string {
		return acctest.DataBlock("kuscia_serving_status", label, map[string]any{"serving_ids": ids})
	}
	id := acctest.Reference("kuscia_serving.running.serving_id")
	config := running.String() + lookup("test", id) + lookup("pending", pending) +
		statuses("all", missing, id, pending, missing) + statuses("running", id)
	text := func(s string) knownvalue.Check { return knownvalue.StringExact(s) }
	const one, all, allRunning = "data.kuscia_serving.test", "data.kuscia_serving_status.all", "data.kuscia_serving_status.running"
	run := status("Available", partyStatus("alice", "", 1), partyStatus("bob", "client", 2))

	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             deleted(e, []servingHCL{running}),
		Steps: []resource.TestStep{
			{
				Config: config,
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(one, tfjsonpath.New("initiator"), text("alice")),
					statecheck.ExpectKnownValue(one, tfjsonpath.New("serving_input_config"), text(`{"model":1}`)),
					statecheck.ExpectKnownValue(one, tfjsonpath.New("parties"), knownvalue.MapExact(map[string]knownvalue.Check{
						"bob/client": knownvalue.ObjectExact(map[string]knownvalue.Check{
							"domain_id": text("bob"), "role": text("client"), "app_image": text(image), "replicas": knownvalue.Int32Exact(2), "service_name_prefix": knownvalue.Null(),
							"update_strategy": knownvalue.ObjectExact(map[string]knownvalue.Check{"type": text("Recreate"), "max_surge": knownvalue.Null(), "max_unavailable": knownvalue.Null()}),
							"container_resources": knownvalue.MapExact(map[string]knownvalue.Check{"secretflow": knownvalue.ObjectExact(map[string]knownvalue.Check{
								"min_cpu": text("500m"), "max_cpu": knownvalue.Null(), "min_memory": knownvalue.Null(), "max_memory": knownvalue.Null()})}),
						}),
						"alice": knownvalue.ObjectPartial(map[string]knownvalue.Check{
							"domain_id": text("alice"), "role": knownvalue.Null(), "replicas": knownvalue.Int32Exact(1), "container_resources": knownvalue.Null(),
							"update_strategy": knownvalue.ObjectExact(map[string]knownvalue.Check{"type": text("RollingUpdate"), "max_surge": text("25%"), "max_unavailable": text("25%")}),
						}),
					})),
					statecheck.ExpectKnownValue(one, tfjsonpath.New("endpoints"), knownvalue.MapExact(map[string]knownvalue.Check{
						"alice/communication": endpoint("alice", "", "communication", "Cluster"), "alice/service": endpoint("alice", "", "service", "Domain"),
						"bob/client/communication": endpoint("bob", "client", "communication", "Cluster"), "bob/client/service": endpoint("bob", "client", "service", "Domain"),
					})),
					statecheck.ExpectKnownValue(one, tfjsonpath.New("status"), run),
					statecheck.ExpectKnownValue("data.kuscia_serving.pending", tfjsonpath.New("status").AtMapKey("state"), text("Pending")),

					statecheck.ExpectKnownValue(all, tfjsonpath.New("servings"), knownvalue.MapExact(map[string]knownvalue.Check{
						running.servingID(): run, pending: status("Pending"),
					})),
					statecheck.ExpectKnownValue(all, tfjsonpath.New("missing_serving_ids"), knownvalue.ListExact([]knownvalue.Check{text(missing)})),
					statecheck.ExpectKnownValue(all, tfjsonpath.New("all_available"), knownvalue.Bool(false)),
					statecheck.ExpectKnownValue(allRunning, tfjsonpath.New("missing_serving_ids"), knownvalue.ListSizeExact(0)),
					statecheck.ExpectKnownValue(allRunning, tfjsonpath.New("all_available"), knownvalue.Bool(true)),
				},
			},
			{
				Config:      running.String() + lookup("missing", missing),
				ExpectError: regexp.MustCompile(`(?s)Serving does not exist.*` + wrapped(`data.kuscia_serving.missing`) + `.*` + wrapped(`Kuscia has no serving "`+missing+`". Check serving_id`) + `.*11601`),
			},
		},
	})
}

// TestAccServingStatus_many queries a thousand servings in a few requests.
func TestAccServingStatus_many(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestBatchStatusChunks"))
	e := newEnv(t)
	base := e.Name("many")
	const count = 1000
	requests := e.CountRequests()
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		Steps: []resource.TestStep{{
			PreConfig: requests.Start,
			Config: acctest.DataBlock("kuscia_serving_status", "test", map[string]any{
				"serving_ids": acctest.Reference(fmt.Sprintf(`[for i in range(%d) : "%s-${i}"]`, count, base)),
			}),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue("data.kuscia_serving_status.test", tfjsonpath.New("missing_serving_ids"), knownvalue.ListSizeExact(count)),
				statecheck.ExpectKnownValue("data.kuscia_serving_status.test", tfjsonpath.New("servings"), knownvalue.MapSizeExact(0)),
				statecheck.ExpectKnownValue("data.kuscia_serving_status.test", tfjsonpath.New("all_available"), knownvalue.Bool(false)),
			},
			Check: func(*terraform.State) error {
				// Read once in the plan, and not again in the apply.
				if n := requests.Since(acctest.PathServingStatus); e.Sandbox != nil && n != count/200 {
					return fmt.Errorf("%d requests for %d servings, want %d", n, count, count/200)
				}
				return nil
			},
		}},
	})
}

// TestAccServingStatus_ids: an empty list of ids needs no request; an invalid id
// is an error at its element.
func TestAccServingStatus_ids(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestStatusIDs"))
	e := newEnv(t)
	const address = "data.kuscia_serving_status.test"
	of := func(ids string) string {
		return acctest.DataBlock("kuscia_serving_status", "test", map[string]any{"serving_ids": acctest.Reference(ids)})
	}
	requests := e.CountRequests()
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		Steps: []resource.TestStep{
			{Config: of(`["a", null]`), ExpectError: regexp.MustCompile(`serving_ids\[1\] is null\. Every element must be the serving_id`)},
			{Config: of(`[""]`), ExpectError: regexp.MustCompile(`serving_ids\[0\] is an empty string\.`)},
			{
				PreConfig: requests.Start,
				Config:    of("[]"),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(address, tfjsonpath.New("servings"), knownvalue.MapSizeExact(0)),
					statecheck.ExpectKnownValue(address, tfjsonpath.New("missing_serving_ids"), knownvalue.ListSizeExact(0)),
					statecheck.ExpectKnownValue(address, tfjsonpath.New("all_available"), knownvalue.Bool(true)),
				},
				Check: requests.ExpectNone(acctest.PathServingStatus),
			},
		},
	})
}
