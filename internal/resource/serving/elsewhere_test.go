package serving_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// says checks that messages contain texts.
func says(t *testing.T, what, said string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(said, text) {
			t.Errorf("%s does not say %q: %s", what, text, said)
		}
	}
}

// TestOtherNode: a serving stays in the state whichever node is queried, and a deleted one is
// removed if the node would know it.
func TestOtherNode(t *testing.T) {
	for name, test := range otherNodes {
		t.Run(name, func(t *testing.T) {
			f := newFollowing(t, test.home, nil)
			other := map[string]string{"KUSCIA_ENDPOINT": test.other(t, f.env.Sandbox)}
			response, _ := f.env.Server(other).Resource(t, "kuscia_serving").Read(t, f.state)
			says(t, "the refresh", protocol.Messages(response.Diagnostics), append(test.says, "ERROR")...)
			if left, said := f.env.Server(other).Resource(t, "kuscia_serving").Delete(t, f.state); left.Value.IsNull() || !strings.Contains(said, "ERROR") {
				t.Errorf("deleted as %s: %s", left.Value, said)
			}
			f.quiet()
			f.gone(f.run())
		})
	}
	t.Run("node of a party", func(t *testing.T) {
		f := newFollowing(t, sandbox.Options{}, nil)
		f.gone(f.env.Server(map[string]string{"KUSCIA_ENDPOINT": seenFrom(t, f.env.Sandbox, "alice")}).Resource(t, "kuscia_serving"))
	})
}

// gone deletes the serving as another client does, and expects that a run sees it.
func (f *following) gone(r *protocol.Resource) {
	f.t.Helper()
	if err := f.env.Sandbox.RemoveServing("glm"); err != nil {
		f.t.Fatal(err)
	}
	if response, state := r.Read(f.t, f.state); !state.Value.IsNull() {
		f.t.Errorf("after its deletion it is read as %s: %s", state.Value, protocol.Messages(response.Diagnostics))
	}
}

// TestGoneSincePlan: the apply of a saved plan whose serving was deleted reports that.
func TestGoneSincePlan(t *testing.T) {
	f := newFollowing(t, sandbox.Options{}, nil)
	f.of["parties"] = protocol.Object{"alice": protocol.Object{"app_image": "sf", "replicas": 2}, "bob": protocol.Object{"app_image": "sf"}}
	r := f.run()
	plan, _ := r.Plan(t, f.config(r), f.state)
	if err := f.env.Sandbox.RemoveServing("glm"); err != nil {
		t.Fatal(err)
	}
	says(t, "the apply", protocol.Messages(r.Change(t, f.config(r), f.state, plan).Diagnostics), "no longer exists", "was deleted after the plan", "the new plan creates it", "11601")
}

// TestChangedSincePlan: a change by another client after the plan is reported before anything
// is sent or awaited, unless the plan overwrites it anyway.
func TestChangedSincePlan(t *testing.T) {
	f := newFollowing(t, sandbox.Options{}, nil)
	party := func(replicas any) protocol.Object {
		return protocol.Object{"app_image": "sf", "replicas": replicas}
	}
	scaled := func(domain string, replicas int32) {
		t.Helper()
		if err := f.env.API.UpdateServing(t.Context(), &kuscia.UpdateServingRequest{ServingID: "glm", Parties: []kuscia.ServingParty{{DomainID: domain, Replicas: &replicas}}}); err != nil {
			t.Fatal(err)
		}
	}
	f.of["parties"] = protocol.Object{"alice": party(2), "bob": party(1)}
	r := f.run()
	plan, _ := r.Plan(t, f.config(r), f.state)
	scaled("bob", 3)
	sent := f.updates()
	says(t, "the apply", protocol.Messages(r.Change(t, f.config(r), f.state, plan).Diagnostics), "ERROR", "was changed after the plan", "replicas of party bob/ (3, planned: 1)")
	if n := f.updates() - sent; n > 0 {
		t.Errorf("%d updates", n)
	}
	f.read()
	r = f.run()
	plan, _ = r.Plan(t, f.config(r), f.state)
	scaled("bob", 1)
	scaled("alice", 3)
	response := r.Change(t, f.config(r), f.state, plan)
	if said := protocol.Messages(response.Diagnostics); strings.Contains(said, "ERROR") {
		t.Error(said)
	}
	f.state = protocol.State{Value: protocol.Decode(r.Kind, response.NewState), Private: response.Private}
	f.quiet()
}

// TestRenamedImage: the old app image is deleted before the serving changes over to a new one.
// Kuscia cannot show the serving at that time, and one update changes it.
func TestRenamedImage(t *testing.T) {
	again := func(value string) protocol.Object {
		return protocol.Object{"redeploy_triggers": protocol.Object{"again": value}}
	}
	hidden := func(version int) protocol.Object {
		return protocol.Object{"serving_input_config": nil, "serving_input_config_wo": `{"model":1}`, "serving_input_config_wo_version": version}
	}
	for name, test := range map[string]struct{ before, after protocol.Object }{
		"image alone":             {},
		"restart":                 {again("1"), again("2")},
		"new version of the text": {hidden(1), hidden(2)},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFollowing(t, sandbox.Options{}, test.before)
			renamed := tagged("2")
			renamed.Name = "new"
			f.defines(renamed)
			if err := f.env.API.DeleteAppImage(t.Context(), "sf"); err != nil {
				t.Fatal(err)
			}
			maps.Copy(f.of, test.after)
			f.of["parties"] = protocol.Object{"alice": protocol.Object{"app_image": "new"}, "bob": protocol.Object{"app_image": "new"}}
			sent := f.updates()
			f.apply()
			if n := f.updates() - sent; n != 1 {
				t.Errorf("%d updates", n)
			}
			f.runs(both("example.com/app:2"))
			f.quiet()
		})
	}
}

// TestTooOld: what an old server would silently ignore or reject is an error that names the
// required version, before anything is sent.
func TestTooOld(t *testing.T) {
	t.Parallel()
	for _, test := range tooOld {
		e := acctest.NewSandbox(t, sandbox.Options{Version: test.version})
		if err := e.Sandbox.PutAppImage(plainImage()); err != nil {
			t.Fatal(err)
		}
		r := e.Server(nil).Resource(t, "kuscia_serving")
		config := protocol.Object{"serving_id": "glm", "initiator": "alice", "parties": protocol.Object{"alice": protocol.Object{"app_image": "sf"}}}
		maps.Copy(config, test.with)
		state, said := r.Apply(t, protocol.Value(r.Kind, config), r.None())
		says(t, "the apply", said, test.says, "ERROR")
		if sent := e.Sandbox.Count(acctest.PathServingCreate); sent > 0 || !state.Value.IsNull() {
			t.Errorf("%d creates, state %s", sent, state.Value)
		}
	}
}

// tooOld are attributes, the version that is too old for them, and the error.
var tooOld = []struct {
	version string
	with    protocol.Object
	says    string
}{
	{"v0.10.0b0", protocol.Object{"serving_input_config": "{}", "parties": protocol.Object{"alice": protocol.Object{"app_image": "sf", "service_name_prefix": "glm"}}},
		"service_name_prefix needs Kuscia v0.11; the server is v0.10.0b0 and would silently ignore it"},
	{"v0.10.0b0", nil, "Kuscia before v0.11 refuses a serving without serving_input_config; the server is v0.10.0b0"},
	{"v1.0.0b0", protocol.Object{"affinity_mode": "affinity"}, "affinity_mode needs Kuscia v1.1; the server is v1.0.0b0"},
}

// TestStatusIDs: no ids need no request; an invalid one is an error at its element.
func TestStatusIDs(t *testing.T) {
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{})
	read := func(ids ...any) (tftypes.Value, string) {
		value, diagnostics := e.Server(nil).DataSource(t, "kuscia_serving_status", protocol.Object{"serving_ids": ids})
		return value, protocol.Messages(diagnostics)
	}
	_, said := read("a", nil)
	says(t, "null", said, "serving_ids[1] is null. Every element must be the serving_id")
	_, said = read("")
	says(t, "an empty id", said, "serving_ids[0] is an empty string.")
	value, said := read()
	status, _ := protocol.Plain(value).(protocol.Object)
	if said != "" || status["all_available"] != true || e.Sandbox.Count(acctest.PathServingStatus) > 0 {
		t.Errorf("without ids: %v, %s", status, said)
	}
}
