package appimage

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestShortcutsAgree: responses with and without shortcuts are the same, for
// any configuration, state and server.
func TestShortcutsAgree(t *testing.T) {
	b := sandboxtest.NewResource(t, appImage, sandbox.Options{})
	crudtest.Property{
		Bare: b.Server, Fast: b.Fast(t), Generator: configs,
		Usual: func(t *rapid.T) definition.Value {
			return config(minimal(
				inContainer("resources", tree{"limits": tree{"cpu": rapid.SampledFrom([]string{"", "1", "1000m"}).Draw(t, "cpu")}}),
				inTemplate("role", rapid.SampledFrom([]any{nil, "", "a"}).Draw(t, "role")),
				inContainer("liveness_probe", rapid.SampledFrom([]any{nil, tree{"exec": tree{"command": []string{"true"}}}}).Draw(t, "probe")),
			))
		},
		Remove: func() { _ = b.Clients.Kuscia.DeleteAppImage(t.Context(), "app") },
		Drift:  func(t *rapid.T, _ crudtest.State) { retag(t, b.Box) },
	}.ShortcutsAgree(t)
}

// retag changes the tag of the app image on the server.
func retag(t crudtest.TB, box *sandbox.Sandbox) {
	t.Helper()
	stored, err := box.AppImage("app")
	if err != nil {
		t.Fatal(err)
	}
	stored.Image.Tag += "x"
	if err := box.PutAppImage(stored); err != nil {
		t.Fatal(err)
	}
}

// TestShortcutsAreTaken: the shortcuts handle all requests of a plan without
// changes, for each spelling.
func TestShortcutsAreTaken(t *testing.T) {
	b := sandboxtest.NewResource(t, appImage, sandbox.Options{})
	fast := b.Fast(t)
	desired := config(minimal(inContainer("resources", tree{"limits": tree{"cpu": "0.1"}})))
	state := fast.ApplyWithoutWarnings(t, desired, fast.None())
	clear(fast.Taken)
	before := b.Box.Count("/api/v1/appimage/query")
	for _, spelled := range []string{"0.1", "100m"} {
		desired := config(minimal(inContainer("resources", tree{"limits": tree{"cpu": spelled}})))
		fast.Validate(t, desired)
		fast.Read(t, state)
		fast.Plan(t, desired, state)
	}
	for _, name := range []string{"validate", "read", "plan"} {
		if fast.Taken[name] != 2 {
			t.Errorf("shortcut of %s taken %d times, want 2", name, fast.Taken[name])
		}
	}
	if asked := b.Box.Count("/api/v1/appimage/query") - before; asked != 2 {
		t.Errorf("%d queries for two refreshes", asked)
	}

	// A refresh that detects a change also sends one query.
	retag(t, b.Box)
	before = b.Box.Count("/api/v1/appimage/query")
	if _, drifted := fast.Read(t, state); drifted.Value.Equal(state.Value) {
		t.Error("the drift was not detected")
	}
	if asked := b.Box.Count("/api/v1/appimage/query") - before; asked != 1 {
		t.Errorf("%d queries for a refresh that detects a change", asked)
	}
}

// TestPlannedAppImage: a plan notes the future app image, also if a shortcut handles
// it.
func TestPlannedAppImage(t *testing.T) {
	for name, test := range map[string]struct {
		change func(tree)
		tag    string
		err    error
	}{
		"nothing changes": {func(tree) {}, "1", nil},
		"a new tag":       {inImage("tag", "2"), "2", nil},
		"an unknown tag":  {inImage("tag", definition.Unknown), "", clients.ErrNotPlannedYet},
	} {
		t.Run(name, func(t *testing.T) {
			b := sandboxtest.NewResource(t, appImage, sandbox.Options{})
			fast := b.Fast(t)
			state, said := fast.Apply(t, config(minimal()), fast.None())
			if said != "" {
				t.Fatal(said)
			}
			fast.Plan(t, config(minimal(test.change)), state)
			if taken := fast.Taken["plan"]; taken != 0 && name != "nothing changes" || taken == 0 && name == "nothing changes" {
				t.Errorf("the shortcut was taken %d times", taken)
			}
			image, err := b.Clients.AppImages.GetPlanned(t.Context(), "app")
			if err != test.err || err == nil && image.Image.Tag != test.tag { //nolint:errorlint // the very error
				t.Errorf("planned app image: %+v (%v)", image, err)
			}
		})
	}
}
