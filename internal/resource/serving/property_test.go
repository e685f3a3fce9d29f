package serving

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

func newTestServer(t *testing.T) testServer {
	t.Helper()
	patient := func(c *kuscia.Config) { c.RequestTimeout = 30 * time.Second }
	s, c := sandboxtest.Start(t, sandbox.Options{FrozenClock: true, Seed: 1, RecordLimit: -1}, patient)
	for _, image := range PropertyImages() {
		if err := s.PutAppImage(*image); err != nil {
			t.Fatal(err)
		}
	}
	return testServer{c.Kuscia, s, new(atomic.Int64), ImagesOf(PropertyImages()...), new(atomic.Int64)}
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
		if is, planned, _ := Classify(t, config, imported, private, k.images); !sameNames(config, imported) {
			if request, redeploy := rules.UpdateCall(rules.Desired(planned, config), imported, private, new(diag.Diagnostics)); is != Update || !config.ConfigIsWriteOnly() && request != nil || redeploy {
				t.Fatalf("other names than those of an import are %s", is)
			}
		}
		config, respelled = withNames(config, party.Key.MapKey), withNames(respelled, party.Key.MapKey)
		if is, planned, _ := Classify(t, config, imported, private, k.images); config.ConfigIsWriteOnly() {
			if is != Update {
				t.Fatalf("the text that an import read stays in the state: %s", is)
			}
			state, private := k.update(t, config, planned, imported, private)
			k.quiet(t, respelled, state, private)
		} else {
			// An import has null for these, which Terraform does not let a plan keep.
			stores := !config.ServingInputConfig.IsNull() && imported.ServingInputConfig.IsNull() || !config.RedeployTriggers.IsNull() || !config.ReplaceTriggers.IsNull()
			if stores != (is == Update) {
				t.Fatalf("the plan after an import is %s", is)
			}
			state, private := imported, private
			if stores {
				if request, redeploy := rules.UpdateCall(planned, imported, private, new(diag.Diagnostics)); request != nil || redeploy {
					t.Fatalf("the plan after an import sends %+v", request)
				}
				state, private = k.update(t, config, planned, imported, private)
			}
			k.quiet(t, config, state, private)
			k.quiet(t, respelled, state, private)
		}
		generated := generatedFrom(imported)
		NoDiags(t, rules.Validate(generated.Value()))
		k.quiet(t, generated, imported, private)
	})
}

// generatedFrom is the configuration that Terraform generates for an imported
// serving: everything as it was read.
func generatedFrom(imported rules.Serving) rules.Serving {
	imported.ServingInputConfigVersion = types.Int64Null()
	imported.ID, imported.RolloutComplete = types.StringNull(), types.BoolNull()
	imported.CreateTime, imported.Endpoints = types.StringNull(), types.MapNull(rules.EndpointType)
	imported = InParties(imported, func(parties []rules.Party) []rules.Party {
		for i := range parties {
			parties[i].Image = types.StringNull()
		}
		return parties
	})
	return imported
}

// TestPropertyEdits: for every edit, a plan without a change leaves nothing to do, an update is
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
			is, planned, _ := Classify(t, edited, state, private, k.images)
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
				if !otherTrigger(edited.ReplaceTriggers, state.ReplaceTriggers) {
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
			is, planned, _ := Classify(t, edited, state, private, k.images)
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

// TestPropertyAppImageRedefined: an app image that gets other containers and
// other resources under a live serving changes nothing in state and plan, another image
// is a change of each party that follows it, and the serving can still be updated.
func TestPropertyAppImageRedefined(t *testing.T) {
	t.Parallel()
	checkProperty(t, 2, func(t *rapid.T, k testServer) {
		config := k.drawn(t)
		rename := func(name string) string { return name + "-" + config.ServingID.ValueString() }
		for _, image := range PropertyImages() {
			image.Name = rename(image.Name)
			k.define(t, *image)
		}
		config = InParties(config, func(parties []rules.Party) []rules.Party {
			for i := range parties {
				parties[i].AppImage = types.StringValue(rename(parties[i].AppImage.ValueString()))
			}
			return parties
		})
		k.images = k.lookup(t)
		state, private := k.create(t, config)
		for range 2 {
			for _, image := range PropertyImages() {
				k.define(t, *redefined(t, rename(image.Name)))
			}
			k.settle(t)
			k.images = k.lookup(t)
			state, private = k.read(t, state, private)
			is, planned, reasons := Classify(t, config, state, private, k.images)
			if follows := followsImage(config, state, k.images); is == Replace || (is == Update) != follows {
				t.Fatalf("redefined app images are %s %v: %v, and the serving follows them: %t", is, reasons, ModelDifferences(planned, state), follows)
			}
			if is == Update {
				state, private = k.update(t, config, planned, state, private)
				k.runs(t, state)
			}
			state, private = k.quiet(t, config, state, private)
			config = InParty(config, 0, Replicas(rapid.Int32Range(1, 5).Draw(t, "replicas")))
			if is, planned, reasons := Classify(t, config, state, private, k.images); is == Update {
				state, private = k.update(t, config, planned, state, private)
				k.runs(t, state)
			} else if is == Replace {
				t.Fatalf("replicas replace: %v", reasons)
			}
		}
	})
}

// redefined draws an app image for every role.
func redefined(t *rapid.T, name string) *kuscia.AppImage {
	tag := rapid.SampledFrom([]string{"0", "1", "2"}).Draw(t, "tag")
	names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"main", "side", "extra", "renamed"}), 1, 4, rapid.ID[string]).Draw(t, "containers")
	containers := make([]kuscia.Container, len(names))
	for i, name := range names {
		containers[i] = Container(name)
		if rapid.Bool().Draw(t, "own resources") {
			containers[i].Resources = &kuscia.ResourceRequirements{Requests: &kuscia.ResourceSpec{CPU: "7m"}, Limits: &kuscia.ResourceSpec{Memory: "7Gi"}}
		}
	}
	image := AppImage(name, containers...)
	image.Image.Tag = tag
	return image
}

// drawEdit draws the next configuration: usually a few edits, sometimes only
// another spelling, sometimes a different configuration.
func drawEdit(t *rapid.T, config rules.Serving, i int) rules.Serving {
	label := fmt.Sprintf("edit %d", i)
	var edited rules.Serving
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
