package serving

import (
	"cmp"
	"fmt"
	"maps"
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
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/refresh"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rollout"
	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// testServer is a sandbox with the generators' app images and its client. Its
// clock is advanced only by settle, so that a failure can be reproduced.
type testServer struct {
	*kuscia.Client

	sandbox *sandbox.Sandbox
	ids     *atomic.Int64
	// advanced is how far the sandbox's clock was advanced.
	advanced *atomic.Int64
}

// advance advances the sandbox's clock and that of the resource.
func (k testServer) advance(by time.Duration) {
	k.sandbox.Advance(by)
	k.advanced.Add(int64(by))
}

func newTestServer(t *testing.T) testServer {
	t.Helper()
	patient := func(c *kuscia.Config) { c.RequestTimeout = 30 * time.Second }
	s, c := sandboxtest.Start(t, sandbox.Options{FrozenClock: true, Seed: 1, RecordLimit: -1}, patient)
	for _, image := range PropertyImages() {
		if err := s.PutAppImage(*image); err != nil {
			t.Fatal(err)
		}
	}
	return testServer{c.Kuscia, s, new(atomic.Int64), new(atomic.Int64)}
}

// settle lets the controller finish, or not: the responses to a query differ in
// what the Deployments add.
func (k testServer) settle(t *rapid.T) {
	if rapid.Bool().Draw(t, "settle") {
		k.advance(time.Minute)
	}
}

func (k testServer) newID() types.String { return types.StringValue(fmt.Sprintf("s%d", k.ids.Add(1))) }

func (k testServer) images() party.ImageLookup { return ImagesOf(PropertyImages()...) }

// template looks up a party's deploy template as the resource does.
func (k testServer) template(t *rapid.T) refresh.TemplateLookup {
	return refresh.Templates(k.sources(t).Current)
}

var testEpoch = time.Date(2026, 1, 8, 10, 0, 0, 0, time.UTC)

// sources are those of the resource, with the sandbox's clock.
func (k testServer) sources(t *rapid.T) refresh.Sources {
	from := sourcesOf(t.Context(), clients.New(k.Client), "")
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
func (k testServer) drawn(t *rapid.T) model.Serving {
	config := Configs().Draw(t, "config").Serving
	config.ServingID = k.newID()
	return config
}

// create creates a serving and returns its state, as the resource does.
func (k testServer) create(t *rapid.T, config model.Serving) (model.Serving, model.Private) {
	t.Helper()
	planned := plan.Create(config)
	CheckLegal(t, NullModel(), config, planned)
	if err := k.CreateServing(t.Context(), requestOf(t, config)); err != nil {
		t.Fatal(err)
	}
	k.settle(t)
	return k.readBack(t, planned, model.Desired(planned, config), model.Private{})
}

// requestOf is the create request for a configuration.
func requestOf(t *rapid.T, config model.Serving) *kuscia.CreateServingRequest {
	t.Helper()
	var diags diag.Diagnostics
	request := plan.CreateRequest(model.Desired(plan.Create(config), config), &diags)
	NoDiags(t, diags)
	return request
}

// readBack is the end of a create and of an update.
func (k testServer) readBack(t *rapid.T, planned, desired model.Serving, private model.Private) (model.Serving, model.Private) {
	t.Helper()
	response := k.query(t, planned.ServingID)
	state, next, different := refresh.AfterApply(planned, desired, response, private, k.sources(t))
	if len(different) > 0 {
		t.Fatalf("Kuscia has something else than planned in %v: %s", different, AsJSON(t, response))
	}
	CheckStateAsPlanned(t, planned, state)
	return state, next
}

// read is a refresh of the state.
func (k testServer) read(t *rapid.T, state model.Serving, private model.Private) (model.Serving, model.Private) {
	t.Helper()
	response := k.query(t, state.ServingID)
	return refresh.Read(state, response, private, k.sources(t))
}

// imported is the state after an import.
func (k testServer) imported(t *rapid.T, id types.String) (model.Serving, model.Private) {
	t.Helper()
	bare := NullModel()
	bare.ServingID = id
	return k.read(t, bare, model.Private{Imported: true})
}

// quiet checks that a configuration plans no change for a state, before and
// after a refresh, and that the refresh changes nothing.
func (k testServer) quiet(t *rapid.T, config, state model.Serving, private model.Private) (model.Serving, model.Private) {
	t.Helper()
	if is, planned, reasons := Classify(t, config, state, private, k.images()); is != NoOp {
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
	if is, planned, reasons := Classify(t, config, refreshed, next, k.images()); is != NoOp {
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

// TestPropertyRoundTrip: every created serving reads back as the same model,
// with any other spelling in the plan and after an import.
func TestPropertyRoundTrip(t *testing.T) {
	t.Parallel()
	checkProperty(t, 4, func(t *rapid.T, k testServer) {
		config := k.drawn(t)
		state, private := k.create(t, config)
		k.settle(t)
		state, private = k.quiet(t, config, state, private)
		respelled := Respellings(config).Draw(t, "respelled").Serving
		k.quiet(t, respelled, state, private)

		imported, private := k.imported(t, config.ServingID)
		if is, planned, _ := Classify(t, config, imported, private, k.images()); config.ConfigIsWriteOnly() {
			if is != Update {
				t.Fatalf("the text that an import read stays in the state: %s", is)
			}
			state, private := k.update(t, config, planned, imported, private)
			k.quiet(t, respelled, state, private)
		} else {
			k.quiet(t, config, imported, private)
			k.quiet(t, respelled, imported, private)
		}
		generated := generatedFrom(imported)
		NoDiags(t, plan.Validate(generated))
		k.quiet(t, generated, imported, private)
	})
}

// finished is a refreshed state once the rollout of another client's change is
// complete. Until then the same configuration plans to wait for it, and nothing
// else.
func (k testServer) finished(t *rapid.T, config, state model.Serving, private model.Private) (model.Serving, model.Private) {
	t.Helper()
	if !model.RolloutUnfinished(state) {
		return state, private
	}
	is, planned, reasons := Classify(t, config, state, private, k.images())
	changed := slices.DeleteFunc(ChangedPaths(state, planned), func(name string) bool {
		return name == "create_time" && state.CreateTime.IsNull() || name == "endpoints" && len(state.Endpoints.Elements()) == 0
	})
	if is != Update || !slices.Equal(changed, []string{"rollout_complete"}) {
		t.Fatalf("an unfinished rollout is %s %v: %v", is, reasons, ModelDifferences(planned, state))
	}
	if request, redeploy := plan.UpdateCall(planned, state, private, new(diag.Diagnostics)); request != nil || redeploy {
		t.Fatalf("waiting for a rollout sends %s", AsJSON(t, request))
	}
	k.advance(2 * wait.StartTimeout)
	refreshed, next := k.read(t, state, private)
	seen := wait.History{Consecutive: 1, PastStatusLagMargin: true, PastStartTimeout: true, PastStaleDeploymentTimeout: true}
	outcome, _ := wait.Evaluate(k.query(t, state.ServingID).Status, rollout.CreateTarget(refreshed), seen)
	runs := outcome.Phase == wait.Running
	if model.RolloutUnfinished(refreshed) == runs {
		t.Fatalf("the rollout is complete: %s; the serving runs: %v", refreshed.RolloutComplete, runs)
	}
	refreshed.RolloutComplete = types.BoolValue(true)
	return refreshed, next
}

// generatedFrom is the configuration that Terraform generates for an imported
// serving: everything as it was read, without sensitive values.
func generatedFrom(imported model.Serving) model.Serving {
	imported.ServingInputConfig = tfvalue.NewConfigTextNull()
	imported.ServingInputConfigVersion = types.Int64Null()
	imported.ID, imported.RolloutComplete = types.StringNull(), types.BoolNull()
	imported.CreateTime, imported.Endpoints = types.StringNull(), types.ListNull(model.EndpointType)
	return imported
}

// TestPropertyEdits: for every edit, the plan has the right class, an update is
// minimal and leads to the planned state, and a replacement is planned only if
// an update could not lead there.
func TestPropertyEdits(t *testing.T) {
	t.Parallel()
	checkProperty(t, 8, func(t *rapid.T, k testServer) {
		config := k.drawn(t)
		state, private := k.create(t, config)
		for i := range 3 {
			edited := drawEdit(t, config, i)
			k.settle(t)
			before := k.stored(t, state.ServingID)
			want := oracle(before, state, edited, k.images())
			is, planned, reasons := Classify(t, edited, state, private, k.images())
			if is != want {
				t.Fatalf("the plan is %s %v, want %s", is, reasons, want)
			}
			switch is {
			case NoOp:
				if found := k.otherThanNew(t, edited, before, true); len(found) > 0 {
					t.Fatalf("nothing is planned, and a new serving would differ in %v", found)
				}
			case Update:
				state, private = k.update(t, edited, planned, state, private)
				if found := k.otherThanNew(t, edited, k.stored(t, state.ServingID), true); len(found) > 0 {
					t.Fatalf("after the update a new serving would differ in %v", found)
				}
			case Replace:
				if model.SameTriggers(model.WithDefaults(edited).ReplaceTriggers, state.ReplaceTriggers) {
					k.replaceIsNeeded(t, edited, state)
				}
				state, private = k.replace(t, edited, state)
			}
			state, private = k.quiet(t, edited, state, private)
			config = edited
		}
	})
}

// TestPropertyImportedEdits: the same after an import, when it is unknown which
// resources Kuscia stores and which are the app image's.
func TestPropertyImportedEdits(t *testing.T) {
	t.Parallel()
	checkProperty(t, 4, func(t *rapid.T, k testServer) {
		config := k.drawn(t)
		k.create(t, config)
		state, private := k.imported(t, config.ServingID)
		for i := range 3 {
			edited := drawEdit(t, config, i)
			k.settle(t)
			is, planned, _ := Classify(t, edited, state, private, k.images())
			switch is {
			case NoOp:
			case Update:
				state, private = k.update(t, edited, planned, state, private)
			case Replace:
				state, private = k.replace(t, edited, state)
			}
			state, private = k.quiet(t, edited, state, private)
			config = edited
		}
	})
}

// TestPropertyDrift: a change in place by another client is drift of that
// attribute and nothing else, and a configuration with the same change plans
// nothing.
func TestPropertyDrift(t *testing.T) {
	t.Parallel()
	checkProperty(t, 4, func(t *rapid.T, k testServer) {
		config := k.drawn(t)
		state, private := k.create(t, config)
		edited := drawEdit(t, config, 0)
		if config.ConfigIsWriteOnly() || edited.ConfigIsWriteOnly() { // drift of a write-only text is not detected
			edited.ServingInputConfig, edited.ServingInputConfigWO, edited.ServingInputConfigVersion = config.ServingInputConfig, config.ServingInputConfigWO, config.ServingInputConfigVersion
		}
		if config.ServingInputConfig.IsNull() && edited.ServingInputConfig.ValueString() == "" {
			edited.ServingInputConfig = config.ServingInputConfig // an empty text instead of none is an update of the state
		}
		edited.AffinityMode, edited.RedeployTriggers, edited.WaitForRollout, edited.Timeouts = config.AffinityMode, config.RedeployTriggers, config.WaitForRollout, config.Timeouts
		edited.ReplaceTriggers, edited.ProgressDeadline = config.ReplaceTriggers, config.ProgressDeadline
		is, planned, _ := Classify(t, edited, state, private, k.images())
		if is != Update || newResources(state, planned) {
			t.Skip("another client cannot make this change in place, or the state does not show it")
		}
		k.update(t, edited, planned, state, private)
		refreshed, private := k.read(t, state, private)
		want := expectedDrift(state, planned)
		if got := drifted(state, refreshed); !slices.Equal(got, want) {
			t.Fatalf("drift shows in %v, want %v", got, want)
		}
		refreshed, private = k.finished(t, edited, refreshed, private)
		if is, _, reasons := Classify(t, edited, refreshed, private, k.images()); is != NoOp {
			t.Fatalf("a configuration that has caught up is %s %v", is, reasons)
		}
		if is, _, _ := Classify(t, config, refreshed, private, k.images()); is == NoOp {
			t.Fatal("the old configuration plans nothing on the changed serving")
		}
	})
}

// TestPropertyFirstUnmanagedResources: resources that another client stores for
// parties without any are drift of that and nothing else, unless they equal
// those of the app image. A configuration with the same resources plans nothing,
// and the old one plans no update that Kuscia could not carry out.
func TestPropertyFirstUnmanagedResources(t *testing.T) {
	t.Parallel()
	checkProperty(t, 2, func(t *rapid.T, k testServer) {
		config := InParty(Configs().Draw(t, "config").Serving, 0, NoResources)
		config.ServingID = k.newID()
		// A Service name that is in use keeps a serving from being deployed.
		config = InParties(config, func(parties []model.Party) []model.Party {
			for i := range parties {
				parties[i].ServiceNamePrefix = types.StringNull()
			}
			return parties
		})
		state, private := k.create(t, config)
		k.advance(time.Minute)
		state, private = k.quiet(t, config, state, private)
		edited := InParty(config, 0, (Generator{T: t}).Resources)
		if !ValidDraw(Drawn{Serving: edited}) {
			t.Skip("not valid")
		}
		is, planned, _ := Classify(t, edited, state, private, k.images())
		if is != Update {
			t.Skip("no resources drawn")
		}
		k.update(t, edited, planned, state, private)
		k.settle(t)
		refreshed, private := k.read(t, state, private)
		parties := slices.Clone(state.Parties.Items)
		p := parties[0]
		wire := model.FindWire(k.query(t, state.ServingID).Parties, p.Key())
		image := model.SnapshotOf(model.TemplateResources(k.template(t)(*wire)))
		var want []string
		if now := model.SnapshotOf(wire.Resources); now.Storable(image) && !maps.Equal(now, image) {
			want = []string{p.DomainID.ValueString() + ".resources"}
		}
		if got := drifted(state, refreshed); !slices.Equal(got, want) {
			t.Fatalf("drift shows in %v, want %v", got, want)
		}
		if want == nil {
			return
		}
		refreshed, private = k.finished(t, edited, refreshed, private)
		k.quiet(t, edited, refreshed, private)
		if is, _, _ := Classify(t, config, refreshed, private, k.images()); is != Replace {
			t.Fatalf("the old configuration is %s on the changed serving", is)
		}
	})
}

// TestPropertyAppImageRedefined: an app image that gets other containers and
// other resources under a live serving changes nothing in state and plan, and
// the serving can still be updated.
func TestPropertyAppImageRedefined(t *testing.T) {
	t.Parallel()
	checkProperty(t, 2, func(t *rapid.T, k testServer) {
		config := k.drawn(t)
		rename := func(name string) string { return name + "-" + config.ServingID.ValueString() }
		for _, image := range PropertyImages() {
			image.Name = rename(image.Name)
			k.define(t, *image)
		}
		config = InParties(config, func(parties []model.Party) []model.Party {
			for i := range parties {
				parties[i].AppImage = types.StringValue(rename(parties[i].AppImage.ValueString()))
			}
			return parties
		})
		state, private := k.create(t, config)
		for range 2 {
			for _, image := range PropertyImages() {
				k.define(t, *redefined(t, rename(image.Name)))
			}
			k.settle(t)
			state, private = k.quiet(t, config, state, private)
			config = InParty(config, 0, Replicas(rapid.Int32Range(1, 5).Draw(t, "replicas")))
			if is, planned, reasons := Classify(t, config, state, private, k.images()); is == Update {
				state, private = k.update(t, config, planned, state, private)
			} else if is == Replace {
				t.Fatalf("replicas replace: %v", reasons)
			}
		}
	})
}

func (k testServer) define(t *rapid.T, image kuscia.AppImage) {
	t.Helper()
	if err := k.sandbox.PutAppImage(image); err != nil {
		t.Fatal(err)
	}
}

// redefined draws an app image for every role.
func redefined(t *rapid.T, name string) *kuscia.AppImage {
	names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"main", "side", "extra", "renamed"}), 1, 4, rapid.ID[string]).Draw(t, "containers")
	containers := make([]kuscia.Container, len(names))
	for i, name := range names {
		containers[i] = Container(name)
		if rapid.Bool().Draw(t, "own resources") {
			containers[i].Resources = &kuscia.ResourceRequirements{Requests: &kuscia.ResourceSpec{CPU: "7m"}, Limits: &kuscia.ResourceSpec{Memory: "7Gi"}}
		}
	}
	return AppImage(name, containers...)
}

// drawEdit draws the next configuration: usually a few edits, sometimes only
// another spelling, sometimes a different configuration.
func drawEdit(t *rapid.T, config model.Serving, i int) model.Serving {
	label := fmt.Sprintf("edit %d", i)
	var edited model.Serving
	switch rapid.IntRange(0, 9).Draw(t, "kind of edit") {
	case 0:
		edited = Configs().Draw(t, label).Serving
	case 1:
		edited = Respellings(config).Draw(t, label).Serving
	case 2, 3, 4:
		edited = Respellings(Edits(config).Draw(t, label).Serving).Draw(t, label+" respelled").Serving
	default:
		edited = Edits(config).Draw(t, label).Serving
	}
	edited.ServingID = config.ServingID
	return edited
}

// update sends an update and returns the state after it, as the resource does.
func (k testServer) update(t *rapid.T, config, planned, state model.Serving, private model.Private) (model.Serving, model.Private) {
	t.Helper()
	var diags diag.Diagnostics
	live := &liveServing{api: k.Client, id: state.ServingID.ValueString()}
	desired, before, _ := configTexts(t.Context(), live, planned, state, config, &diags)
	request, redeploy := plan.UpdateCall(desired, before, private, &diags)
	checkUnchangedSincePlan(t.Context(), live, desired, request, redeploy, private.AfterUpdate(config), &diags)
	NoDiags(t, diags)
	after := private.AfterUpdate(config)
	if request == nil {
		if !redeploy && model.SameNotReturned(planned, state) && planned.ServingInputConfig.IsNull() == state.ServingInputConfig.IsNull() && !planned.Endpoints.IsUnknown() && !planned.CreateTime.IsUnknown() && sameMeaning(planned, state) {
			t.Fatalf("an update is planned and there is nothing to do: %v", ModelDifferences(planned, state))
		}
		return k.readBack(t, planned, desired, after)
	}
	current := k.query(t, state.ServingID)
	for _, idle := range idleParts(request, current, private) {
		t.Errorf("the update says again what Kuscia has: %s in %s", idle, AsJSON(t, request))
	}
	if err := k.UpdateServing(t.Context(), request); err != nil {
		t.Fatalf("%v: %s", err, AsJSON(t, request))
	}
	k.settle(t)
	return k.readBack(t, planned, desired, after.AfterSending())
}

// sameMeaning reports whether two states are equivalent for Kuscia.
func sameMeaning(a, b model.Serving) bool {
	before := slices.Clone(b.Parties.Items)
	after := slices.Clone(a.Parties.Items)
	for _, p := range after {
		old, _ := model.FindParty(before, p.Key())
		if change := plan.CompareParties(old, p, model.Private{}); change.Any() {
			return false
		}
	}
	return tfvalue.ConfigTextEqual(a.ServingInputConfig.ValueString(), b.ServingInputConfig.ValueString())
}

// idleParts are the parts of an update that Kuscia already has.
func idleParts(request *kuscia.UpdateServingRequest, current *kuscia.Serving, private model.Private) (idle []string) {
	if request.ServingInputConfig != "" && tfvalue.ConfigTextEqual(request.ServingInputConfig, current.ServingInputConfig) {
		idle = append(idle, "serving_input_config")
	}
	for _, p := range request.Parties {
		key := party.Key{DomainID: p.DomainID, Role: p.Role}
		now := model.FindWire(current.Parties, key)
		if p.AppImage == "" && p.Replicas == nil && p.UpdateStrategy == nil && len(p.Resources) == 0 {
			idle = append(idle, key.String())
		}
		if p.AppImage == now.AppImage {
			idle = append(idle, key.String()+" app_image")
		}
		if p.Replicas != nil && now.Replicas != nil && *p.Replicas == *now.Replicas {
			idle = append(idle, key.String()+" replicas")
		}
		if p.UpdateStrategy != nil && model.SameStrategy(model.ReadStrategy(p.UpdateStrategy), model.ReadStrategy(now.UpdateStrategy)) {
			idle = append(idle, key.String()+" update_strategy")
		}
		if p.UpdateStrategy != nil && p.UpdateStrategy.Type == kuscia.StrategyRollingUpdate && (p.UpdateStrategy.MaxSurge == "" || p.UpdateStrategy.MaxUnavailable == "") {
			idle = append(idle, key.String()+" a part of update_strategy")
		}
		if len(private.ContainersOf(key)) == 0 || private.ResourcesObserved(key) {
			continue // the first resources of a party are sent completely
		}
		for _, r := range p.Resources {
			i := slices.IndexFunc(now.Resources, func(n kuscia.Resource) bool { return n.ContainerName == r.ContainerName })
			if i < 0 || model.AmountsOf(r).Empty() {
				idle = append(idle, key.String()+" resources of "+r.ContainerName)
				continue
			}
			for name, pair := range map[string][2]string{
				"min_cpu": {r.MinCPU, now.Resources[i].MinCPU}, "max_cpu": {r.MaxCPU, now.Resources[i].MaxCPU},
				"min_memory": {r.MinMemory, now.Resources[i].MinMemory}, "max_memory": {r.MaxMemory, now.Resources[i].MaxMemory},
			} {
				if pair[0] != "" && tfvalue.QuantityEqual(pair[0], pair[1]) {
					idle = append(idle, key.String()+" "+name+" of "+r.ContainerName)
				}
			}
		}
	}
	return idle
}

// replace deletes the serving and creates it again.
func (k testServer) replace(t *rapid.T, config, state model.Serving) (model.Serving, model.Private) {
	t.Helper()
	if err := k.DeleteServing(t.Context(), state.ServingID.ValueString()); err != nil {
		t.Fatal(err)
	}
	k.advance(time.Minute)
	return k.create(t, config)
}

// replaceIsNeeded sends everything that is desired as an update, which must not
// lead to the same serving as a replacement.
func (k testServer) replaceIsNeeded(t *rapid.T, config, state model.Serving) {
	t.Helper()
	desired := requestOf(t, config)
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
func (k testServer) otherThanNew(t *rapid.T, config model.Serving, stored sandbox.ServingSpec, stale bool) (different []string) {
	t.Helper()
	config.ServingID = k.newID()
	if err := k.sandbox.PutServing(*requestOf(t, config)); err != nil {
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
		note(model.SameStrategy(model.ReadStrategy(&have.Strategy), model.ReadStrategy(&want.Strategy)), "update_strategy")
		note(sameStored(have.Containers, want.Containers, stale), fmt.Sprintf("resources: %v, want %v", have.Containers, want.Containers))
	}
	return different
}

func sameStored(have, want []kuscia.Resource, stale bool) bool {
	if len(want) == 0 {
		return len(have) == 0
	}
	if !stale && len(have) != len(want) {
		return false
	}
	for _, w := range want {
		i := slices.IndexFunc(have, func(h kuscia.Resource) bool { return h.ContainerName == w.ContainerName })
		if i < 0 || !model.AmountsOf(have[i]).Equal(model.AmountsOf(w)) {
			return false
		}
	}
	return true
}

// oracle is the class of a plan derived from the facts alone: what Kuscia
// stores, what an update can change, and how its merge works.
func oracle(stored sandbox.ServingSpec, state, config model.Serving, images party.ImageLookup) Outcome {
	want := model.WithDefaults(config)
	want.ProgressDeadline = model.KeepProgressDeadline(want.ProgressDeadline, state.ProgressDeadline)
	found := NoOp
	is := func(c Outcome, when bool) {
		if when && found != Replace {
			found = c
		}
	}
	is(Update, !model.SameNotReturned(want, state))
	is(Replace, stored.Initiator != want.Initiator.ValueString())
	is(Replace, !model.SameTriggers(want.ReplaceTriggers, state.ReplaceTriggers))
	is(Replace, cmp.Or(stored.AffinityMode, kuscia.AntiAffinity) != want.AffinityMode.ValueString())
	text := model.ConfigText(config)
	is(Update, !tfvalue.ConfigTextEqual(stored.InputConfig, text.ValueString()))
	is(Update, state.ServingInputConfig.IsNull() && !config.ServingInputConfig.IsNull()) // which Terraform does not let a plan ignore
	is(Replace, stored.InputConfig != "" && text.ValueString() == "")
	parties := slices.Clone(want.Parties.Items)
	is(Replace, len(parties) != len(stored.Parties))
	for _, p := range parties {
		i := slices.IndexFunc(stored.Parties, func(s sandbox.PartySpec) bool { return (party.Key{DomainID: s.DomainID, Role: s.Role}) == p.Key() })
		if i < 0 {
			return Replace
		}
		have := stored.Parties[i]
		is(Replace, have.ServiceNamePrefix != p.ServiceNamePrefix.ValueString())
		is(Update, have.AppImage != p.AppImage.ValueString())
		is(Update, *have.Replicas != p.Replicas.ValueInt32())
		is(Update, !model.SameStrategy(model.ReadStrategy(&have.Strategy), p.Strategy))
		is(resourcesClass(have.Containers, p, images))
	}
	return found
}

func resourcesClass(stored []kuscia.Resource, p model.Party, images party.ImageLookup) (Outcome, bool) {
	desired := p.Resources.Spec()
	if len(stored) == 0 {
		return Update, desired.IsSet()
	}
	for _, c := range party.TemplateFor(images(p.AppImage.ValueString()), p.Role.ValueString()).Containers {
		if !slices.ContainsFunc(stored, func(r kuscia.Resource) bool { return r.ContainerName == c.Name }) && !desired.ForContainer(c.Name).Empty() {
			return Replace, true
		}
	}
	changed := false
	for _, r := range stored {
		want := desired.ForContainer(r.ContainerName)
		for _, field := range []struct {
			have, want string
			sideStored bool
		}{
			{r.MinCPU, want.MinCPU, r.MinCPU+r.MinMemory != ""}, {r.MinMemory, want.MinMemory, r.MinCPU+r.MinMemory != ""},
			{r.MaxCPU, want.MaxCPU, r.MaxCPU+r.MaxMemory != ""}, {r.MaxMemory, want.MaxMemory, r.MaxCPU+r.MaxMemory != ""},
		} {
			switch {
			case field.have == "" && field.want == "", tfvalue.QuantityEqual(field.have, field.want):
			case field.want == "", field.have == "" && !field.sideStored, field.have == "" && tfvalue.QuantityEqual(field.want, "0"):
				return Replace, true
			default:
				changed = true
			}
		}
	}
	return Update, changed
}

// newResources reports whether a party gets its first resources, which a state
// that never had any does not show.
func newResources(state, planned model.Serving) bool {
	before := slices.Clone(state.Parties.Items)
	after := slices.Clone(planned.Parties.Items)
	return slices.ContainsFunc(after, func(p model.Party) bool {
		old, _ := model.FindParty(before, p.Key())
		return p.Resources.Spec().IsSet() && !old.Resources.Spec().IsSet()
	})
}

// drifted are the attributes that a refresh changed; expectedDrift are those in
// which an update differs in meaning.
func drifted(state, refreshed model.Serving) (names []string) {
	for _, name := range ChangedPaths(state, refreshed) {
		if !strings.HasPrefix(name, "endpoints") && name != "create_time" && name != "rollout_complete" {
			names = append(names, strings.ReplaceAll(name, "parties.", ""))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func expectedDrift(state, planned model.Serving) (names []string) {
	if !state.ConfigIsWriteOnly() && !tfvalue.ConfigTextEqual(state.ServingInputConfig.ValueString(), planned.ServingInputConfig.ValueString()) {
		names = append(names, "serving_input_config")
	}
	before := slices.Clone(state.Parties.Items)
	after := slices.Clone(planned.Parties.Items)
	for _, p := range after {
		old, _ := model.FindParty(before, p.Key())
		for attribute, differs := range map[string]bool{
			"app_image": !p.AppImage.Equal(old.AppImage), "replicas": !p.Replicas.Equal(old.Replicas),
			"update_strategy": !model.SameStrategy(p.Strategy, old.Strategy),
			"resources":       !p.Resources.Spec().Equal(old.Resources.Spec(), ContainersOf(old)),
		} {
			if differs {
				names = append(names, p.Key().DomainID+"."+attribute)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TestPropertyUnknown: Terraform plans again once everything is known. What was
// known in the first plan must not change then, and an update must not become a
// replacement, except for the few values for which only the second plan can
// detect that no update can change them.
func TestPropertyUnknown(t *testing.T) {
	t.Parallel()
	checkPure(t, 4, func(t *rapid.T) {
		config := Configs().Draw(t, "config").Serving
		state := StateOf(config)
		edited := config
		if rapid.Bool().Draw(t, "edited") {
			edited = Edits(config).Draw(t, "edit").Serving
		}
		open := withUnknown(t, edited)
		private := privateOf(state)
		images := ImagesOf(PropertyImages()...)

		first, planned, _ := Classify(t, open, state, private, images)
		second, final, reasons := Classify(t, edited, state, private, images)
		if first == Replace {
			return // whatever is created then is new
		}
		if second == Replace && !knownTooLate(reasons) {
			t.Fatalf("an update becomes a replacement: %v", reasons)
		}
		// If everything turns out to be a difference in spelling, the prior
		// values stay, which the first plan could not know.
		respelled := final.Parties.Equal(state.Parties) && !edited.Parties.Equal(config.Parties)
		if second != Replace && !respelled {
			CheckStateAsPlanned(t, InParties(planned, func(parties []model.Party) []model.Party {
				return withoutKeptForms(parties, final, state, edited, config)
			}), final)
		}
	})
}

// withoutKeptForms drops planned resources that, once everything is known, are
// only another form of the party's resources and keep the prior form.
func withoutKeptForms(parties []model.Party, final, state, edited, config model.Serving) []model.Party {
	last := slices.Clone(final.Parties.Items)
	before := slices.Clone(state.Parties.Items)
	now := slices.Clone(edited.Parties.Items)
	old := slices.Clone(config.Parties.Items)
	for i, p := range parties {
		was, _ := model.FindParty(before, last[i].Key())
		written, _ := model.FindParty(old, now[i].Key())
		if last[i].Resources.Encode().Equal(was.Resources.Encode()) && !now[i].Resources.Encode().Equal(written.Resources.Encode()) {
			p.Resources = model.ResourceList{Unknown: true}
		}
		parties[i] = p
	}
	return parties
}

func checkPure(t *testing.T, runs int, property func(*rapid.T)) {
	t.Helper()
	for i := range runs {
		t.Run(fmt.Sprintf("run %d", i), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, property)
		})
	}
}

// privateOf is the private state with the stored containers after a create.
func privateOf(state model.Serving) (private model.Private) {
	parties := slices.Clone(state.Parties.Items)
	for _, p := range parties {
		if p.Resources.Spec().IsSet() {
			private = private.WithContainers(p.Key(), ContainersOf(p))
		}
	}
	return private
}

// knownTooLate reports whether all reasons are about values that may be unknown
// in the plan of an update.
func knownTooLate(reasons []plan.Replacement) bool {
	for _, reason := range reasons {
		if !strings.Contains(reason.Why, "is removed") && !strings.Contains(reason.Why, "is set to zero") && !strings.Contains(reason.Why, "\"unchanged\"") &&
			!strings.Contains(reason.Why, "cannot add any to another one") {
			return false
		}
	}
	return true
}

// withUnknown makes some values of a configuration unknown.
func withUnknown(t *rapid.T, m model.Serving) model.Serving {
	parties := slices.Clone(m.Parties.Items)
	for range rapid.IntRange(1, 2).Draw(t, "unknown values") {
		p := &parties[rapid.IntRange(0, len(parties)-1).Draw(t, "of party")]
		items := slices.Clone(p.Resources.Items)
		p.Resources.Items = items
		which := rapid.IntRange(0, 12).Draw(t, "unknown")
		if which >= 9 && len(items) == 0 {
			which = 8
		}
		switch which {
		case 0:
			switch {
			case !m.ConfigIsWriteOnly():
				m.ServingInputConfig = tfvalue.NewConfigTextUnknown()
			case rapid.Bool().Draw(t, "of the version"):
				m.ServingInputConfigVersion = types.Int64Unknown()
			default:
				m.ServingInputConfigWO = tfvalue.NewConfigTextUnknown()
			}
		case 1:
			m.RedeployTriggers = types.MapUnknown(types.StringType)
		case 2:
			m.WaitForRollout = types.BoolUnknown()
		case 3:
			m.AffinityMode = types.StringUnknown()
		case 4:
			p.AppImage = types.StringUnknown()
		case 5:
			p.Replicas = types.Int32Unknown()
		case 6:
			p.Strategy = model.Strategy{Unknown: true}
		case 7:
			if p.Strategy.Null {
				p.Strategy = model.Strategy{Unknown: true}
			} else {
				p.Strategy.MaxSurge = types.StringUnknown()
			}
		case 8:
			p.Resources = model.ResourceList{Unknown: true}
		case 9:
			items[0].MinCPU = tfvalue.NewQuantityUnknown()
		case 10:
			items[0].MaxMemory = tfvalue.NewQuantityUnknown()
		case 11:
			items[0].Container = types.StringUnknown()
		default:
			items[0] = model.ContainerResources{Unknown: true}
		}
	}
	m.Parties = model.PartiesOf(parties...)
	return m
}
