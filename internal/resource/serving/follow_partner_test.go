package serving_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestFollowNewPartner: whether a party is that of a partner is known after the apply of its
// domain, so that the plan which the CLI makes after that is consistent with the first one.
func TestFollowNewPartner(t *testing.T) {
	t.Parallel()
	f := &following{live{t: t, env: acctest.NewSandbox(t, sandbox.Options{Autonomy: "alice", Domains: []string{"alice"}}), of: protocol.Object{
		"serving_id": "glm", "initiator": "alice", "serving_input_config": `{"model":1}`,
		"parties": protocol.Object{"alice": protocol.Object{"app_image": "sf"}, "bob": protocol.Object{"app_image": "sf"}},
	}}}
	f.state = f.run().None()
	domain := protocol.Object{"domain_id": "bob", "role": "partner"}
	image := protocol.Object{
		"name": "sf", "image": protocol.Object{"name": "example.com/app", "tag": "1"},
		"deploy_templates": []any{protocol.Object{"name": "t", "containers": []any{protocol.Object{
			"name": "main", "ports": []any{protocol.Object{"name": "service", "protocol": "HTTP", "scope": "Cluster"}},
		}}}},
	}
	all := map[string]protocol.Object{"kuscia_domain": domain, "kuscia_app_image": image}
	server := f.env.Server(nil)
	for name, of := range all {
		r := server.Resource(t, name)
		if response, _ := r.Plan(t, protocol.Value(r.Kind, of), r.None()); protocol.Failed(response.Diagnostics) {
			t.Fatal(protocol.Messages(response.Diagnostics))
		}
	}
	planned, said := f.planned(server.Resource(t, "kuscia_serving"))
	if f.expect(planned, map[string]string{"alice": firstImage, "bob": "null"}); said != "" {
		t.Error(said)
	}

	server = f.env.Server(nil)
	for name, of := range all {
		r := server.Resource(t, name)
		r.Create(t, protocol.Value(r.Kind, of))
	}
	r := server.Resource(t, "kuscia_serving")
	plan, again := r.Plan(t, f.config(r), f.state)
	f.conforms(protocol.State{Value: again}, planned)
	made := r.Change(t, f.config(r), f.state, plan)
	if said := protocol.Messages(made.Diagnostics); said != "" {
		t.Fatal(said)
	}
	f.state = protocol.State{Value: protocol.Decode(r.Kind, made.NewState), Private: made.Private, Identity: made.NewIdentity}
	f.expect(f.state, map[string]string{"alice": firstImage, "bob": "null"})
	f.quiet()
}

// TestFollowUnknownRole: a domain whose role this run changes, or that cannot be queried, leaves
// an image unknown until the apply.
func TestFollowUnknownRole(t *testing.T) {
	f := newFollowing(t, sandbox.Options{Autonomy: "alice", Domains: []string{"alice", "bob"}}, nil)
	f.of["serving_id"], f.state = "new", f.run().None()
	current, _ := f.env.Server(nil).Resource(t, "kuscia_domain").Import(t, "bob")
	for _, test := range []struct {
		role any
		want string
	}{{"partner", "null"}, {nil, "unknown"}, {protocol.Unknown{}, "unknown"}} {
		server := f.env.Server(nil)
		domains := server.Resource(t, "kuscia_domain")
		domains.Plan(t, protocol.Value(domains.Kind, protocol.Object{"domain_id": "bob", "role": test.role}), current)
		planned, said := f.planned(server.Resource(t, "kuscia_serving"))
		if f.expect(planned, map[string]string{"bob": test.want}); said != "" {
			t.Error(said)
		}
	}

	f.env.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultReset, Path: "domain/batchQuery", Contains: "bob", Times: sandbox.Always})
	r := f.env.Server(map[string]string{"KUSCIA_MAX_RETRIES": "0"}).Resource(t, "kuscia_serving")
	plan, planned := r.Plan(t, f.config(r), f.state)
	f.expect(protocol.State{Value: planned}, map[string]string{"bob": "unknown"})
	made := r.Change(t, f.config(r), f.state, plan)
	if said := protocol.Messages(made.Diagnostics); !strings.Contains(said, "Unable to read domain") {
		t.Errorf("it says %s", said)
	}
	f.env.Sandbox.ClearFaults()
	r = f.run()
	made = r.Change(t, f.config(r), f.state, plan)
	f.expect(protocol.State{Value: protocol.Decode(r.Kind, made.NewState)}, map[string]string{"bob": "null"})
}
