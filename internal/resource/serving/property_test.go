package serving

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// checkProperty checks a property in several runs, each with its own seed that a
// failure prints: go test -run TestName/run_N -rapid.seed=SEED.
func checkProperty(t *testing.T, runs int, property func(*rapid.T, testServer)) {
	t.Helper()
	for i := range short.Count(runs, 3*runs) {
		t.Run(fmt.Sprintf("run %d", i), func(t *testing.T) {
			t.Parallel()
			k := newTestServer(t)
			rapid.Check(t, func(t *rapid.T) { property(t, k) })
		})
	}
}

// TestPropertyEdits: for every edit of a serving that was created or imported, a plan without a
// change leaves nothing to do, an update is minimal and leads to what a new serving would have,
// and a replacement is planned only if an update could not lead there. After an import it is
// unknown which resources Kuscia stores and which are the app image's.
func TestPropertyEdits(t *testing.T) {
	t.Parallel()
	checkProperty(t, 2, func(t *rapid.T, k testServer) {
		config := k.drawn(t)
		state := k.apply(t, config, k.run().None())
		k.quiet(t, Respellings(config).Draw(t, "respelled").Serving, state)
		imported := rapid.Bool().Draw(t, "imported")
		if imported {
			state = k.imported(t, config)
		}
		for i := range 3 {
			edited := drawEdit(t, config, i)
			k.settle(t)
			changes, replaces := k.plan(t, edited, state)
			switch {
			case replaces:
				if !imported && !otherTrigger(edited.ReplaceTriggers, config.ReplaceTriggers) {
					k.replaceIsNeeded(t, edited, rules.Of(state.Value))
				}
				if gone, said := k.run().Delete(t, state); !gone.Value.IsNull() {
					t.Fatal(said)
				}
				k.sandbox.Advance(time.Minute)
				state, imported = k.apply(t, edited, k.run().None()), false
			case len(changes) > 0:
				state = k.update(t, edited, state)
			}
			if found := k.otherThanNew(t, edited, k.stored(edited.ServingID), true); !imported && len(found) > 0 {
				t.Fatalf("after changes of %v a new serving would differ in %v", changes, found)
			}
			state = k.quiet(t, edited, state)
			config = edited
		}
	})
}

// imported is the serving after an import and an apply, which sends nothing.
func (k testServer) imported(t *rapid.T, config rules.Serving) protocol.State {
	t.Helper()
	state := k.run().Imported(t, config.ServingID.ValueString())
	before := k.sandbox.Count(updatePath)
	state = k.apply(t, config, state)
	if k.sandbox.Count(updatePath) != before {
		t.Fatal("the apply after an import sends an update")
	}
	return state
}

// TestPropertyAppImageRedefined: an app image that gets other containers and
// other resources under a live serving changes nothing in state and plan, another image
// is a change of each party that follows it, and the serving can still be updated.
func TestPropertyAppImageRedefined(t *testing.T) {
	t.Parallel()
	checkProperty(t, 1, func(t *rapid.T, k testServer) {
		config := k.drawn(t)
		rename := func(name string) string { return name + "-" + config.ServingID.ValueString() }
		for _, image := range PropertyImages() {
			image.Name = rename(image.Name)
			k.define(*image)
		}
		config = InParties(config, func(parties []rules.Party) []rules.Party {
			for i := range parties {
				parties[i].AppImage = types.StringValue(rename(parties[i].AppImage.ValueString()))
			}
			return parties
		})
		state := k.apply(t, config, k.run().None())
		for range 2 {
			for _, image := range PropertyImages() {
				k.define(*redefined(t, rename(image.Name)))
			}
			k.settle(t)
			_, state = k.run().Read(t, state)
			changes, replaces := k.plan(t, config, state)
			if follows := k.followsImage(t, config, rules.Of(state.Value)); replaces || len(changes) > 0 != follows {
				t.Fatalf("redefined app images change %v, and the serving follows them: %t", changes, follows)
			}
			before := k.sandbox.Count(updatePath)
			state = k.apply(t, config, state)
			more := InParty(config, 0, Replicas(rapid.Int32Range(1, 5).Draw(t, "replicas")))
			plan, _ := k.run().Plan(t, Configuration(more), state)
			if len(plan.RequiresReplace) > 0 {
				t.Fatal("replicas replace the serving")
			}
			if !protocol.Failed(plan.Diagnostics) { // the configured containers may be gone
				config, state = more, k.apply(t, more, state)
			}
			k.sandbox.Advance(time.Minute)
			for _, p := range rules.Of(state.Value).Parties.Items {
				if k.sandbox.Count(updatePath) == before {
					break // pods that are started only now have a later image
				}
				image, err := k.sandbox.DeployedImage(config.ServingID.ValueString(), p.DomainID.ValueString(), p.Role.ValueString())
				if err == nil && image != p.Image.ValueString() {
					t.Fatalf("party %s runs %s; the state has %s", p.Key(), image, p.Image)
				}
			}
		}
	})
}

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

// followsImage reports whether a serving has to be updated only because an app image has
// another image than the pods.
func (k testServer) followsImage(t *rapid.T, config, state rules.Serving) bool {
	if !config.FollowAppImage.IsNull() && !config.FollowAppImage.ValueBool() || !tfvalue.IsJSON(rules.ConfigText(config).ValueString()) {
		return false
	}
	images := clients.LookupBy(t.Context(), k.QueryAppImage)
	return slices.ContainsFunc(state.Parties.Items, func(p rules.Party) bool {
		image := images(p.AppImage.ValueString())
		return image != nil && p.Image.ValueString() != image.Image.Name+":"+image.Image.Tag
	})
}

// otherTrigger reports whether a key that both maps have has another value.
func otherTrigger(want, have types.Map) bool {
	for key, value := range want.Elements() {
		if before, set := have.Elements()[key]; set && !before.Equal(value) {
			return true
		}
	}
	return false
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
	edited.ServingID, edited.WaitForRollout = config.ServingID, types.BoolValue(false)
	return edited
}
