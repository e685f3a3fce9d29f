package serving_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestRefusedWithAppImage: what Kuscia would accept and then drop, or fail on without a visible
// error, is one error as soon as the app image is known, before anything is sent.
func TestRefusedWithAppImage(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	small := e.AppImage(func(i *kuscia.AppImage) {
		i.DeployTemplates[0].Containers[0].Resources = &kuscia.ResourceRequirements{Limits: &kuscia.ResourceSpec{CPU: "1"}}
	})
	l := newLive(t, e, small).alice(attrs{"resources": attrs{"min_cpu": "2"}})
	requests := e.CountRequests()
	if said := l.try(); strings.Count(said, "ERROR") != 1 || !strings.Contains(said, `container "secretflow", min_cpu 2 is more than max_cpu 1 (values that are not set here come from the app image)`) {
		t.Error(said)
	}
	if said, _ := l.alice(attrs{"app_image": protocol.Unknown{}}).plan(); said != "" {
		t.Errorf("before the app image is known the plan says %s", said)
	}
	acctest.CheckNoWrites(t, "the refused apply", requests)
	l = newLive(t, e, small)
	l.mustApply()
	said, _ := l.alice(attrs{"resources": nil, "container_resources": attrs{"nope": attrs{"max_cpu": "1"}}}).plan()
	says(t, "the plan of an update", said, "ERROR", `has no container "nope"`)
	// The app image is changed after the plan.
	plan := l.alice(attrs{"container_resources": nil, "resources": attrs{"min_cpu": "1"}}).save()
	e.ChangeAppImage(small, func(i *kuscia.AppImage) { i.DeployTemplates[0].Containers[0].Resources.Limits.CPU = "500m" })
	requests = e.CountRequests()
	says(t, "the apply", l.change(plan), "ERROR", "min_cpu 1 is more than max_cpu 500m")
	acctest.CheckNoWrites(t, "the refused update", requests)
}

// TestMissingPartiesTogether: one message names each missing object, and where else it is needed.
func TestMissingPartiesTogether(t *testing.T) {
	t.Parallel()
	l := newLive(t, acctest.NewSandbox(t, sandbox.Options{}), "new").set(attrs{"initiator": "new"})
	l.of["parties"] = attrs{"new": attrs{"app_image": "new"}, "server": attrs{"domain_id": "new", "role": "server", "app_image": "new"}}
	said, _ := l.plan()
	says(t, "the plan", said, `parties["new"]: Kuscia has no domain "new" (also needed at parties["server"].domain_id)`, `parties["new"].app_image: Kuscia has no app image "new" (also needed at`)
	if n := strings.Count(said, " does not exist: "); n != 2 {
		t.Errorf("%d messages in %s", n, said)
	}
}

// TestRenamedKeyWarns: what a plan that looks like a new party does.
func TestRenamedKeyWarns(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	l := newLive(t, e, e.AppImage())
	l.mustApply()
	l.of["parties"] = attrs{"other": with(l.of["parties"].(attrs)["alice"].(attrs), attrs{"domain_id": "alice"})}
	said, _ := l.plan()
	says(t, "the plan", said, "WARNING", `parties["other"] was parties["alice"]`)
}

// TestCreateExplainsLeftovers: Deployments of the names of a new serving may belong to another one.
func TestCreateExplainsLeftovers(t *testing.T) {
	t.Parallel()
	l := unretried(t)
	l.env.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultCode, Path: "serving/create", Code: 11600, Times: sandbox.Always,
		Message: `k8s deployment "cross-domain/glm" of sub resources for serving already exists, please ensure that the name is not duplicated`})
	says(t, "the create", l.try(), "ERROR", "whose ID is this one with a role")
}

// TestLiveImageEdited: an app image that is edited together with a live serving, or before it, and
// on which the update would hang. Kuscia would stay Available with the old pods, without a visible
// error.
func TestLiveImageEdited(t *testing.T) {
	t.Parallel()
	main := func(name string, ports ...kuscia.ContainerPort) kuscia.Container {
		return kuscia.Container{Name: name, Ports: append([]kuscia.ContainerPort{{Name: "service", Protocol: "HTTP", Scope: "Domain"}}, ports...)}
	}
	metrics := func(scope string) kuscia.ContainerPort {
		return kuscia.ContainerPort{Name: "metrics", Protocol: "HTTP", Scope: scope}
	}
	twice := func(l *live) { l.alice(attrs{"replicas": 2}) }
	restart := func(l *live) { l.set(attrs{"redeploy_triggers": attrs{"again": "2"}}) }
	for name, test := range map[string]struct {
		before, after []kuscia.Container
		party         attrs
		edit          func(*live)
		says          string // "" if it is applied
	}{
		"new local port, restart": {[]kuscia.Container{main("main")}, []kuscia.Container{main("main", metrics("Local"))}, nil, restart, "New port on a live serving"},
		"container renamed":       {[]kuscia.Container{main("main")}, []kuscia.Container{main("renamed")}, attrs{"container_resources": attrs{"main": attrs{"min_cpu": "1"}}}, twice, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := acctest.New(t)
			image := e.AppImage(func(i *kuscia.AppImage) {
				i.ConfigTemplates, i.DeployTemplates[0].Containers = nil, test.before
			})
			l := newLive(t, e, image).alice(test.party).set(attrs{"serving_input_config": "{}", "redeploy_triggers": attrs{"again": "1"}})
			l.mustApply()
			edited := e.StoredAppImage(image)
			edited.Image.Tag, edited.DeployTemplates[0].Containers = "2", test.after
			test.edit(l)
			check := func(said string) {
				t.Helper()
				if strings.Contains(said, "ERROR") != (test.says != "") || !strings.Contains(said, test.says) {
					t.Errorf("the plan says %s", said)
				}
			}
			server := e.Server(nil)
			images := server.Resource(t, "kuscia_app_image")
			attributes := acctest.AttributesOf(t, edited)
			current, _ := images.Import(t, image)
			images.Plan(t, protocol.Value(images.Kind, attributes), current)
			_, said := l.planned(server.Resource(t, "kuscia_serving"))
			check(said)

			e.ChangeAppImage(image, func(i *kuscia.AppImage) { *i = *edited })
			l.mustRead()
			said, _ = l.plan()
			if check(said); test.says == "" {
				l.mustApply()
			}
		})
	}
}

// TestGoneSincePlan: the apply of a saved plan whose serving was deleted reports that.
func TestGoneSincePlan(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	l := newLive(t, e, e.AppImage())
	l.mustApply()
	plan := l.alice(attrs{"replicas": 2}).save()
	protocol.NoError(t, e.API.DeleteServing(t.Context(), l.id()))
	says(t, "the apply", l.change(plan), "no longer exists", "was deleted after the plan", "the new plan creates it", "11601")
	l.mustRead()
}
