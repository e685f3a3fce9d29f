package deployment_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccDeployment_whatServingsCannot: clearing the configuration and removing
// resources, replicas and the strategy are updates in place.
func TestAccDeployment_whatServingsCannot(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	t.Parallel()
	c := newCluster(t)
	c.run(
		resource.TestStep{
			Config: c.hcl(conf{
				top: `input_config = "{}"`,
				alice: `replicas = 2
      update_strategy = { max_surge = "50%" }
      containers = { main = { requests = { cpu = "10m" }, limits = { cpu = "1" } } }`,
			}),
			ConfigPlanChecks: emptyAfter,
		},
		resource.TestStep{
			Config: c.hcl(conf{}), ConfigPlanChecks: plans(plancheck.ResourceActionUpdate),
			Check: func(*terraform.State) error {
				p := party(c.deployment(), 0)
				template, _ := p["template"].(map[string]any)
				if len(template) != 1 || at(c.deployment(), "spec", "inputConfig") != "" {
					return fmt.Errorf("the party is %v", p)
				}
				d := c.Get(acctest.KubeDeployments, "alice", c.name)
				containers, _ := at(d, "spec", "template", "spec", "containers").([]any)
				first, _ := containers[0].(map[string]any)
				if resources, _ := first["resources"].(map[string]any); len(resources) > 0 {
					return fmt.Errorf("the Deployment keeps the resources %v", resources)
				}
				return nil
			},
		},
	)
}

// TestAccDeployment_replacement: other parties, roles, prefixes and affinity
// need a new deployment, and nothing of the old one is left.
func TestAccDeployment_replacement(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	t.Parallel()
	c := newCluster(t)
	replaces := func(in conf) resource.TestStep {
		return resource.TestStep{Config: c.hcl(in), ConfigPlanChecks: plans(plancheck.ResourceActionReplace)}
	}
	gone := replaces(conf{alice: `service_name_prefix = "kd-prefix"`})
	gone.Check = func(*terraform.State) error {
		for _, namespace := range []string{"alice", "bob"} {
			for _, service := range c.List(acctest.KubeServices, namespace, selector(c.name)) {
				if namespace == "bob" || !regexp.MustCompile(`^kd-prefix-`).MatchString(service.GetName()) {
					return fmt.Errorf("the Service %s/%s is left", namespace, service.GetName())
				}
			}
		}
		return nil
	}
	c.run(
		resource.TestStep{Config: c.hcl(conf{bob: " "}), ConfigPlanChecks: emptyAfter},
		replaces(conf{bob: " ", alice: `role = "server"`}),
		gone,
		replaces(conf{top: `affinity_mode = "affinity"`, alice: `service_name_prefix = "kd-prefix"`}),
		replaces(conf{top: `affinity_mode = "none"`, alice: `service_name_prefix = "kd-prefix"`}),
	)
}

// TestAccDeployment_newPort: the error for a new port says how the deployment is
// replaced, and that works.
func TestAccDeployment_newPort(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestNewPorts"))
	t.Parallel()
	c := newCluster(t)
	ported := c.hcl(conf{image: c.name + "-v2"})
	c.run(
		resource.TestStep{Config: c.hcl(conf{}), ConfigPlanChecks: emptyAfter},
		resource.TestStep{
			PreConfig: func() {
				c.Patch(acctest.KubeAppImages, "", c.name+"-v2", types.JSONPatchType, strings.ReplaceAll(newPort, "CONTAINER", "/spec/deployTemplates/0/spec/containers/0"))
			},
			Config:      ported,
			ExpectError: acctest.Words("New port on a live deployment", "run terraform taint ADDRESS and then apply"),
		},
		resource.TestStep{Taint: []string{address}, Config: ported, ConfigPlanChecks: plans(plancheck.ResourceActionReplace)},
	)
}

// TestAccDeployment_keys: a renamed key and another order in the cluster send nothing, and
// an attribute of one party can be left to others.
func TestAccDeployment_keys(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestKeys"))
	t.Parallel()
	c := newCluster(t)
	requests := c.CountRequests()
	bob := partyOf(c.name, "replicas = 1")
	renamed := map[string]any{"first": partyOf(c.name, "domain_id = \"alice\"\nreplicas = 2"), "bob": bob}
	const ignored = "lifecycle {\n  ignore_changes = [parties[\"bob\"].replicas]\n}"
	patched := func(patch string) func() {
		return func() {
			c.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, c.name, types.JSONPatchType, patch)
			requests.Start()
		}
	}
	c.run(
		resource.TestStep{Config: c.block("", map[string]any{"alice": partyOf(c.name, "replicas = 2"), "bob": bob}), ConfigPlanChecks: emptyAfter},
		resource.TestStep{
			PreConfig: requests.Start,
			Config:    c.block("", renamed), ConfigPlanChecks: plans(plancheck.ResourceActionUpdate), Check: requests.ExpectNoWrites(),
		},
		resource.TestStep{
			PreConfig: patched(`[{"op": "move", "from": "/spec/parties/1", "path": "/spec/parties/0"}]`),
			Config:    c.block("", renamed), ConfigPlanChecks: plans(plancheck.ResourceActionNoop), Check: requests.ExpectNoWrites(),
		},
		resource.TestStep{
			PreConfig: patched(`[{"op": "replace", "path": "/spec/parties/0/template/replicas", "value": 2}]`),
			Config:    c.block(ignored, renamed), ConfigPlanChecks: plans(plancheck.ResourceActionNoop), Check: requests.ExpectNoWrites(),
		},
	)
}

// TestAccDeployment_drift: a manual change of each attribute is drift, which
// the apply reverts if the provider manages the attribute, some by a replacement.
func TestAccDeployment_drift(t *testing.T) {
	acctest.SkipShort(t, acctest.LifeWithCLI)
	t.Parallel()
	c := newCluster(t)
	config := c.hcl(conf{
		top: `force_conflicts = true
  input_config = "{\"a\":1}"
  affinity_mode = "none"
  labels = { mine = "yes" }`,
		alice: `replicas = 1
      role = "server"
      service_name_prefix = "` + c.name + `"
      update_strategy = { max_surge = "1", max_unavailable = "0" }
      containers = { main = { requests = { cpu = "10m" }, limits = { cpu = "1" } } }`,
		bob: " ",
	})
	steps := []resource.TestStep{{Config: config, ConfigPlanChecks: emptyAfter}}
	const replaced = "replaced: "
	for what, patch := range acctest.Sample(t, 4, map[string]string{
		"initiator":              `[{"op": "replace", "path": "/spec/initiator", "value": "bob"}]`,
		"input_config":           `[{"op": "replace", "path": "/spec/inputConfig", "value": "{}"}]`,
		"label":                  `[{"op": "replace", "path": "/metadata/labels/mine", "value": "no"}]`,
		"no label":               `[{"op": "remove", "path": "/metadata/labels/mine"}]`,
		"app_image":              fmt.Sprintf(`[{"op": "replace", "path": "/spec/parties/0/appImageRef", "value": "%s-v2"}]`, c.name),
		"replicas":               `[{"op": "replace", "path": "/spec/parties/0/template/replicas", "value": 2}]`,
		"strategy":               `[{"op": "replace", "path": "/spec/parties/0/template/strategy", "value": {"type": "Recreate"}}]`,
		"no strategy":            `[{"op": "remove", "path": "/spec/parties/0/template/strategy"}]`,
		"request":                `[{"op": "replace", "path": "/spec/parties/0/template/spec/containers/0/resources/requests/cpu", "value": "20m"}]`,
		"limits":                 `[{"op": "remove", "path": "/spec/parties/0/template/spec/containers/0/resources/limits"}]`,
		"containers":             `[{"op": "remove", "path": "/spec/parties/0/template/spec/containers"}]`,
		replaced + "party added": fmt.Sprintf(`[{"op": "add", "path": "/spec/parties/-", "value": {"domainID": "bob", "appImageRef": "%s", "role": "client"}}]`, c.name),
		replaced + "no party":    `[{"op": "remove", "path": "/spec/parties/1"}]`,
		replaced + "domain_id":   `[{"op": "replace", "path": "/spec/parties/1/domainID", "value": "alice"}]`,
		replaced + "role":        `[{"op": "replace", "path": "/spec/parties/0/role", "value": "client"}]`,
		replaced + "prefix":      `[{"op": "replace", "path": "/spec/parties/0/serviceNamePrefix", "value": "others"}]`,
		replaced + "no prefix":   `[{"op": "remove", "path": "/spec/parties/0/serviceNamePrefix"}]`,
		replaced + "annotation":  `[{"op": "remove", "path": "/metadata/annotations/kuscia.secretflow~1affinity-mode"}]`,
		replaced + "affinity":    `[{"op": "add", "path": "/spec/parties/0/template/spec/affinity", "value": {"podAffinity": {}}}]`,
	}) {
		action := plancheck.ResourceActionUpdate
		if strings.HasPrefix(what, replaced) {
			action = plancheck.ResourceActionReplace
		}
		steps = append(steps, resource.TestStep{
			PreConfig: func() {
				t.Log(what)
				c.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, c.name, types.JSONPatchType, patch)
			},
			Config: config, ConfigPlanChecks: plans(action),
		})
	}
	steps = append(steps, resource.TestStep{
		PreConfig: func() {
			c.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, c.name, types.MergePatchType, `{"metadata": {"labels": {"others": "x"}, "annotations": {"others": "x"}}}`)
		},
		Config: config, ConfigPlanChecks: plans(plancheck.ResourceActionNoop),
	})
	c.run(steps...)
}

// TestAccDeployment_conflict: fields of another field manager are not
// overwritten without force_conflicts; the error names field and manager.
func TestAccDeployment_conflict(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestUpdatedByKusciaAPI"))
	t.Parallel()
	c := newCluster(t)
	edit := func() {
		c.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, c.name, types.MergePatchType, `{"spec": {"inputConfig": "{\"by\": \"hand\"}"}}`)
	}
	before := conf{top: `input_config = "{}"`}
	forced := conf{top: "input_config = \"{}\"\n  force_conflicts = true"}
	c.run(
		resource.TestStep{Config: c.hcl(before), ConfigPlanChecks: emptyAfter},
		resource.TestStep{
			PreConfig: edit, Config: c.hcl(before),
			ExpectError: regexp.MustCompile(`(?s)\.spec\.inputConfig is managed by\s+"kubectl-edit".*force_conflicts\s+=\s+true`),
		},
		resource.TestStep{Config: c.hcl(forced), ConfigPlanChecks: plans(plancheck.ResourceActionUpdate)},
	)
}

// TestAccDeployment_labels: labels are added and removed; those of other
// clients stay.
func TestAccDeployment_labels(t *testing.T) {
	acctest.SkipShort(t, acctest.LifeWithCLI)
	t.Parallel()
	c := newCluster(t)
	has := func(want ...string) resource.TestCheckFunc {
		return func(*terraform.State) error {
			var names []string
			for name := range c.deployment().GetLabels() {
				names = append(names, name)
			}
			slices.Sort(names)
			if !slices.Equal(names, want) {
				return fmt.Errorf("labels %v, want %v", names, want)
			}
			return nil
		}
	}
	c.run(
		resource.TestStep{Config: c.hcl(conf{top: `labels = { a = "1", b = "2" }`}), ConfigPlanChecks: emptyAfter, Check: has("a", "b")},
		resource.TestStep{
			PreConfig: func() {
				c.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, c.name, types.MergePatchType, `{"metadata": {"labels": {"others": "x", "b": "2"}}}`)
			},
			Config: c.hcl(conf{top: `labels = { a = "3" }`}), ConfigPlanChecks: plans(plancheck.ResourceActionUpdate), Check: has("a", "others"),
		},
		resource.TestStep{Config: c.hcl(conf{}), ConfigPlanChecks: plans(plancheck.ResourceActionUpdate), Check: has("others")},
	)
}

// TestAccDeployment_hiddenConfig: a write-only input_config is not in the
// state.
func TestAccDeployment_hiddenConfig(t *testing.T) {
	acctest.SkipShort(t, acctest.LifeWithCLI)
	t.Parallel()
	c := newCluster(t)
	hidden := func(text string, version int, more string) string {
		return c.hcl(conf{top: fmt.Sprintf("input_config_wo = %q\n  input_config_wo_version = %d\n%s", text, version, more)})
	}
	is := func(want string) resource.TestCheckFunc {
		return func(*terraform.State) error {
			if got := at(c.deployment(), "spec", "inputConfig"); got != want {
				return fmt.Errorf("the cluster has the configuration %v, want %s", got, want)
			}
			return nil
		}
	}
	c.run(
		resource.TestStep{
			Config: hidden("secret-one", 1, ""), ConfigPlanChecks: emptyAfter, Check: is("secret-one"),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, tfjsonpath.New("input_config"), knownvalue.Null()),
				statecheck.ExpectKnownValue(address, tfjsonpath.New("input_config_wo"), knownvalue.Null()),
			},
		},
		resource.TestStep{Config: hidden("secret-two", 1, ""), ConfigPlanChecks: plans(plancheck.ResourceActionNoop), Check: is("secret-one")},
		resource.TestStep{Config: hidden("secret-two", 1, `labels = { a = "b" }`), ConfigPlanChecks: plans(plancheck.ResourceActionUpdate), Check: is("secret-one")},
		resource.TestStep{Config: hidden("secret-two", 2, `labels = { a = "b" }`), ConfigPlanChecks: plans(plancheck.ResourceActionUpdate), Check: is("secret-two")},
		resource.TestStep{Config: c.hcl(conf{}), ConfigPlanChecks: plans(plancheck.ResourceActionUpdate), Check: is("")},
	)
}
