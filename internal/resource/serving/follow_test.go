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

// following is the serving glm of alice, and of bob with the same app image sf.
type following struct{ live }

const firstImage = "example.com/app:1"

// newFollowing applies the serving, with changes of its configuration.
func newFollowing(t *testing.T, options sandbox.Options, changes protocol.Object) *following {
	t.Helper()
	t.Parallel()
	f := newUnapplied(t, options, changes)
	f.defines(plainImage())
	f.apply()
	f.quiet()
	return f
}

// newUnapplied is the serving before it is created.
func newUnapplied(t *testing.T, options sandbox.Options, changes protocol.Object) *following {
	t.Helper()
	f := &following{live{t: t, env: acctest.NewSandbox(t, options), of: protocol.Object{
		"serving_id": "glm", "initiator": "alice", "serving_input_config": `{"model":1}`,
		"parties": protocol.Object{"alice": protocol.Object{"app_image": "sf"}, "bob": protocol.Object{"app_image": "sf"}},
	}}}
	maps.Copy(f.of, changes)
	f.state = f.run().None()
	return f
}

func (f *following) defines(image kuscia.AppImage) {
	f.t.Helper()
	if err := f.env.Sandbox.PutAppImage(image); err != nil {
		f.t.Fatal(err)
	}
}

func tagged(tag string) kuscia.AppImage {
	image := plainImage()
	image.Image.Tag = tag
	return image
}

// apply applies in a new run, in which the CLI plans again, and checks that this plan and the
// state are as planned.
func (f *following) apply() {
	f.t.Helper()
	planned, _ := f.planned(f.run())
	again, _ := f.planned(f.run())
	f.conforms(again, planned)
	r := f.run()
	state, said := r.Apply(f.t, f.config(r), f.state)
	if strings.Contains(said, "ERROR") {
		f.t.Fatal(said)
	}
	f.state = state
	f.conforms(state, planned)
	for name := range protocol.Fields(state.At("parties")) {
		if !state.At("parties", name, "image").IsKnown() {
			f.t.Fatalf("the image of %s is not known", name)
		}
	}
}

// conforms checks that the images are those of a plan, as far as it knew them.
func (f *following) conforms(is, planned protocol.State) {
	f.t.Helper()
	for name := range protocol.Fields(planned.At("parties")) {
		if is, want := is.At("parties", name, "image"), planned.At("parties", name, "image"); want.IsKnown() && !is.Equal(want) {
			f.t.Fatalf("the image of %s is %s, planned %s", name, is, want)
		}
	}
}

// quiet checks that the next plans, with a refresh and without one, are empty and say nothing.
func (f *following) quiet() {
	f.t.Helper()
	for range 2 {
		if planned, said := f.planned(f.run()); !planned.Value.Equal(f.state.Value) || said != "" {
			f.t.Fatalf("the plan is not empty: %s\n%s\n%s", said, planned.Value, f.state.Value)
		}
		f.mustRead()
	}
}

// expect checks the images of a state or a plan; "null" and "unknown" are those.
func (f *following) expect(of protocol.State, images map[string]string) {
	f.t.Helper()
	for name, want := range images {
		got := of.Text("parties", name, "image")
		switch value := of.At("parties", name, "image"); {
		case !value.IsKnown():
			got = "unknown"
		case value.IsNull():
			got = "null"
		}
		if got != want {
			f.t.Errorf("the image of %s is %q, want %q", name, got, want)
		}
	}
}

func (f *following) runs(images map[string]string) {
	f.t.Helper()
	for domain, want := range images {
		if got, err := f.env.Sandbox.DeployedImage("glm", domain, ""); err != nil || got != want {
			f.t.Errorf("the pods of %s run %s, %v, want %s", domain, got, err, want)
		}
	}
}

func both(image string) map[string]string { return map[string]string{"alice": image, "bob": image} }

func (f *following) updates() int { return f.env.Sandbox.Count(acctest.PathServingUpdate) }

// withoutPercentage are parties whose update strategies have none, and alice has more.
func withoutPercentage(more protocol.Object) protocol.Object {
	alice := protocol.Object{"app_image": "sf", "update_strategy": protocol.Object{"type": "Recreate"}}
	maps.Copy(alice, more)
	return protocol.Object{"alice": alice, "bob": protocol.Object{"app_image": "sf", "update_strategy": protocol.Object{"max_surge": "1", "max_unavailable": "0"}}}
}

// TestFollowNot: without follow_app_image, and where nothing can be sent again, another
// image is a warning with what to do, and the plan is empty. An update for another reason
// applies the image, and its plan shows that.
func TestFollowNot(t *testing.T) {
	for name, test := range map[string]struct {
		changes protocol.Object
		says    string
	}{
		"not wanted": {protocol.Object{"follow_app_image": false}, "set follow_app_image = true"},
		"no percentage, write-only, no JSON": {protocol.Object{
			"serving_input_config": nil, "serving_input_config_wo": "plain", "serving_input_config_wo_version": 1, "parties": withoutPercentage(nil),
		}, "needs a percentage in update_strategy of any party, or a serving_input_config that is JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFollowing(t, sandbox.Options{}, test.changes)
			f.defines(tagged("2"))
			f.mustRead()
			planned, said := f.planned(f.run())
			if !planned.Value.Equal(f.state.Value) {
				t.Errorf("the plan is not empty: %s", planned.Value)
			}
			for _, part := range []string{`is "example.com/app:2", but the pods of this party were last updated to "example.com/app:1"`, test.says} {
				if !strings.Contains(said, part) || strings.Contains(said, "ERROR") {
					t.Errorf("the plan does not say %q: %s", part, said)
				}
			}
			f.of["parties"] = withoutPercentage(protocol.Object{"replicas": 2})
			planned, _ = f.planned(f.run())
			f.expect(planned, both("example.com/app:2"))
			f.apply()
			f.runs(both("example.com/app:2"))
			f.quiet()
		})
	}
}

// TestFollowPlanned: an app image that the same run changes shows in the plan before it is
// applied, and one whose definition is not known yet is known after apply.
func TestFollowPlanned(t *testing.T) {
	f := newFollowing(t, sandbox.Options{}, nil)
	server := f.env.Server(nil)
	images := server.Resource(t, "kuscia_app_image")
	current, _ := images.Import(t, "sf")
	_, current = images.Read(t, current)
	config := func(tag any) tftypes.Value {
		return protocol.Value(images.Kind, protocol.Object{
			"name": "sf", "image": protocol.Object{"name": "example.com/app", "tag": tag},
			"deploy_templates": []any{protocol.Object{"name": "t", "containers": []any{protocol.Object{
				"name": "main", "ports": []any{protocol.Object{"name": "service", "protocol": "HTTP", "scope": "Cluster"}},
			}}}},
		})
	}
	for tag, want := range map[any]string{"1": firstImage, "2": "example.com/app:2", protocol.Unknown{}: "unknown"} {
		images.Plan(t, config(tag), current)
		planned, said := f.planned(server.Resource(t, "kuscia_serving"))
		if f.expect(planned, both(want)); said != "" {
			t.Errorf("the plan says %s", said)
		}
	}

	// A value that was not known in the plan: one that turns out to be another is rolled out,
	// and one that does not sends nothing.
	for tag, updates := range map[string]int{"1": 0, "3": 1} {
		server := f.env.Server(nil)
		server.Resource(t, "kuscia_app_image").Plan(t, config(protocol.Unknown{}), current)
		r := server.Resource(t, "kuscia_serving")
		plan, _ := r.Plan(t, f.config(r), f.state)
		before := f.updates()
		f.defines(tagged(tag))
		r = f.run()
		made := r.Change(t, f.config(r), f.state, plan)
		if said := protocol.Messages(made.Diagnostics); said != "" || f.updates()-before != updates {
			t.Fatalf("tag %s: %d updates, it says %s", tag, f.updates()-before, said)
		}
		state := protocol.State{Value: protocol.Decode(r.Kind, made.NewState), Private: made.Private}
		f.expect(state, both("example.com/app:"+tag))
		f.runs(both("example.com/app:" + tag))
		if updates == 1 {
			f.state = state
			f.quiet()
			return
		}
	}
}

// TestFollowChangedAfterPlan: an app image that is changed between plan and apply is an error
// of the provider, before anything is sent. The plan that the CLI makes during the apply is
// the same.
func TestFollowChangedAfterPlan(t *testing.T) {
	f := newFollowing(t, sandbox.Options{}, nil)
	one := f.of["parties"]
	more := protocol.Object{"alice": protocol.Object{"app_image": "sf", "replicas": 2}, "bob": protocol.Object{"app_image": "sf"}}
	changed := func(now string) (said string, state protocol.State) {
		t.Helper()
		planned, _ := f.planned(f.run())
		f.defines(tagged(now))
		r := f.run()
		response, value := r.Plan(t, f.config(r), f.state)
		f.conforms(protocol.State{Value: value}, planned)
		made := r.Change(t, f.config(r), f.state, response)
		return protocol.Messages(made.Diagnostics), protocol.State{Value: protocol.Decode(r.Kind, made.NewState), Private: made.Private, Identity: made.NewIdentity}
	}
	fails := func(planned, now string) {
		t.Helper()
		before := f.updates()
		said, _ := changed(now)
		protocol.Says(t, "the apply", said, "App image was changed after the plan", `the image "example.com/app:`+planned+`"`, `app image "sf" now has "example.com/app:`+now+`"`, "Nothing was sent; plan and apply again")
		if f.updates() != before {
			t.Error("something was sent")
		}
	}
	f.defines(tagged("2"))
	f.mustRead()
	fails("2", "3") // to another one
	f.mustRead()
	fails("3", "1") // and back to that of the pods
	f.mustRead()
	f.of["parties"] = more
	fails("1", "4") // with another update
	fails("1", "4") // planned without a refresh

	// What sends nothing does not mind.
	f.of["parties"], f.of["progress_deadline"] = one, "2m"
	f.defines(tagged("1"))
	f.mustRead()
	said, state := changed("6")
	if said != "" {
		t.Errorf("it says %s", said)
	}
	f.state = state
	f.expect(f.state, both(firstImage))
	f.mustRead()
	planned, _ := f.planned(f.run())
	f.expect(planned, both("example.com/app:6"))
}

// TestFollowDeleted: an app image that is deleted changes no image. The refresh warns, an update is
// refused, and so is an import, of which nothing but the ID would be known.
func TestFollowDeleted(t *testing.T) {
	f := newFollowing(t, sandbox.Options{}, nil)
	protocol.NoError(t, f.env.API.DeleteAppImage(t.Context(), "sf"))
	says(t, "the refresh", f.refresh(), "WARNING", "an app image that it uses was deleted. Its state is unchanged. Create the app image again, or change app_image")
	if planned, _ := f.planned(f.run()); !planned.Value.Equal(f.state.Value) {
		t.Errorf("the plan is not empty: %s", planned.Value)
	}
	if _, said := f.run().Import(t, "glm"); !strings.HasPrefix(said, "ERROR") || !strings.Contains(said, "Unable to read serving") || !strings.Contains(said, "again, then import the serving") {
		t.Errorf("the import says %s", said)
	}
	f.of["parties"] = protocol.Object{"alice": protocol.Object{"app_image": "sf", "replicas": 2}, "bob": protocol.Object{"app_image": "sf"}}
	if _, said := f.planned(f.run()); !strings.Contains(said, "App image does not exist") {
		t.Errorf("the plan of an update says %s", said)
	}
	f.of["parties"] = protocol.Object{"alice": protocol.Object{"app_image": "sf"}, "bob": protocol.Object{"app_image": "sf"}}
	f.defines(tagged("2"))
	f.mustRead()
	f.apply()
	f.runs(both("example.com/app:2"))
	f.quiet()
}

// TestFollowPartner: the app images of a partner's pods are those of its own cluster, so that
// nothing is said about their image.
func TestFollowPartner(t *testing.T) {
	f := newFollowing(t, sandbox.Options{Autonomy: "alice", Domains: []string{"alice", "bob"}}, nil)
	f.expect(f.state, map[string]string{"alice": firstImage, "bob": "null"})
	f.defines(tagged("2"))
	f.mustRead()
	want := map[string]string{"alice": "example.com/app:2", "bob": "null"}
	planned, _ := f.planned(f.run())
	f.expect(planned, want)
	f.apply()
	f.expect(f.state, want)
	if got := revisions(f.state); got != "alice 2, bob 1" {
		t.Errorf("the revisions are %s", got)
	}
	f.quiet()
	state, _ := f.run().Import(t, "glm")
	f.state = state
	f.mustRead()
	f.expect(f.state, want)
}

// TestFollowOnLiteNode: a node that cannot read app images knows no image, and another one is
// no difference.
func TestFollowOnLiteNode(t *testing.T) {
	t.Parallel()
	f := &following{live{t: t, env: acctest.NewSandbox(t, sandbox.Options{}), of: protocol.Object{
		"serving_id": "glm", "initiator": "alice", "serving_input_config": `{"model":1}`,
		"parties": protocol.Object{"alice": protocol.Object{"app_image": "sf"}, "bob": protocol.Object{"app_image": "sf"}},
	}}}
	f.defines(plainImage())
	lite := map[string]string{"KUSCIA_ENDPOINT": seenFrom(t, f.env.Sandbox, "alice")}
	resource := func() *protocol.Resource { return f.env.Server(lite).Resource(t, "kuscia_serving") }
	r := resource()
	state, said := r.Apply(t, f.config(r), r.None())
	if said != "" {
		t.Fatal(said)
	}
	f.state = state
	f.expect(state, both("null"))
	f.defines(tagged("2"))
	for range 2 {
		if planned, said := f.planned(resource()); !planned.Value.Equal(f.state.Value) || said != "" {
			t.Errorf("the plan is not empty: %s\n%s", said, planned.Value)
		}
		_, f.state = resource().Read(t, f.state)
	}

	// The node of a party detects through its master that a serving is deleted.
	protocol.NoError(t, f.env.Sandbox.RemoveServing("glm"))
	if _, read := resource().Read(t, f.state); !read.Value.IsNull() {
		t.Errorf("after its deletion the state is %s", read.Value)
	}
}
