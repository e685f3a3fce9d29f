package serving_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestRoleDisappears: an app image that lost the template for a party's role hides the serving. The
// plan has to succeed, so that it can fix the app image.
func TestRoleDisappears(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	image := e.AppImage(func(i *kuscia.AppImage) {
		i.DeployTemplates[0].Role = "client"
		i.DeployTemplates[0].Containers[0].Env = []kuscia.EnvVar{{Name: "PASSWORD", Value: "hunter2"}}
	})
	l := newLive(t, e, image).alice(attrs{"role": "client"})
	l.mustApply()
	e.ChangeAppImage(image, func(i *kuscia.AppImage) { i.DeployTemplates[0].Role = "server" })
	said := l.refresh()
	more, differs := l.plan()
	if said += more; differs || l.state.Value.IsNull() || strings.Contains(said, "ERROR") || strings.Contains(said, "hunter2") {
		t.Errorf("changed: %t, state %s: %s", differs, l.state.Value, said)
	}
}

// TestRenamedImage: a new name replaces the app image, and Terraform destroys the old one first, so
// that Kuscia cannot show the serving at that time. One request changes the app image and restarts
// the pods. A write-only text that only Kuscia has cannot be sent again then: the error says so
// before anything is sent, and a new version helps.
func TestRenamedImage(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text  attrs
		again attrs
		says  string
	}{
		"image":      {attrs{"serving_input_config": "{}"}, nil, ""},
		"redeploy":   {attrs{"serving_input_config": "{}"}, attrs{"redeploy_triggers": attrs{"run": "2"}}, ""},
		"write-only": {hiding(hiddenText1, 1), attrs{"redeploy_triggers": attrs{"run": "2"}}, "Increase serving_input_config_wo_version"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := acctest.New(t)
			image := e.AppImage()
			l := newLive(t, e, image).set(test.text).set(attrs{"redeploy_triggers": attrs{"run": "1"}})
			l.mustApply()
			renamed := e.StoredAppImage(image)
			renamed.Name, renamed.Image.Tag = e.Name("renamed"), "renamed" // so that the start of the rollout can be observed
			attributes := acctest.AttributesOf(t, renamed)
			l.alice(attrs{"app_image": renamed.Name}).set(test.again)
			server := e.Server(nil)
			images := server.Resource(t, "kuscia_app_image")
			config := protocol.Value(images.Kind, attributes)
			images.Plan(t, config, images.None())
			r := server.Resource(t, "kuscia_serving")
			plan, _ := r.Plan(t, l.config(r), l.state)
			protocol.NoError(t, e.API.DeleteAppImage(t.Context(), image))
			created := images.Create(t, config)
			t.Cleanup(func() { images.Delete(t, created) })
			requests := e.CountRequests()
			said := protocol.Messages(plan.Diagnostics) + l.change(plan)
			sent := 1
			if test.says != "" {
				says(t, "the apply", said, "ERROR", test.says)
				sent = 0
			} else if strings.Contains(said, "ERROR") || strings.Contains(said, "was not observed to start") {
				t.Error(said)
			}
			if err := requests.Expect(acctest.PathServingUpdate, sent)(nil); err != nil {
				t.Error(err)
			}
			if sent == 0 {
				l.set(hiding(hiddenText1, 2))
			}
			l.mustApply()
		})
	}
}
