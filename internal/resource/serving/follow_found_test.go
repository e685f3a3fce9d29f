package serving_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestFollowFoundLate: an image that was not known in the plan is known after the apply, also
// if the first query of its app image fails, or is too early for an app image that is created
// at the same time. Without it nothing is sent.
func TestFollowFoundLate(t *testing.T) {
	missing := sandbox.Fault{Kind: sandbox.FaultCode, Path: "appimage/query", Contains: "late", Code: kuscia.CodeAppImageNotExists, Message: `appimages.kuscia.secretflow "late" not found`}
	broken := sandbox.Fault{Kind: sandbox.FaultReset, Path: "appimage/query", Contains: "late"}
	for name, test := range map[string]struct {
		fault   sandbox.Fault
		times   int
		creates bool
		says    string
	}{
		"created meanwhile": {missing, 1, true, ""}, "not created": {missing, sandbox.Always, false, "App image does not exist"},
		"failed once": {broken, 1, false, ""}, "fails": {broken, sandbox.Always, true, "Unable to read app image"},
		"fails, update": {broken, sandbox.Always, false, "Unable to read app image"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFollowing(t, sandbox.Options{}, nil)
			if test.creates {
				f.of["serving_id"], f.state = "new", f.run().None()
			}
			image := tagged("2")
			image.Name = "late"
			f.defines(image)
			f.of["parties"] = protocol.Object{"alice": protocol.Object{"app_image": "late"}, "bob": protocol.Object{"app_image": "sf"}}
			r := f.run()
			plan, planned := r.Plan(t, f.config(r), f.state)
			f.expect(protocol.State{Value: planned}, map[string]string{"alice": "unknown"})
			fault := test.fault
			fault.Times = test.times
			f.env.Sandbox.Inject(fault)
			writes := f.updates() + f.env.Sandbox.Count(acctest.PathServingCreate)
			r = f.env.Server(map[string]string{"KUSCIA_MAX_RETRIES": "0"}).Resource(t, "kuscia_serving")
			made := r.Change(t, f.config(r), f.state, plan)
			said := protocol.Messages(made.Diagnostics)
			if !strings.Contains(said, test.says) || test.says == "" && said != "" {
				t.Fatalf("it says %q", said)
			}
			if sent := f.updates() + f.env.Sandbox.Count(acctest.PathServingCreate) - writes; (sent == 0) != (test.says != "") {
				t.Errorf("%d requests were sent", sent)
			}
			if test.says == "" {
				f.expect(protocol.State{Value: protocol.Decode(r.Kind, made.NewState)}, map[string]string{"alice": "example.com/app:2", "bob": firstImage})
			}
		})
	}
}

// TestFollowAfterUpdateElsewhere: if another client has updated the serving, and the app image
// has changed too, the pods may still have the image from before.
func TestFollowAfterUpdateElsewhere(t *testing.T) {
	f := newFollowing(t, sandbox.Options{}, nil)
	replicas := int32(2)
	protocol.NoError(t, f.env.API.UpdateServing(t.Context(), &kuscia.UpdateServingRequest{ServingID: "glm", Parties: []kuscia.ServingParty{{DomainID: "alice", Replicas: &replicas}}}))
	sandboxtest.Eventually(t, "the update", func() bool {
		found, err := f.env.API.QueryServing(t.Context(), "glm")
		return err == nil && slices.ContainsFunc(found.Status.PartyStatuses, func(p kuscia.PartyStatus) bool { return p.AvailableReplicas == 2 })
	})
	f.defines(tagged("2"))
	f.mustRead()
	f.expect(f.state, both(firstImage))
	planned, _ := f.planned(f.run())
	f.expect(planned, both("example.com/app:2"))
	f.apply()
	f.runs(both("example.com/app:2"))
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
