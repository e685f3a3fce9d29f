package appimage

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// TestRevisionsStayTheSame: the resource keeps the revisions in its state while
// nothing changes, but a data source has no state. A different value for the
// same app image would trigger a rollout of servings that refer to the data
// source.
func TestRevisionsStayTheSame(t *testing.T) {
	image, diags := createRequest(config(minimal(
		inImage("id", "i"), inImage("sign", "s"), at("config_templates", map[string]string{"a.conf": "x"}), inTemplate("role", "server"), inTemplate("restart_policy", "Always"),
		inContainer("command", []string{"sh"}), inContainer("working_dir", "/w"), inContainer("config_volume_mounts", []any{tree{"mount_path": "/a", "sub_path": "a.conf"}}),
		inContainer("ports", []any{tree{"name": "http", "scope": "Domain"}}), inContainer("env", []any{tree{"name": "A", "value": "1"}}),
		inContainer("env_from", []any{tree{"prefix": "P", "secret_ref": tree{"name": "s"}}}),
		inContainer("resources", tree{"limits": tree{"cpu": "500m", "memory": "1Gi"}, "requests": tree{"cpu": "0.1"}}),
		inContainer("liveness_probe", tree{"http_get": tree{"path": "/", "port": "http", "http_headers": []any{tree{"name": "A", "value": "b"}}}, "period_seconds": 5}),
		inContainer("readiness_probe", tree{"grpc": tree{"port": 1, "service": "s"}, "termination_grace_period_seconds": 7}),
	)))
	if diags.HasError() {
		t.Fatal(diags)
	}
	if got, want := rolloutRevision(image), "9e06759c"; got != want {
		t.Errorf("rollout revision %s, want %s", got, want)
	}
	if got, want := definitionRevision(image), "af879488"; got != want {
		t.Errorf("definition revision %s, want %s", got, want)
	}
}

// TestRolloutByRole: the rollout revision changes if and only if the resources
// of a role change.
func TestRolloutByRole(t *testing.T) {
	template := func(role, cpu string) kuscia.DeployTemplate {
		container := kuscia.Container{Name: "c"}
		if cpu != "" {
			container.Resources = &kuscia.ResourceRequirements{Limits: &kuscia.ResourceSpec{CPU: cpu}}
		}
		return kuscia.DeployTemplate{Name: "t" + role, Role: role, Containers: []kuscia.Container{container}}
	}
	type templates = []kuscia.DeployTemplate
	tests := map[string]struct {
		a, b templates
		same bool
	}{
		"spelling":                          {templates{template("", "1")}, templates{template("", "1000m")}, true},
		"binary and decimal":                {templates{template("", "1024")}, templates{template("", "1Ki")}, true},
		"value":                             {templates{template("", "1")}, templates{template("", "2")}, false},
		"removed":                           {templates{template("", "1")}, templates{template("", "")}, false},
		"one more role without resources":   {templates{template("", "")}, templates{template("", ""), template("a", "")}, true},
		"one more role like the others":     {templates{template("", "1")}, templates{template("", "1"), template("a", "1")}, true},
		"one more role, other resources":    {templates{template("", "1")}, templates{template("", "1"), template("a", "2")}, false},
		"one more role loses resources":     {templates{template("", "1")}, templates{template("", "1"), template("a", "")}, false},
		"order with a template for all":     {templates{template("", "1"), template("a", "2")}, templates{template("a", "2"), template("", "1")}, true},
		"order decides for no role":         {templates{template("a", "1"), template("b", "2")}, templates{template("b", "2"), template("a", "1")}, false},
		"a list of roles and two templates": {templates{template("a,b", "1")}, templates{template("a", "1"), template("b", "1")}, true},
		"commas around":                     {templates{template(",a,", "1")}, templates{template("a", "1")}, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			a := rolloutRevision(&kuscia.AppImage{DeployTemplates: test.a})
			b := rolloutRevision(&kuscia.AppImage{DeployTemplates: test.b})
			if (a == b) != test.same {
				t.Errorf("same: %v, want %v", a == b, test.same)
			}
		})
	}
}
