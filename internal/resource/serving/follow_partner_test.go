package serving_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

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
