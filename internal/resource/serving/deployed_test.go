package serving

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// definedBy is an app image with everything that a new serving gets.
func definedBy(edit func(*kuscia.AppImage, *kuscia.Container)) *kuscia.AppImage {
	image := appImage("sf", kuscia.Container{
		Name: "main", Command: []string{"serve"}, Env: []kuscia.EnvVar{{Name: "KEY", Value: "s3cr3t"}},
		Ports:         []kuscia.ContainerPort{{Name: "service", Protocol: "HTTP", Scope: "Local"}},
		LivenessProbe: &kuscia.Probe{PeriodSeconds: 5}, Resources: &kuscia.ResourceRequirements{Limits: &kuscia.ResourceSpec{CPU: "1"}},
	})
	image.Image = kuscia.AppImageInfo{Name: "x/y", Tag: "1"}
	image.ConfigTemplates = map[string]string{"a": "b"}
	if edit != nil {
		edit(image, &image.DeployTemplates[0].Containers[0])
	}
	return image
}

// TestUndeployedWarnings: each part of an app image that the pods do not get is
// named, what only is spelled otherwise is not, and no value is shown.
func TestUndeployedWarnings(t *testing.T) {
	t.Parallel()
	state := stateOf(configOf(partyOf("alice")))
	parties := slices.Clone(state.Parties.items)
	private := privateData{}.deployedBy(state, imagesOf(definedBy(nil)))

	for name, test := range map[string]struct {
		edit func(*kuscia.AppImage, *kuscia.Container)
		// definition are the attributes that need a new serving, rollout says
		// that something needs a rollout.
		definition []string
		rollout    bool
	}{
		"nothing":           {func(*kuscia.AppImage, *kuscia.Container) {}, nil, false},
		"spelling":          {func(_ *kuscia.AppImage, c *kuscia.Container) { c.Resources.Limits.CPU = "1000m" }, nil, false},
		"defaults left out": {func(_ *kuscia.AppImage, c *kuscia.Container) { c.Ports[0].Protocol, c.Ports[0].Scope = "", "" }, nil, false},
		"empty and absent": {func(_ *kuscia.AppImage, c *kuscia.Container) {
			c.Args, c.EnvFrom = []string{}, []kuscia.EnvFromSource{}
		}, nil, false},
		"replicas":    {func(i *kuscia.AppImage, _ *kuscia.Container) { i.DeployTemplates[0].Replicas = 7 }, nil, false},
		"tag":         {func(i *kuscia.AppImage, _ *kuscia.Container) { i.Image.Tag = "2" }, nil, true},
		"resources":   {func(_ *kuscia.AppImage, c *kuscia.Container) { c.Resources.Limits.CPU = "2" }, nil, true},
		"command":     {func(_ *kuscia.AppImage, c *kuscia.Container) { c.Command = []string{"other"} }, []string{"command"}, false},
		"env":         {func(_ *kuscia.AppImage, c *kuscia.Container) { c.Env[0].Value = "s3cr3t-2" }, []string{"env"}, false},
		"env emptied": {func(_ *kuscia.AppImage, c *kuscia.Container) { c.Env = nil }, []string{"env"}, false},
		"port":        {func(_ *kuscia.AppImage, c *kuscia.Container) { c.Ports[0].Name = "metrics" }, []string{"ports"}, false},
		"probe":       {func(_ *kuscia.AppImage, c *kuscia.Container) { c.LivenessProbe.PeriodSeconds = 6 }, []string{"liveness_probe"}, false},
		"template":    {func(i *kuscia.AppImage, _ *kuscia.Container) { i.ConfigTemplates["a"] = "c" }, []string{"config_templates"}, false},
		"image id":    {func(i *kuscia.AppImage, _ *kuscia.Container) { i.Image.ID = "7" }, []string{"image.id"}, false},
		"command and tag": {func(i *kuscia.AppImage, c *kuscia.Container) { i.Image.Tag, c.WorkingDir = "2", "/w" },
			[]string{"working_dir"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, rolls := range []bool{false, true} {
				var diags diag.Diagnostics
				warnUndeployed(parties, private, rolls, imagesOf(definedBy(test.edit)), &diags)
				var definition, rollout bool
				for _, d := range diags {
					at, ok := d.(diag.DiagnosticWithPath)
					if !ok || !at.Path().Equal(partiesPath(0, "app_image")) || d.Severity() != diag.SeverityWarning || strings.Contains(d.Detail(), "s3cr3t") {
						t.Errorf("it says %v", d)
					}
					if strings.Contains(d.Detail(), "redeploy_triggers") {
						rollout = true
					} else {
						definition = strings.Contains(d.Detail(), "in "+joined(test.definition)+".") && strings.Contains(d.Detail(), "replace_triggers")
					}
				}
				if definition != (test.definition != nil) || rollout != (test.rollout && !rolls) || len(diags) > 2 {
					t.Errorf("rolls %v: it says %v", rolls, diags)
				}
			}
		})
	}
}

// TestDeployedMemory: what is known of the pods after updates and refreshes.
func TestDeployedMemory(t *testing.T) {
	t.Parallel()
	state := stateOf(configOf(partyOf("alice")))
	key := "alice/"
	first := definedBy(nil)
	second := definedBy(func(i *kuscia.AppImage, c *kuscia.Container) { i.Image.Tag, c.Command = "2", []string{"other"} })
	private := privateData{}.watchImages(state, imagesOf(first)) // after an import
	known := private.Deployed[key]
	if known.Rollout.Image != "x/y:1" || known.Other != nil || len(known.Definition) == 0 {
		t.Fatalf("it is %+v", known)
	}
	seen := private.watchImages(state, imagesOf(second)).Deployed[key]
	if seen.Rollout != known.Rollout || seen.Other == nil || seen.Other.Image != "x/y:2" {
		t.Errorf("after somebody changed the app image it is %+v", seen)
	}
	back := private.watchImages(state, imagesOf(second)).watchImages(state, imagesOf(first)).Deployed[key]
	if back.Other == nil || back.Other.Image != "x/y:2" {
		t.Errorf("after the app image was put back it is %+v", back)
	}
	rolled := private.watchImages(state, imagesOf(second)).rolledOutTo(state, imagesOf(second)).Deployed[key]
	if rolled.Rollout.Image != "x/y:2" || rolled.Other != nil || !slices.Equal(changedAttributes(rolled.Definition, known.Definition), nil) {
		t.Errorf("after a rollout it is %+v", rolled)
	}
	unknown := private.rolledOutTo(state, imagesOf()).Deployed[key]
	if unknown.Rollout != known.Rollout {
		t.Errorf("without an answer it is %+v", unknown)
	}
}
