package appimage_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccAppImage_badInput: invalid input is an error before any request is
// sent. check_test.go tests every rule; this test runs a few with the CLI, for
// both validate and plan.
func TestAccAppImage_badInput(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	tests := map[string]struct {
		config appImage
		want   []string
	}{
		"reported by validate": {
			appImage{name: "Bad_Name", container: `resources = { limits = { cpu = "abc" } }`},
			[]string{`Invalid name`, `"Bad_Name" is not a name of an app image`, `Invalid quantity`, `with kuscia_app_image.test`},
		},
		"reported by plan": {
			appImage{name: e.Name("bad"), image: `tag = ""`, template: "replicas = 0", container: `liveness_probe = { http_get = { port = "8080" } }`},
			[]string{`Missing image tag`, `Zero replicas`, `it must be at least 1`, `Numeric probe port`, `deploy_templates\[0\]\.containers\[0\]\.liveness_probe\.http_get\.port: "8080" is a number`},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			requests := e.CountRequests()
			acctest.ExpectFailure(t, resource.TestCase{
				ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
				Steps:                    []resource.TestStep{{Config: test.config.hcl()}},
			}, acctest.Failure{Messages: test.want})
			if err := requests.ExpectNoRequests()(nil); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestAccAppImage_exists: an app image of another client is not adopted. The
// error explains how to import it, and the import block in it works unchanged.
func TestAccAppImage_exists(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	name := e.AppImage(func(i *kuscia.AppImage) {
		i.Image = kuscia.AppImageInfo{Name: "example/app", Tag: "1"}
		i.ConfigTemplates = nil
		i.DeployTemplates = []kuscia.DeployTemplate{{Name: "app", Replicas: 1, Containers: []kuscia.Container{{Name: "app"}}}}
	})
	requests := e.CountRequests()
	w := e.Initialized(t, appImage{name: name}.hcl())
	output, code := w.Try("apply", "-no-color", "-auto-approve", "-input=false")
	for _, want := range []string{
		`Unable to create app image`, `App image "` + name + `"`, `13106`, `already exists`, `terraform import kuscia_app_image.NAME ` + name,
	} {
		if code != 1 || !strings.Contains(output, want) {
			t.Fatalf("exit code %d, without %q:\n%s", code, want, output)
		}
	}
	w.Write("import.tf", acctest.ImportBlock(t, output, "test"))
	if plan := w.Plan(acctest.PlanDiffers); !strings.Contains(plan, "1 to import, 0 to add, 0 to change, 0 to destroy") {
		t.Errorf("the plan of the import is not empty:\n%s", plan)
	}
	w.DestroyAtEnd()
	w.Apply()
	w.Plan(acctest.PlanEmpty)
	if err := requests.ExpectNone(acctest.PathAppImageUpdate, acctest.PathAppImageDelete)(nil); err != nil {
		t.Error(err)
	}
}

func TestAccAppImage_importErrors(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	for name, test := range map[string]struct {
		id   string
		want []string
	}{
		"malformed": {"Not/a name", []string{"Invalid import ID", "lower-case letters"}},
		"missing":   {e.Name("missing"), []string{"Cannot import non-existent remote object"}},
	} {
		t.Run(name, func(t *testing.T) {
			acctest.ExpectFailure(t, resource.TestCase{
				ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
				Steps: []resource.TestStep{{
					Config: appImage{name: "app"}.hcl(), ResourceName: address, ImportState: true, ImportStateId: test.id,
				}},
			}, acctest.Failure{Messages: test.want})
		})
	}
}

// TestAccAppImage_lostResponse: the response to the create is lost after the
// server has processed it. The app image is found and saved; the create is not
// repeated.
func TestAccAppImage_lostResponse(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	e.RequireSandbox(t, "it injects faults")
	name := e.Name("lost")
	requests := e.CountRequests()
	inject := func(f sandbox.Fault) func() {
		return func() {
			e.Sandbox.ClearFaults()
			e.Sandbox.Inject(f)
		}
	}
	hcl := appImage{name: name, container: `resources = { limits = { cpu = "0.1" } }`}
	changedHCL := hcl
	changedHCL.image = `tag = "2"`
	resource.Test(t, e.TestCase(object(name),
		resource.TestStep{
			PreConfig: inject(sandbox.Fault{Kind: sandbox.FaultReset, Path: "appimage/create", AfterEffect: true}),
			Config:    hcl.hcl(),
			Check:     requests.Expect(acctest.PathAppImageCreate, 1),
		},
		resource.TestStep{
			// An update is repeated.
			PreConfig: inject(sandbox.Fault{Kind: sandbox.FaultReset, Path: "appimage/update", AfterEffect: true}),
			Config:    changedHCL.hcl(),
		},
		resource.TestStep{
			// So is the delete at the end, which then finds nothing.
			PreConfig: inject(sandbox.Fault{Kind: sandbox.FaultReset, Path: "appimage/delete", AfterEffect: true}),
			Config:    changedHCL.hcl(), PlanOnly: true,
		},
	))
}

// TestAccAppImage_notReadBack: the create succeeds, and only the read
// afterwards fails. The state is saved and not tainted.
func TestAccAppImage_notReadBack(t *testing.T) {
	acctest.SkipShort(t, "TestMatrix fails reads without a CLI")
	t.Parallel()
	e := acctest.New(t)
	e.RequireSandbox(t, "it injects faults")
	name := e.Name("unread")
	e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultCode, Path: "appimage/query", Code: 13101, Message: "out of order"})
	resource.Test(t, e.TestCase(object(name), resource.TestStep{
		Config: appImage{name: name}.hcl(),
	}, resource.TestStep{
		Config:           appImage{name: name}.hcl(),
		ConfigPlanChecks: acctest.Planned(plancheck.ExpectEmptyPlan()),
	}))
}

// TestAccAppImage_notKnown: neither the create nor the following query gets a
// response. The app image is saved as tainted; if it exists, it is replaced.
func TestAccAppImage_notKnown(t *testing.T) {
	acctest.SkipShort(t, "TestMatrix loses responses without a CLI")
	t.Parallel()
	e := acctest.New(t)
	e.RequireSandbox(t, "it injects faults")
	name := e.Name("unknown")
	hcl := appImage{name: name}.hcl()
	e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultReset, Path: "appimage/create", AfterEffect: true})
	e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultCode, Path: "appimage/query", Code: 13101, Message: "out of order"})
	resource.Test(t, e.TestCase(object(name),
		resource.TestStep{
			Config:      hcl,
			ExpectError: acctest.Words(`Unknown whether app image was created`, name, `out of order`, `marked as tainted`),
		},
		resource.TestStep{
			Config: hcl,
			ConfigPlanChecks: acctest.Planned(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionDestroyBeforeCreate),
			),
		},
	))
}

// TestAccAppImage_lostResponseOfAnother: the create fails without an effect and
// its response is lost, while another client creates an app image with the same
// name.
func TestAccAppImage_lostResponseOfAnother(t *testing.T) {
	acctest.SkipShort(t, "TestTakenID shows it without a CLI")
	t.Parallel()
	e := acctest.New(t)
	e.RequireSandbox(t, "it injects faults")
	name := e.AppImage()
	e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultReset, Path: "appimage/create"})
	acctest.ExpectFailure(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		Steps:                    []resource.TestStep{{Config: appImage{name: name}.hcl()}},
	}, acctest.Failure{Messages: []string{
		`differs from the configuration in config_templates, `, `It was not changed`, `terraform import`,
	}})
	if _, err := e.API.QueryAppImage(context.Background(), name); err != nil {
		t.Errorf("the other app image was deleted: %v", err)
	}
}

// TestAccAppImage_updateFails: a failed update does not change the state, and
// the next apply makes the remaining changes.
func TestAccAppImage_updateFails(t *testing.T) {
	acctest.SkipShort(t, "TestMatrix fails updates without a CLI")
	t.Parallel()
	e := acctest.New(t)
	e.RequireSandbox(t, "it injects faults")
	name := e.Name("fails")
	before, after := appImage{name: name}, appImage{name: name, image: `tag = "2"`}
	resource.Test(t, e.TestCase(object(name),
		resource.TestStep{Config: before.hcl()},
		resource.TestStep{
			PreConfig: func() {
				e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultCode, Path: "appimage/update", Code: 13102, Message: "no space left on device"})
			},
			Config:      after.hcl(),
			ExpectError: acctest.Words(`Unable to update app image`, `13102`, `no space left on device`),
		},
		resource.TestStep{
			Config: after.hcl(),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				changed{address: address, paths: []string{"image.tag", "rollout_revision"}},
			}},
		},
	))
}

// TestAccAppImage_changedMeanwhile: Kuscia's object after the update differs
// from the plan. The error names the attribute, and the state contains the
// actual value.
func TestAccAppImage_changedMeanwhile(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	t.Parallel()
	e := acctest.New(t)
	e.RequireSandbox(t, "it slows an answer down")
	name := e.Name("meanwhile")
	before, after := appImage{name: name}, appImage{name: name, image: "tag = \"2\"\nid = \"i\""}
	resource.Test(t, e.TestCase(object(name),
		resource.TestStep{Config: before.hcl()},
		resource.TestStep{
			PreConfig: func() {
				e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultSlow, Path: "appimage/update", Delay: 3 * time.Second})
				go meddle(e, name)
			},
			Config:      after.hcl(),
			ExpectError: acctest.Words(`is not as planned`, `another value for image\.id`),
		},
		resource.TestStep{
			Config: after.hcl(),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				changed{address: address, paths: []string{"image.id", "definition_revision"}},
			}},
		},
	))
}

// meddle changes the app image with this ID as soon as the update has taken
// effect.
func meddle(e *acctest.Env, name string) {
	for range 600 {
		stored, err := e.Sandbox.AppImage(name)
		if err == nil && stored.Image.Tag == "2" {
			stored.Image.ID = "meddled"
			_ = e.Sandbox.PutAppImage(stored)
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// TestAccAppImage_oldServer: the error names the version that has the missing
// API.
func TestAccAppImage_oldServer(t *testing.T) {
	t.Parallel()
	old := acctest.NewSandbox(t, sandbox.Options{Version: "v0.11.0b0"})
	for name, test := range map[string]struct {
		hcl  string
		want string
	}{
		"resource":    {appImage{name: "app"}.hcl(), `The AppImage API needs Kuscia v0\.13 or later, and this one is v0\.11`},
		"data source": {acctest.DataBlock("kuscia_app_image", "test", attrs{"name": "app"}), `The AppImage API needs Kuscia v0\.13 or later`},
		"list":        {acctest.DataBlock("kuscia_app_images", "test", nil), `The list of app images needs Kuscia v1\.0 or later`},
	} {
		t.Run(name, func(t *testing.T) {
			acctest.ExpectFailure(t, resource.TestCase{
				ProtoV6ProviderFactories: old.ProtoV6ProviderFactories(),
				Steps:                    []resource.TestStep{{Config: test.hcl}},
			}, acctest.Failure{Messages: []string{test.want}})
		})
	}
}
