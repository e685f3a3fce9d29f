package examplestest_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// clusterRole reads the rules of a ClusterRole in a file, which also has who gets
// them.
func clusterRole(t *testing.T, content []byte) []acctest.KubeRule {
	t.Helper()
	type reference struct{ Kind, APIGroup, Namespace, Name string }
	type object struct {
		APIVersion, Kind string
		Metadata         reference
		Rules            []acctest.KubeRule
		RoleRef          reference
		Subjects         []reference
	}
	objects := map[string]object{}
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(content), len(content))
	for {
		var o object
		err := decoder.Decode(&o)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		objects[o.APIVersion+" "+o.Kind] = o
	}
	const group = "rbac.authorization.k8s.io"
	account, role, binding := objects["v1 ServiceAccount"].Metadata, objects[group+"/v1 ClusterRole"], objects[group+"/v1 ClusterRoleBinding"]
	if want := (reference{Kind: "ClusterRole", APIGroup: group, Name: role.Metadata.Name}); binding.RoleRef != want {
		t.Errorf("bound is %v, want %v", binding.RoleRef, want)
	}
	if want := []reference{{Kind: "ServiceAccount", Namespace: account.Namespace, Name: account.Name}}; !slices.Equal(binding.Subjects, want) || account.Name == "" {
		t.Errorf("it is bound to %v, want %v", binding.Subjects, want)
	}
	if len(objects) != 3 || len(role.Rules) == 0 {
		t.Fatalf("not a service account, a ClusterRole and its binding: %v", objects)
	}
	return role.Rules
}

// right is one of those that a ClusterRole gives.
type right struct{ verb, group, resource string }

func rightsOf(rules []acctest.KubeRule) map[right]bool {
	rights := map[right]bool{}
	for _, rule := range rules {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				for _, verb := range rule.Verbs {
					rights[right{verb, group, resource}] = true
				}
			}
		}
	}
	return rights
}

// clusterLives are the lives of what the provider manages in a cluster. They are side
// by side in one cluster.
var clusterLives = map[string]struct {
	// examples are the folders of those that live gets.
	examples []string
	live     func(t *testing.T, k *acctest.Kube, e []example)
}{
	"deployment": {[]string{"resources/kuscia_deployment", "resources/kuscia_rollout"}, func(t *testing.T, k *acctest.Kube, e []example) {
		// One after the other: the Rollout is for the Deployment of that name.
		manageKubernetes(t, k, e[0], "kuscia_deployment.glm", map[string]string{"kuscia_deployment.scores": "scores"})
		manageKubernetes(t, k, e[1], "kuscia_rollout.glm", map[string]string{"kuscia_rollout.glm_bob": "bob/glm"})
	}},
	"routing": {[]string{"resources/kuscia_traffic_routing"}, func(t *testing.T, k *acctest.Kube, e []example) {
		manageKubernetes(t, k, e[0], "kuscia_traffic_routing.gray", map[string]string{"kuscia_rollout.gray": "alice/gray"})
	}},
	"release": {[]string{"gradual-release"}, func(t *testing.T, k *acctest.Kube, e []example) { releaseGradually(t, k, e[0]) }},
	"update":  {nil, updateDeployment},
	"failure": {nil, failDeployment},
	"serving": {nil, manageServing},
	"image":   {nil, updateImage},
	"list":    {nil, manageRoutings},
}

// asRole is the test of an example that testClusterRole applies.
func asRole(t *testing.T, e example) {
	for _, life := range clusterLives {
		if slices.Contains(life.examples, e.dir) {
			return
		}
	}
	t.Error("testClusterRole does not apply it")
}

// testClusterRole gives the provider the rights of the ClusterRole and no others,
// and goes through the lives of all that it manages in a cluster. No request is
// refused, and no right is left that none needed.
func testClusterRole(t *testing.T, e example) {
	acctest.CLI(t) // skips before anything is made
	rules := clusterRole(t, e.read(t, "cluster-access/role/cluster-role.yaml"))
	k := kubeWith(t, "secretflow-serving-image")
	k.Limit(rules...)
	requests := k.CountRequests()
	ended := t.Run("lives", func(t *testing.T) {
		for name, life := range clusterLives {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				var examples []example
				for _, dir := range life.examples {
					examples = append(examples, named(t, dir))
				}
				life.live(t, k.For(t), examples)
			})
		}
	})
	if !ended {
		return
	}

	unused := rightsOf(rules)
	for _, request := range requests.Since() {
		// Of what traffic routings refer to, the guide says that it is optional.
		if request.Status == http.StatusForbidden && request.Resource != "ingresses" && request.Resource != "httproutes" {
			t.Errorf("refused: %s", request)
		}
		asked := right{request.Verb, request.Group, request.Resource}
		if request.Subresource != "" {
			asked.resource += "/" + request.Subresource
		}
		delete(unused, asked)
	}
	for r := range unused {
		t.Errorf("nothing needs %s of %s in the group %q", r.verb, r.resource, r.group)
	}
	testReaders(t, k, rules)
}

// updateDeployment changes a deployment, for the right to patch it, and reads all.
func updateDeployment(t *testing.T, k *acctest.Kube, _ []example) {
	t.Helper()
	k.AppImage("updated", "example/updated", "1", 1)
	w := acctest.NewWorkspace(t, acctest.Factories(k.Variables()))
	w.DestroyAtEnd()
	for i, replicas := range []int{1, 2} {
		w.Write("main.tf", fmt.Sprintf(`resource "kuscia_deployment" "updated" {
  name      = "updated"
  initiator = "alice"
  parties   = { alice = { app_image = "updated", replicas = %d } }
}

data "kuscia_deployments" "all" {
}

output "found" {
  value = contains(data.kuscia_deployments.all.deployments[*].name, "updated")
}
`, replicas))
		if i == 0 {
			w.Init()
		}
		// The data source is read before the deployment is created.
		expectIn(t, w.Run(0, "apply", "-auto-approve"), fmt.Sprintf("found = %t", i > 0))
	}
	w.Plan(acctest.PlanEmpty)
}

// failDeployment updates a deployment to an image that does not run, for the right
// to see why.
func failDeployment(t *testing.T, k *acctest.Kube, _ []example) {
	t.Helper()
	k.AppImage("runs", "example/runs", "1", 1)
	k.AppImage("fails", "example/broken", "1", 1)
	w := acctest.NewWorkspace(t, acctest.Factories(k.Variables()))
	configure := func(image string) {
		w.Write("main.tf", fmt.Sprintf(`resource "kuscia_deployment" "fails" {
  name      = "fails"
  initiator = "alice"
  timeouts  = { update = "10s" }
  parties   = { alice = { app_image = %q } }
}
`, image))
	}
	configure("runs")
	w.Init()
	w.DestroyAtEnd()
	w.Apply()
	configure("fails")
	expectIn(t, w.Run(1, "apply", "-auto-approve"), "does not run", "ImagePullBackOff:")
}

// manageRoutings reads so many traffic routings that a refresh lists them.
func manageRoutings(t *testing.T, k *acctest.Kube, _ []example) {
	t.Helper()
	w := acctest.NewWorkspace(t, acctest.Factories(k.Variables()))
	w.Write("main.tf", `resource "kuscia_traffic_routing" "many" {
  count      = 20
  namespace  = "alice"
  name       = "many-${count.index}"
  object_ref = [{ service = "many", ingress = { name = "many" } }]
  strategy   = { weight = 5 }
}
`)
	w.Init()
	w.DestroyAtEnd()
	w.Apply()
	w.Plan(acctest.PlanEmpty)
}

// manageServing lets servings wait by their Deployments, and reads them together.
func manageServing(t *testing.T, k *acctest.Kube, _ []example) {
	t.Helper()
	e := acctest.NewSandbox(t, sandbox.Options{})
	k.RunServings(e)
	w := acctest.NewWorkspace(t, e.OnCluster(k))
	w.Write("main.tf", fmt.Sprintf(`resource "kuscia_serving" "waits" {
  count      = 3
  serving_id = "waits-${count.index}"
  initiator  = "alice"
  parties    = { alice = { app_image = %q } }
}
`, e.AppImage()))
	w.Init()
	w.DestroyAtEnd()
	w.Apply()
	w.Plan(acctest.PlanEmpty)
}

// updateImage updates an app image with a field that the KusciaAPI does not carry.
func updateImage(t *testing.T, k *acctest.Kube, _ []example) {
	t.Helper()
	e := acctest.NewSandbox(t, sandbox.Options{})
	k.RunServings(e)
	w := acctest.NewWorkspace(t, e.OnCluster(k))
	for _, replicas := range []int{1, 2} {
		w.Write("main.tf", fmt.Sprintf(`resource "kuscia_app_image" "secured" {
  name             = "secured"
  image            = { name = "example/secured", tag = "1" }
  deploy_templates = [{ name = "app", replicas = %d, containers = [{ name = "app" }] }]
}

resource "kuscia_domain" "routed" {
  domain_id = "routed"
}
`, replicas))
		if replicas == 1 {
			w.Init()
			w.DestroyAtEnd()
		}
		w.Apply()
		if replicas == 1 {
			k.Patch(acctest.KubeAppImages, "", "secured", types.JSONPatchType,
				`[{"op": "add", "path": "/spec/deployTemplates/0/spec/containers/0/securityContext", "value": {"privileged": true}}]`)
		}
	}
	w.Plan(acctest.PlanEmpty)
	text, err := k.Get(acctest.KubeAppImages, "", "secured").MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	expectIn(t, string(text), `"privileged":true`, `"replicas":2`)
}

// dispensable leaves out the rights of which the guide says that an apply works
// without them.
func dispensable(rules []acctest.KubeRule) []acctest.KubeRule {
	var rest []acctest.KubeRule
	for _, rule := range rules {
		if slices.Contains(rule.APIGroups, "kuscia.secretflow") {
			rule.Resources = slices.DeleteFunc(slices.Clone(rule.Resources), func(resource string) bool { return resource == "domains" })
			rule.Verbs = slices.DeleteFunc(slices.Clone(rule.Verbs), func(verb string) bool { return verb == "list" })
		}
		if !slices.Contains(rule.APIGroups, "rollouts.kruise.io") && !slices.Contains(rule.Resources, "pods") {
			rest = append(rest, rule)
		}
	}
	return rest
}

// testReaders: get and list are enough for plans, an apply says which right it
// has not, and some it can do without.
func testReaders(t *testing.T, k *acctest.Kube, rules []acctest.KubeRule) {
	t.Helper()
	var reading []acctest.KubeRule
	for _, rule := range rules {
		rule.Verbs = slices.DeleteFunc(slices.Clone(rule.Verbs), func(verb string) bool { return verb != "get" && verb != "list" })
		reading = append(reading, rule)
	}
	const configuration = `resource "kuscia_deployment" "read" {
  name         = "read"
  initiator    = "alice"
  input_config = %q
  parties      = { alice = { app_image = "secretflow-serving-image" } }
}
`
	w := acctest.NewWorkspace(t, acctest.Factories(k.Variables()))
	w.Write("main.tf", fmt.Sprintf(configuration, "{}"))
	w.Init()
	w.DestroyAtEnd()
	w.Apply()
	k.Limit(reading...)
	w.Plan(acctest.PlanEmpty)
	w.Write("main.tf", fmt.Sprintf(configuration, "{\"a\": 1}"))
	w.Plan(acctest.PlanDiffers)
	expectIn(t, w.Run(1, "apply", "-auto-approve"), `cannot patch resource "kusciadeployments" in API group "kuscia.secretflow"`)
	k.Limit(dispensable(rules)...)
	w.Apply()
	w.Plan(acctest.PlanEmpty)
}
