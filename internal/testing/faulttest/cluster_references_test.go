package faulttest_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// clusterObjects are configurations of the objects in a cluster. name is that of all.
func clusterObjects(name string) map[string]protocol.Object {
	steps := []any{protocol.Object{"replicas": "50%"}, protocol.Object{"replicas": "100%"}}
	return map[string]protocol.Object{
		"kuscia_deployment":       {"name": name, "initiator": "alice", "wait_for_rollout": false, "parties": protocol.Object{"alice": protocol.Object{"app_image": name}}},
		"kuscia_rollout":          {"namespace": "alice", "name": name, "workload_ref": protocol.Object{"name": name}, "canary": protocol.Object{"steps": steps}},
		"kuscia_traffic_routing":  {"namespace": "alice", "name": name, "object_ref": []any{protocol.Object{"service": name, "ingress": protocol.Object{"name": name}}}, "strategy": protocol.Object{"weight": 5}},
		"kuscia_rollout_approval": {"namespace": "alice", "name": name, "step": 1},
	}
}

// plannedSays returns what the plan of a new object says.
func plannedSays(t *testing.T, s *protocol.Server, kind string, config protocol.Object) string {
	t.Helper()
	r := s.Resource(t, kind)
	response, _ := r.Plan(t, protocol.Value(r.Kind, config), r.None())
	return protocol.Messages(response.Diagnostics)
}

// TestClusterReferences: what an object in a cluster refers to and does not exist is refused in
// the plan, or a warning where it may be created later; unless the same run creates it.
func TestClusterReferences(t *testing.T) {
	t.Parallel()
	e, k := acctest.New(t), acctest.NewKube(t)
	name := k.Name("ref")
	k.AppImage(name, "example.com/app", "1", 1)
	configs := clusterObjects(name)
	image := referenceCases()["app image"].makes
	party := func(domain, image string) protocol.Object {
		return with(configs["kuscia_deployment"], protocol.Object{"initiator": domain, "parties": protocol.Object{domain: protocol.Object{"app_image": image}}})
	}
	routed := with(configs["kuscia_rollout"], protocol.Object{"canary": with(configs["kuscia_rollout"]["canary"].(protocol.Object), protocol.Object{"traffic_routing_ref": name})})
	for what, test := range map[string]struct {
		kind      string
		config    protocol.Object
		accepted  bool
		says      []string
		makesKind string
		makes     protocol.Object
	}{
		"app image":   {"kuscia_deployment", party("alice", "typo"), false, []string{`AttributeName("app_image")`, `The cluster has no app image "typo"`}, "kuscia_app_image", image},
		"domain":      {"kuscia_deployment", party("typo", name), false, []string{`AttributeName("domain_id")`, `The cluster has no domain "typo"`}, "kuscia_domain", protocol.Object{"domain_id": "typo"}},
		"workload":    {"kuscia_rollout", configs["kuscia_rollout"], true, []string{`AttributeName("workload_ref")`, `The cluster has no Deployment "` + name + `" in the namespace "alice"`}, "kuscia_deployment", configs["kuscia_deployment"]},
		"of serving":  {"kuscia_rollout", configs["kuscia_rollout"], true, []string{`The cluster has no Deployment "` + name + `"`}, "kuscia_serving", protocol.Object{"serving_id": name, "initiator": "alice", "parties": protocol.Object{"alice": protocol.Object{"app_image": name}}}},
		"routing ref": {"kuscia_rollout", routed, true, []string{`ElementKeyString("traffic_routing_ref")`, `The cluster has no traffic routing "` + name + `"`}, "", nil},
		"service":     {"kuscia_traffic_routing", configs["kuscia_traffic_routing"], true, []string{`AttributeName("object_ref").ElementKeyInt(0): `, `The cluster has no Service "` + name + `"`}, "", nil},
		"Rollout":     {"kuscia_rollout_approval", configs["kuscia_rollout_approval"], false, []string{`AttributeName("name"): `, `The cluster has no Rollout "` + name + `"`}, "kuscia_rollout", configs["kuscia_rollout"]},
	} {
		severity := "ERROR: "
		if test.accepted {
			severity = "WARNING: "
		}
		said := plannedSays(t, e.Server(k.Variables()), test.kind, test.config)
		for _, text := range append(test.says, severity) {
			if !strings.Contains(said, text) || strings.Contains(said, "ERROR") == test.accepted {
				t.Errorf("%s: %q is not in %s", what, text, said)
			}
		}
		if test.makesKind == "" {
			continue
		}
		s := e.Server(k.Variables())
		plannedSays(t, s, test.makesKind, test.makes)
		if said := plannedSays(t, s, test.kind, test.config); strings.Contains(said, test.says[len(test.says)-1]) || strings.Contains(said, "ERROR") {
			t.Errorf("%s, made by the same plan: %s", what, said)
		}
	}
}

// TestUsersInCluster: the plan of the deletion of an app image or a domain names the servings,
// deployments and routes in the cluster that use it. Without the permission to list them, it does
// not, and is no error.
func TestUsersInCluster(t *testing.T) {
	t.Parallel()
	e, k := acctest.New(t), acctest.NewKubeServer(t)
	name := k.Name("used")
	image := with(referenceCases()["app image"].makes, protocol.Object{"name": name})
	s := e.Server(k.Variables())
	images, domains := s.Resource(t, "kuscia_app_image"), s.Resource(t, "kuscia_domain")
	made, domain := images.Create(t, protocol.Value(images.Kind, image)), domains.Create(t, protocol.Value(domains.Kind, protocol.Object{"domain_id": name}))
	use := func(name, appType, domain string) {
		labels := map[string]any{}
		if appType != "" {
			labels["kuscia.secretflow/app-type"] = appType
		}
		k.Create(acctest.KubeKusciaDeployments, &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "KusciaDeployment",
			"metadata": map[string]any{"namespace": acctest.KubeNamespace, "name": name, "labels": labels},
			"spec":     map[string]any{"initiator": "alice", "inputConfig": "{}", "parties": []any{map[string]any{"domainID": domain, "appImageRef": image["name"]}}},
		}})
	}
	use(name+"-kd", "", "alice")
	use(name+"-serving", "serving", name)
	k.Create(acctest.KubeRoutes, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "ClusterDomainRoute",
		"metadata": map[string]any{"name": name + "-alice"},
		"spec":     map[string]any{"source": name, "destination": "alice", "authenticationType": "Token", "endpoint": map[string]any{"host": "h", "ports": []any{map[string]any{"name": "http", "port": int64(1080), "protocol": "HTTP"}}}},
	}})
	expect := func(what string, r *protocol.Resource, state protocol.State, parts ...string) {
		t.Helper()
		response, _ := r.Plan(t, r.None().Value, state)
		said := protocol.Messages(response.Diagnostics)
		if strings.Contains(said, "ERROR") || len(parts) == 0 && said != "" {
			t.Errorf("%s: %s", what, said)
		}
		for _, part := range parts {
			if !strings.Contains(said, part) {
				t.Errorf("%s: %q is not in %s", what, part, said)
			}
		}
	}
	expect("the image", images, made, "is still used", `KusciaDeployment "`+name+`-kd"`, `serving "`+name+`-serving"`)
	expect("the domain", domains, domain, "is still used", `serving "`+name+`-serving"`, `route "`+name+`/alice"`)
	k.Limit(acctest.KubeRule{APIGroups: []string{"kuscia.secretflow"}, Resources: []string{"kusciadeployments", "clusterdomainroutes"}, Verbs: []string{"get"}})
	s = e.Server(k.Variables())
	images, domains = s.Resource(t, "kuscia_app_image"), s.Resource(t, "kuscia_domain")
	expect("the image, without the permission", images, made)
	expect("the domain, without the permission", domains, domain)
}
