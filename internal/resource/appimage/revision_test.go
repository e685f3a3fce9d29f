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
	image := &kuscia.AppImage{
		Name:            "app",
		Image:           kuscia.AppImageInfo{Name: "example/app", Tag: "1", ID: "i", Sign: "s"},
		ConfigTemplates: map[string]string{"a.conf": "x"},
		DeployTemplates: []kuscia.DeployTemplate{{
			Name: "app", Role: "server", Replicas: 2, RestartPolicy: "Always",
			Containers: []kuscia.Container{{
				Name: "app", Command: []string{"sh"}, Args: []string{"-c"}, WorkingDir: "/w",
				ConfigVolumeMounts: []kuscia.ConfigVolumeMount{{MountPath: "/a", SubPath: "a.conf"}},
				Ports:              []kuscia.ContainerPort{{Name: "http", Protocol: "HTTP", Scope: "Domain"}},
				Env:                []kuscia.EnvVar{{Name: "A", Value: "1"}},
				EnvFrom:            []kuscia.EnvFromSource{{Prefix: "P", SecretRef: &kuscia.ObjectSource{Name: "s"}}},
				Resources: &kuscia.ResourceRequirements{
					Limits:   &kuscia.ResourceSpec{CPU: "500m", Memory: "1Gi"},
					Requests: &kuscia.ResourceSpec{CPU: "0.1"},
				},
				LivenessProbe: &kuscia.Probe{
					HTTPGet:       &kuscia.HTTPGetAction{Path: "/", Port: "http", HTTPHeaders: []kuscia.HTTPHeader{{Name: "A", Value: "b"}}},
					PeriodSeconds: 5, TerminationGracePeriodSeconds: 7,
				},
				ReadinessProbe:  &kuscia.Probe{GRPC: &kuscia.GRPCAction{Port: 1, Service: "s"}},
				StartupProbe:    &kuscia.Probe{TCPSocket: &kuscia.TCPSocketAction{Port: "http"}, Exec: &kuscia.ExecAction{Command: []string{"a"}}},
				ImagePullPolicy: "Always",
			}},
		}},
	}
	if got, want := rolloutRevision(image), "9e06759c7d81f83a2eede5c8c5e57595"; got != want {
		t.Errorf("rollout revision %s, want %s", got, want)
	}
	if got, want := definitionRevision(image), "f7ca39a1a54d88a3169d8136616190bb"; got != want {
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
