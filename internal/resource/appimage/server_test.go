package appimage

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestProperties: any configuration can be applied over any prior state, an import has the
// revisions of the state, and shortcuts respond as the framework does.
func TestProperties(t *testing.T) {
	b := sandboxtest.NewResource(t, appImage, sandbox.Options{})
	crudtest.Property{
		Bare: b.Server, Fast: b.Fast(t), Generator: configs, Issues: appImage.Issues, Full: config(minimal(inContainer("resources", tree{"limits": tree{"cpu": "0.1"}}))),
		Usual: func(t *rapid.T) definition.Value {
			return config(minimal(
				inContainer("resources", tree{"limits": tree{"cpu": rapid.SampledFrom([]string{"", "1", "1000m"}).Draw(t, "cpu")}}),
				inTemplate("role", rapid.SampledFrom([]any{nil, "", "a"}).Draw(t, "role")),
				inContainer("liveness_probe", rapid.SampledFrom([]any{nil, tree{"exec": tree{"command": []string{"true"}}}}).Draw(t, "probe")),
			))
		},
		Remove: func() { _ = b.Run.Kuscia.DeleteAppImage(t.Context(), "app") },
		Drift:  func(t *rapid.T, _ crudtest.State) { retag(t, b.Box) },
		Each: func(t *rapid.T, _ definition.Value, state crudtest.State) {
			imported, _ := b.Import(t, "app") // it warns of what the KusciaAPI does not carry
			for _, revision := range []string{attrRolloutRevision, attrDefinitionRevision} {
				if imported.Text(revision) != state.Text(revision) {
					t.Fatalf("import and create differ in %s", revision)
				}
			}
		},
	}.Check(t)
}

// retag changes the tag of the app image on the server.
func retag(t crudtest.TB, box *sandbox.Sandbox) {
	t.Helper()
	stored, err := box.AppImage("app")
	if err != nil {
		t.Fatal(err)
	}
	stored.Image.Tag += "x"
	protocol.NoError(t, box.PutAppImage(stored))
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
		"an unknown tag":  {inImage("tag", definition.Unknown), "", run.ErrNotPlannedYet},
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
			image, err := b.Run.AppImages.GetPlanned(t.Context(), "app")
			if err != test.err || err == nil && image.Image.Tag != test.tag { //nolint:errorlint // the very error
				t.Errorf("planned app image: %+v (%v)", image, err)
			}
		})
	}
}

// TestFailedRead: a read that fails caches nothing for the servings of the run.
func TestFailedRead(t *testing.T) {
	b := sandboxtest.NewResource(t, appImage, sandbox.Options{})
	state := b.ApplyWithoutWarnings(t, config(minimal()), b.None())
	b.NextRun(t)
	b.Box.Inject(sandbox.Fault{Kind: sandbox.FaultStatus, Status: 403, Path: "appimage/query", Times: sandbox.Always})
	b.Read(t, state)
	b.Box.ClearFaults()
	if image, err := b.Run.AppImages.Get(t.Context(), "app"); image == nil || err != nil {
		t.Errorf("the app image is %v: %v", image, err)
	}
}
