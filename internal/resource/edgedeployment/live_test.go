package edgedeployment_test

import (
	"maps"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// live is a deployment of a test without a CLI: each call is a new run of the provider.
type live struct {
	*fabric

	state protocol.State
}

func newLive(t *testing.T, options sandbox.Options) *live {
	t.Helper()
	l := &live{fabric: newFabric(t, options)}
	l.state = l.resource().None()
	return l
}

// provider is a new run of the provider.
func (f *fabric) provider() *protocol.Server {
	f.t.Helper()
	server, err := f.factories()["kuscia"]()
	if err != nil {
		f.t.Fatal(err)
	}
	return protocol.NewServer(f.t, server).Configure(f.t, nil)
}

func (f *fabric) resource() *protocol.Resource { return f.provider().Resource(f.t, resourceType) }

// deployed is a configuration of the deployment lite, with further attributes of it and of
// its container.
func deployed(more, container attributes) attributes {
	app := attributes{"name": "app", "image_url": "kuscia:1"}
	maps.Copy(app, container)
	config := attributes{"name": "lite", "node_ids": []any{"node-1"}, "containers": []any{app}}
	maps.Copy(config, more)
	return config
}

func image(name string) attributes { return attributes{"image_url": name} }

func env(value attributes) attributes {
	variable := attributes{"name": "A"}
	maps.Copy(variable, value)
	return attributes{"envs": []any{variable}}
}

// both are the versions of the API.
var both = []string{"v3", "v2"}

// apply applies a configuration to the state, and returns what the provider says.
func (l *live) apply(config attributes) (said string) {
	l.t.Helper()
	r := l.resource()
	l.state, said = r.Apply(l.t, protocol.Value(r.Kind, config), l.state)
	return said
}

// applied applies a configuration; the next plan is empty.
func (l *live) applied(config attributes) {
	l.t.Helper()
	if said := l.apply(config); said != "" {
		l.t.Fatal(said)
	}
	if l.differs(config) {
		l.t.Fatalf("the next plan is not empty\nstate %s", l.state.Value)
	}
}

// differs refreshes the state, and reports whether a plan of a configuration changes it.
func (l *live) differs(config attributes) bool {
	l.t.Helper()
	r := l.resource()
	var read *tfprotov6.ReadResourceResponse
	read, l.state = r.Read(l.t, l.state)
	plan, planned := r.Plan(l.t, protocol.Value(r.Kind, config), l.state)
	if protocol.Failed(read.Diagnostics) || protocol.Failed(plan.Diagnostics) {
		l.t.Fatal(protocol.Messages(read.Diagnostics) + protocol.Messages(plan.Diagnostics))
	}
	return !planned.Equal(l.state.Value)
}

// fails applies a configuration, and checks the error.
func (l *live) fails(config attributes, want string) {
	l.t.Helper()
	l.says(l.apply(config), want)
}

func (l *live) says(said, want string) {
	l.t.Helper()
	if !regexp.MustCompile(`(?s)ERROR.*` + want).MatchString(said) {
		l.t.Fatalf("no %q in %q", want, said)
	}
}

// destroy deletes the deployment, and returns what the provider says.
func (l *live) destroy() (said string) {
	l.t.Helper()
	l.state, said = l.resource().Delete(l.t, l.state)
	return said
}
