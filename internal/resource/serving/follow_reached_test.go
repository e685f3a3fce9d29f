package serving_test

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// ownImage is the app image of one party.
func ownImage(domain, tag, memory string) kuscia.AppImage {
	image := tagged(tag)
	image.Name = domain + "-app"
	image.DeployTemplates[0].Containers[0].Resources = &kuscia.ResourceRequirements{Limits: &kuscia.ResourceSpec{Memory: memory}}
	return image
}

// newFollowingOwn is a serving of alice and bob with an app image each, with changes of its
// configuration and of its parties.
func newFollowingOwn(t *testing.T, changes, alice, bob protocol.Object) *following {
	t.Helper()
	t.Parallel()
	with := func(name string, more protocol.Object) protocol.Object {
		party := protocol.Object{"app_image": name + "-app"}
		maps.Copy(party, more)
		return party
	}
	f := newUnapplied(t, sandbox.Options{}, protocol.Object{"parties": protocol.Object{"alice": with("alice", alice), "bob": with("bob", bob)}})
	maps.Copy(f.of, changes)
	f.defines(ownImage("alice", "1", "1Gi"))
	f.defines(ownImage("bob", "1", "1Gi"))
	f.apply()
	f.quiet()
	return f
}

// revisions are the pod revisions of a plan or a state.
func revisions(of protocol.State) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(protocol.Fields(of.At("parties")))) {
		var n *big.Float
		switch value := of.At("parties", name, "pod_revision"); {
		case !value.IsKnown():
			all = append(all, name+" unknown")
		case value.IsNull() || value.As(&n) != nil:
			all = append(all, name+" null")
		default:
			all = append(all, name+" "+n.String())
		}
	}
	return strings.Join(all, ", ")
}

// pods are the names of the pods of the parties.
func (f *following) pods() map[string]string {
	f.t.Helper()
	all := map[string]string{}
	for name := range protocol.Fields(f.state.At("parties")) {
		names, err := f.env.Sandbox.PodNames("glm", name, "")
		protocol.NoError(f.t, err)
		all[name] = fmt.Sprint(names)
	}
	return all
}

// restarts applies what is planned, and checks the planned revisions, and that exactly these
// parties have new pods afterwards, with which the apply has ended.
func (f *following) restarts(want string, parties ...string) (said string) {
	f.t.Helper()
	f.mustRead()
	planned, said := f.planned(f.run())
	if got := revisions(planned); got != want {
		f.t.Errorf("the plan has the revisions %s, want %s", got, want)
	}
	before := f.pods()
	f.apply()
	f.running()
	for name, pods := range f.pods() {
		if replaced := pods != before[name]; replaced != slices.Contains(parties, name) {
			f.t.Errorf("the pods of %s are new: %t", name, replaced)
		}
	}
	if got := revisions(f.state); got != want {
		f.t.Errorf("the state has the revisions %s, want %s", got, want)
	}
	f.quiet()
	return said
}

// running checks that the pods have what is specified.
func (f *following) running() {
	f.t.Helper()
	if err := f.env.Sandbox.PodsRun("glm"); err != nil {
		f.t.Errorf("the apply has ended: %v", err)
	}
}

// surge is how Kuscia has the percentage of a party.
func (f *following) surge(domain string) string {
	f.t.Helper()
	for _, p := range f.query().Parties {
		if p.DomainID == domain {
			return p.UpdateStrategy.MaxSurge
		}
	}
	return ""
}

// TestFollowReaches: another image, or other resources, of an app image reach only the pods that
// have it, by the other spelling of a percentage, whatever the text is.
func TestFollowReaches(t *testing.T) {
	for name, test := range map[string]struct{ changes, alice, bob protocol.Object }{
		"JSON":       {nil, nil, nil},
		"other text": {protocol.Object{"serving_input_config": "not json"}, nil, nil},
		"no text":    {protocol.Object{"serving_input_config": nil}, nil, nil},
		"write-only": {protocol.Object{"serving_input_config": nil, "serving_input_config_wo": "not json", "serving_input_config_wo_version": 1}, nil, nil},
		"Recreate":   {nil, protocol.Object{"update_strategy": protocol.Object{"type": "Recreate"}}, nil},
		"numbers":    {protocol.Object{"serving_input_config": "not json"}, protocol.Object{"update_strategy": protocol.Object{"max_surge": "1", "max_unavailable": "0"}}, nil},
		"one bound":  {nil, protocol.Object{"update_strategy": protocol.Object{"type": "Recreate"}}, protocol.Object{"update_strategy": protocol.Object{"max_surge": "1", "max_unavailable": "0%"}}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFollowingOwn(t, test.changes, test.alice, test.bob)
			text := f.query().ServingInputConfig
			f.defines(ownImage("alice", "2", "2Gi"))
			if said := f.restarts("alice 2, bob 1", "alice"); said != "" && !onlyStops(said) {
				t.Errorf("the plan says %s", said)
			}
			f.runs(map[string]string{"alice": "example.com/app:2", "bob": "example.com/app:1"})
			f.defines(ownImage("alice", "2", "3Gi")) // the resources alone
			f.restarts("alice 3, bob 1", "alice")
			f.defines(ownImage("bob", "2", "1Gi"))
			f.restarts("alice 3, bob 2", "bob")
			if n := f.updates(); n != 3 || f.query().ServingInputConfig != text {
				t.Errorf("after %d updates the text is %q", n, f.query().ServingInputConfig)
			}
		})
	}
}

// TestFollowSpelling: the other spelling of a percentage is no drift, and an import writes the
// usual one.
func TestFollowSpelling(t *testing.T) {
	f := newFollowingOwn(t, nil, nil, nil)
	for i, want := range []string{"025%", "25%", "025%"} {
		f.defines(ownImage("alice", fmt.Sprint(i+2), "1Gi"))
		f.restarts(fmt.Sprintf("alice %d, bob 1", i+2), "alice")
		if got := f.surge("alice"); got != want {
			t.Errorf("Kuscia has %s, want %s", got, want)
		}
	}
	state, said := f.run().Import(t, "glm")
	if said != "" {
		t.Fatal(said)
	}
	f.state = state
	f.mustRead()
	if got := f.state.Text("parties", "alice", "update_strategy", "max_surge"); got != "25%" {
		t.Errorf("the import has %s", got)
	}
	if got := revisions(f.state); got != "alice 1, bob 1" {
		t.Errorf("the import has the revisions %s", got)
	}
	f.apply()
	f.quiet()
	if n := f.updates(); n != 3 {
		t.Errorf("%d updates", n)
	}
}

// TestFollowByText: where no party has a percentage, the text is sent again, which the plan says.
func TestFollowByText(t *testing.T) {
	recreate := protocol.Object{"update_strategy": protocol.Object{"type": "Recreate"}}
	f := newFollowingOwn(t, nil, recreate, protocol.Object{"update_strategy": protocol.Object{"max_surge": "1", "max_unavailable": "0"}})
	f.defines(ownImage("alice", "2", "1Gi"))
	protocol.Says(t, "the plan", f.restarts("alice 2, bob 2", "alice", "bob"), "New pods for every party", "write max_surge or max_unavailable of one party as a percentage")
	if got := f.query().ServingInputConfig; got != "{\"model\":1}\n" {
		t.Errorf("the text is %q", got)
	}
}

// TestFollowLate: the wait after such an update sees the new pods run, also if Kuscia's
// controllers lag, and with no other sign than the status.
func TestFollowLate(t *testing.T) {
	f := newFollowingOwn(t, nil, nil, nil)
	f.env.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultLag, Path: "serving/update", Delay: 4_000_000_000, Times: 1})
	f.defines(ownImage("alice", "2", "2Gi"))
	f.restarts("alice 2, bob 1", "alice")
}

// TestPodRevision: what raises the revision of which party, and what does not.
func TestPodRevision(t *testing.T) {
	f := newFollowingOwn(t, protocol.Object{"follow_app_image": false, "redeploy_triggers": protocol.Object{"again": "1"}}, nil, nil)
	alice := f.of["parties"].(protocol.Object)["alice"].(protocol.Object)
	alice["replicas"] = 2
	f.mustRead()
	if planned, _ := f.planned(f.run()); revisions(planned) != "alice 1, bob 1" {
		t.Errorf("scaling: %s", revisions(planned))
	}
	f.defines(ownImage("bob", "2", "1Gi")) // which the update of alice also applies
	f.mustRead()
	planned, _ := f.planned(f.run())
	if got := revisions(planned); got != "alice 1, bob 2" {
		t.Errorf("scaling beside a new image: %s", got)
	}
	f.apply()
	f.running()
	for _, step := range []struct {
		change  func()
		want    string
		parties []string
	}{
		{func() { f.of["redeploy_triggers"] = protocol.Object{"again": "2"} }, "alice 2, bob 3", []string{"alice", "bob"}},
		{func() { f.of["serving_input_config"] = `{"model":2}` }, "alice 3, bob 4", []string{"alice", "bob"}},
		{func() { f.of["serving_input_config"] = `{ "model": 2 }` }, "alice 3, bob 4", nil},
		{func() { alice["resources"] = protocol.Object{"max_memory": "2Gi", "max_cpu": "2"} }, "alice 4, bob 4", []string{"alice"}},
		{func() { alice["update_strategy"] = protocol.Object{"type": "Recreate"} }, "alice 4, bob 4", nil},
	} {
		step.change()
		f.restarts(step.want, step.parties...)
	}
	alice["domain_id"] = "alice"
	f.of["parties"] = protocol.Object{"first": alice, "bob": f.of["parties"].(protocol.Object)["bob"]}
	planned, _ = f.planned(f.run())
	if got := revisions(planned); got != "bob 4, first 4" {
		t.Errorf("a renamed key: %s", got)
	}

	// What is not known yet makes it unknown.
	f.of["parties"] = protocol.Object{"alice": alice, "bob": f.of["parties"].(protocol.Object)["bob"]}
	for name, unknown := range map[string]protocol.Object{
		"text": {"serving_input_config": protocol.Unknown{}}, "trigger": {"redeploy_triggers": protocol.Object{"again": protocol.Unknown{}}},
	} {
		was := maps.Clone(f.of)
		maps.Copy(f.of, unknown)
		if planned, _ := f.planned(f.run()); revisions(planned) != "alice unknown, bob unknown" {
			t.Errorf("%s: %s", name, revisions(planned))
		}
		f.of = was
	}
	alice["app_image"] = protocol.Unknown{}
	if planned, _ := f.planned(f.run()); revisions(planned) != "alice unknown, bob 4" {
		t.Errorf("an unknown app image: %s", revisions(planned))
	}
}

// TestFollowChangedResources: an app image that gets other resources between plan and apply is an
// error before anything is sent.
func TestFollowChangedResources(t *testing.T) {
	f := newFollowingOwn(t, nil, nil, nil)
	f.of["parties"].(protocol.Object)["bob"].(protocol.Object)["replicas"] = 2
	plan := f.save()
	f.defines(ownImage("alice", "1", "2Gi"))
	before := f.updates()
	protocol.Says(t, "the apply", f.change(plan), "App image was changed after the plan", `has pod_revision 1 for the pods of party "alice", and app image "alice-app" now has other resources`)
	if f.updates() != before {
		t.Error("something was sent")
	}
}

// onlyStops reports whether a plan says only that a party, here one with Recreate, has no pods
// meanwhile.
func onlyStops(said string) bool {
	return strings.Count(said, "WARNING") == 1 && strings.Contains(said, "All pods of a party stop first")
}
