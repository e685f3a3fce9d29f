package deployment_test

import (
	"maps"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/deployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// change changes the container of an app image, and begins a new run.
func (b *bench) change(t *testing.T, image, patch string) {
	t.Helper()
	b.Patch(acctest.KubeAppImages, "", image, types.JSONPatchType, strings.ReplaceAll(patch, "CONTAINER", "/spec/deployTemplates/0/spec/containers/0"))
	b.again(t)
}

// planSays returns the diagnostics of a plan.
func (b *bench) planSays(t *testing.T, config definition.Value, state crudtest.State) string {
	t.Helper()
	plan, _ := b.Plan(t, config, state)
	return crudtest.Messages(plan.Diagnostics)
}

const (
	newPort = `[{"op":"add","path":"CONTAINER/ports/-","value":{"name":"metrics","protocol":"HTTP","scope":"Cluster"}}]`
	refusal = "New port on a live deployment"
)

// TestNewPorts: a port that Kuscia has not allocated is refused, with another app
// image and with one that was changed in place, in the plan and before anything is
// sent. A new deployment may have it.
func TestNewPorts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.config(nil, nil), b.None())
	other := b.config(nil, tree{"app_image": b.name + "-v2"})
	plan, _ := b.Plan(t, other, state)
	b.change(t, b.name+"-v2", newPort)
	said := b.planSays(t, other, state)
	for _, want := range []string{"ERROR", refusal, `AttributeName("parties").ElementKeyString("alice").AttributeName("app_image")`, `"metrics"`, "terraform taint ADDRESS"} {
		if !strings.Contains(said, want) {
			t.Errorf("the plan does not say %q: %s", want, said)
		}
	}
	writes := b.CountRequests()
	if response := b.Change(t, other, state, plan); !strings.Contains(crudtest.Messages(response.Diagnostics), refusal) {
		t.Errorf("the apply says %s", crudtest.Messages(response.Diagnostics))
	}
	if err := writes.ExpectNoWrites()(nil); err != nil {
		t.Error(err)
	}
	if said := b.planSays(t, b.config(nil, tree{"app_image": b.name + "-v2", "role": "server"}), state); strings.Contains(said, refusal) {
		t.Errorf("the replacement is refused: %s", said)
	}
	if said := b.planSays(t, b.config(nil, nil), state); said != "" {
		t.Errorf("a plan without a change says %s", said)
	}

	b.change(t, b.name, newPort)
	if said := b.planSays(t, b.config(tree{"input_config": "{}"}, nil), state); !strings.Contains(said, refusal) {
		t.Errorf("with the app image changed in place the plan says %s", said)
	}
	b.change(t, b.name, `[{"op":"remove","path":"CONTAINER/ports/2"},{"op":"remove","path":"CONTAINER/ports/1"}]`)
	if said := b.planSays(t, b.config(tree{"input_config": "{}"}, nil), state); strings.Contains(said, refusal) {
		t.Errorf("with a port less the plan says %s", said)
	}
}

// TestPlannedImages: what is invalid in an app image of the same plan, or does not fit it,
// is reported before the app image is sent.
func TestPlannedImages(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	requests := func(cpu string) *kuscia.ResourceRequirements {
		return &kuscia.ResourceRequirements{Requests: &kuscia.ResourceSpec{CPU: cpu}, Limits: &kuscia.ResourceSpec{CPU: "1"}}
	}
	for name, test := range map[string]struct {
		template  kuscia.DeployTemplate
		container kuscia.Container
		party     tree
		want      string
	}{
		"fine":                {container: kuscia.Container{Resources: requests("1")}},
		"role":                {template: kuscia.DeployTemplate{Role: "server"}, party: tree{"role": "client"}, want: "Missing deploy template for the role"},
		"resources":           {container: kuscia.Container{Resources: requests("2")}, want: "The request of \"2\" is above its limit of \"1\""},
		"request":             {container: kuscia.Container{Resources: requests("1")}, party: tree{"containers": tree{"main": tree{"requests": map[string]string{"cpu": "3"}}}}, want: "with the limit of the app image"},
		"port":                {container: kuscia.Container{Ports: []kuscia.ContainerPort{{Name: "Bad_Name"}}}, want: "is not a port name"},
		"container not in it": {party: tree{"containers": tree{"side": tree{}}}, want: "has no container \"side\""},
	} {
		b.again(t)
		b.c.AppImages = clients.NewAppImageCache((*kuscia.Client)(nil))
		test.container.Name, test.template.Replicas = "main", 1
		test.template.Containers = []kuscia.Container{test.container}
		image := &kuscia.AppImage{Name: b.name + "-v3", DeployTemplates: []kuscia.DeployTemplate{test.template}}
		b.c.AppImages.RecordPlanned(image)
		b.c.Objects.Record(clients.TypeAppImage, image.Name, clients.Planned)
		party := tree{"app_image": image.Name}
		maps.Copy(party, test.party)
		if said := b.planSays(t, b.config(nil, party), b.None()); !strings.Contains(said, test.want) || (said == "") != (test.want == "") {
			t.Errorf("%s: the plan says %s", name, said)
		}
	}
}

// TestChangesNotApplied: every plan that changes the deployment warns of
// changes of the app image that only new Deployments get, until the deployment
// is replaced.
func TestChangesNotApplied(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, said := b.ApplyAndVerify(t, b.config(nil, nil), b.None())
	if said != "" {
		t.Fatal(said)
	}
	image := b.name + "-v2"
	other := b.config(nil, tree{"app_image": image})
	if said := b.planSays(t, other, state); said != "" {
		t.Errorf("another tag alone: %s", said)
	}
	b.change(t, image, `[{"op":"add","path":"CONTAINER/command","value":["sh","-c","s3cr3t"]},{"op":"add","path":"CONTAINER/readinessProbe","value":{"httpGet":{"path":"/","port":"service"}}}]`)
	const warning = "Running pods do not get this change of the app image"
	said = b.planSays(t, other, state)
	for _, want := range []string{"WARNING", warning, "command, readiness_probe", "-replace=ADDRESS", `AttributeName("app_image")`} {
		if !strings.Contains(said, want) || strings.Contains(said, "s3cr3t") {
			t.Errorf("the plan does not say %q: %s", want, said)
		}
	}
	state, _ = b.ApplyAndVerify(t, other, state)
	if said := b.planSays(t, b.config(tree{"input_config": "{}"}, tree{"app_image": image}), state); !strings.Contains(said, warning) {
		t.Errorf("the next plan has forgotten it: %s", said)
	}
	if said := b.planSays(t, other, state); said != "" {
		t.Errorf("a plan without a change says %s", said)
	}
	if said := b.planSays(t, b.config(nil, nil), state); strings.Contains(said, warning) {
		t.Errorf("going back says %s", said)
	}
	if said := b.planSays(t, b.config(nil, tree{"app_image": image, "role": "server"}), state); strings.Contains(said, warning) {
		t.Errorf("a replacement says %s", said)
	}
}

// TestAppImageOfTheSamePlan: the plan warns if it changes an app image in place
// and leaves the deployment unchanged, since its pods do not change.
func TestAppImageOfTheSamePlan(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.config(nil, nil), b.None())
	for name, test := range map[string]struct {
		change func(image *kuscia.AppImage, main *kuscia.Container)
		says   []string
	}{
		"nothing":   {func(*kuscia.AppImage, *kuscia.Container) {}, nil},
		"replicas":  {func(i *kuscia.AppImage, _ *kuscia.Container) { i.DeployTemplates[0].Replicas = 3 }, nil},
		"tag":       {func(i *kuscia.AppImage, _ *kuscia.Container) { i.Image.Tag = "v3" }, []string{"rollout_revision"}},
		"resources": {func(_ *kuscia.AppImage, c *kuscia.Container) { c.Resources.Limits.CPU = "2" }, []string{"rollout_revision"}},
		"command":   {func(_ *kuscia.AppImage, c *kuscia.Container) { c.Command = []string{"sh"} }, []string{"command", "-replace=ADDRESS"}},
		"both":      {func(i *kuscia.AppImage, c *kuscia.Container) { i.Image.Tag, c.Command = "v3", []string{"sh"} }, []string{"rollout_revision", "command"}},
	} {
		image := func() *kuscia.AppImage {
			return &kuscia.AppImage{Name: b.name, Image: kuscia.AppImageInfo{Name: "example/app", Tag: "v1"}, DeployTemplates: []kuscia.DeployTemplate{{Containers: []kuscia.Container{{
				Name: "main", Resources: &kuscia.ResourceRequirements{Limits: &kuscia.ResourceSpec{CPU: "1"}},
			}}}}}
		}
		b.again(t)
		b.c.AppImages = clients.NewAppImageCache((*kuscia.Client)(nil))
		b.c.AppImages.Store(b.name, image())
		planned := image()
		test.change(planned, &planned.DeployTemplates[0].Containers[0])
		b.c.AppImages.RecordPlanned(planned)
		said := b.planSays(t, b.config(nil, nil), state)
		for _, want := range test.says {
			if !strings.Contains(said, want) {
				t.Errorf("%s: the plan does not say %q: %s", name, want, said)
			}
		}
		if test.says == nil && said != "" || strings.Contains(said, "ERROR") {
			t.Errorf("%s: the plan says %s", name, said)
		}
		fast := crudtest.NewFastServer(t, served{deployment.Served}, b.c)
		if plan, _ := fast.Plan(t, b.config(nil, nil), state); crudtest.Messages(plan.Diagnostics) != said {
			t.Errorf("%s: with shortcuts the plan says %s", name, crudtest.Messages(plan.Diagnostics))
		}
	}
}

// TestReleaseByAppImage: an update of labels applies the current app image, so that it
// is a new version for the Rollout of the Deployment if the same plan changes the image
// in place.
func TestReleaseByAppImage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.config(nil, nil), b.None())
	relabeled := b.config(tree{"labels": map[string]string{"app-image": "another"}}, nil)
	image := func(tag string, replicas int32) *kuscia.AppImage {
		return &kuscia.AppImage{Name: b.name, Image: kuscia.AppImageInfo{Name: "example/app", Tag: tag}, DeployTemplates: []kuscia.DeployTemplate{{Replicas: replicas, Containers: []kuscia.Container{{Name: "main"}}}}}
	}
	for name, test := range map[string]struct {
		planned *kuscia.AppImage
		config  definition.Value
		changes bool
	}{
		"tag":          {image("v2", 1), relabeled, true},
		"replicas":     {image("v1", 2), relabeled, false},
		"nothing":      {image("v1", 1), relabeled, false},
		"unknown":      {nil, relabeled, true},
		"without sent": {image("v2", 1), b.config(nil, nil), false},
	} {
		b.again(t)
		b.c.AppImages = clients.NewAppImageCache((*kuscia.Client)(nil))
		b.c.AppImages.Store(b.name, image("v1", 1))
		if b.c.AppImages.RecordPlannedUnknown(b.name, ""); test.planned != nil {
			b.c.AppImages.RecordPlanned(test.planned)
		}
		b.Plan(t, test.config, state)
		by := b.c.PlannedWorkloads.RecordRollout("alice", b.name, clients.PlannedRollout{ID: "alice/ro", StartsControlling: true}).PodsChangedBy
		if (by != "") != test.changes {
			t.Errorf("%s: the Rollout is told of %q", name, by)
		}
	}
}
