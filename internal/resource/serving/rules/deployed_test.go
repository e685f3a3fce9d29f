package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestUndeployedWarnings: the warning names each part of an app image that the
// pods do not get, but no part that differs only in spelling, and contains no
// value.
func TestUndeployedWarnings(t *testing.T) {
	t.Parallel()
	state := StateOf(ConfigOf(PartyOf("alice")))
	state = state.WithParties(WithImages(state.Parties(), ImagesOf(DefinedBy(nil))))
	parties := slices.Clone(state.Parties().Items)
	private := rules.RecordCreate(rules.Private{}, state, ImagesOf(DefinedBy(nil)))

	for name, test := range map[string]struct {
		edit func(*kuscia.AppImage, *kuscia.Container)
		// definition are the attributes that need a new serving; rollout is set
		// if something needs a rollout.
		definition string
		rollout    bool
	}{
		"spelling": {func(_ *kuscia.AppImage, c *kuscia.Container) {
			c.Resources.Limits.CPU, c.Args, c.EnvFrom = "1000m", []string{}, []kuscia.EnvFromSource{}
		}, "", false},
		"replicas":  {func(i *kuscia.AppImage, _ *kuscia.Container) { i.DeployTemplates[0].Replicas = 7 }, "", false},
		"tag":       {func(i *kuscia.AppImage, _ *kuscia.Container) { i.Image.Tag = "2" }, "", true},
		"resources": {func(_ *kuscia.AppImage, c *kuscia.Container) { c.Resources.Limits.CPU = "2" }, "", true},
		"env":       {func(_ *kuscia.AppImage, c *kuscia.Container) { c.Env[0].Value = "s3cr3t-2" }, "env", false},
		"command and tag": {func(i *kuscia.AppImage, c *kuscia.Container) { i.Image.Tag, c.Command = "2", []string{"other"} },
			"command", true},
		"all the rest": {func(i *kuscia.AppImage, c *kuscia.Container) {
			i.Image.ID, i.Image.Sign = "7", "s"
			i.ConfigTemplates = nil
			i.DeployTemplates[0].RestartPolicy = "Never"
			c.Args = []string{"a"}
			c.WorkingDir = "/w"
			c.ConfigVolumeMounts = []kuscia.ConfigVolumeMount{{MountPath: "/m"}}
			c.Ports[0].Scope = "Cluster"
			c.EnvFrom = []kuscia.EnvFromSource{{Prefix: "p"}}
			c.ReadinessProbe, c.StartupProbe = c.LivenessProbe, c.LivenessProbe
			c.LivenessProbe = nil
			c.ImagePullPolicy = "Always"
			i.DeployTemplates[0].Containers = append(i.DeployTemplates[0].Containers, kuscia.Container{Name: "side"})
		}, "args, config_templates, config_volume_mounts, containers, env_from, image.id, image.sign, image_pull_policy, liveness_probe, ports, readiness_probe, restart_policy, startup_probe, working_dir", false},
	} {
		for _, rolls := range []bool{false, true} {
			var diags diag.Diagnostics
			rules.WarnNotApplied(parties, private, rolls, rules.FollowsNot, ImagesOf(DefinedBy(test.edit)), &diags)
			var definition, rollout bool
			for _, d := range diags {
				at, ok := d.(diag.DiagnosticWithPath)
				if !ok || !at.Path().Equal(PartiesPath("alice", "app_image")) || d.Severity() != diag.SeverityWarning || strings.Contains(d.Detail(), "s3cr3t") {
					t.Errorf("%s: the diagnostics are %v", name, d)
				}
				if strings.Contains(d.Detail(), "redeploy_triggers") {
					rollout = true
				} else {
					definition = strings.Contains(d.Detail(), "now differs in "+test.definition+" from the definition") && strings.Contains(d.Detail(), "replace_triggers")
				}
			}
			if definition != (test.definition != "") || rollout != (test.rollout && !rolls) || len(diags) > 2 {
				t.Errorf("%s, rolls %v: the diagnostics are %v", name, rolls, diags)
			}
		}
	}
	known := private.Deployed["alice/"]
	known.MaybeApplied = &rules.PodSpec{Image: parties[0].Image().ValueString(), Resources: "others"}
	private.Deployed["alice/"] = known
	var diags diag.Diagnostics
	rules.WarnNotApplied(parties, private, false, rules.FollowsNot, ImagesOf(DefinedBy(nil)), &diags)
	if len(diags) != 1 || !strings.Contains(diags[0].Detail(), "had other resources in the meantime") {
		t.Errorf("resources that the app image had for a while: %v", diags)
	}
}

// TestWarningsOfSeveralParties: what applies to several parties is one warning.
func TestWarningsOfSeveralParties(t *testing.T) {
	t.Parallel()
	domains := []string{"a", "b", "c", "d", "e", "f", "g"}
	for n, want := range map[int]string{
		1: "not even by a restart.\n\n",
		2: "not even by a restart. The same applies to parties[\"b\"].\n\n",
		7: "The same applies to parties[\"b\"], parties[\"c\"], parties[\"d\"], parties[\"e\"], parties[\"f\"], and 1 more.\n\n",
	} {
		var parties []rules.Party
		for _, domain := range domains[:n] {
			parties = append(parties, PartyOf(domain))
		}
		state := StateOf(ConfigOf(parties...))
		private := rules.RecordCreate(rules.Private{}, state, ImagesOf(DefinedBy(nil)))
		var diags diag.Diagnostics
		rules.WarnNotApplied(state.Parties().Items, private, true, rules.FollowsNot, ImagesOf(DefinedBy(func(_ *kuscia.AppImage, c *kuscia.Container) { c.Command = []string{"other"} })), &diags)
		if len(diags) != 1 || !strings.Contains(diags[0].Detail(), want) {
			t.Errorf("%d parties: %v", n, diags)
		}
	}
}
