package appimage_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

const (
	firstContainer = "deploy_templates.0.containers.0."
	rollout        = "rollout_revision"
	definition     = "definition_revision"
)

// many are several app images in one configuration, which makes the tests
// faster.
type many struct {
	names  []string
	hcl    string
	checks []plancheck.PlanCheck
}

func (m *many) add(a appImage, paths ...string) {
	a.label = fmt.Sprint("test", len(m.names))
	m.names = append(m.names, a.name)
	m.hcl += a.hcl()
	m.checks = append(m.checks, changed{address: "kuscia_app_image." + a.label, paths: paths})
}

// TestAccAppImage_update changes one attribute in each of many app images. Each
// change is an update in place of exactly that attribute and its revision.
func TestAccAppImage_update(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	ports := `ports = [{ name = "http" }, { name = "rpc", protocol = "GRPC", scope = "Domain" }]`
	resources := `resources = { limits = { cpu = "2", memory = "1Gi" } }`
	probe := `readiness_probe = { exec = { command = ["true"] } }`
	env := `env = [{ name = "A", value = "1" }]`
	tests := []struct {
		before, after appImage
		paths         []string
	}{
		{appImage{}, appImage{image: `tag = "2"`}, []string{"image.tag", rollout}},
		{appImage{}, appImage{image: "tag = \"1\"\nid = \"i\"\nsign = \"s\""}, []string{"image.id", "image.sign", definition}},
		{appImage{image: "tag = \"1\"\nid = \"i\""}, appImage{}, []string{"image.id", definition}},
		{appImage{}, appImage{top: `config_templates = { "a.conf" = "x" }`}, []string{"config_templates", definition}},
		{appImage{top: `config_templates = { "a.conf" = "x", "b.conf" = "y" }`}, appImage{top: `config_templates = { "a.conf" = "z" }`},
			[]string{"config_templates.a.conf", "config_templates.b.conf", definition}},
		{appImage{top: `config_templates = { "a.conf" = "x" }`}, appImage{}, []string{"config_templates", definition}},
		{appImage{}, appImage{template: "role = \"server\"\nreplicas = 3\nrestart_policy = \"Always\""},
			[]string{"deploy_templates.0.role", "deploy_templates.0.replicas", "deploy_templates.0.restart_policy", definition}},
		{appImage{}, appImage{container: "command = [\"sh\"]\nargs = [\"-c\"]\nworking_dir = \"/w\""},
			[]string{firstContainer + "command", firstContainer + "args", firstContainer + "working_dir", definition}},
		{appImage{container: `command = ["sh"]`}, appImage{}, []string{firstContainer + "command", definition}},
		{appImage{}, appImage{container: ports}, []string{firstContainer + "ports", definition}},
		{appImage{container: ports}, appImage{container: `ports = [{ name = "http" }, { name = "rpc", scope = "Cluster" }]`},
			[]string{firstContainer + "ports.1.protocol", firstContainer + "ports.1.scope", definition}},
		{appImage{container: ports}, appImage{}, []string{firstContainer + "ports", definition}},
		{appImage{}, appImage{container: resources}, []string{firstContainer + "resources", rollout}},
		{appImage{container: resources}, appImage{container: `resources = { requests = { cpu = "0.5" }, limits = { cpu = "2" } }`},
			[]string{firstContainer + "resources.limits.memory", firstContainer + "resources.requests", rollout}},
		{appImage{container: resources}, appImage{}, []string{firstContainer + "resources", rollout}},
		{appImage{}, appImage{container: probe}, []string{firstContainer + "readiness_probe", definition}},
		{appImage{container: probe}, appImage{container: `readiness_probe = { exec = { command = ["true"] }, period_seconds = 3 }`},
			[]string{firstContainer + "readiness_probe.period_seconds", definition}},
		{appImage{container: probe}, appImage{}, []string{firstContainer + "readiness_probe", definition}},
		{appImage{container: env}, appImage{container: `env = [{ name = "A" }]`}, []string{firstContainer + "env.0.value", definition}},
		{appImage{container: env}, appImage{}, []string{firstContainer + "env", definition}},
		{appImage{}, appImage{container: `env_from = [{ config_map_ref = { name = "m" } }]`}, []string{firstContainer + "env_from", definition}},
		{appImage{}, appImage{container: `image_pull_policy = "Always"`}, []string{firstContainer + "image_pull_policy", definition}},
	}
	var before, after many
	for _, test := range tests {
		test.before.name = e.Name("update")
		test.after.name = test.before.name
		before.add(test.before)
		after.add(test.after, test.paths...)
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             e.CheckAppImageDestroyed(after.names...),
		Steps: []resource.TestStep{
			{Config: before.hcl},
			{Config: after.hcl, ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: after.checks}},
		},
	})
}

func TestAccAppImage_replace(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	before, after := e.Name("before"), e.Name("after")
	resource.Test(t, e.TestCase(object(after),
		resource.TestStep{Config: appImage{name: before}.hcl()},
		resource.TestStep{
			Config: appImage{name: after}.hcl(),
			ConfigPlanChecks: acctest.Planned(
				changed{address: address, paths: []string{"id", "name"}, action: plancheck.ResourceActionDestroyBeforeCreate},
			),
			Check: e.CheckAppImageDestroyed(before),
		},
	))
}

// TestAccAppImage_spelling changes only the spelling of values: the server does not change,
// and the plan is empty, unless what was left out is written as empty, which Terraform wants
// in the state.
func TestAccAppImage_spelling(t *testing.T) {
	acctest.SkipShort(t, "TestSpellings shows it without a CLI")
	t.Parallel()
	pairs := map[string][2]appImage{
		"left out and empty": {
			{},
			{
				image: "tag = \"1\"\nid = \"\"\nsign = \"\"", top: "config_templates = {}", template: "role = \"\"\nreplicas = 1\nrestart_policy = \"\"",
				container: `
					command              = []
					args                 = []
					working_dir          = ""
					config_volume_mounts = []
					ports                = []
					env                  = []
					env_from             = []
					resources            = { limits = { cpu = "" } }
					liveness_probe       = null
					image_pull_policy    = ""`,
			},
		},
		"inside": {
			{container: `
				ports           = [{ name = "p" }]
				env             = [{ name = "A" }]
				env_from        = [{ secret_ref = { name = "s" } }]
				readiness_probe = { http_get = { port = "p" } }
				startup_probe   = { grpc = { port = 1 } }`},
			{container: `
				ports           = [{ name = "p", protocol = "HTTP", scope = "Local" }]
				env             = [{ name = "A", value = "" }]
				env_from        = [{ prefix = "", secret_ref = { name = "s" } }]
				readiness_probe = { http_get = { port = "p", path = "", host = "", scheme = "", http_headers = [] }, period_seconds = 0 }
				startup_probe   = { grpc = { port = 1, service = "" }, termination_grace_period_seconds = 0 }`},
		},
		"quantities": {
			{container: `resources = { limits = { cpu = "0.1", memory = "1.5Gi" }, requests = { memory = "1024Ki" } }`},
			{container: `resources = { limits = { cpu = "100m", memory = "1536Mi" }, requests = { memory = "1Mi", cpu = "" } }`},
		},
	}
	for name, pair := range pairs {
		for direction, order := range map[string][2]int{"there": {0, 1}, "back": {1, 0}} {
			t.Run(name+" "+direction, func(t *testing.T) {
				t.Parallel()
				e := acctest.New(t)
				first, second := pair[order[0]], pair[order[1]]
				planned := plancheck.ExpectEmptyPlan()
				if direction == "there" {
					planned = plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)
				}
				leftOut := pair[0]
				first.name = e.Name("spelling")
				second.name, leftOut.name = first.name, first.name
				requests := e.CountRequests()
				resource.Test(t, e.TestCase(object(first.name),
					resource.TestStep{Config: first.hcl()},
					resource.TestStep{
						PreConfig: requests.Start,
						Config:    second.hcl(),
						ConfigPlanChecks: acctest.Planned(
							planned,
						),
						Check: requests.ExpectNoWrites(),
					},
					resource.TestStep{
						ResourceName: address, ImportState: true, ImportStateId: first.name,
						Config: leftOut.hcl(), ImportStateKind: resource.ImportBlockWithID,
					},
				))
			})
		}
	}
}

func TestAccAppImage_disappears(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	name := e.Name("disappears")
	hcl := appImage{name: name}.hcl()
	remove := e.Do(func(ctx context.Context, api *kuscia.Client) error { return api.DeleteAppImage(ctx, name) })
	resource.Test(t, e.TestCase(object(name),
		resource.TestStep{Config: hcl},
		resource.TestStep{
			PreConfig: remove,
			Config:    hcl,
			ConfigPlanChecks: acctest.Planned(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate),
			),
		},
	))
}

// TestAccAppImage_drift: a change of an attribute outside of Terraform appears
// as drift of exactly that attribute, and the apply corrects it.
func TestAccAppImage_drift(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	original := appImage{top: `config_templates = { "a.conf" = "x" }`, container: `
		ports = [{ name = "http" }]
		resources = { limits = { cpu = "0.5", memory = "1024Mi" } }
		liveness_probe = { http_get = { port = "http" } }
		env = [{ name = "A", value = "1" }]`}
	drift := []struct {
		change func(*kuscia.AppImage, *kuscia.Container)
		want   []string
	}{
		{func(i *kuscia.AppImage, _ *kuscia.Container) { i.Image.Tag = "" }, []string{"image.tag", rollout}},
		{func(i *kuscia.AppImage, _ *kuscia.Container) { i.Image.Name = "other" }, []string{"image.name", rollout}},
		{func(i *kuscia.AppImage, _ *kuscia.Container) { i.Image.ID = "i" }, []string{"image.id", definition}},
		{func(i *kuscia.AppImage, _ *kuscia.Container) { i.Image.Sign = "s" }, []string{"image.sign", definition}},
		{func(i *kuscia.AppImage, _ *kuscia.Container) { i.ConfigTemplates = map[string]string{} }, []string{"config_templates", definition}},
		{func(i *kuscia.AppImage, _ *kuscia.Container) { i.DeployTemplates[0].Replicas = 0 }, []string{"deploy_templates.0.replicas", definition}},
		{func(i *kuscia.AppImage, _ *kuscia.Container) { i.DeployTemplates[0].Name = "b" }, []string{"deploy_templates.0.name", definition}},
		{func(i *kuscia.AppImage, _ *kuscia.Container) { i.DeployTemplates[0].RestartPolicy = "Never" }, []string{"deploy_templates.0.restart_policy", definition}},
		{func(i *kuscia.AppImage, _ *kuscia.Container) {
			i.DeployTemplates = append(i.DeployTemplates, kuscia.DeployTemplate{Name: "b", Role: "b", Containers: []kuscia.Container{{Name: "c"}}})
			// Before, a party with role b had the resources of the template
			// without a role.
		}, []string{"deploy_templates", definition, rollout}},
		{func(_ *kuscia.AppImage, c *kuscia.Container) { c.Command = []string{"sh"} }, []string{firstContainer + "command", definition}},
		{func(_ *kuscia.AppImage, c *kuscia.Container) { c.Args = []string{"-c"} }, []string{firstContainer + "args", definition}},
		{func(_ *kuscia.AppImage, c *kuscia.Container) { c.WorkingDir = "/" }, []string{firstContainer + "working_dir", definition}},
		{func(_ *kuscia.AppImage, c *kuscia.Container) { c.ImagePullPolicy = "Sometimes" }, []string{firstContainer + "image_pull_policy", definition}},
		{func(_ *kuscia.AppImage, c *kuscia.Container) { c.Ports[0].Scope = "Domain" }, []string{firstContainer + "ports.0.scope", definition}},
		{func(_ *kuscia.AppImage, c *kuscia.Container) { c.Ports[0].Protocol = "GRPC" }, []string{firstContainer + "ports.0.protocol", definition}},
		{func(_ *kuscia.AppImage, c *kuscia.Container) {
			c.Resources.Limits.CPU = "1"
		}, []string{firstContainer + "resources.limits.cpu", rollout}},
		{func(_ *kuscia.AppImage, c *kuscia.Container) { c.Resources = nil },
			[]string{firstContainer + "resources", rollout}},
		{func(_ *kuscia.AppImage, c *kuscia.Container) { c.LivenessProbe = nil }, []string{firstContainer + "liveness_probe", definition}},
		{func(_ *kuscia.AppImage, c *kuscia.Container) { c.LivenessProbe.HTTPGet = nil }, []string{firstContainer + "liveness_probe.http_get", definition}},
		{func(_ *kuscia.AppImage, c *kuscia.Container) { c.LivenessProbe.PeriodSeconds = 9 }, []string{firstContainer + "liveness_probe.period_seconds", definition}},
		{func(_ *kuscia.AppImage, c *kuscia.Container) { c.StartupProbe = &kuscia.Probe{} }, []string{firstContainer + "startup_probe", definition}},
		{func(_ *kuscia.AppImage, c *kuscia.Container) { c.Env[0].Value = "2" }, []string{firstContainer + "env.0.value", definition}},
		{func(_ *kuscia.AppImage, c *kuscia.Container) {
			c.EnvFrom = []kuscia.EnvFromSource{{Prefix: "p", ConfigMapRef: &kuscia.ObjectSource{Name: "m"}}}
		}, []string{firstContainer + "env_from", definition}},
		{func(_ *kuscia.AppImage, c *kuscia.Container) {
			c.ConfigVolumeMounts = []kuscia.ConfigVolumeMount{{MountPath: "/a", SubPath: "a.conf"}}
		}, []string{firstContainer + "config_volume_mounts", definition}},
	}
	var all many
	for _, d := range drift {
		original.name = e.Name("drift")
		all.add(original, d.want...)
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             e.CheckAppImageDestroyed(all.names...),
		Steps: []resource.TestStep{
			{Config: all.hcl},
			{
				PreConfig: e.Do(func(ctx context.Context, api *kuscia.Client) error {
					for i, d := range drift {
						if err := tamper(ctx, api, all.names[i], d.change); err != nil {
							return err
						}
					}
					return nil
				}),
				Config:           all.hcl,
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: all.checks},
			},
		},
	})
}

// tamper changes an app image outside of Terraform.
func tamper(ctx context.Context, api *kuscia.Client, name string, change func(*kuscia.AppImage, *kuscia.Container)) error {
	image, err := api.QueryAppImage(ctx, name)
	if err != nil {
		return err
	}
	change(image, &image.DeployTemplates[0].Containers[0])
	return api.UpdateAppImage(ctx, &kuscia.UpdateAppImageRequest{
		Name: name, Image: image.Image, ConfigTemplates: &image.ConfigTemplates, DeployTemplates: image.DeployTemplates,
	})
}
