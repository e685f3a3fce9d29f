package deployment_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/deployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
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

// TestPartyStops: the plan of an update that replaces pods says which party has none meanwhile.
func TestPartyStops(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	with := func(replicas int64, strategy tree) tree {
		return tree{"replicas": replicas, "update_strategy": strategy}
	}
	recreate := tree{"type": "Recreate"}
	state, _ := b.ApplyAndVerify(t, b.config(nil, with(1, recreate)), b.None())
	text := tree{"input_config": `{"another":1}`}
	for name, test := range map[string]struct {
		root, party tree
		want        bool
	}{
		"another text":                       {text, with(1, recreate), true},
		"another text, and a rolling update": {text, with(1, tree{"type": "RollingUpdate"}), false},
		"no pod in addition":                 {text, with(1, tree{"max_surge": "0"}), true},
		"more pods, of which one stays":      {text, with(3, tree{"max_surge": "1", "max_unavailable": "1"}), false},
		"more pods alone":                    {nil, with(2, recreate), false},
		"no pods any more":                   {text, with(0, recreate), false},
	} {
		said := b.planSays(t, b.config(test.root, test.party), state)
		if strings.Contains(said, "All pods of a party stop first") != test.want || test.want && !strings.Contains(said, `parties["alice"]`) {
			t.Errorf("%s: %s", name, said)
		}
	}
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
	protocol.Says(t, "the plan", said, "ERROR", refusal, `AttributeName("parties").ElementKeyString("alice").AttributeName("app_image")`, `"metrics"`, "terraform taint ADDRESS")
	if said := b.planSays(t, other, b.None()); strings.Contains(said, refusal) {
		t.Errorf("a create is refused: %s", said)
	}
	writes := b.CountRequests()
	if response := b.Change(t, other, state, plan); !strings.Contains(crudtest.Messages(response.Diagnostics), refusal) {
		t.Errorf("the apply says %s", crudtest.Messages(response.Diagnostics))
	}
	acctest.CheckNoWrites(t, "the refused apply", writes)
	if said := b.planSays(t, b.config(nil, tree{"app_image": b.name + "-v2", "role": "server"}), state); strings.Contains(said, refusal) {
		t.Errorf("the replacement is refused: %s", said)
	}
	for patch, refused := range map[string]bool{newPort: true, `[{"op":"remove","path":"CONTAINER/ports/1"}]`: false} {
		b := newBench(t)
		state, _ := b.ApplyAndVerify(t, b.config(nil, nil), b.None())
		b.change(t, b.name, patch)
		if said := b.planSays(t, b.config(tree{"input_config": "{}"}, nil), state); strings.Contains(said, refusal) != refused {
			t.Errorf("changed in place by %s, the plan says %s", patch, said)
		}
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
		"app image alone":     {container: kuscia.Container{Resources: requests("2")}, want: "The request of \"2\" is above its limit of \"1\""},
		"resources":           {container: kuscia.Container{Resources: requests("2")}, party: tree{"containers": tree{"main": tree{}}}, want: "The request of \"2\" is above its limit of \"1\""},
		"its own resources":   {container: kuscia.Container{Resources: requests("2")}, party: tree{"containers": tree{"main": tree{"requests": map[string]string{"cpu": "1"}}}}},
		"request":             {container: kuscia.Container{Resources: requests("1")}, party: tree{"containers": tree{"main": tree{"requests": map[string]string{"cpu": "3"}}}}, want: "with the limit of the app image"},
		"limit":               {container: kuscia.Container{Resources: requests("1")}, party: tree{"containers": tree{"main": tree{"limits": map[string]string{"cpu": "0.5"}}}}, want: "with the request of the app image"},
		"port":                {container: kuscia.Container{Ports: []kuscia.ContainerPort{{Name: "Bad_Name"}}}, want: `AttributeName("app_image"): Invalid port name in the app image`},
		"port, the rule":      {container: kuscia.Container{Ports: []kuscia.ContainerPort{{Name: "Bad_Name"}}}, want: "is not a port name"},
		"role not known":      {container: kuscia.Container{Resources: requests("2")}, party: tree{"role": definition.Unknown}},
		"container not in it": {party: tree{"containers": tree{"side": tree{}}}, want: "has no container \"side\""},
	} {
		b.again(t)
		b.c.AppImages = run.NewAppImageCache((*kuscia.Client)(nil))
		test.container.Name, test.template.Replicas = "main", 1
		test.template.Containers = []kuscia.Container{test.container}
		image := &kuscia.AppImage{Name: b.name + "-v3", DeployTemplates: []kuscia.DeployTemplate{test.template}}
		b.c.AppImages.RecordPlanned(image)
		b.c.Objects.Record(run.TypeAppImage, image.Name, run.Planned)
		if said := b.planSays(t, b.config(nil, merged(tree{"app_image": image.Name}, test.party)), b.None()); !strings.Contains(said, test.want) || (said == "") != (test.want == "") {
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
	state := b.ApplyWithoutWarnings(t, b.config(nil, nil), b.None())
	image := b.name + "-v2"
	other := b.config(nil, tree{"app_image": image})
	if said := b.planSays(t, other, state); said != "" {
		t.Errorf("another tag alone: %s", said)
	}
	b.change(t, image, `[{"op":"add","path":"CONTAINER/command","value":["sh","-c","s3cr3t"]},{"op":"add","path":"CONTAINER/readinessProbe","value":{"httpGet":{"path":"/","port":"service"}}}]`)
	const warning = "Running pods do not get this change of the app image"
	said := b.planSays(t, other, state)
	for _, want := range []string{"WARNING", warning, "command, readiness_probe", "-replace=ADDRESS", `AttributeName("app_image")`} {
		if !strings.Contains(said, want) || strings.Contains(said, "s3cr3t") {
			t.Errorf("the plan does not say %q: %s", want, said)
		}
	}
	state, _ = b.ApplyAndVerify(t, other, state)
	for what, test := range map[string]struct {
		with, party tree
		warns       bool
	}{
		"the next change": {tree{"input_config": "{}"}, tree{"app_image": image}, true}, "no change": {nil, tree{"app_image": image}, false},
		"going back": {nil, nil, false}, "a replacement": {nil, tree{"app_image": image, "role": "server"}, false},
	} {
		if said := b.planSays(t, b.config(test.with, test.party), state); strings.Contains(said, warning) != test.warns {
			t.Errorf("%s: the plan says %s", what, said)
		}
	}
	// After an import the app image that there is counts as deployed.
	if said := b.planSays(t, b.config(nil, nil), b.Imported(t, b.name)); !strings.Contains(said, warning) {
		t.Errorf("after an import the plan says %s", said)
	}
}

// imageOfPlan is the app image of a bench with another tag and command.
func (b *bench) imageOfPlan(tag string, replicas int32, command ...string) *kuscia.AppImage {
	return &kuscia.AppImage{Name: b.name, Image: kuscia.AppImageInfo{Name: "example/app", Tag: tag}, DeployTemplates: []kuscia.DeployTemplate{{
		Replicas: replicas, Containers: []kuscia.Container{{Name: "main", Command: command}},
	}}}
}

// plansImage begins a run that changes the app image, as it was applied, to another one; nil: to
// an unknown one.
func (b *bench) plansImage(t *testing.T, planned *kuscia.AppImage) {
	t.Helper()
	b.again(t)
	b.c.AppImages = run.NewAppImageCache((*kuscia.Client)(nil))
	b.c.AppImages.Store(b.name, b.imageOfPlan("v1", 1))
	if b.c.AppImages.RecordPlannedUnknown(b.name, nil); planned != nil {
		b.c.AppImages.RecordPlanned(planned)
	}
}

// TestAppImageOfTheSamePlan: the plan warns if it changes an app image in place
// and leaves the deployment unchanged, since its pods do not change. An update of labels
// applies the current app image, so that it is a new version for the Rollout of the Deployment.
func TestAppImageOfTheSamePlan(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	unchanged, relabeled := b.config(nil, nil), b.config(tree{"labels": map[string]string{"app-image": "another"}}, nil)
	state, _ := b.ApplyAndVerify(t, unchanged, b.None())
	for name, test := range map[string]struct {
		planned  *kuscia.AppImage
		says     []string
		releases bool
	}{
		"nothing":  {b.imageOfPlan("v1", 1), nil, false},
		"replicas": {b.imageOfPlan("v1", 3), nil, false},
		"tag":      {b.imageOfPlan("v3", 1), []string{"rollout_revision"}, true},
		"command":  {b.imageOfPlan("v1", 1, "sh"), []string{"command", "-replace=ADDRESS"}, false},
		"both":     {b.imageOfPlan("v3", 1, "sh"), []string{"rollout_revision", "command"}, true},
	} {
		b.plansImage(t, test.planned)
		said := b.planSays(t, unchanged, state)
		protocol.Says(t, name, said, test.says...)
		if test.says == nil && said != "" || strings.Contains(said, "ERROR") {
			t.Errorf("%s: the plan says %s", name, said)
		}
		fast := crudtest.NewFastServer(t, served{deployment.Served}, b.c)
		if plan, _ := fast.Plan(t, unchanged, state); crudtest.Messages(plan.Diagnostics) != said {
			t.Errorf("%s: with shortcuts the plan says %s", name, crudtest.Messages(plan.Diagnostics))
		}
		for what, releases := range map[bool]bool{false: false, true: test.releases} {
			b.plansImage(t, test.planned)
			b.Plan(t, map[bool]definition.Value{false: unchanged, true: relabeled}[what], state)
			if by := b.podsChangedBy(); (by != "") != releases {
				t.Errorf("%s, relabeled %t: the Rollout is told of %q", name, what, by)
			}
		}
	}
	b.plansImage(t, nil)
	if b.Plan(t, relabeled, state); b.podsChangedBy() == "" {
		t.Error("the Rollout is not told of an unknown app image")
	}
}

// podsChangedBy is what a Rollout is told of its Deployment in the same run.
func (b *bench) podsChangedBy() string {
	return b.c.PlannedWorkloads.RecordRollout("alice", b.name, run.PlannedRollout{ID: "alice/ro", StartsControlling: true}).PodsChangedBy
}
