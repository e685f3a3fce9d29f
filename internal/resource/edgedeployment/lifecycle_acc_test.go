package edgedeployment_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	api "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

func planned(action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{
		PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)},
		PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
	}
}

// TestAccEdgeDeployment_identity: import by identity.
func TestAccEdgeDeployment_identity(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v3", "v2"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			f := newFabric(t, sandbox.Options{InstanceIDs: []string{"i-1"}})
			hcl := conf{top: lines(`instance_id = "i-1"`, `api_version = "`+version+`"`)}.hcl()
			resource.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: f.factories(), CheckDestroy: f.gone("lite"),
				TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_12_0)},
				Steps: []resource.TestStep{
					{Config: hcl, ConfigStateChecks: []statecheck.StateCheck{
						statecheck.ExpectIdentityValue(address, tfjsonpath.New("instance_id"), knownvalue.StringExact("i-1")),
					}},
					{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithResourceIdentity},
				},
			})
		})
	}
}

// TestAccEdgeDeployment_importID: import by both forms of the id, in a service
// instance of its own.
func TestAccEdgeDeployment_importID(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v3", "v2"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			f := newFabric(t, sandbox.Options{InstanceIDs: []string{"i-1"}})
			hcl := conf{top: lines(`instance_id = "i-1"`, `api_version = "`+version+`"`)}.hcl()
			scope := api.Scope{Version: api.Version(version), InstanceID: "i-1"}
			resource.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: f.factories(), CheckDestroy: f.gone("lite"),
				Steps: []resource.TestStep{
					{Config: hcl},
					{
						ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: []string{"rollout_complete", "force_destroy", "timeouts"},
						ImportStateIdFunc: func(*terraform.State) (string, error) { return "i-1/" + f.find(scope, "lite").ID, nil },
					},
					{ResourceName: address, ImportState: true, ImportStateId: "a/b/c", ExpectError: regexp.MustCompile(`INSTANCE_ID/ID`)},
				},
			})
		})
	}
}

// TestAccEdgeDeployment_importPlansEmpty: the plan after an import is empty.
func TestAccEdgeDeployment_importPlansEmpty(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	t.Parallel()
	for _, version := range []string{"v3", "v2"} {
		f := newFabric(t, sandbox.Options{})
		hcl := conf{
			top:       lines(`api_version = "`+version+`"`, `force_destroy = true`),
			container: `envs = [{ name = "A", value = "a" }]`,
		}.hcl()
		scope := api.Scope{Version: api.Version(version)}
		made, err := f.client().Create(t.Context(), scope, &api.CreateRequest{
			Name: "lite", NodeIDs: []string{"node-1"}, Deployment: api.Spec{Replicas: 1, Template: api.Template{
				Configs:    api.PodConfigs{RestartPolicy: "Always"},
				Containers: []api.Container{{Name: "app", ImageURL: "kuscia:1", Envs: []api.Env{{Name: "A", Value: ptr("a")}}}},
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		f.run("lite",
			resource.TestStep{Config: acctest.ImportInto(address, made.ID) + hcl, ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionNoop)},
			}},
			resource.TestStep{Config: hcl, PlanOnly: true},
		)
	}
}

// TestAccEdgeDeployment_importGenerated: the configuration that the CLI generates
// lacks the values of variables, and they stay as they are.
func TestAccEdgeDeployment_importGenerated(t *testing.T) {
	t.Parallel()
	f := newFabric(t, sandbox.Options{})
	made, err := f.client().Create(t.Context(), v3, &api.CreateRequest{
		Name: "lite", NodeIDs: []string{"node-1"}, Deployment: api.Spec{Replicas: 1, Template: api.Template{
			Configs: api.PodConfigs{RestartPolicy: "Always"},
			Containers: []api.Container{{Name: "app", ImageURL: "kuscia:1", Envs: []api.Env{
				{Name: "A", Value: ptr("hidden")}, {Name: "B", ValueFrom: &api.ValueFrom{Secret: &api.KeyRef{Name: "s", Key: "k"}}},
			}}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	since := len(f.Requests())
	w := acctest.NewWorkspace(t, f.factories())
	w.ImportGenerated(map[string]string{address: made.ID})
	if text := w.Read("generated.tf"); strings.Contains(text, "hidden") || len(f.writes(since)) > 0 {
		t.Errorf("%d requests that change something; the configuration is\n%s", len(f.writes(since)), text)
	}
}

func ptr[T any](v T) *T { return &v }

// TestAccEdgeDeployment_disappears: a deleted deployment is created again.
func TestAccEdgeDeployment_disappears(t *testing.T) {
	t.Parallel()
	f := newFabric(t, sandbox.Options{})
	f.run("lite",
		resource.TestStep{Config: conf{}.hcl()},
		resource.TestStep{PreConfig: func() { f.Drop("lite") }, Config: conf{}.hcl(), ConfigPlanChecks: planned(plancheck.ResourceActionCreate)},
	)
}

// TestAccEdgeDeployment_drift: a change by another client is drift of exactly
// that attribute, and the apply reverts it.
func TestAccEdgeDeployment_drift(t *testing.T) {
	t.Parallel()
	base := func() api.Template {
		return api.Template{Configs: api.PodConfigs{RestartPolicy: "Always"}, Containers: []api.Container{{Name: "app", ImageURL: "kuscia:1"}}}
	}
	for _, version := range []string{"v3", "v2"} {
		for name, change := range acctest.Sample(t, 2, map[string]func(*api.UpdateRequest){
			"description":    func(u *api.UpdateRequest) { u.Deployment, u.Description = nil, ptr("changed") },
			"image_url":      func(u *api.UpdateRequest) { u.Deployment.Template.Containers[0].ImageURL = "other" },
			"command":        func(u *api.UpdateRequest) { u.Deployment.Template.Containers[0].Command = []string{"x"} },
			"args":           func(u *api.UpdateRequest) { u.Deployment.Template.Containers[0].Args = []string{"x"} },
			"privileged":     func(u *api.UpdateRequest) { u.Deployment.Template.Containers[0].Privileged = true },
			"run_as_user":    func(u *api.UpdateRequest) { u.Deployment.Template.Containers[0].RunAsUser = ptr(int32(7)) },
			"host_network":   func(u *api.UpdateRequest) { u.Deployment.Template.Configs.HostNetwork = true },
			"host_pid":       func(u *api.UpdateRequest) { u.Deployment.Template.Configs.HostPID = true },
			"restart_policy": func(u *api.UpdateRequest) { u.Deployment.Template.Configs.RestartPolicy = "Never" },
			"envs": func(u *api.UpdateRequest) {
				u.Deployment.Template.Containers[0].Envs = []api.Env{{Name: "A", Value: ptr("a")}}
			},
			"volumes": func(u *api.UpdateRequest) {
				u.Deployment.Template.Containers[0].Volumes = []api.Volume{{Name: "v", Type: "emptyDir", Source: "disk", Destination: "/d"}}
			},
			"ports": func(u *api.UpdateRequest) {
				u.Deployment.Template.Containers[0].Ports = []api.Port{{ContainerPort: 80}}
			},
			"resources": func(u *api.UpdateRequest) {
				u.Deployment.Template.Containers[0].Resources = &api.Resources{Limits: map[string]string{"cpu": "1"}}
			},
			"liveness_probe": func(u *api.UpdateRequest) {
				u.Deployment.Template.Containers[0].LivenessProbe = &api.Probe{Exec: &api.Exec{Command: "true"}}
			},
		}) {
			t.Run(version+"_"+name, func(t *testing.T) {
				t.Parallel()
				f := newFabric(t, sandbox.Options{})
				scope := api.Scope{Version: api.Version(version)}
				hcl := conf{top: `api_version = "` + version + `"`}.hcl()
				f.run("lite",
					resource.TestStep{Config: hcl},
					resource.TestStep{
						PreConfig: func() {
							update := &api.UpdateRequest{Deployment: &api.UpdateSpec{Replicas: 1, Template: base()}}
							change(update)
							if err := f.client().Update(context.Background(), scope, f.find(scope, "lite").ID, update); err != nil {
								t.Fatal(err)
							}
						},
						Config: hcl, ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
					},
				)
			})
		}
	}
}

// TestAccEdgeDeployment_unknown: values that are known after apply only.
func TestAccEdgeDeployment_unknown(t *testing.T) {
	t.Parallel()
	f := newFabric(t, sandbox.Options{})
	later := acctest.Reference("terraform_data.v.output")
	hcl := func(value string) string {
		return acctest.Block("terraform_data", "v", attributes{"input": value}) + acctest.Block(resourceType, "test", attributes{
			"name": "lite", "description": later, "node_ids": []any{later}, "containers": []any{attributes{
				"name": "app", "image_url": acctest.Reference(`"kuscia:${terraform_data.v.output}"`), "envs": []any{attributes{"name": "A", "value": later}},
				"resources": attributes{"limits": attributes{"memory": acctest.Reference(`"${length(terraform_data.v.output)}Gi"`)}},
			}},
		})
	}
	f.run("lite",
		resource.TestStep{Config: hcl("one"), ConfigPlanChecks: planned(plancheck.ResourceActionCreate)},
		resource.TestStep{Config: hcl("three"), ConfigPlanChecks: planned(plancheck.ResourceActionDestroyBeforeCreate)},
	)
}

// TestAccEdgeDeployment_spelling: nothing is sent for another spelling.
func TestAccEdgeDeployment_spelling(t *testing.T) {
	t.Parallel()
	f := newFabric(t, sandbox.Options{})
	var since int
	f.run("lite",
		resource.TestStep{Config: conf{container: `resources = { limits = { cpu = "500m", memory = "1Gi" } }`}.hcl()},
		resource.TestStep{
			PreConfig: f.mark(&since), Check: f.noWrites(&since),
			Config: conf{container: `resources = { limits = { cpu = "0.5", memory = "1024Mi" } }`}.hcl(), PlanOnly: true,
		},
		resource.TestStep{
			PreConfig: f.mark(&since), Check: f.noWrites(&since),
			Config: conf{top: `force_destroy = true`, container: lines(`resources = { limits = { cpu = "0.5", memory = "1024Mi" } }`, `npu_type = "D310"`)}.hcl(),
		},
	)
}

// TestAccEdgeDeployment_empty: an empty value equals an omitted one.
func TestAccEdgeDeployment_empty(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v3", "v2"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			f := newFabric(t, sandbox.Options{})
			var since int
			top := `api_version = "` + version + `"`
			hcl := conf{
				top:       lines(top, `annotations = { ring_controller = "" }`, `affinity = jsonencode({})`, `tags = {}`, `init_containers = []`),
				container: lines(`resources = { limits = {} }`, `envs = []`, `volumes = []`, `ports = []`, `command = []`, `npu_type = ""`),
			}.hcl()
			f.run("lite",
				resource.TestStep{Config: hcl, ConfigPlanChecks: planned(plancheck.ResourceActionCreate)},
				resource.TestStep{PreConfig: f.mark(&since), Check: f.noWrites(&since), Config: conf{top: top}.hcl()},
			)
		})
	}
}

// TestAccEdgeDeployment_lostResponses: after a lost response the created
// deployment is found by its name, and no second one is created.
func TestAccEdgeDeployment_lostResponses(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v3", "v2"} {
		for name, fault := range acctest.Sample(t, 1, map[string]sandbox.Fault{
			"create":          {Method: "POST", AfterEffect: true},
			"create, gateway": {Method: "POST", AfterEffect: true, Status: 504},
			"update":          {Method: "PUT", AfterEffect: true},
			"delete":          {Method: "DELETE", AfterEffect: true},
			"reads":           {Method: "GET", Times: 3},
		}) {
			t.Run(version+"_"+name, func(t *testing.T) {
				t.Parallel()
				f := newFabric(t, sandbox.Options{})
				f.Inject(fault)
				top := `api_version = "` + version + `"`
				f.run("lite",
					resource.TestStep{Config: conf{top: top}.hcl(), Check: func(*terraform.State) error {
						if n := f.Count("lite"); n != 1 {
							return fmt.Errorf("%d deployments", n)
						}
						return nil
					}, ConfigPlanChecks: planned(plancheck.ResourceActionCreate)},
					resource.TestStep{Config: conf{top: top, image: "kuscia:2"}.hcl(), ConfigPlanChecks: planned(plancheck.ResourceActionUpdate)},
				)
			})
		}
	}
}

// TestAccEdgeDeployment_notCreated: a create without effect leaves nothing in
// the state, and the next apply creates the deployment.
func TestAccEdgeDeployment_notCreated(t *testing.T) {
	acctest.SkipShort(t, "TestEdgeMatrix loses requests without a CLI")
	t.Parallel()
	f := newFabric(t, sandbox.Options{})
	f.Inject(sandbox.Fault{Method: "POST", Status: 400, Body: `{"error_code":"IEF.100012","error_msg":"not today"}`})
	f.run("lite",
		resource.TestStep{Config: conf{}.hcl(), ExpectError: regexp.MustCompile(`(?s)IEF\.100012.*not today`)},
		resource.TestStep{Config: conf{}.hcl(), ConfigPlanChecks: planned(plancheck.ResourceActionCreate)},
	)
}

// TestAccEdgeDeployment_uncertain: a create with an unknown outcome is not
// repeated, since it may still be carried out; the next plan determines the
// outcome.
func TestAccEdgeDeployment_uncertain(t *testing.T) {
	acctest.SkipShort(t, "TestEdgeMatrix loses responses without a CLI")
	t.Parallel()
	f := newFabric(t, sandbox.Options{})
	f.Inject(sandbox.Fault{Method: "POST"})
	f.run("lite",
		resource.TestStep{Config: conf{}.hcl(), ExpectError: regexp.MustCompile(`(?s)Unknown whether edge deployment was created`)},
		resource.TestStep{Config: conf{}.hcl(), ConfigPlanChecks: planned(plancheck.ResourceActionCreate)},
	)
}

// TestAccEdgeDeployment_taken: a name that is taken is an error with an import
// block, or adopted where the provider block says so.
func TestAccEdgeDeployment_taken(t *testing.T) {
	t.Parallel()
	make1 := func(f *fabric, image string) {
		if _, err := f.client().Create(context.Background(), v3, &api.CreateRequest{
			Name: "lite", NodeIDs: []string{"node-1"}, Deployment: api.Spec{Replicas: 1, Template: api.Template{
				Configs: api.PodConfigs{RestartPolicy: "Always"}, Containers: []api.Container{{Name: "app", ImageURL: image}},
			}},
		}); err != nil {
			f.t.Fatal(err)
		}
	}
	refused := newFabric(t, sandbox.Options{})
	make1(refused, "kuscia:1")
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: refused.factories(), Steps: []resource.TestStep{
		{Config: conf{}.hcl(), ExpectError: regexp.MustCompile(`(?s)import \{.*to = kuscia_edge_deployment\.NAME.*id = "[0-9a-f-]+"`)},
	}})
	adopting := newFabric(t, sandbox.Options{})
	adopting.extra["KUSCIA_ADOPT_EXISTING"] = "true"
	make1(adopting, "kuscia:1")
	adopting.run("lite", resource.TestStep{Config: conf{}.hcl(), ConfigPlanChecks: planned(plancheck.ResourceActionCreate)})
	if n := len(adopting.writes(0)); n != 2 { // the test's own create, and the delete
		t.Errorf("%d requests that change something", n)
	}
	other := newFabric(t, sandbox.Options{})
	other.extra["KUSCIA_ADOPT_EXISTING"] = "true"
	make1(other, "kuscia:2")
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: other.factories(), Steps: []resource.TestStep{
		{Config: conf{}.hcl(), ExpectError: regexp.MustCompile(`(?s)differs\s+from\s+the\s+configuration\s+in\s+containers\[0\]\.image_url`)},
	}})
}

// TestAccEdgeDeployment_slowImage: a temporary failure does not end the wait.
func TestAccEdgeDeployment_slowImage(t *testing.T) {
	acctest.SkipShort(t, "it waits for a slow image")
	t.Parallel()
	for _, version := range []string{"v3", "v2"} {
		f := newFabric(t, sandbox.Options{Timing: sandbox.Timing{Start: 10 * time.Millisecond, ClearFaults: 1500 * time.Millisecond, Remove: 10 * time.Millisecond}})
		f.run("lite", resource.TestStep{
			Config: conf{image: "kuscia:slow", top: `api_version = "` + version + `"`}.hcl(), ConfigPlanChecks: planned(plancheck.ResourceActionCreate),
		})
	}
}

// TestAccEdgeDeployment_broken: every apply fails until the instances run.
func TestAccEdgeDeployment_broken(t *testing.T) {
	t.Parallel()
	f := newFabric(t, sandbox.Options{})
	broken := conf{image: "kuscia:broken", top: `timeouts = { update = "1s" }`}.hcl()
	fails := regexp.MustCompile(`(?s)does not\s+run.*0 of 1 instances.*CREATE_FAIL`)
	f.run("lite",
		resource.TestStep{Config: conf{top: `timeouts = { update = "1s" }`}.hcl()},
		resource.TestStep{Config: broken, ExpectError: fails},
		resource.TestStep{Config: broken, ExpectError: fails},
		resource.TestStep{Config: conf{top: `timeouts = { update = "10s" }`}.hcl(), ConfigPlanChecks: planned(plancheck.ResourceActionUpdate)},
	)
}

// TestAccEdgeDeployment_secondUpdate: an update after one that never ran waits
// until the instances have the changes of both.
func TestAccEdgeDeployment_secondUpdate(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	t.Parallel()
	fails := regexp.MustCompile(`(?s)was\s+updated but does not\s+run.*with\s+the\s+previous\s+definition`)
	hcl := func(image, env string, replicas int) string {
		return conf{
			image: image, top: lines(`timeouts = { update = "1s" }`, fmt.Sprintf(`replicas = %d`, replicas)),
			container: fmt.Sprintf(`envs = [{ name = "A", value = %q }]`, env),
		}.hcl()
	}
	for name, second := range map[string]string{
		"only replicas":   hcl("kuscia:2", "b", 1),
		"env taken back":  hcl("kuscia:2", "a", 2),
		"nothing further": hcl("kuscia:2", "b", 2),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFabric(t, sandbox.Options{Timing: sandbox.Timing{Start: 10 * time.Millisecond, Remove: 10 * time.Millisecond}})
			f.run("lite",
				resource.TestStep{Config: hcl("kuscia:1", "a", 2)},
				resource.TestStep{PreConfig: func() { f.PauseUpdates(true) }, Config: hcl("kuscia:2", "b", 2), ExpectError: fails},
				resource.TestStep{Config: second, ExpectError: fails},
				resource.TestStep{PreConfig: func() { f.PauseUpdates(false) }, Config: second, ConfigPlanChecks: resource.ConfigPlanChecks{
					PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				}},
			)
		})
	}
}

// TestAccEdgeDeployment_offlineNode: a node that is offline never removes its
// instances; force_destroy does not wait for it.
func TestAccEdgeDeployment_offlineNode(t *testing.T) {
	acctest.SkipShort(t, "it waits for a timeout")
	t.Parallel()
	f := newFabric(t, sandbox.Options{OfflineNodes: []string{"node-1"}})
	f.run("lite",
		resource.TestStep{Config: conf{top: `timeouts = { delete = "1s" }`}.hcl()},
		resource.TestStep{Config: conf{top: `timeouts = { delete = "1s" }`}.hcl(), Destroy: true, ExpectError: regexp.MustCompile(`(?s)still exists.*force_destroy`)},
		resource.TestStep{Config: conf{top: `force_destroy = true`}.hcl()},
	)
}

// TestAccEdgeDeployment_badInput: invalid values are errors before anything is
// sent.
func TestAccEdgeDeployment_badInput(t *testing.T) {
	t.Parallel()
	f := newFabric(t, sandbox.Options{})
	for hcl, want := range map[string]string{
		conf{name: "Lite"}.hcl():                                                        `lower-case`,
		conf{top: `replicas = 1.5`}.hcl():                                               `whole number`,
		conf{place: `node_ids = []`}.hcl():                                              `Missing edge node`,
		conf{place: `node_ids = [null]`}.hcl():                                          `Null element`,
		conf{container: `envs = [{ name = "A" }]`}.hcl():                                `exactly one`,
		conf{top: lines(`api_version = "v2"`, `tags = { a = "b" }`)}.hcl():              `version v3`,
		conf{container: `resources = { limits = { memory = "5" } }`}.hcl():              `512Mi`,
		conf{top: `timeouts = { create = "5" }`}.hcl():                                  `timeouts.create`,
		acctest.Block(resourceType, "test", attributes{"name": "lite"}):                 `containers`,
		acctest.DataBlock(resourceType, "test", nil):                                    `Missing id or name`,
		acctest.DataBlock(listType, "test", attributes{"tags": attributes{"a": "b"}}):   `no filter for tags`,
		acctest.DataBlock(resourceType, "test", attributes{"id": "../x"}):               `Invalid ID`,
		acctest.DataBlock(listType, "test", attributes{"api_version": "v1"}):            `Value not allowed`,
		acctest.DataBlock(resourceType, "test", attributes{"name": "not there at all"}): `Edge deployment does not exist`,
	} {
		resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: f.factories(), Steps: []resource.TestStep{
			{Config: hcl, ExpectError: regexp.MustCompile(want)},
		}})
	}
	if w := f.writes(0); len(w) > 0 {
		t.Errorf("%d requests", len(w))
	}
}

// TestAccEdgeDeployment_notConfigured: what is missing is an error in the plan
// of this resource, and of nothing else.
func TestAccEdgeDeployment_notConfigured(t *testing.T) {
	t.Parallel()
	f := newFabric(t, sandbox.Options{})
	f.extra["HW_SECRET_KEY"] = ""
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: f.factories(), Steps: []resource.TestStep{
		{Config: conf{}.hcl(), PlanOnly: true, ExpectError: regexp.MustCompile(`(?s)IEF not configured.*secret_key`)},
		{Config: acctest.Output("x", acctest.Reference(`provider::kuscia::quantity("1Gi")`))},
	}})
	f = newFabric(t, sandbox.Options{})
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: f.factories(), Steps: []resource.TestStep{
		{Config: acctest.DataBlock("kuscia_app_images", "all", nil), ExpectError: regexp.MustCompile(`Missing Kuscia endpoint`)},
		{Config: conf{}.hcl()},
	}})
}

// TestAccEdgeDeployment_dataSources: the deployment with its instances, and
// lists with filters.
func TestAccEdgeDeployment_dataSources(t *testing.T) {
	t.Parallel()
	f := newFabric(t, sandbox.Options{})
	hcl := conf{}.hcl() +
		acctest.DataBlock(resourceType, "by_name", attributes{"name": acctest.Reference(address + ".name")}) +
		acctest.DataBlock(resourceType, "by_id", attributes{"id": acctest.Reference(address + ".id")}) +
		acctest.DataBlock(listType, "all", attributes{"name": "li", "node_id": "node-1", "depends_on": []any{acctest.Reference(address)}}) +
		acctest.DataBlock(listType, "none", attributes{"name": "other"})
	f.run("lite", resource.TestStep{Config: hcl, ConfigStateChecks: []statecheck.StateCheck{
		statecheck.ExpectKnownValue("data.kuscia_edge_deployment.by_name", tfjsonpath.New("instances").AtSliceIndex(0).AtMapKey("state"), knownvalue.StringExact("RUNNING")),
		statecheck.ExpectKnownValue("data.kuscia_edge_deployment.by_id", tfjsonpath.New("ready_replicas"), knownvalue.Int64Exact(1)),
		statecheck.ExpectKnownValue("data.kuscia_edge_deployments.all", tfjsonpath.New("edge_deployments").AtSliceIndex(0).AtMapKey("name"), knownvalue.StringExact("lite")),
		statecheck.ExpectKnownValue("data.kuscia_edge_deployments.none", tfjsonpath.New("edge_deployments"), knownvalue.ListSizeExact(0)),
	}})
}

// TestAccEdgeDeployment_secrets: credentials are in no state, plan or log, and
// values of variables in no log and no plan.
func TestAccEdgeDeployment_secrets(t *testing.T) {
	f := newFabric(t, sandbox.Options{AccessKey: "ACCESSKEYOFTHETEST", SecretKey: "secret-key-of-the-test", SecurityToken: "security-token-of-the-test"})
	log := t.TempDir() + "/log"
	t.Setenv("TF_LOG", "TRACE")
	t.Setenv("TF_LOG_PATH", log)
	t.Setenv("TF_ACC_LOG", "TRACE")
	t.Setenv("TF_ACC_LOG_PATH", log)
	hcl := acctest.Variable("token", attributes{"sensitive": true}) + conf{container: `envs = [{ name = "TOKEN", value = var.token }]`}.hcl()
	var state string
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: f.factories(), Steps: []resource.TestStep{
		{
			Config: hcl, ConfigVariables: config.Variables{"token": config.StringVariable("deploy-token-of-the-test")},
			Check: func(s *terraform.State) error {
				state = s.String()
				return nil
			},
		},
	}})
	content, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(content), "IEF") || state == "" {
		t.Errorf("%d bytes of log without a line of the client", len(content))
	}
	for _, secret := range []string{"secret-key-of-the-test", "security-token-of-the-test", "ACCESSKEYOFTHETEST"} {
		if strings.Contains(string(content), secret) || strings.Contains(state, secret) {
			t.Errorf("%s is in the log or the state", secret)
		}
	}
	for line := range strings.Lines(string(content)) {
		if strings.Contains(line, "deploy-token-of-the-test") && strings.Contains(line, "IEF") {
			t.Errorf("the value of a variable is logged: %s", line)
		}
	}
}

// TestAccEdgeDeployment_writeOnly: a value in the write-only form reaches IEF
// with each version, survives other updates, and is in no state, plan or log.
func TestAccEdgeDeployment_writeOnly(t *testing.T) {
	acctest.RequireWriteOnly(t)
	for _, version := range []string{"v3", "v2"} {
		t.Run(version, func(t *testing.T) {
			f := newFabric(t, sandbox.Options{})
			scope := api.Scope{Version: api.Version(version)}
			log := t.TempDir() + "/log"
			t.Setenv("TF_LOG", "TRACE")
			t.Setenv("TF_LOG_PATH", log)
			t.Setenv("TF_ACC_LOG", "TRACE")
			t.Setenv("TF_ACC_LOG_PATH", log)
			step := func(token string, number int, image string, action plancheck.ResourceActionType, stored string) resource.TestStep {
				hcl := acctest.Variable("token", attributes{"ephemeral": true}) + conf{
					top: `api_version = "` + version + `"`, image: image,
					container: fmt.Sprintf(`envs = [{ name = "TOKEN", value_wo = var.token, value_wo_version = %d }, { name = "A", value = "a" }]`, number),
				}.hcl()
				return resource.TestStep{
					Config: hcl, ConfigVariables: config.Variables{"token": config.StringVariable(token)}, ConfigPlanChecks: planned(action),
					ConfigStateChecks: []statecheck.StateCheck{
						statecheck.ExpectKnownValue(address, tfjsonpath.New("containers").AtSliceIndex(0).AtMapKey("envs").AtSliceIndex(0).AtMapKey("value"), knownvalue.Null()),
						statecheck.ExpectKnownValue(address, tfjsonpath.New("containers").AtSliceIndex(0).AtMapKey("envs").AtSliceIndex(0).AtMapKey("value_wo"), knownvalue.Null()),
					},
					Check: func(*terraform.State) error {
						found, err := f.client().Get(context.Background(), scope, f.find(scope, "lite").ID)
						if err != nil {
							return err
						}
						if got := found.Template.Containers[0].Envs[0].Value; got == nil || *got != stored {
							return fmt.Errorf("IEF has %v, want %q", got, stored)
						}
						return nil
					},
				}
			}
			f.run("lite",
				step("hidden-token-1", 1, "kuscia:1", plancheck.ResourceActionCreate, "hidden-token-1"),
				step("hidden-token-2", 1, "kuscia:1", plancheck.ResourceActionNoop, "hidden-token-1"),
				step("hidden-token-2", 1, "kuscia:2", plancheck.ResourceActionUpdate, "hidden-token-1"),
				step("hidden-token-2", 2, "kuscia:2", plancheck.ResourceActionUpdate, "hidden-token-2"),
			)
			content, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(content)) {
				if strings.Contains(line, "hidden-token") && strings.Contains(line, "IEF") {
					t.Errorf("the value is logged: %s", line)
				}
			}
		})
	}
}

// TestAccEdgeDeployment_writeOnlyLost: after an update with an unknown outcome
// the next plan sends the value again.
func TestAccEdgeDeployment_writeOnlyLost(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	acctest.RequireWriteOnly(t)
	t.Parallel()
	f := newFabric(t, sandbox.Options{})
	hcl := func(number int) string {
		return conf{container: fmt.Sprintf(`envs = [{ name = "TOKEN", value_wo = "token-%d", value_wo_version = %[1]d }]`, number)}.hcl()
	}
	f.run("lite",
		resource.TestStep{Config: hcl(1)},
		resource.TestStep{
			PreConfig:   func() { f.Inject(sandbox.Fault{Method: "PUT", Times: -1}) },
			Config:      hcl(2),
			ExpectError: regexp.MustCompile(`Unable to update edge deployment`),
		},
		resource.TestStep{PreConfig: f.ClearFaults, Config: hcl(1), ConfigPlanChecks: planned(plancheck.ResourceActionUpdate)},
	)
}
