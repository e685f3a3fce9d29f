package faulttest_test

import (
	"net/http"
	"net/http/httptest"
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

// TestPlanWithoutCluster: the plan of a new object says that the cluster refuses the credentials
// or does not answer, once in a run, and nothing where it is not known yet.
func TestPlanWithoutCluster(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	answer := func(code int) protocol.Object {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }))
		t.Cleanup(server.Close)
		return protocol.Object{"host": server.URL, "token": "t0ken"}
	}
	configs := clusterObjects("x")
	configs["kuscia_serving"] = protocol.Object{"serving_id": "x", "initiator": "alice", "parties": protocol.Object{"alice": protocol.Object{"app_image": "x"}}}
	for name, test := range map[string]struct {
		cluster  any
		severity string
		says     []string
	}{
		"401":       {answer(401), "ERROR", []string{"The Kubernetes API cannot be used with these settings", "HTTP 401"}},
		"403":       {answer(403), "ERROR", []string{"The Kubernetes API cannot be used with these settings", "HTTP 403"}},
		"no server": {protocol.Object{"host": "http://127.0.0.1:1"}, "WARNING", []string{"Not checked against the Kubernetes API", "connection refused"}},
		"unknown":   {protocol.Unknown{}, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for kind, config := range configs {
				s := e.Server(nil).Configure(t, protocol.Object{"kubernetes": test.cluster, "max_retries": 0})
				said := plannedSays(t, s, kind, config)
				for _, text := range append(test.says, test.severity) {
					if !strings.Contains(said, text) {
						t.Errorf("%s: %q is not in %s", kind, text, said)
					}
				}
				if n := strings.Count(said, "Kubernetes API cannot") + strings.Count(said, "Not checked against the Kubernetes"); n != min(len(test.severity), 1) {
					t.Errorf("%s: said %d times: %s", kind, n, said)
				}
				if said := plannedSays(t, s, "kuscia_traffic_routing", with(configs["kuscia_traffic_routing"], protocol.Object{"name": "y"})); said != "" {
					t.Errorf("%s, the second plan of the run: %s", kind, said)
				}
			}
		})
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

// TestPlanWithoutIEF: as TestPlanWithoutCluster, for IEF.
func TestPlanWithoutIEF(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	t.Cleanup(refusing.Close)
	edge := protocol.Object{"name": "x", "node_ids": []any{"node-1"}, "containers": []any{protocol.Object{"name": "app", "image_url": "example.com/app:1"}}}
	for endpoint, text := range map[string]string{refusing.URL: "ERROR: : IEF cannot be used with these settings", "http://127.0.0.1:1": "WARNING: : Not checked against IEF"} {
		s := e.Server(nil).Configure(t, protocol.Object{"max_retries": 0, "ief": protocol.Object{"endpoint": endpoint, "project_id": "p", "token": "t0ken"}})
		if said := plannedSays(t, s, "kuscia_edge_deployment", edge); !strings.Contains(said, text) {
			t.Errorf("%q is not in %s", text, said)
		}
		if said := plannedSays(t, s, "kuscia_edge_deployment", with(edge, protocol.Object{"name": "y"})); said != "" {
			t.Errorf("the second plan of the run: %s", said)
		}
	}
}
