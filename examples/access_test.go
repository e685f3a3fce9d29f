package examples_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// clusterOf is what the kubeconfig of a test says.
type clusterOf struct{ host, ca, token string }

func accessOf(t *testing.T, k *acctest.Kube) clusterOf {
	t.Helper()
	loaded, err := clientcmd.LoadFromFile(k.KubeconfigPath())
	if err != nil {
		t.Fatal(err)
	}
	context := loaded.Contexts[loaded.CurrentContext]
	cluster := loaded.Clusters[context.Cluster]
	found := clusterOf{host: cluster.Server, ca: filepath.Join(t.TempDir(), "ca.crt"), token: loaded.AuthInfos[context.AuthInfo].Token}
	write(t, found.ca, string(cluster.CertificateAuthorityData))
	return found
}

// reads lets a provider block alone say how a cluster is reached. The pairs are
// places of the example and what is there in the test. It says how many requests
// the test's own user made.
func reads(t *testing.T, k *acctest.Kube, e example, variables map[string]string, pairs ...string) int {
	t.Helper()
	places := strings.NewReplacer(pairs...)
	for i := 0; i < len(pairs); i += 2 {
		if !bytes.Contains(must[[]byte](t)(os.ReadFile(filepath.Join(filepath.FromSlash(e.dir), "main.tf"))), []byte(pairs[i])) {
			t.Errorf("%s is not in the example", pairs[i])
		}
	}
	dir := e.folder(t, e.configuration, places.Replace)
	write(t, filepath.Join(dir, "needs.tf"), "data \"kuscia_deployments\" \"none\" {\n  label_selector = \"nobody=has-it\"\n}\n")
	requests := k.CountRequests()
	run(t, acctest.Factories(variables), resource.TestCase{Steps: []resource.TestStep{{
		ConfigDirectory:   config.StaticDirectory(dir),
		ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownValue("data.kuscia_deployments.none", tfjsonpath.New("deployments"), knownvalue.ListSizeExact(0))},
	}}})
	return len(requests.Since())
}

// testKubeconfigAccess takes a context that is not the current one, and belongs
// to another user.
func testKubeconfigAccess(t *testing.T, e example) {
	k := kruiseCluster(t)
	if n := reads(t, k, e, nil, "~/.kube/kuscia", k.KubeconfigPath(), `"terraform"`, `"certificate"`); n > 0 {
		t.Errorf("%d requests of the user of the current context", n)
	}
}

func testTokenAccess(t *testing.T, e example) {
	k := kruiseCluster(t)
	cluster := accessOf(t, k)
	if n := reads(t, k, e, map[string]string{"KUSCIA_KUBE_TOKEN": cluster.token}, "https://kuscia.example:6443", cluster.host, "${path.root}/kuscia-ca.crt", cluster.ca); n == 0 {
		t.Error("no request with the token")
	}
}

// testExecAccess has a program that gives the token if it gets what the example
// says.
func testExecAccess(t *testing.T, e example) {
	k := kruiseCluster(t)
	cluster := accessOf(t, k)
	program := filepath.Join(t.TempDir(), "kuscia-token")
	script := fmt.Sprintf("#!/bin/sh\n[ \"$*\" = \"--service-account cross-domain/terraform\" ] && [ \"$VAULT_ADDR\" = \"https://vault.example:8200\" ] || exit 1\n"+
		"echo '{\"apiVersion\": \"client.authentication.k8s.io/v1\", \"kind\": \"ExecCredential\", \"status\": {\"token\": %q}}'\n", cluster.token)
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if n := reads(t, k, e, nil, "https://kuscia.example:6443", cluster.host, "${path.root}/kuscia-ca.crt", cluster.ca, `"kuscia-token"`, fmt.Sprintf("%q", program)); n == 0 {
		t.Error("no request with the token of the program")
	}
}

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

// testClusterRole gives the provider the rights of the ClusterRole and no others,
// and goes through the lives of all that it manages in a cluster. No request is
// refused, and no right is left that none needed.
func testClusterRole(t *testing.T, e example) {
	rules := clusterRole(t, e.read(t, "cluster-access/role/cluster-role.yaml"))
	k := kubeWith(t, "secretflow-serving-image")
	k.Limit(rules...)
	requests := k.CountRequests()

	manageDeployment(t, k, named(t, "resources/kuscia_deployment"))
	updateDeployment(t, k)
	failDeployment(t, k)
	manageServing(t, k)
	releaseGradually(t, k, named(t, "gradual-release"))
	manageKubernetes(t, k, named(t, "resources/kuscia_rollout"), "kuscia_rollout.glm", map[string]string{"kuscia_rollout.glm_bob": "bob/glm"})
	manageKubernetes(t, k, named(t, "resources/kuscia_traffic_routing"), "kuscia_traffic_routing.gray", map[string]string{"kuscia_rollout.gray": "alice/gray"})
	manageRoutings(t, k)
	run(t, acctest.Factories(k.Variables()), resource.TestCase{Steps: []resource.TestStep{named(t, "data-sources/kuscia_deployments").apply(t)}})

	unused := rightsOf(rules)
	for _, request := range requests.Since() {
		if request.Status == http.StatusForbidden {
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

// updateDeployment changes a deployment, for the right to patch it.
func updateDeployment(t *testing.T, k *acctest.Kube) {
	t.Helper()
	k.AppImage("updated", "example/updated", "1", 1)
	step := func(replicas int) resource.TestStep {
		return resource.TestStep{Config: fmt.Sprintf(`resource "kuscia_deployment" "updated" {
  name      = "updated"
  initiator = "alice"
  parties   = [{ domain_id = "alice", app_image = "updated", replicas = %d }]
}
`, replicas)}
	}
	run(t, acctest.Factories(k.Variables()), resource.TestCase{Steps: []resource.TestStep{step(1), step(2)}})
}

// failDeployment creates a deployment that never runs, for the right to see why.
func failDeployment(t *testing.T, k *acctest.Kube) {
	t.Helper()
	k.AppImage("fails", "example/broken", "1", 1)
	run(t, acctest.Factories(k.Variables()), resource.TestCase{Steps: []resource.TestStep{
		{Config: failing("updated")},
		{Config: failing("fails"), ExpectError: regexp.MustCompile(`does\s+not\s+run(.|\n)*ImagePullBackOff:`)},
	}})
}

func failing(image string) string {
	return fmt.Sprintf(`resource "kuscia_deployment" "fails" {
  name      = "fails"
  initiator = "alice"
  timeouts  = { update = "10s" }
  parties   = [{ domain_id = "alice", app_image = %q }]
}
`, image)
}

// manageRoutings reads so many traffic routings that a refresh lists them.
func manageRoutings(t *testing.T, k *acctest.Kube) {
	t.Helper()
	const configuration = `resource "kuscia_traffic_routing" "many" {
  count      = 20
  namespace  = "alice"
  name       = "many-${count.index}"
  object_ref = [{ service = "many", ingress = { name = "many" } }]
  strategy   = { weight = 5 }
}
`
	run(t, acctest.Factories(k.Variables()), resource.TestCase{Steps: []resource.TestStep{{Config: configuration}, {Config: configuration, PlanOnly: true}}})
}

// manageServing lets servings wait by their Deployments, and reads them together.
func manageServing(t *testing.T, k *acctest.Kube) {
	t.Helper()
	e := acctest.NewSandbox(t, sandbox.Options{})
	k.RunServings(e)
	configuration := fmt.Sprintf(`resource "kuscia_serving" "waits" {
  count      = 3
  serving_id = "waits-${count.index}"
  initiator  = "alice"
  parties    = [{ domain_id = "alice", app_image = %q }]
}
`, e.AppImage())
	run(t, e.OnCluster(k), resource.TestCase{Steps: []resource.TestStep{{Config: configuration, ConfigPlanChecks: resource.ConfigPlanChecks{
		PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
	}}}})
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
  parties      = [{ domain_id = "alice", app_image = "secretflow-serving-image" }]
}
`
	before, after := fmt.Sprintf(configuration, "{}"), fmt.Sprintf(configuration, "{\"a\": 1}")
	run(t, acctest.Factories(k.Variables()), resource.TestCase{Steps: []resource.TestStep{
		{Config: before},
		{PreConfig: func() { k.Limit(reading...) }, Config: before, PlanOnly: true},
		{Config: after, PlanOnly: true, ExpectNonEmptyPlan: true},
		{Config: after, ExpectError: regexp.MustCompile(`cannot\s+patch\s+resource\s+"kusciadeployments"\s+in\s+API\s+group\s+"kuscia.secretflow"`)},
		{
			PreConfig: func() { k.Limit(dispensable(rules)...) }, Config: after,
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
		},
	}})
}
