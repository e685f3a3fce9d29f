package provider_test

import (
	"context"
	"encoding/json"
	"reflect"
	"regexp"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/bounded"
)

// reader is the framework's server, with and without the wrapper, for the same
// Kuscia.
type reader struct {
	box           *sandbox.Sandbox
	bare, wrapped tfprotov6.ProviderServer
	kind          tftypes.Type
	// settled is the state of the serving after an apply, with its private
	// state.
	settled object
	private map[string][]byte
	spec    sandbox.ServingSpec
}

func newReader(t *testing.T) *reader {
	t.Helper()
	r := &reader{}
	r.bare, r.wrapped = servers()
	made := start(t, r.wrapped)
	configure(t, r.bare, made.box)
	r.box, r.kind = made.box, made.Kind
	state := r.decoded(t, made.state)
	r.settled, _ = protocol.Plain(state).(object)
	if err := json.Unmarshal(made.private, &r.private); err != nil {
		t.Fatal(err)
	}
	var err error
	if r.spec, err = r.box.Serving("s"); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *reader) decoded(t rapid.TB, value *tfprotov6.DynamicValue) tftypes.Value {
	t.Helper()
	return protocol.Decode(r.kind, value)
}

// servers are the framework's server, and the one with all wrappers.
func servers() (bare, wrapped tfprotov6.ProviderServer) {
	build, none := provider.Build{Version: "test"}, provider.WithEnvironment(func(string) string { return "" })
	return providerserver.NewProtocol6(provider.New(build, none)())(), provider.NewServer(build, true, none)()
}

// agree reads with both servers and compares. It returns the number of queries
// of the wrapped one.
func (r *reader) agree(t rapid.TB, state object, private []byte, identity *tfprotov6.ResourceIdentityData) int {
	t.Helper()
	read := func(server tfprotov6.ProviderServer) (*tfprotov6.ReadResourceResponse, int) {
		before := r.box.Count(acctest.PathServingQuery)
		response, err := server.ReadResource(context.Background(), &tfprotov6.ReadResourceRequest{
			TypeName: "kuscia_serving", CurrentState: protocol.Encode(protocol.Value(r.kind, state)), Private: private, CurrentIdentity: identity,
		})
		if err != nil {
			t.Fatal(err)
		}
		return response, r.box.Count(acctest.PathServingQuery) - before
	}
	want, wantQueries := read(r.bare)
	got, queries := read(r.wrapped)
	if queries != wantQueries {
		t.Errorf("%d queries, want %d", queries, wantQueries)
	}
	if a, b := r.decoded(t, got.NewState), r.decoded(t, want.NewState); !a.Equal(b) {
		t.Errorf("read\n%s\nwant\n%s", a, b)
	}
	if a, b := timeless(t, got.Private), timeless(t, want.Private); !reflect.DeepEqual(a, b) {
		t.Errorf("private %s, want %s", got.Private, want.Private)
	}
	for _, response := range []*tfprotov6.ReadResourceResponse{got, want} {
		response.NewState, response.Private, response.Diagnostics = nil, nil, bounded.Diagnostics(response.Diagnostics)
		if len(response.Diagnostics) == 0 {
			response.Diagnostics = nil
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v %s, want %+v %s", got, protocol.Messages(got.Diagnostics), want, protocol.Messages(want.Diagnostics))
	}
	return queries
}

// timeless is private state without the times of refreshes.
func timeless(t rapid.TB, private []byte) map[string]string {
	t.Helper()
	var decoded map[string][]byte
	if len(private) > 0 && json.Unmarshal(private, &decoded) != nil {
		t.Errorf("private state is %s", private)
	}
	texts := map[string]string{}
	for key, value := range decoded {
		texts[key] = foundAt.ReplaceAllString(string(value), "")
	}
	return texts
}

var foundAt = regexp.MustCompile(`"(reachable_)?since":"[^"]*"`)

// TestReadWithAndWithoutShortcut: the wrapper's responses equal the
// framework's, for any object in Kuscia and any state.
func TestReadWithAndWithoutShortcut(t *testing.T) {
	t.Parallel()
	r := newReader(t)
	usualPrivate, err := json.Marshal(r.private)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		r.drift(t)
		state, private := r.settled, usualPrivate
		if rapid.Bool().Draw(t, "edited state") {
			state = editedState(t, state)
		}
		if rapid.IntRange(0, 3).Draw(t, "unusual private state") == 0 {
			private = drawPrivate(t)
		}
		identity := drawIdentity(t)
		if private == nil || rapid.Bool().Draw(t, "no identity at all") {
			identity = nil
		}
		r.agree(t, state, private, identity)
	})
}

// drift may change the serving outside of Terraform.
func (r *reader) drift(t *rapid.T) {
	err := r.box.MutateServing("s", func(spec *sandbox.ServingSpec) {
		spec.InputConfig, spec.Initiator = r.spec.InputConfig, r.spec.Initiator
		spec.Parties = append([]sandbox.PartySpec(nil), r.spec.Parties...)
		p := &spec.Parties[0]
		p.Containers = append([]kuscia.Resource(nil), p.Containers...)
		switch oneOf(t, "drift", "none", "none", "none", "replicas", "strategy", "config", "spelling", "resources", "order", "party", "prefix") {
		case "replicas":
			more := int32(7)
			p.Replicas = &more
		case "strategy":
			p.Strategy = kuscia.UpdateStrategy{Type: "Recreate"}
		case "config":
			spec.InputConfig = `{"model":"other"}`
		case "spelling":
			spec.InputConfig = ` { "model" : "m" } `
		case "resources":
			if len(p.Containers) > 0 {
				p.Containers[0].MaxCPU = "3"
			}
		case "order":
			spec.Parties[0], spec.Parties[1] = spec.Parties[1], spec.Parties[0]
		case "party":
			spec.Parties = spec.Parties[:1]
		case "prefix":
			p.ServiceNamePrefix = "x"
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	r.box.Advance(time.Minute) // so that both servers see the same pods
}

// editedState is a state with some changed attributes.
func editedState(t *rapid.T, settled object) object {
	_, other := drawServing(t)
	state := editedObject(t, settled, other, oldEdits)
	if rapid.IntRange(0, 2).Draw(t, "hidden text") == 0 {
		state = hidden(state, 1)
	}
	return state
}

// TestReadShortcutIsTaken: an unchanged serving needs one query, and the
// wrapper returns the bytes of the request.
func TestReadShortcutIsTaken(t *testing.T) {
	t.Parallel()
	r := newReader(t)
	private, err := json.Marshal(r.private)
	if err != nil {
		t.Fatal(err)
	}
	if queries := r.agree(t, r.settled, private, nil); queries != 1 {
		t.Errorf("%d queries", queries)
	}
	// A changed text in Kuscia does not matter for a write-only one.
	if err := r.box.MutateServing("s", func(spec *sandbox.ServingSpec) { spec.InputConfig = `{"changed":true}` }); err != nil {
		t.Fatal(err)
	}
	concealed := hidden(r.settled, 1)
	if queries := r.agree(t, concealed, private, nil); queries != 1 {
		t.Errorf("%d queries with a hidden text", queries)
	}
	current := protocol.Encode(protocol.Value(r.kind, concealed))
	response, err := r.wrapped.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: "kuscia_serving", CurrentState: current, Private: private})
	protocol.Check(t, err, response.Diagnostics)
	if &response.NewState.MsgPack[0] != &current.MsgPack[0] {
		t.Error("the framework handled the request")
	}
}

// TestReadShortcutFailure: a failed read has the framework's message, and is
// not repeated.
func TestReadShortcutFailure(t *testing.T) {
	t.Parallel()
	r := newReader(t)
	private, err := json.Marshal(r.private)
	if err != nil {
		t.Fatal(err)
	}
	r.box.Inject(sandbox.Fault{Kind: sandbox.FaultCode, Path: "serving/query", Code: 11100, Message: "broken", Times: sandbox.Always})
	if queries := r.agree(t, r.settled, private, nil); queries == 0 {
		t.Error("no query was sent")
	}
	r.box.ClearFaults()
	if err := r.box.RemoveServing("s"); err != nil {
		t.Fatal(err)
	}
	r.agree(t, r.settled, private, nil)
}
