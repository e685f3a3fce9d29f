package faulttest_test

import (
	"maps"
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

func with(config, more protocol.Object) protocol.Object {
	out := maps.Clone(config)
	maps.Copy(out, more)
	return out
}

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

// TestReferences: a reference to an object that does not exist is refused in the plan of a
// create and of a replacement, before the old object is destroyed, at its attribute; unless the
// same run creates the object. A destroy is never refused.
func TestReferences(t *testing.T) {
	t.Parallel()
	for name, test := range referenceCases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, s := referenceBed(t)
			r := s.Resource(t, test.kind)
			good, bad := protocol.Value(r.Kind, test.config), protocol.Value(r.Kind, with(test.config, test.missing))
			expect := func(when, said string) {
				t.Helper()
				severity := "ERROR: "
				if test.accepted {
					severity = "WARNING: "
				}
				if !strings.Contains(said, severity) || !strings.Contains(said, test.at) || !strings.Contains(said, test.says) || strings.Contains(said, "ERROR") == test.accepted {
					t.Errorf("%s: %s", when, said)
				}
				if !test.accepted && !strings.Contains(said, "terraform destroy -refresh=false") {
					t.Errorf("%s: no way out of a destroy: %s", when, said)
				}
			}
			expect("create", plannedSays(t, e.Server(nil), test.kind, with(test.config, test.missing)))
			state := r.Create(t, good)
			e.Sandbox.ResetRequests()
			if !test.accepted {
				kept, said := r.Apply(t, bad, state)
				expect("change", said)
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
			if test.makesKind == "" {
				return
			}
			next := e.Server(nil)
			plannedSays(t, next, test.makesKind, test.makes)
			if said := plannedSays(t, next, test.kind, with(test.config, test.missing)); said != "" {
				t.Errorf("made by the same plan: %s", said)
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
