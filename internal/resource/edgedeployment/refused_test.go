package edgedeployment_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestBadInput: invalid arguments of data sources and imports are errors. TestIssues and the
// standard life have those of the resource.
func TestBadInput(t *testing.T) {
	t.Parallel()
	f := newFabric(t, sandbox.Options{})
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
		_, diagnostics := f.provider().DataSource(t, test.source, test.config)
		if said := protocol.Messages(diagnostics); !strings.Contains(said, "ERROR") || !strings.Contains(said, test.want) {
			t.Errorf("%v: no %q in %q", test.config, test.want, said)
		}
	}
	if _, said := f.resource().Import(t, "a/b/c"); !strings.Contains(said, "instance_id/id") {
		t.Errorf("an import says %q", said)
	}
	if w := f.writes(0); len(w) > 0 {
		t.Errorf("%d requests", len(w))
	}
}

// TestNotConfigured: what is missing is an error in the plan of this resource, and of
// nothing else.
func TestNotConfigured(t *testing.T) {
	t.Parallel()
	l := newLive(t, sandbox.Options{})
	l.extra["HW_SECRET_KEY"] = ""
	l.fails(deployed(nil, nil), `IEF not configured.*secret_key`)
	delete(l.extra, "HW_SECRET_KEY")
	_, diagnostics := l.provider().DataSource(t, "kuscia_app_images", nil)
	l.says(protocol.Messages(diagnostics), `Missing Kuscia endpoint`)
	l.applied(deployed(nil, nil))
}

// TestDataSources: the deployment with its instances, and lists with filters.
func TestDataSources(t *testing.T) {
	t.Parallel()
	l := newLive(t, sandbox.Options{})
	l.applied(deployed(nil, nil))
	read := func(name string, config attributes) protocol.State {
		var diagnostics []*tfprotov6.Diagnostic
		state := protocol.State{}
		if state.Value, diagnostics = l.provider().DataSource(t, name, config); len(diagnostics) > 0 {
			t.Fatal(protocol.Messages(diagnostics))
		}
		return state
	}
	for _, config := range []attributes{{"name": "lite"}, {"id": l.state.Text("id")}} {
		found := read(resourceType, config)
		instances := protocol.Elements(found.At("instances"))
		if len(instances) != 1 || protocol.Text(protocol.Fields(instances[0])["state"]) != "RUNNING" || !found.At("ready_replicas").Equal(tftypes.NewValue(tftypes.Number, 1)) {
			t.Errorf("%v: %s", config, found.Value)
		}
	}
	all := protocol.Elements(read(listType, attributes{"name": "li", "node_id": "node-1"}).At("edge_deployments"))
	if len(all) != 1 || protocol.Text(protocol.Fields(all[0])["name"]) != "lite" {
		t.Errorf("the list has %v", all)
	}
	if none := protocol.Elements(read(listType, attributes{"name": "other"}).At("edge_deployments")); len(none) > 0 {
		t.Errorf("the list has %v", none)
	}
}
