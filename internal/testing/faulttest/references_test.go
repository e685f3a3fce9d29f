package faulttest_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// A referenceCase is an attribute that refers to another object.
type referenceCase struct {
	kind string
	// config refers to existing objects only.
	config protocol.Object
	// missing are the attributes that refer to an object that does not exist.
	missing  protocol.Object
	at, says string
	// accepted: Kuscia accepts the reference, and the plan warns.
	accepted bool
	// makes is the configuration of the missing object, and makesKind its type; "" if the
	// test cannot make it.
	makesKind string
	makes     protocol.Object
}

var with = protocol.With[protocol.Object]

// referenceCases are those of the KusciaAPI.
func referenceCases() map[string]referenceCase {
	endpoint := protocol.Object{"host": "gateway", "ports": []any{protocol.Object{"name": "http", "port": 1080, "protocol": "HTTP"}}}
	route := protocol.Object{"source": "alice", "destination": "bob", "authentication_type": "Token", "endpoint": endpoint}
	grant := protocol.Object{"domain_id": "alice", "domaindatagrant_id": "g", "domaindata_id": "table", "grant_domain": "bob"}
	data := protocol.Object{"domain_id": "alice", "domaindata_id": "d", "type": "table", "relative_uri": "d.csv"}
	source := protocol.Object{"domain_id": "alice", "datasource_id": "s", "type": "mysql", "info_key": "db"}
	domain := protocol.Object{"domain_id": "carol"}
	image := protocol.Object{"name": "typo", "image": protocol.Object{"name": "example.com/app", "tag": "1"},
		"deploy_templates": []any{protocol.Object{"name": "t", "containers": []any{protocol.Object{"name": "main"}}}}}
	parties := func(domain, image string) protocol.Object {
		return protocol.Object{"alice": protocol.Object{"domain_id": domain, "app_image": image}}
	}
	serving := protocol.Object{"serving_id": "s", "initiator": "alice", "wait_for_rollout": false, "parties": parties("alice", "app")}
	typo := protocol.Object{"domain_id": "typo"}
	return map[string]referenceCase{
		"source":       {"kuscia_domain_route", route, protocol.Object{"source": "typo"}, `AttributeName("source")`, `Kuscia has no domain "typo"`, false, "kuscia_domain", typo},
		"destination":  {"kuscia_domain_route", route, protocol.Object{"destination": "typo"}, `AttributeName("destination")`, `Kuscia has no domain "typo"`, false, "kuscia_domain", typo},
		"transit":      {"kuscia_domain_route", route, protocol.Object{"transit": protocol.Object{"transit_method": "THIRD-DOMAIN", "domain_id": "typo"}}, `AttributeName("transit").ElementKeyString("domain_id")`, `Kuscia has no domain "typo"`, true, "kuscia_domain", typo},
		"data":         {"kuscia_domain_data_grant", grant, protocol.Object{"domaindata_id": "typo"}, `AttributeName("domaindata_id")`, `Kuscia has no domain data "typo" in the domain "alice"`, false, "kuscia_domain_data", with(data, protocol.Object{"domaindata_id": "typo"})},
		"owner":        {"kuscia_domain_data_grant", grant, protocol.Object{"domain_id": "typo"}, `AttributeName("domain_id")`, `Kuscia has no domain "typo"`, false, "", nil},
		"grantee":      {"kuscia_domain_data_grant", grant, protocol.Object{"grant_domain": "typo"}, `AttributeName("grant_domain")`, `Kuscia has no domain "typo"`, true, "kuscia_domain", typo},
		"data domain":  {"kuscia_domain_data", data, protocol.Object{"domain_id": "typo"}, `AttributeName("domain_id")`, `Kuscia has no domain "typo"`, false, "kuscia_domain", typo},
		"data source":  {"kuscia_domain_data", data, protocol.Object{"datasource_id": "typo"}, `AttributeName("datasource_id")`, `Kuscia has no data source "typo" in the domain "alice"`, false, "kuscia_domain_data_source", with(source, protocol.Object{"datasource_id": "typo"})},
		"source's key": {"kuscia_domain_data_source", source, protocol.Object{"info_key": "typo"}, `AttributeName("info_key")`, `Kuscia has no configuration entry "typo"`, false, "kuscia_config", protocol.Object{"key": "typo", "value": "{}"}},
		"master":       {"kuscia_domain", domain, protocol.Object{"master_domain_id": "typo"}, `AttributeName("master_domain_id")`, `Kuscia has no domain "typo"`, false, "kuscia_domain", typo},
		"party":        {"kuscia_serving", serving, protocol.Object{"parties": parties("typo", "app")}, `AttributeName("domain_id")`, `Kuscia has no domain "typo"`, false, "kuscia_domain", typo},
		"app image":    {"kuscia_serving", serving, protocol.Object{"parties": parties("alice", "typo")}, `AttributeName("app_image")`, `Kuscia has no app image "typo"`, false, "kuscia_app_image", image},
	}
}

// referenceBed is the node of alice with what the configurations of referenceCases refer to.
func referenceBed(t *testing.T) (*acctest.Env, *protocol.Server) {
	t.Helper()
	e := acctest.NewSandbox(t, sandbox.Options{Autonomy: "alice", StaleConfig: -1, Protocol: sandbox.ProtocolTLS})
	s := e.Server(nil)
	for _, object := range []struct {
		kind   string
		config protocol.Object
	}{
		{"kuscia_config", protocol.Object{"key": "db", "value": `{"endpoint":"db:1"}`}},
		{"kuscia_domain_data", protocol.Object{"domain_id": "alice", "domaindata_id": "table", "type": "table", "relative_uri": "t.csv"}},
		{"kuscia_app_image", protocol.Object{"name": "app", "image": protocol.Object{"name": "example.com/app", "tag": "1"},
			"deploy_templates": []any{protocol.Object{"name": "t", "containers": []any{protocol.Object{"name": "main"}}}}}},
	} {
		r := s.Resource(t, object.kind)
		r.Create(t, protocol.Value(r.Kind, object.config))
	}
	return e, s
}

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

// clusterReferences are those in a cluster with the app image of a name.
func clusterReferences(name string) map[string]referenceCase {
	configs, image := clusterObjects(name), referenceCases()["app image"].makes
	party := func(domain, image string) protocol.Object {
		return protocol.Object{"initiator": domain, "parties": protocol.Object{domain: protocol.Object{"app_image": image}}}
	}
	routed := protocol.Object{"canary": with(configs["kuscia_rollout"]["canary"].(protocol.Object), protocol.Object{"traffic_routing_ref": name})}
	serving := protocol.Object{"serving_id": name, "initiator": "alice", "parties": protocol.Object{"alice": protocol.Object{"app_image": name}}}
	noDeployment := `The cluster has no Deployment "` + name + `" in the namespace "alice"`
	return map[string]referenceCase{
		"app image":   {"kuscia_deployment", configs["kuscia_deployment"], party("alice", "typo"), `AttributeName("app_image")`, `The cluster has no app image "typo"`, false, "kuscia_app_image", image},
		"domain":      {"kuscia_deployment", configs["kuscia_deployment"], party("typo", name), `AttributeName("domain_id")`, `The cluster has no domain "typo"`, false, "kuscia_domain", protocol.Object{"domain_id": "typo"}},
		"workload":    {"kuscia_rollout", configs["kuscia_rollout"], nil, `AttributeName("workload_ref")`, noDeployment, true, "kuscia_deployment", configs["kuscia_deployment"]},
		"of serving":  {"kuscia_rollout", configs["kuscia_rollout"], nil, `AttributeName("workload_ref")`, noDeployment, true, "kuscia_serving", serving},
		"routing ref": {"kuscia_rollout", configs["kuscia_rollout"], routed, `ElementKeyString("traffic_routing_ref")`, `The cluster has no traffic routing "` + name + `"`, true, "", nil},
		"service":     {"kuscia_traffic_routing", configs["kuscia_traffic_routing"], nil, `AttributeName("object_ref").ElementKeyInt(0): `, `The cluster has no Service "` + name + `"`, true, "", nil},
		"Rollout":     {"kuscia_rollout_approval", configs["kuscia_rollout_approval"], nil, `AttributeName("name"): `, `The cluster has no Rollout "` + name + `"`, false, "kuscia_rollout", configs["kuscia_rollout"]},
	}
}

// plan checks that the plan of the object of a reference says what it has to, unless the same run
// makes what it refers to.
func (c referenceCase) plan(t *testing.T, run func() *protocol.Server) {
	t.Helper()
	bad := with(c.config, c.missing)
	c.check(t, "create", plannedSays(t, run(), c.kind, bad))
	if c.makesKind == "" {
		return
	}
	s := run()
	plannedSays(t, s, c.makesKind, c.makes)
	if said := plannedSays(t, s, c.kind, bad); strings.Contains(said, c.says) || strings.Contains(said, "ERROR") {
		t.Errorf("made by the same plan: %s", said)
	}
}

func (c referenceCase) check(t *testing.T, when, said string) {
	t.Helper()
	severity, way := "ERROR: ", "terraform destroy -refresh=false"
	if c.accepted {
		severity, way = "WARNING: ", ""
	}
	for _, text := range []string{severity, c.at, c.says, way} {
		if !strings.Contains(said, text) || strings.Contains(said, "ERROR") == c.accepted {
			t.Errorf("%s: %q is not in %s", when, text, said)
		}
	}
}

// TestClusterReferences: what an object in a cluster refers to and does not exist is refused in
// the plan, or a warning where it may be created later; unless the same run creates it.
func TestClusterReferences(t *testing.T) {
	t.Parallel()
	e, k := acctest.New(t), acctest.NewKube(t)
	name := k.Name("ref")
	k.AppImage(name, "example.com/app", "1", 1)
	for _, test := range clusterReferences(name) {
		test.plan(t, func() *protocol.Server { return e.Server(k.Variables()) })
	}
}

// TestReferences: a reference to an object that does not exist is refused in the plan of a
// create and of a replacement, before the old object is destroyed, at its attribute; unless the
// same run creates the object. A destroy is never refused.
func TestReferences(t *testing.T) {
	t.Parallel()
	for name, test := range referenceCases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, s := referenceBed(t)
			test.plan(t, func() *protocol.Server { return e.Server(nil) })
			r := s.Resource(t, test.kind)
			state := r.Create(t, protocol.Value(r.Kind, test.config))
			e.Sandbox.ResetRequests()
			if !test.accepted {
				kept, said := r.Apply(t, protocol.Value(r.Kind, with(test.config, test.missing)), state)
				test.check(t, "change", said)
				if !kept.Value.Equal(state.Value) {
					t.Errorf("the state became %s", kept.Value)
				}
				for _, request := range e.Sandbox.Requests() {
					if strings.HasSuffix(request.Op, "/delete") || strings.HasSuffix(request.Op, "/update") {
						t.Errorf("%s was sent", request.Op)
					}
				}
			}
			if _, said := r.Delete(t, state); said != "" {
				t.Errorf("delete: %s", said)
			}
		})
	}
}

// TestReferencesShareRequests: the plan of many objects with the same references, and with
// different ones, takes few requests.
func TestReferencesShareRequests(t *testing.T) {
	t.Parallel()
	e, _ := referenceBed(t)
	s := e.Server(nil)
	e.Sandbox.ResetRequests()
	grants, data := s.Resource(t, "kuscia_domain_data_grant"), s.Resource(t, "kuscia_domain_data")
	for i := range 100 {
		id := string(rune('a'+i/26)) + string(rune('a'+i%26))
		grant := with(referenceCases()["data"].config, protocol.Object{"domaindatagrant_id": id})
		if i%2 == 1 {
			grant["domaindata_id"] = id
		}
		grants.Plan(t, protocol.Value(grants.Kind, grant), grants.None())
		data.Plan(t, protocol.Value(data.Kind, protocol.Object{"domain_id": "alice", "domaindata_id": "d" + id, "type": "table", "relative_uri": "t"}), data.None())
	}
	// 50 grants of data that do not exist take a query each, as an error has to be certain.
	if n := len(e.Sandbox.Requests()); n > 60 {
		t.Errorf("%d requests", n)
	}
}
