package faulttest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
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
		return protocol.Object{"alice": protocol.Object{"app_image": "app"}, "second": protocol.Object{"domain_id": domain, "role": "second", "app_image": image}}
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

// What a diagnostic about a missing object says when it is reported; see crud.Moment.
const (
	saidInPlan        = "The apply is refused unless the"
	saidInReplacement = "The apply would destroy the old object"
	saidInApply       = "Nothing was sent."
)

// check checks what is said of the missing object. moment is one of those above; of a reference
// that the server accepts each plan warns, and no more.
func (c referenceCase) check(t *testing.T, when, said, moment string) {
	t.Helper()
	severity := "ERROR: "
	if moment == saidInPlan {
		severity = "WARNING: "
	}
	if c.accepted {
		severity, moment = "WARNING: ", ""
	}
	for _, text := range []string{severity, c.at, c.says, moment} {
		if !strings.Contains(said, text) {
			t.Errorf("%s: %q is not in %s", when, text, said)
		}
	}
	if severity == "WARNING: " && strings.Contains(said, "ERROR: ") {
		t.Errorf("%s is refused: %s", when, said)
	}
	if strings.Contains(said, "nother provider block") == c.accepted || strings.Contains(said, "Also check that") == c.accepted {
		t.Errorf("%s: the causes are not in %s", when, said)
	}
}

// new checks the plan and the apply of a new object, in a run of its own each. What the same run
// plans, and what another one makes between the plan and the request, is not missing.
func (c referenceCase) new(t *testing.T, run func() *protocol.Server) {
	t.Helper()
	s := run()
	r := s.Resource(t, c.kind)
	config := protocol.Value(r.Kind, with(c.config, c.missing))
	plan, _ := r.Plan(t, config, r.None())
	c.check(t, "plan", protocol.Messages(plan.Diagnostics), saidInPlan)
	if !c.accepted {
		made := r.Change(t, config, r.None(), plan)
		c.check(t, "apply", protocol.Messages(made.Diagnostics), saidInApply)
		if state := protocol.Decode(r.Kind, made.NewState); !state.IsNull() {
			t.Errorf("the state is %s", state)
		}
	}
	if c.makesKind == "" {
		return
	}
	planning := run()
	plannedSays(t, planning, c.makesKind, c.makes)
	if said := plannedSays(t, planning, c.kind, with(c.config, c.missing)); strings.Contains(said, c.says) || strings.Contains(said, "ERROR") {
		t.Errorf("made by the same plan: %s", said)
	}
}

// meanwhile checks that an apply finds what another process has made after the plan, also if this
// process has just looked it up.
func (c referenceCase) meanwhile(t *testing.T, run func() *protocol.Server) {
	t.Helper()
	if c.makesKind == "" || c.accepted {
		return
	}
	r, other := run().Resource(t, c.kind), run().Resource(t, c.makesKind)
	config := protocol.Value(r.Kind, with(c.config, c.missing))
	plan, _ := r.Plan(t, config, r.None())
	missing := other.Create(t, protocol.Value(other.Kind, c.makes))
	made := r.Change(t, config, r.None(), plan)
	state := protocol.State{Value: protocol.Decode(r.Kind, made.NewState), Private: made.Private, Identity: made.NewIdentity}
	switch said := protocol.Messages(made.Diagnostics); {
	case said == "":
		r.Delete(t, state)
	case !state.Value.IsNull() || !strings.Contains(said, kuscia.DefaultDataSource): // a new domain has none
		t.Errorf("made by another process: %s", said)
	}
	other.Delete(t, missing)
}

// change checks plan and apply of a change to the reference of a live object, which is an update
// or a replacement, and the replacement on request of an object with such a reference.
func (c referenceCase) change(t *testing.T, run func() *protocol.Server, writes func() int) {
	t.Helper()
	made := run().Resource(t, c.kind)
	state := made.Create(t, protocol.Value(made.Kind, c.config))
	r := run().Resource(t, c.kind)
	before, config := writes(), protocol.Value(r.Kind, with(c.config, c.missing))
	if !c.accepted {
		plan, _ := r.Plan(t, config, state)
		moment := saidInPlan
		if len(plan.RequiresReplace) > 0 {
			moment = saidInReplacement
		}
		said := protocol.Messages(plan.Diagnostics)
		c.check(t, "plan of a change", said, moment)
		if (moment == saidInReplacement) != strings.Contains(said, "terraform destroy -refresh=false") {
			t.Errorf("the plan of a change says %s", said)
		}
		if moment == saidInPlan { // after its first write the process certainly applies
			again, _ := made.Plan(t, config, state)
			if said := protocol.Messages(again.Diagnostics); strings.Contains(said, c.says) {
				t.Errorf("the plan in an apply says %s", said)
			}
		}
		kept, said := r.Apply(t, config, state)
		if c.check(t, "change", said, map[string]string{saidInPlan: saidInApply}[moment]); !kept.Value.Equal(state.Value) {
			t.Errorf("the state became %s", kept.Value)
		}
	}
	// A replacement on request, and of a tainted object, is planned as a create after a refresh.
	again := run().Resource(t, c.kind)
	again.Read(t, state)
	if plan, planned := again.Plan(t, config, again.None()); protocol.Fields(planned)["id"].Equal(protocol.Fields(state.Value)["id"]) {
		c.check(t, "plan of a replacement", protocol.Messages(plan.Diagnostics), saidInReplacement)
	}
	if n := writes() - before; n > 0 {
		t.Errorf("%d requests to change something", n)
	}
	if _, said := r.Delete(t, state); said != "" {
		t.Errorf("delete: %s", said)
	}
}

// TestClusterReferences is TestReferences for objects in a cluster.
func TestClusterReferences(t *testing.T) {
	t.Parallel()
	e, k := acctest.New(t), acctest.NewKube(t)
	name := k.Name("ref")
	k.AppImage(name, "example.com/app", "1", 1)
	for what, test := range clusterReferences(name) {
		t.Run(what, func(t *testing.T) {
			test.new(t, func() *protocol.Server { return e.Server(k.Variables()) })
		})
	}
}

// TestReferences: a reference to an object that does not exist is a warning in a plan and an error
// in an apply, before anything is sent, at its attribute; unless the same run or another process
// creates the object. The exceptions: the plan of a replacement is refused, and what the server
// accepts is a warning. A destroy is never refused.
func TestReferences(t *testing.T) {
	t.Parallel()
	for name, test := range referenceCases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, _ := referenceBed(t)
			run := func() *protocol.Server { return e.Server(nil) }
			writes := func() (n int) {
				for _, request := range e.Sandbox.Requests() {
					if strings.HasSuffix(request.Op, "/delete") || strings.HasSuffix(request.Op, "/update") || strings.HasSuffix(request.Op, "/create") {
						n++
					}
				}
				return n
			}
			before := writes()
			if test.new(t, run); writes() != before {
				t.Error("a request to change something was sent")
			}
			test.meanwhile(t, run)
			test.change(t, run, writes)
		})
	}
}

// TestReferencesShareRequests: the plan of many objects with the same references, and with
// different ones, takes few requests, and so does what their apply looks up.
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

	s = e.Server(nil) // an apply is another process
	data = s.Resource(t, "kuscia_domain_data")
	e.Sandbox.ResetRequests()
	for i := range 30 {
		config := protocol.Value(data.Kind, protocol.Object{"domain_id": "alice", "domaindata_id": fmt.Sprintf("new-%d", i), "type": "table", "relative_uri": "t"})
		plan, _ := data.Plan(t, config, data.None())
		protocol.Check(t, nil, data.Change(t, config, data.None(), plan).Diagnostics)
	}
	lookups := 0
	for _, request := range e.Sandbox.Requests() {
		if !strings.Contains(request.Op, "domaindata/") {
			lookups++
		}
	}
	if lookups > 4 {
		t.Errorf("an apply looked up %d times", lookups)
	}
}

// TestGrantOfDeletedData: an update of a grant whose data is deleted after the plan is refused before
// anything is sent: Kuscia looks the data up with every update.
func TestGrantOfDeletedData(t *testing.T) {
	t.Parallel()
	e, s := referenceBed(t)
	r, data := s.Resource(t, "kuscia_domain_data_grant"), e.Server(nil).Resource(t, "kuscia_domain_data")
	config := referenceCases()["data"].config
	state := r.Create(t, protocol.Value(r.Kind, config))
	changed := protocol.Value(r.Kind, with(config, protocol.Object{"limit": protocol.Object{"use_count": 3}}))
	plan, _ := r.Plan(t, changed, state)
	table, _ := data.Import(t, "alice/table")
	data.Delete(t, table)
	apply := e.Server(nil).Resource(t, r.Type) // an apply is another process
	said := protocol.Messages(apply.Change(t, changed, state, plan).Diagnostics)
	protocol.Says(t, "the update", said, `Kuscia has no domain data "table" in the domain "alice"`, saidInApply)
}
