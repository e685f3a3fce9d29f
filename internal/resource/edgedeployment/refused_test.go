package edgedeployment_test

import (
	"strings"
	"testing"

	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief/ieftest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

const resourceType, listType = "kuscia_edge_deployment", "kuscia_edge_deployments"

type attributes = protocol.Object

// lite is the configuration of a deployment.
var lite = attributes{"name": "lite", "node_ids": []any{"node-1"}, "containers": []any{attributes{"name": "app", "image_url": "kuscia:1"}}}

// TestBadInput: invalid arguments of data sources and imports are errors. TestIssues and the
// standard life have those of the resource.
func TestBadInput(t *testing.T) {
	t.Parallel()
	s := ieftest.Start(t, sandbox.Options{})
	p := acctest.NewServer(t, s.Environment())
	for _, test := range []struct {
		source string
		config attributes
		want   string
	}{
		{resourceType, nil, "Missing id or name"},
		{listType, attributes{"tags": attributes{"a": "b"}}, "no filter for tags"},
		{resourceType, attributes{"id": "../x"}, "Invalid ID"},
		{listType, attributes{"api_version": "v1"}, "Value not allowed"},
		{resourceType, attributes{"name": "not there at all"}, "Edge deployment does not exist"},
	} {
		_, diagnostics := p.DataSource(t, test.source, test.config)
		if said := protocol.Messages(diagnostics); !strings.Contains(said, "ERROR") || !strings.Contains(said, test.want) {
			t.Errorf("%v: no %q in %q", test.config, test.want, said)
		}
	}
	if _, said := p.Resource(t, resourceType).Import(t, "a/b/c"); !strings.Contains(said, "instance_id/id") {
		t.Errorf("an import says %q", said)
	}
	for _, r := range s.Requests() {
		if r.Method != "GET" {
			t.Errorf("%s %s", r.Method, r.Path)
		}
	}
}

// TestNotConfigured: what is missing is an error in the plan of this resource, and of
// nothing else.
func TestNotConfigured(t *testing.T) {
	t.Parallel()
	environment := ieftest.Start(t, sandbox.Options{}).Environment()
	environment["HW_SECRET_KEY"] = ""
	p := acctest.NewServer(t, environment)
	r := p.Resource(t, resourceType)
	plan, _ := r.Plan(t, protocol.Value(r.Kind, lite), r.None())
	_, diagnostics := p.DataSource(t, "kuscia_domains", attributes{"domain_ids": []any{"alice"}})
	said := protocol.Messages(plan.Diagnostics) + protocol.Messages(diagnostics)
	protocol.Says(t, "the plan", said, "IEF not configured", "secret_key", "Missing Kuscia endpoint")
}

// TestDataSources: the deployment with its instances, and lists with filters.
func TestDataSources(t *testing.T) {
	t.Parallel()
	server := ieftest.Start(t, sandbox.Options{})
	p := acctest.NewServer(t, server.Environment())
	r := p.Resource(t, resourceType)
	state := r.Create(t, protocol.Value(r.Kind, lite))
	read := func(name string, config attributes) attributes {
		value, diagnostics := p.DataSource(t, name, config)
		protocol.Check(t, nil, diagnostics)
		return protocol.Plain(value).(attributes)
	}
	for _, config := range []attributes{{"name": "lite"}, {"id": state.Text("id")}} {
		instances := read(resourceType, config)["instances"].([]any)
		if len(instances) != 1 || instances[0].(attributes)["state"] != "RUNNING" {
			t.Errorf("%v: %v", config, instances)
		}
	}
	inV2 := protocol.Fields(r.Create(t, protocol.Value(r.Kind, protocol.With(lite, attributes{"name": "two", "api_version": "v2"}))).Value)["id"]
	before := len(server.Requests())
	if read(resourceType, attributes{"id": protocol.Text(inV2), "api_version": "v2"}); len(server.Requests()) != before+1 {
		t.Errorf("%d requests for a deployment in v2, whose response has the instances", len(server.Requests())-before)
	}
	for name, want := range map[string]int{"li": 1, "other": 0} {
		if all := read(listType, attributes{"name": name, "node_id": "node-1"}); len(all["edge_deployments"].([]any)) != want || all["instance_id"] != "" {
			t.Errorf("the list of %s has %v", name, all)
		}
	}
}
