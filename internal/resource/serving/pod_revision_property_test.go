package serving

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestPropertyPodRevision: an apply replaces the pods of a party if and only if its pod_revision
// rises, for random edits of servings, of which some were imported, and random changes of their
// app images: another image, other containers, other resources.
func TestPropertyPodRevision(t *testing.T) {
	t.Parallel()
	for i := range short.Count(1, 34) { // 300 changes each
		t.Run(fmt.Sprintf("run %d", i), func(t *testing.T) {
			t.Parallel()
			k := newTestServer(t)
			rapid.Check(t, func(t *rapid.T) { k.checkRevisions(t) })
		})
	}
}

func (k testServer) checkRevisions(t *rapid.T) {
	config := k.drawn(t)
	id := config.ServingID().ValueString()
	own := func(config rules.Serving) rules.Serving {
		return InParties(config, func(parties []rules.Party) []rules.Party {
			for i := range parties {
				parties[i] = parties[i].WithPartyAttribute("app_image", types.StringValue(parties[i].AppImage().ValueString()+"-"+id))
			}
			return parties
		})
	}
	for _, image := range PropertyImages() {
		image.Name += "-" + id
		k.define(*image)
	}
	state := k.applied(t, own(config), k.run().None())
	if k.sandbox.PodsRun(id) != nil {
		return // Kubernetes refuses the Deployment, so that a wait would fail
	}
	if rapid.Bool().Draw(t, "imported") {
		k.changeResources(t, config.ServingID(), id)
		state = k.run().Imported(t, id)
	}
	for i := range 3 {
		for _, image := range PropertyImages() {
			if rapid.IntRange(0, 3).Draw(t, "redefined") == 0 {
				k.define(*redefined(t, image.Name+"-"+id))
			}
		}
		if rapid.IntRange(0, 2).Draw(t, "edited") > 0 {
			config = drawEdit(t, config, i)
		}
		desired := own(config)
		_, state = k.run().Read(t, state)
		plan, value := k.run().Plan(t, Configuration(desired), state)
		switch {
		case protocol.Failed(plan.Diagnostics): // for example, a configured container is gone
			return
		case len(plan.RequiresReplace) > 0:
			if gone, said := k.run().Delete(t, state); !gone.Value.IsNull() {
				t.Fatal(said)
			}
			k.sandbox.Advance(time.Minute)
			if state = k.applied(t, desired, k.run().None()); k.sandbox.PodsRun(id) != nil {
				return
			}
			continue
		case value.Equal(state.Value): // a CLI applies nothing
			continue
		}
		before, private, pods := rules.Of(state.Value), privateIn(t, state), k.podsOf(t, state)
		state = k.applied(t, desired, state)
		CheckStateAsPlanned(t, rules.Of(value), rules.Of(state.Value))
		if k.sandbox.PodsRun(id) != nil {
			return
		}
		for _, p := range rules.Of(value).Parties().Items {
			if p.PodRevision().IsUnknown() { // until Kuscia shows whether it has replaced them
				_, state = k.run().Read(t, state)
			}
		}
		now := k.podsOf(t, state)
		for _, p := range rules.Of(state.Value).Parties().Items {
			was, _ := rules.FindParty(before.Parties().Items, p.Key())
			rises := p.PodRevision().ValueInt64() - max(was.PodRevision().ValueInt64(), 1)
			replaced := !slices.ContainsFunc(pods[p.Key().String()], func(name string) bool { return slices.Contains(now[p.Key().String()], name) })
			if rises < 0 || rises > 1 || replaced != (rises == 1) {
				t.Fatalf("the pods of %s are new: %t, its pod_revision is %s, and was %s; Kuscia has %v; the private state is %v, and was %v; the party is %v, and was %v",
					p.Key(), replaced, p.PodRevision(), was.PodRevision(), k.stored(config.ServingID()), privateIn(t, state), private, p, was)
			}
			if image, err := k.sandbox.DeployedImage(id, p.DomainID().ValueString(), p.Role().ValueString()); err != nil || image != p.Image().ValueString() {
				t.Fatalf("party %s runs %s, %v; the state has %s", p.Key(), image, err, p.Image())
			}
		}
		if again, value := k.run().Plan(t, Configuration(desired), state); !value.Equal(state.Value) {
			t.Fatalf("the next plan is not empty: %s\n%s\n%s", protocol.Messages(again.Diagnostics), value, state.Value)
		}
	}
}

// changeResources gives app images other resources, or those that Kuscia stores for a party, which
// reach no pod.
func (k testServer) changeResources(t *rapid.T, serving types.String, suffix string) {
	for _, image := range PropertyImages() {
		image.Name += "-" + suffix
		var stored []kuscia.Resource
		for _, p := range k.stored(serving).Parties {
			if p.AppImage == image.Name {
				stored = append(stored, p.Containers...)
			}
		}
		// What pods have from an app image beside requests or limits of the party is not shown.
		half := slices.ContainsFunc(stored, func(r kuscia.Resource) bool { return r.MinCPU+r.MinMemory == "" || r.MaxCPU+r.MaxMemory == "" })
		if half || !rapid.Bool().Draw(t, "other resources before the import") {
			continue
		}
		for i := range image.DeployTemplates {
			containers := image.DeployTemplates[i].Containers
			drawResources(t, containers)
			for j := range containers {
				same := slices.IndexFunc(stored, func(r kuscia.Resource) bool { return r.ContainerName == containers[j].Name })
				if same >= 0 && rapid.Bool().Draw(t, "as stored") {
					r := stored[same]
					containers[j].Resources = &kuscia.ResourceRequirements{Requests: &kuscia.ResourceSpec{CPU: r.MinCPU, Memory: r.MinMemory}, Limits: &kuscia.ResourceSpec{CPU: r.MaxCPU, Memory: r.MaxMemory}}
				}
			}
		}
		k.define(*image)
	}
}

// applied applies a configuration, and lets the controllers finish.
func (k testServer) applied(t *rapid.T, config rules.Serving, state protocol.State) protocol.State {
	t.Helper()
	made, said := k.run().Apply(t, Configuration(config), state)
	if made.Value.IsNull() || !made.Value.IsFullyKnown() {
		t.Fatalf("apply: state %s, diagnostics %s", made.Value, said)
	}
	k.sandbox.Advance(time.Minute)
	return made
}

// podsOf are the names of the pods of each party.
func (k testServer) podsOf(t *rapid.T, state protocol.State) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, p := range rules.Of(state.Value).Parties().Items {
		names, err := k.sandbox.PodNames(rules.Of(state.Value).ServingID().ValueString(), p.DomainID().ValueString(), p.Role().ValueString())
		protocol.NoError(t, err)
		all[p.Key().String()] = names
	}
	return all
}

// redefined is another app image of a name.
func redefined(t *rapid.T, name string) *kuscia.AppImage {
	tag := rapid.SampledFrom([]string{"0", "1", "2"}).Draw(t, "tag")
	names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"main", "side", "extra", "renamed"}), 1, 4, rapid.ID[string]).Draw(t, "containers")
	containers := make([]kuscia.Container, len(names))
	for i, name := range names {
		containers[i] = Container(name)
	}
	drawResources(t, containers)
	image := AppImage(name, containers...)
	image.Image.Tag = tag
	return image
}

func drawResources(t *rapid.T, containers []kuscia.Container) {
	for i := range containers {
		containers[i].Resources = nil
		if rapid.Bool().Draw(t, "own resources") {
			containers[i].Resources = &kuscia.ResourceRequirements{Requests: &kuscia.ResourceSpec{CPU: "7m"}, Limits: &kuscia.ResourceSpec{Memory: "7Gi"}}
		}
	}
}
