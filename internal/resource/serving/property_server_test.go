package serving

import (
	"cmp"
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
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// testServer is a sandbox with the generators' app images and its client. Its
// clock is advanced only by settle, so that a failure can be reproduced.
type testServer struct {
	*kuscia.Client

	sandbox *sandbox.Sandbox
	ids     *atomic.Int64
	// images are the app images that plans use.
	images party.ImageLookup
	// advanced is how far the sandbox's clock was advanced.
	advanced *atomic.Int64
}

// advance advances the sandbox's clock and that of the resource by a minute.
func (k testServer) advance() {
	k.sandbox.Advance(time.Minute)
	k.advanced.Add(int64(time.Minute))
}

// settle lets the controller finish, or not: the responses to a query differ in
// what the Deployments add.
func (k testServer) settle(t *rapid.T) {
	if rapid.Bool().Draw(t, "settle") {
		k.advance()
	}
}

func (k testServer) newID() types.String { return types.StringValue(fmt.Sprintf("s%d", k.ids.Add(1))) }

// lookup returns the app images that the sandbox has now.
func (k testServer) lookup(t *rapid.T) party.ImageLookup {
	return clients.LookupBy(t.Context(), k.QueryAppImage)
}

// runs checks that the pods of every party run the images of the state, once Kuscia's
// controller has caught up.
func (k testServer) runs(t *rapid.T, state rules.Serving) {
	t.Helper()
	k.advance()
	for _, p := range state.Parties.Items {
		image, err := k.sandbox.DeployedImage(state.ServingID.ValueString(), p.DomainID.ValueString(), p.Role.ValueString())
		if err == nil && image != p.Image.ValueString() {
			t.Fatalf("party %s runs %s; the state has %s", p.Key(), image, p.Image)
		}
	}
}

var testEpoch = time.Date(2026, 1, 8, 10, 0, 0, 0, time.UTC)

// sources are those of the resource, with the sandbox's clock.
func (k testServer) sources(t *rapid.T) rules.Sources {
	from := sourcesWith(t.Context(), clients.New(k.Client), nil)
	from.Now = testEpoch.Add(time.Duration(k.advanced.Load()))
	return from
}

// stored is what Kuscia stores for a serving.
func (k testServer) stored(t *rapid.T, id types.String) sandbox.ServingSpec {
	t.Helper()
	spec, err := k.sandbox.Serving(id.ValueString())
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func (k testServer) query(t *rapid.T, id types.String) *kuscia.Serving {
	t.Helper()
	response, err := k.QueryServing(t.Context(), id.ValueString())
	if err != nil {
		t.Fatal(err)
	}
	return response
}

// drawn returns a configuration of a serving that does not exist yet.
func (k testServer) drawn(t *rapid.T) rules.Serving {
	config := Configs().Draw(t, "config").Serving
	config.ServingID = k.newID()
	return config
}

// create creates a serving and returns its state, as the resource does.
func (k testServer) create(t *rapid.T, config rules.Serving) (rules.Serving, rules.Private) {
	t.Helper()
	planned := WithRollout(rules.PlanCreate(config, rules.KnownImages(k.images)), NullModel(), true)
	CheckLegal(t, NullModel(), config, planned)
	if err := k.CreateServing(t.Context(), k.requestOf(t, config)); err != nil {
		t.Fatal(err)
	}
	k.settle(t)
	return k.readBack(t, planned, rules.Desired(planned, config), rules.Private{})
}

// requestOf is the create request for a configuration.
func (k testServer) requestOf(t *rapid.T, config rules.Serving) *kuscia.CreateServingRequest {
	t.Helper()
	var diags diag.Diagnostics
	request := rules.CreateRequest(rules.Desired(rules.PlanCreate(config, rules.KnownImages(k.images)), config), &diags)
	NoDiags(t, diags)
	return request
}

// readBack is the end of a create and of an update.
func (k testServer) readBack(t *rapid.T, planned, desired rules.Serving, private rules.Private) (rules.Serving, rules.Private) {
	t.Helper()
	response := k.query(t, planned.ServingID)
	if different := rules.Differences(desired, response, private); len(different) > 0 {
		t.Fatalf("Kuscia has something else than planned in %v: %s", different, AsJSON(t, response))
	}
	refreshed, next := rules.Refresh(planned, response, private, k.sources(t))
	state := rules.Of(rules.Definition.Filled(planned.Value(), refreshed.Value()))
	CheckStateAsPlanned(t, planned, state)
	return state, next
}

// read is a refresh of the state.
func (k testServer) read(t *rapid.T, state rules.Serving, private rules.Private) (rules.Serving, rules.Private) {
	t.Helper()
	response := k.query(t, state.ServingID)
	return rules.Refresh(state, response, private, k.sources(t))
}

// imported is the state after an import.
func (k testServer) imported(t *rapid.T, id types.String) (rules.Serving, rules.Private) {
	t.Helper()
	bare := NullModel()
	bare.ServingID = id
	return k.read(t, bare, rules.Private{Imported: true})
}

// quiet checks that a configuration plans no change for a state, before and
// after a refresh, and that the refresh changes nothing.
func (k testServer) quiet(t *rapid.T, config, state rules.Serving, private rules.Private) (rules.Serving, rules.Private) {
	t.Helper()
	if is, planned, reasons := Classify(t, config, state, private, k.images); is != NoOp {
		t.Fatalf("the plan is %s %v: %v", is, reasons, ModelDifferences(planned, state))
	}
	refreshed, next := k.read(t, state, private)
	for _, name := range drifted(state, refreshed) {
		// What was read by an import and is not configured follows the app
		// image.
		domain, attribute, _ := strings.Cut(name, ".")
		followed := slices.ContainsFunc(private.ObservedResources, func(key string) bool { return strings.HasPrefix(key, domain+"/") })
		if attribute != "resources" || !followed {
			t.Fatalf("a refresh changes %s: %v", name, ModelDifferences(refreshed, state))
		}
	}
	if is, planned, reasons := Classify(t, config, refreshed, next, k.images); is != NoOp {
		t.Fatalf("after a refresh the plan is %s %v: %v", is, reasons, ModelDifferences(planned, refreshed))
	}
	return refreshed, next
}

// checkProperty checks a property in several runs, each with its own seed that a
// failure prints: go test -run TestName/run_N -rapid.seed=SEED.
func checkProperty(t *testing.T, runs int, property func(*rapid.T, testServer)) {
	t.Helper()
	if !testing.Short() {
		runs *= 3
	}
	for i := range runs {
		t.Run(fmt.Sprintf("run %d", i), func(t *testing.T) {
			t.Parallel()
			k := newTestServer(t)
			rapid.Check(t, func(t *rapid.T) { property(t, k) })
		})
	}
}

func (k testServer) define(t *rapid.T, image kuscia.AppImage) {
	t.Helper()
	if err := k.sandbox.PutAppImage(image); err != nil {
		t.Fatal(err)
	}
}

// update sends an update and returns the state after it, as the resource does.
func (k testServer) update(t *rapid.T, config, planned, state rules.Serving, private rules.Private) (rules.Serving, rules.Private) {
	t.Helper()
	var diags diag.Diagnostics
	live := &liveServing{api: k.Client, id: state.ServingID.ValueString()}
	desired, before, _ := configTexts(t.Context(), live, planned, state, config, private, &diags)
	request, redeploy := rules.UpdateCall(desired, before, private, &diags)
	checkUnchangedSincePlan(t.Context(), live, desired, request, redeploy, private.AfterUpdate(config), &diags)
	NoDiags(t, diags)
	after := private.AfterUpdate(config)
	if request == nil && !redeploy {
		if rules.SameNotReturned(planned, state) && planned.ServingInputConfig.IsNull() == state.ServingInputConfig.IsNull() && !planned.Endpoints.IsUnknown() && !planned.CreateTime.IsUnknown() && sameMeaning(planned, state) && sameNames(planned, state) {
			t.Fatalf("an update is planned and there is nothing to do: %v", ModelDifferences(planned, state))
		}
		return k.readBack(t, planned, desired, after)
	}
	current := k.query(t, state.ServingID)
	if request == nil {
		request = &kuscia.UpdateServingRequest{ServingID: state.ServingID.ValueString()}
	}
	for _, idle := range idleParts(request, current, private) {
		t.Errorf("the update says again what Kuscia has: %s in %s", idle, AsJSON(t, request))
	}
	if redeploy {
		request.ServingInputConfig = rules.ChangeWhitespace(desired.ServingInputConfig.ValueString(), current.ServingInputConfig)
	}
	if err := k.UpdateServing(t.Context(), request); err != nil {
		t.Fatalf("%v: %s", err, AsJSON(t, request))
	}
	k.settle(t)
	return k.readBack(t, planned, desired, after)
}

// replace deletes the serving and creates it again.
func (k testServer) replace(t *rapid.T, config, state rules.Serving) (rules.Serving, rules.Private) {
	t.Helper()
	if err := k.DeleteServing(t.Context(), state.ServingID.ValueString()); err != nil {
		t.Fatal(err)
	}
	k.advance()
	return k.create(t, config)
}

// replaceIsNeeded sends everything that is desired as an update, which must not
// lead to the same serving as a replacement.
func (k testServer) replaceIsNeeded(t *rapid.T, config, state rules.Serving) {
	t.Helper()
	desired := k.requestOf(t, config)
	err := k.UpdateServing(t.Context(), &kuscia.UpdateServingRequest{
		ServingID: state.ServingID.ValueString(), ServingInputConfig: desired.ServingInputConfig, Parties: desired.Parties,
	})
	if err == nil && len(k.otherThanNew(t, config, k.stored(t, state.ServingID), false)) == 0 {
		t.Fatal("a replacement is planned, and an update would have done")
	}
}

// otherThanNew lists the differences between a stored serving and a new one of a
// configuration. Resources of containers that the app image no longer has are
// ignored if stale is allowed: no pod has them.
func (k testServer) otherThanNew(t *rapid.T, config rules.Serving, stored sandbox.ServingSpec, stale bool) (different []string) {
	t.Helper()
	config.ServingID = k.newID()
	if err := k.sandbox.PutServing(*k.requestOf(t, config)); err != nil {
		t.Fatal(err)
	}
	fresh := k.stored(t, config.ServingID)
	if err := k.sandbox.RemoveServing(config.ServingID.ValueString()); err != nil {
		t.Fatal(err)
	}
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
			note(false, "set of parties")
			continue
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
