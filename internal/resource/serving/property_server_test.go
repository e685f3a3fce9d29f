package serving

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

const updatePath = "/api/v1/serving/update"

// testServer is a sandbox with the generators' app images and its client. Its
// clock is advanced only by settle, so that a failure can be reproduced.
type testServer struct {
	*kuscia.Client

	t       *testing.T
	sandbox *sandbox.Sandbox
	ids     *atomic.Int64
}

func newTestServer(t *testing.T) testServer {
	t.Helper()
	patient := func(c *kuscia.Config) { c.RequestTimeout = 30 * time.Second }
	s, c := sandboxtest.Start(t, sandbox.Options{FrozenClock: true, Seed: 1, RecordLimit: 10}, patient)
	k := testServer{c.Kuscia, t, s, new(atomic.Int64)}
	for _, image := range PropertyImages() {
		k.define(*image)
	}
	return k
}

func (k testServer) define(image kuscia.AppImage) {
	k.t.Helper()
	if err := k.sandbox.PutAppImage(image); err != nil {
		k.t.Fatal(err)
	}
}

// settle lets the controller finish, or not: the responses to a query differ in
// what the Deployments add.
func (k testServer) settle(t *rapid.T) {
	if rapid.Bool().Draw(t, "settle") {
		k.sandbox.Advance(time.Minute)
	}
}

func (k testServer) run() *crudtest.Server {
	return crudtest.NewServer(k.t, serving, run.New(clients.Clients{Kuscia: k.Client}))
}

// drawn returns a configuration of a serving that does not exist yet.
func (k testServer) drawn(t *rapid.T) rules.Serving {
	config := Configs().Draw(t, "config").Serving
	config = config.WithServingAttribute("serving_id", types.StringValue(fmt.Sprintf("s%d", k.ids.Add(1))))
	config = config.WithServingAttribute(definition.AttrWaitForRollout, types.BoolValue(false))
	return config
}

func (k testServer) plan(t *rapid.T, config rules.Serving, state protocol.State) (changes []string, replaces bool) {
	t.Helper()
	return k.run().Changes(t, Configuration(config), state)
}

// apply applies a configuration as planned, after which the next plan is empty. A CLI does not apply an
// empty plan.
func (k testServer) apply(t *rapid.T, config rules.Serving, state protocol.State) protocol.State {
	t.Helper()
	if changes, _ := k.plan(t, config, state); len(changes) > 0 {
		_, planned := k.run().Plan(t, Configuration(config), state)
		var said string
		if state, said = k.run().Apply(t, Configuration(config), state); state.Value.IsNull() || !state.Value.IsFullyKnown() {
			t.Fatalf("apply: state %s, diagnostics %s", state.Value, said)
		}
		k.quiet(t, config, state)
		CheckStateAsPlanned(t, rules.Of(planned), rules.Of(state.Value))
	}
	k.settle(t)
	return k.quiet(t, config, state)
}

// quiet checks that a configuration plans no change after a refresh, which changes nothing but
// what the controller adds. It returns the refreshed state.
func (k testServer) quiet(t *rapid.T, config rules.Serving, state protocol.State) protocol.State {
	t.Helper()
	read := k.run().CheckEmptyPlan(t, Configuration(config), state)
	before, private := rules.Of(state.Value), privateIn(t, state)
	for _, name := range ChangedPaths(before, rules.Of(read.Value)) {
		completed := name == "rollout_complete" && !before.RolloutComplete().ValueBool()
		// What was read by an import and is not configured follows the app image.
		followed := slices.ContainsFunc(before.Parties().Items, func(p rules.Party) bool {
			attribute, of := strings.CutPrefix(name, "parties."+p.DomainID().ValueString()+".")
			return of && (attribute == "resources" || attribute == "container_resources") && private.ResourcesObserved(p.Key())
		})
		if name != "endpoints" && name != "create_time" && !completed && !followed {
			t.Fatalf("a refresh changes %s:\n%s\nwas\n%s", name, read.Value, state.Value)
		}
	}
	return read
}

// privateIn decodes a private state.
func privateIn(t *rapid.T, state protocol.State) rules.Private {
	t.Helper()
	return privateOf(crud.Memory(crudtest.PrivateKeys(t, state.Private)["rollout"]), false)
}

func (k testServer) stored(id types.String) sandbox.ServingSpec {
	k.t.Helper()
	spec, err := k.sandbox.Serving(id.ValueString())
	if err != nil {
		k.t.Fatal(err)
	}
	return spec
}

func (k testServer) requestOf(t *rapid.T, config rules.Serving) *kuscia.CreateServingRequest {
	t.Helper()
	var diags diag.Diagnostics
	images := rules.KnownImages(run.LookupBy(t.Context(), k.QueryAppImage))
	request := rules.CreateRequest(rules.Desired(rules.PlanCreate(config, images), config), &diags)
	NoDiags(t, diags)
	return request
}

// update applies an update, which must not send what Kuscia already has.
func (k testServer) update(t *rapid.T, config rules.Serving, state protocol.State) protocol.State {
	t.Helper()
	before, count := k.stored(config.ServingID()), k.sandbox.Count(updatePath)
	restarts, private := otherTrigger(config.RedeployTriggers(), rules.Of(state.Value).RedeployTriggers()), privateIn(t, state)
	state = k.apply(t, config, state)
	for _, request := range k.sandbox.Requests() {
		var sent kuscia.UpdateServingRequest
		if request.Op != updatePath || json.Unmarshal([]byte(request.Body), &sent) != nil || sent.ServingID != config.ServingID().ValueString() {
			continue
		}
		if restarts {
			sent.ServingInputConfig = "" // in another spelling
		}
		if idle := idleParts(sent, before, private); k.sandbox.Count(updatePath) == count+1 && len(idle) > 0 {
			t.Fatalf("the update says again what Kuscia has: %s in %s", idle, request.Body)
		}
	}
	k.sandbox.ResetRequests()
	return state
}

func idleParts(request kuscia.UpdateServingRequest, had sandbox.ServingSpec, private rules.Private) (idle []string) {
	if request.ServingInputConfig != "" && tfvalue.ConfigTextEqual(request.ServingInputConfig, had.InputConfig) {
		idle = append(idle, "serving_input_config")
	}
	for _, p := range request.Parties {
		i := slices.IndexFunc(had.Parties, func(now sandbox.PartySpec) bool { return now.DomainID == p.DomainID && now.Role == p.Role })
		now := had.Parties[i]
		if p.AppImage == "" && p.Replicas == nil && p.UpdateStrategy == nil && len(p.Resources) == 0 {
			idle = append(idle, p.DomainID)
		}
		if p.AppImage == now.AppImage {
			idle = append(idle, "app_image")
		}
		if p.Replicas != nil && now.Replicas != nil && *p.Replicas == *now.Replicas {
			idle = append(idle, "replicas")
		}
		if p.UpdateStrategy != nil && rules.SameStrategy(rules.ReadStrategy(p.UpdateStrategy), rules.ReadStrategy(&now.Strategy)) {
			idle = append(idle, "update_strategy")
		}
		key := party.Key{DomainID: p.DomainID, Role: p.Role}
		if private.ResourcesObserved(key) || len(private.Deployed[key.String()].Read) > 0 {
			continue // Kuscia may not store what it has shown, so that it is sent completely
		}
		for _, r := range p.Resources {
			same := func(h kuscia.Resource) bool {
				return h.ContainerName == r.ContainerName && rules.AmountsOf(h).Equal(rules.AmountsOf(r))
			}
			if slices.ContainsFunc(now.Containers, same) {
				idle = append(idle, "resources of "+r.ContainerName)
			}
		}
	}
	return idle
}

// replaceIsNeeded sends everything that is desired as an update, which must not
// lead to the same serving as a replacement.
func (k testServer) replaceIsNeeded(t *rapid.T, config, state rules.Serving) {
	t.Helper()
	desired, id := k.requestOf(t, config), state.ServingID()
	err := k.UpdateServing(t.Context(), &kuscia.UpdateServingRequest{
		ServingID: id.ValueString(), ServingInputConfig: desired.ServingInputConfig, Parties: desired.Parties,
	})
	if err == nil && len(k.otherThanNew(t, config, k.stored(id), false)) == 0 {
		t.Fatal("a replacement is planned, and an update would have done")
	}
}

// otherThanNew lists the differences between a stored serving and a new one of a
// configuration. Resources of containers that the app image no longer has are
// ignored if stale is allowed: no pod has them.
func (k testServer) otherThanNew(t *rapid.T, config rules.Serving, stored sandbox.ServingSpec, stale bool) (different []string) {
	t.Helper()
	config = config.WithServingAttribute("serving_id", types.StringValue("fresh"))
	protocol.NoError(t, k.sandbox.PutServing(*k.requestOf(t, config)))
	fresh := k.stored(config.ServingID())
	protocol.NoError(t, k.sandbox.RemoveServing("fresh"))
	note := func(same bool, name string) {
		if !same {
			different = append(different, name)
		}
	}
	note(fresh.Initiator == stored.Initiator, "initiator")
	note(tfvalue.ConfigTextEqual(fresh.InputConfig, stored.InputConfig), "serving_input_config")
	note(cmp.Or(fresh.AffinityMode, kuscia.AntiAffinity) == cmp.Or(stored.AffinityMode, kuscia.AntiAffinity), "affinity_mode")
	note(len(fresh.Parties) == len(stored.Parties), "number of parties")
	for _, want := range fresh.Parties {
		i := slices.IndexFunc(stored.Parties, func(p sandbox.PartySpec) bool { return p.DomainID == want.DomainID && p.Role == want.Role })
		if i < 0 {
			return append(different, "set of parties")
		}
		have := stored.Parties[i]
		note(have.AppImage == want.AppImage, "app_image")
		note(have.ServiceNamePrefix == want.ServiceNamePrefix, "service_name_prefix")
		note(have.Replicas != nil && *have.Replicas == *want.Replicas, "replicas")
		note(rules.SameStrategy(rules.ReadStrategy(&have.Strategy), rules.ReadStrategy(&want.Strategy)), "update_strategy")
		note(sameStored(have.Containers, want.Containers, stale), fmt.Sprintf("resources: %v, want %v", have.Containers, want.Containers))
	}
	return different
}

func sameStored(have, want []kuscia.Resource, stale bool) bool {
	if len(want) == 0 || !stale && len(have) != len(want) {
		return len(have) == len(want)
	}
	return !slices.ContainsFunc(want, func(w kuscia.Resource) bool {
		return !slices.ContainsFunc(have, func(h kuscia.Resource) bool {
			return h.ContainerName == w.ContainerName && rules.AmountsOf(h).Equal(rules.AmountsOf(w))
		})
	})
}
