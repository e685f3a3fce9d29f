package deployment_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

const address = "kuscia_deployment.test"

// cluster is the Kubernetes API of one test, with an app image of one pod.
type cluster struct {
	*acctest.Kube
	t *testing.T
	// name is that of the deployment, and of its app image.
	name string
	// extra are further environment variables of the provider.
	extra map[string]string
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	return withImage(t, acctest.NewKube(t))
}

// ownCluster returns a cluster for this test only, whose controllers it may
// stop.
func ownCluster(t *testing.T) *cluster {
	t.Helper()
	return withImage(t, acctest.NewKubeServer(t))
}

func withImage(t *testing.T, k *acctest.Kube) *cluster {
	t.Helper()
	c := &cluster{Kube: k, t: t, name: k.Name("kd"), extra: map[string]string{}}
	c.AppImage(c.name, "example/app", "v1", 1)
	c.AppImage(c.name+"-v2", "example/app", "v2", 1)
	c.Sweep(c.name)
	return c
}

func (c *cluster) run(steps ...resource.TestStep) {
	c.t.Helper()
	env := c.Variables()
	for name, value := range c.extra {
		env[name] = value
	}
	resource.Test(c.t, resource.TestCase{ProtoV6ProviderFactories: acctest.Factories(env), CheckDestroy: c.nothingLeft, Steps: steps})
}

// foreignService is a Service that Kuscia does not take over, with the name of one that it
// would create for the party alice of a deployment.
func foreignService(deployment string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Service", "metadata": map[string]any{"namespace": "alice", "name": deployment + "-service"},
		"spec": map[string]any{"ports": []any{map[string]any{"name": "service", "port": int64(80)}}},
	}}
}

// imageWith creates another app image for the container of which a field is set.
func (c *cluster) imageWith(suffix, field string, value any) {
	c.t.Helper()
	image := c.Get(acctest.KubeAppImages, "", c.name).DeepCopy()
	templates, _, _ := unstructured.NestedSlice(image.Object, "spec", "deployTemplates")
	containers, _, _ := unstructured.NestedSlice(templates[0].(map[string]any), "spec", "containers")
	containers[0].(map[string]any)[field] = value
	templates[0].(map[string]any)["spec"] = map[string]any{"containers": containers}
	if err := unstructured.SetNestedSlice(image.Object, templates, "spec", "deployTemplates"); err != nil {
		c.t.Fatal(err)
	}
	image.Object["metadata"] = map[string]any{"name": c.name + suffix}
	c.Create(acctest.KubeAppImages, image)
}

// nothingLeft is a CheckDestroy.
func (c *cluster) nothingLeft(*terraform.State) error {
	if c.deployment() != nil {
		return fmt.Errorf("KusciaDeployment %s still exists", c.name)
	}
	for _, kind := range []string{"deployments", "services", "configmaps"} {
		of := map[string]int{
			"deployments": len(c.List(acctest.KubeDeployments, "", selector(c.name))),
			"services":    len(c.List(acctest.KubeServices, "", selector(c.name))),
			"configmaps":  len(c.List(acctest.KubeConfigMaps, "", selector(c.name))),
		}
		if of[kind] > 0 {
			return fmt.Errorf("%d %s are left", of[kind], kind)
		}
	}
	return nil
}

func selector(name string) string { return "kuscia.secretflow/kd-name=" + name }

// deployment is the KusciaDeployment; nil if there is none.
func (c *cluster) deployment() *unstructured.Unstructured {
	return c.Get(acctest.KubeKusciaDeployments, acctest.KubeNamespace, c.name)
}

// conf is a configuration with lines of HCL for the resource and for the party
// alice, and a party bob where there is one.
type conf struct {
	image, top, alice string
	bob               string
}

func (c *cluster) hcl(in conf) string {
	parties := map[string]any{"alice": partyOf(cmp.Or(in.image, c.name), in.alice)}
	if in.bob != "" {
		parties["bob"] = partyOf(c.name, in.bob)
	}
	return c.block(in.top, parties)
}

// partyOf is a party with lines of HCL.
func partyOf(image, lines string) map[string]any {
	return map[string]any{"app_image": image, "lines": acctest.Lines(lines)}
}

// block is a configuration with lines of HCL for the resource.
func (c *cluster) block(lines string, parties map[string]any) string {
	attributes := map[string]any{"name": c.name, "lines": acctest.Lines(lines), "parties": parties}
	if !strings.Contains(lines, "initiator") {
		attributes["initiator"] = "alice"
	}
	return acctest.Block("kuscia_deployment", "test", attributes)
}

var emptyAfter = resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}

// plans checks the planned action for the deployment, and that the next plan is
// empty.
func plans(action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{
		PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)},
		PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
	}
}

// at is a value of an object.
func at(object *unstructured.Unstructured, fields ...string) any {
	if object == nil {
		return nil
	}
	value, _, _ := unstructured.NestedFieldNoCopy(object.Object, fields...)
	return value
}

// party is the first party of a KusciaDeployment.
func party(object *unstructured.Unstructured, index int) map[string]any {
	parties, _ := at(object, "spec", "parties").([]any)
	if index >= len(parties) {
		return nil
	}
	out, _ := parties[index].(map[string]any)
	return out
}

// image is the reference of the first container of a Deployment.
func image(d *unstructured.Unstructured) string {
	containers, _ := at(d, "spec", "template", "spec", "containers").([]any)
	if len(containers) == 0 {
		return ""
	}
	first, _ := containers[0].(map[string]any)
	text, _ := first["image"].(string)
	return text
}
