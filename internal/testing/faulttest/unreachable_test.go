package faulttest_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// kusciaObjects are configurations of the objects of the KusciaAPI, by type.
func kusciaObjects() map[string]protocol.Object {
	cases := referenceCases()
	configs := map[string]protocol.Object{"kuscia_config": cases["source's key"].makes, "kuscia_app_image": cases["app image"].makes}
	for _, test := range cases {
		configs[test.kind] = test.config
	}
	return configs
}

// edgeObject is the configuration of an edge deployment.
func edgeObject(name string) protocol.Object {
	return protocol.Object{"name": name, "node_ids": []any{"node-1"}, "containers": []any{protocol.Object{"name": "app", "image_url": "example.com/app:1"}}}
}

// TestPlanWithoutServer: the plan of a new object of each kind says that its server refuses the
// credentials or does not answer, once in a run. It says nothing where the server answers, or
// is not known yet.
func TestPlanWithoutServer(t *testing.T) {
	t.Parallel()
	e, _ := referenceBed(t)
	other := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolTLS})
	answer := func(code int) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }))
		t.Cleanup(server.Close)
		return server.URL
	}
	const nowhere = "http://127.0.0.1:1"
	cluster := func(host any) protocol.Object {
		return protocol.Object{"max_retries": 0, "kubernetes": protocol.Object{"host": host, "token": "t0ken"}}
	}
	edge := func(endpoint string) protocol.Object {
		return protocol.Object{"max_retries": 0, "ief": protocol.Object{"endpoint": endpoint, "project_id": "p", "token": "t0ken"}}
	}
	inCluster := clusterObjects("x")
	inCluster["kuscia_serving"] = kusciaObjects()["kuscia_serving"]
	kinds := map[string]struct {
		configs map[string]protocol.Object
		// another is another object of a type, which the same run plans.
		anotherType string
		another     protocol.Object
	}{
		"Kuscia":  {kusciaObjects(), "kuscia_config", protocol.Object{"key": "other", "value": "{}"}},
		"cluster": {inCluster, "kuscia_traffic_routing", with(inCluster["kuscia_traffic_routing"], protocol.Object{"name": "y"})},
		"IEF":     {map[string]protocol.Object{"kuscia_edge_deployment": edgeObject("x")}, "kuscia_edge_deployment", edgeObject("y")},
	}
	for name, test := range map[string]struct {
		kind  string
		block protocol.Object
		// says is in the diagnostics, the first of them once.
		says []string
	}{
		"a wrong token":        {"Kuscia", protocol.Object{"certs_dir": e.Sandbox.CertsDir(), "token": "WrongTokenWrongTokenWrongToken00"}, []string{"ERROR", "HTTP 401", "The token is missing or not that of this node"}},
		"another CA":           {"Kuscia", protocol.Object{"certs_dir": e.Sandbox.CertsDir(), "ca_certificate_file": filepath.Join(other.Sandbox.CertsDir(), "ca.crt")}, []string{"ERROR", "not signed by a CA that is trusted here"}},
		"no Kuscia":            {"Kuscia", protocol.Object{"endpoint": "https://127.0.0.1:1", "max_retries": 0}, []string{"WARNING: : Not checked against Kuscia", "Nothing listens at the endpoint"}},
		"a Kuscia":             {"Kuscia", nil, nil},
		"401 of the cluster":   {"cluster", cluster(answer(401)), []string{"ERROR: : The Kubernetes API cannot be used with these settings", "HTTP 401"}},
		"403 of the cluster":   {"cluster", cluster(answer(403)), []string{"ERROR: : The Kubernetes API cannot be used with these settings", "HTTP 403"}},
		"no cluster":           {"cluster", cluster(nowhere), []string{"WARNING: : Not checked against the Kubernetes API", "connection refused"}},
		"a cluster, not known": {"cluster", protocol.Object{"kubernetes": protocol.Unknown{}}, nil},
		"401 of IEF":           {"IEF", edge(answer(401)), []string{"ERROR: : IEF cannot be used with these settings"}},
		"no IEF":               {"IEF", edge(nowhere), []string{"WARNING: : Not checked against IEF"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for kind, config := range kinds[test.kind].configs {
				s := e.Server(nil).Configure(t, test.block)
				said := plannedSays(t, s, kind, config)
				protocol.Says(t, kind, said, test.says...)
				if len(test.says) == 0 && said != "" || len(test.says) > 0 && strings.Count(said, test.says[0]) != 1 {
					t.Errorf("%s: %s", kind, said)
				}
				if said := plannedSays(t, s, kinds[test.kind].anotherType, kinds[test.kind].another); said != "" {
					t.Errorf("%s, the second plan of the run: %s", kind, said)
				}
			}
		})
	}
}

// TestPlanWithoutAnswers: nothing is said of references while the provider block has unknown values,
// or where the node refuses the queries of a plan.
func TestPlanWithoutAnswers(t *testing.T) {
	t.Parallel()
	e, _ := referenceBed(t)
	e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultCode, Times: sandbox.Always, Code: 11104, Message: "kuscia lite api not support this interface now"})
	for name, test := range referenceCases() {
		for _, block := range []protocol.Object{nil, {"endpoint": protocol.Unknown{}}} {
			if said := plannedSays(t, e.Server(nil).Configure(t, block), test.kind, with(test.config, test.missing)); said != "" {
				t.Errorf("%s, %v: %s", name, block, said)
			}
		}
	}
}
