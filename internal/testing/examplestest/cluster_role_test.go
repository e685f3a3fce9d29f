package examplestest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// clusterRole reads the rules of a ClusterRole in a file, which also has who gets
// them.
func clusterRole(t *testing.T, content string) (rules []acctest.KubeRule) {
	t.Helper()
	type object struct {
		Kind     string
		Metadata struct{ Namespace, Name string }
		Rules    []acctest.KubeRule
		RoleRef  struct{ Kind, Name string }
		Subjects []struct{ Kind, Namespace, Name string }
	}
	objects := map[string]object{}
	for _, document := range strings.Split(content, "\n---\n") {
		var o object
		if err := yaml.Unmarshal([]byte(document), &o); err != nil {
			t.Fatal(err)
		}
		objects[o.Kind] = o
	}
	account, role, binding := objects["ServiceAccount"].Metadata, objects["ClusterRole"], objects["ClusterRoleBinding"]
	if len(objects) != 3 || binding.RoleRef.Kind != "ClusterRole" || binding.RoleRef.Name != role.Metadata.Name || len(binding.Subjects) != 1 ||
		binding.Subjects[0].Kind != "ServiceAccount" || binding.Subjects[0].Namespace != account.Namespace || binding.Subjects[0].Name != account.Name {
		t.Errorf("not a service account, a ClusterRole and its binding: %v", objects)
	}
	return role.Rules
}

// right is one of those that a ClusterRole gives.
type right struct{ verb, group, resource string }

// managedInCluster is what the provider manages in a cluster: stage 2 updates it, and stage 3
// approves a release. A list is read as one from twenty objects on.
const managedInCluster = `variable "stage" { type = number }
variable "failing" { default = "runs-1" }

resource "kuscia_rollout" "glm" {
  namespace    = "alice"
  name         = "glm"
  workload_ref = { name = "glm" }
  canary       = { steps = [{ replicas = var.stage == 1 ? "1" : "2" }, { replicas = "100%" }] }
}

resource "kuscia_deployment" "glm" {
  name       = "glm"
  initiator  = "alice"
  parties    = { alice = { app_image = var.stage == 1 ? "runs-1" : "runs-2", replicas = 3 } }
  depends_on = [kuscia_rollout.glm]
}

resource "kuscia_rollout_approval" "glm" {
  count      = var.stage == 3 ? 1 : 0
  namespace  = "alice"
  name       = "glm"
  step       = 1
  depends_on = [kuscia_deployment.glm]
}

resource "kuscia_deployment" "fails" {
  name      = "fails"
  initiator = "alice"
  timeouts  = { update = "10s" }
  parties   = { alice = { app_image = var.failing } }
}

resource "kuscia_traffic_routing" "many" {
  count      = 20
  namespace  = "alice"
  name       = "many-${count.index}"
  object_ref = [{ service = "many", ingress = { name = "many" } }]
  strategy   = { weight = 5 * var.stage }
}

resource "kuscia_app_image" "secured" {
  name             = "secured"
  image            = { name = "example/secured", tag = "1" }
  deploy_templates = [{ name = "app", replicas = var.stage, containers = [{ name = "app" }] }]
}

resource "kuscia_domain" "routed" {
  domain_id = "routed"
}

resource "kuscia_domain_route" "routed" {
  source              = "alice"
  destination         = "bob"
  authentication_type = "None"
  endpoint            = { host = "bob.example", ports = [{ name = "http", protocol = "HTTP", port = 1080 + var.stage }] }
}

resource "kuscia_domain_data" "table" {
  domain_id     = "alice"
  domaindata_id = "table"
  type          = "table"
  relative_uri  = "table-${var.stage}.csv"
  partition     = { type = "path", fields = [{ name = "day", type = "str" }] }
}

resource "kuscia_domain_data_grant" "limited" {
  domain_id          = "alice"
  domaindatagrant_id = "limited"
  domaindata_id      = kuscia_domain_data.table.domaindata_id
  grant_domain       = "bob"
  limit              = { use_count = var.stage }
}

resource "kuscia_serving" "waits" {
  count      = 3
  serving_id = "waits-${count.index}"
  initiator  = "alice"
  parties    = { alice = { app_image = kuscia_app_image.secured.name } }
}

data "kuscia_deployments" "all" {}
`

// managedInOldCluster is the domain of a Kuscia that drops a field with each update.
const managedInOldCluster = `variable "stage" { type = number }

resource "kuscia_domain" "old" {
  domain_id             = "old"
  wait_for_deploy_token = false
  auth_center           = { authentication_type = "Token", token_gen_method = var.stage == 1 ? "RSA-GEN" : "UID-RSA-GEN" }
}
`

// testClusterRole gives the provider the rights of the ClusterRole and no others, and goes
// through the life of all that it manages in a cluster. No request is refused, and no right is
// left that none needed.
func testClusterRole(t *testing.T, _ example) {
	rules := clusterRole(t, readExample(t, "cluster-access/role/cluster-role.yaml"))
	k, env := acctest.NewKubeServer(t), acctest.NewSandbox(t, sandbox.Options{})
	for _, name := range []string{"runs-1", "runs-2", "broken"} {
		k.AppImage(name, "example/"+name, "1", 1)
	}
	k.RunServings(env)
	old := acctest.NewSandbox(t, sandbox.Options{Version: "v0.11.0b0"})
	k.RunServings(old)
	k.Limit(rules...)
	requests := k.CountRequests()
	work := func(env *acctest.Env, configuration string) (*acctest.Workspace, func(code int, variables ...string) string) {
		w := acctest.NewWorkspace(t, env.OnCluster(k))
		w.Write("main.tf", configuration)
		w.Init()
		return w, func(code int, variables ...string) string {
			t.Helper()
			return w.Run(code, append([]string{"apply", "-auto-approve"}, variables...)...)
		}
	}
	w, apply := work(env, managedInCluster)
	inOld, applyInOld := work(old, managedInOldCluster)
	apply(0, "-var=stage=1")
	applyInOld(0, "-var=stage=1")
	// Fields that the KusciaAPI does not carry.
	secured := []struct {
		of              schema.GroupVersionResource
		namespace, name string
		path, value     string
	}{
		{acctest.KubeAppImages, "", "secured", "deployTemplates/0/spec/containers/0/securityContext", `{"privileged":true}`},
		{acctest.KubeRoutes, "", "alice-bob", "sourceWhiteIPList", `["10.1.0.0/16"]`},
		{acctest.KubeData, "alice", "table", "partitions/fields/0/notNullable", "true"},
		{acctest.KubeGrants, "alice", "limited", "limit/grantMode", `["metadata"]`},
		{acctest.KubeDomains, "", "old", "resourceQuota", `{"podMaxCount":3}`},
	}
	for _, s := range secured {
		k.Patch(s.of, s.namespace, s.name, types.JSONPatchType, fmt.Sprintf(`[{"op": "add", "path": "/spec/%s", "value": %s}]`, s.path, s.value))
	}
	apply(0, "-var=stage=2")
	applyInOld(0, "-var=stage=2")
	apply(0, "-var=stage=3")
	expectIn(t, apply(1, "-var=stage=3", "-var=failing=broken"), "does not run", "Pods do not run: ImagePullBackOff (", ", container main: ImagePullBackOff", "Back-off pulling image")
	for _, s := range secured {
		text, err := k.Get(s.of, s.namespace, s.name).MarshalJSON()
		if name := s.path[strings.LastIndex(s.path, "/")+1:]; err != nil || !strings.Contains(string(text), fmt.Sprintf("%q:%s", name, s.value)) {
			t.Errorf("%s has no %s %s: %s (%v)", s.name, name, s.value, text, err)
		}
	}
	w.Run(0, "destroy", "-auto-approve", "-var=stage=3")
	inOld.Run(0, "destroy", "-auto-approve", "-var=stage=2")

	unused := map[right]bool{}
	for _, rule := range rules {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				for _, verb := range rule.Verbs {
					unused[right{verb, group, resource}] = true
				}
			}
		}
	}
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
}
