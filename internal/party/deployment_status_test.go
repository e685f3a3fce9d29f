package party

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
)

func running() *kube.Deployment {
	replicas := int64(2)
	d := &kube.Deployment{Metadata: kube.Metadata{Name: "kd", Namespace: "alice", Generation: 3, Labels: map[string]string{kube.LabelKDUID: "u"}}}
	d.Spec.Replicas = &replicas
	d.Spec.Strategy = kube.Strategy{Type: "RollingUpdate"}
	d.Spec.Template.Spec.Containers = []kube.Container{{
		Name: "main", Image: "app:v2", Env: []kube.EnvVar{{Name: "INPUT_CONFIG", Value: "{}"}},
		Resources: kube.Resources{Limits: map[string]kube.IntOrString{"cpu": "1"}},
	}}
	d.Status = kube.DeploymentStatus{ObservedGeneration: 3, Replicas: 2, UpdatedReplicas: 2, AvailableReplicas: 2}
	return d
}

func expected() DesiredDeployment {
	replicas := int64(2)
	return DesiredDeployment{
		Namespace: "alice", Name: "kd", UID: "u", Image: "app:v2", InputConfig: "{}", Replicas: &replicas,
		Containers: []kube.PartyContainer{{Name: "main", Resources: kube.Resources{Limits: map[string]kube.IntOrString{"cpu": "1000m"}}}},
	}
}

// TestCheckDeployment: replica counts from before an update, a generation that was not
// observed yet, and a Deployment of another object are not done.
func TestCheckDeployment(t *testing.T) {
	t.Parallel()
	surge := kube.IntOrString("1")
	for name, test := range map[string]struct {
		change func(*kube.Deployment, *DesiredDeployment)
		done   bool
		text   string
		failed bool
		held   string
	}{
		"runs":          {change: func(*kube.Deployment, *DesiredDeployment) {}, done: true, text: "2 of 2 pods updated"},
		"old image":     {change: func(d *kube.Deployment, _ *DesiredDeployment) { d.Spec.Template.Spec.Containers[0].Image = "app:v1" }, text: "still has the image app:v1"},
		"old config":    {change: func(_ *kube.Deployment, e *DesiredDeployment) { e.InputConfig = "secret" }, text: "another input_config"},
		"old resources": {change: func(_ *kube.Deployment, e *DesiredDeployment) { e.Containers[0].Resources.Limits["cpu"] = "2" }, text: "other resources"},
		"old requests": {change: func(d *kube.Deployment, _ *DesiredDeployment) {
			d.Spec.Template.Spec.Containers[0].Resources.Requests = map[string]kube.IntOrString{"memory": "1Gi"}
		}, text: "other resources"},
		"request by limit": {change: func(d *kube.Deployment, _ *DesiredDeployment) {
			d.Spec.Template.Spec.Containers[0].Resources.Requests = map[string]kube.IntOrString{"cpu": "1"}
		}, done: true},
		"amounts rounded up": {change: func(d *kube.Deployment, e *DesiredDeployment) {
			e.Containers[0].Resources = kube.Resources{Limits: map[string]kube.IntOrString{"cpu": "1100u"}, Requests: map[string]kube.IntOrString{"cpu": "100u"}}
			d.Spec.Template.Spec.Containers[0].Resources = kube.Resources{Limits: map[string]kube.IntOrString{"cpu": "2m"}, Requests: map[string]kube.IntOrString{"cpu": "1m"}}
		}, done: true},
		"amounts above the rounded ones": {change: func(d *kube.Deployment, e *DesiredDeployment) {
			e.Containers[0].Resources = kube.Resources{Limits: map[string]kube.IntOrString{"cpu": "1100u"}}
			d.Spec.Template.Spec.Containers[0].Resources = kube.Resources{Limits: map[string]kube.IntOrString{"cpu": "3m"}}
		}, text: "other resources"},
		"old replicas": {change: func(d *kube.Deployment, _ *DesiredDeployment) { *d.Spec.Replicas = 4 }, text: "a number of replicas other than"},
		"old strategy": {change: func(_ *kube.Deployment, e *DesiredDeployment) { e.Strategy = &kube.Strategy{Type: "Recreate"} }, text: "another update strategy"},
		"strategy number": {change: func(_ *kube.Deployment, e *DesiredDeployment) {
			e.Strategy = &kube.Strategy{RollingUpdate: &kube.RollingUpdate{MaxSurge: &surge}}
		}, text: "another update strategy"},
		"strategy of a release": {change: func(d *kube.Deployment, e *DesiredDeployment) {
			e.Strategy = &kube.Strategy{Type: "Recreate"}
			d.Metadata.Annotations = map[string]string{kruise.InProgressingAnnotation: `{"rolloutName":"r"}`}
		}, done: true, held: "r"},
		"strategy of a BatchRelease": {change: func(d *kube.Deployment, e *DesiredDeployment) {
			e.Strategy = &kube.Strategy{Type: "Recreate"}
			d.Metadata.Annotations = map[string]string{kruise.ControlInfoAnnotation: `{"kind":"BatchRelease","name":"r"}`}
		}, done: true},
		"old strategy between releases": {change: func(d *kube.Deployment, e *DesiredDeployment) {
			// The label also stays after the Rollout is deleted.
			e.Strategy, d.Metadata.Labels[kruise.WorkloadTypeLabel] = &kube.Strategy{Type: "Recreate"}, "deployment"
		}, text: "another update strategy"},
		"not observed": {change: func(d *kube.Deployment, _ *DesiredDeployment) { d.Metadata.Generation = 4 }, text: "has not observed the change"},
		"another KD":   {change: func(d *kube.Deployment, _ *DesiredDeployment) { d.Metadata.Labels[kube.LabelKDUID] = "v" }, text: "another KusciaDeployment"},
		"another name": {change: func(d *kube.Deployment, e *DesiredDeployment) {
			e.Owner, d.Metadata.Labels[kube.LabelKDName] = "kd", "other"
		}, text: `one of KusciaDeployment "other"`},
		"given up": {change: func(d *kube.Deployment, _ *DesiredDeployment) {
			d.Status.AvailableReplicas, d.Status.Conditions = 0, []kube.Condition{{Type: "Progressing", Status: "False", Reason: "ProgressDeadlineExceeded", Message: "too long"}}
		}, failed: true},
		"quota": {change: func(d *kube.Deployment, _ *DesiredDeployment) {
			d.Status.AvailableReplicas, d.Status.Conditions = 0, []kube.Condition{{Type: "ReplicaFailure", Status: "True", Message: "exceeded quota"}}
		}, text: "exceeded quota"},
		"paused": {change: func(d *kube.Deployment, _ *DesiredDeployment) { d.Spec.Paused, d.Status.UpdatedReplicas = true, 0 }, text: "is paused (spec.paused), and no Rollout releases it: \"kubectl rollout resume deployment/"},
		"held": {change: func(d *kube.Deployment, _ *DesiredDeployment) {
			d.Spec.Paused, d.Status.UpdatedReplicas = true, 1
			d.Metadata.Annotations = map[string]string{kruise.InProgressingAnnotation: `{"rolloutName":"r"}`}
		}, text: "1 of 2 pods updated", held: "r"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, e := running(), expected()
			test.change(d, &e)
			v := CheckDeployment(e, d)
			if v.Runs() != test.done || (v.Is == judge.Stands) != test.failed || !strings.Contains(v.Text, test.text) || (v.Failed != "") != test.failed || v.ReleasedBy != test.held || strings.Contains(v.Text, "secret") {
				t.Errorf("%+v", v)
			}
		})
	}
	if v := CheckDeployment(expected(), nil); v.Reason != judge.NoStatus || v.Text == "" {
		t.Errorf("%+v", v)
	}
}

// TestExpect: requests and limits of a party replace those of the app image,
// each as a block.
func TestExpect(t *testing.T) {
	t.Parallel()
	image := &kube.AppImage{}
	image.Spec.Image.Name, image.Spec.Image.Tag = "app", "v1"
	own := func(name, cpu string) kube.PartyContainer {
		return kube.PartyContainer{Name: name, Resources: kube.Resources{Requests: map[string]kube.IntOrString{"cpu": kube.IntOrString(cpu)}}}
	}
	image.Spec.DeployTemplates = []kube.DeployTemplate{{Role: "client,server"}, {Role: ""}}
	image.Spec.DeployTemplates[0].Spec.Containers = []kube.PartyContainer{own("a", "1"), own("b", "1")}
	p := kube.KusciaDeploymentParty{DomainID: "alice", Role: "server"}
	p.Template.Spec.Containers = []kube.PartyContainer{own("b", "2"), own("unknown", "3")}
	kd := &kube.KusciaDeployment{Metadata: kube.Metadata{Name: "kd", UID: "u"}}
	e := DesiredDeploymentOf(kd, p, image)
	if e.Name != "kd-server" || e.Image != "app:v1" || len(e.Containers) != 2 || e.Containers[0].Resources.Requests["cpu"] != "1" || e.Containers[1].Resources.Requests["cpu"] != "2" {
		t.Errorf("%+v", e)
	}
	p.Role = "other"
	if e := DesiredDeploymentOf(kd, p, image); len(e.Containers) != 0 || e.Name != "kd-other" {
		t.Errorf("%+v", e)
	}
}
