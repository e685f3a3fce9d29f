package provider_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
)

type object = protocol.Object

// hidden is a state, or a configuration without its text, that uses the
// write-only attribute.
func hidden(of object, version int) object {
	of = maps.Clone(of)
	of["serving_input_config"], of["serving_input_config_wo_version"] = nil, version
	return of
}

// drawServing generates a serving as a configuration and as the state after an
// apply.
func drawServing(t *rapid.T) (config, state object) {
	m := servingtest.Configs().Draw(t, "serving").Serving
	return plain(servingtest.ConfiguredAttributes(m)), plain(servingtest.Fields(servingtest.StateOf(m)))
}

func plain(fields map[string]tftypes.Value) object {
	out := object{}
	for name, value := range fields {
		out[name] = protocol.Plain(value)
	}
	return out
}

// edits are the changes of a part of a serving; most parts do not change.
var (
	edits    = append(slices.Repeat([]string{"same"}, 20), "left out", "other", "unknown")
	oldEdits = edits[:len(edits)-1] // a state has no unknown values
)

// edited is a changed part of a serving: left out, unknown, or as in another
// serving, as a whole or in some of its parts.
func edited(t *rapid.T, part, other any, edits []string) any {
	switch rapid.SampledFrom(edits).Draw(t, "edit") {
	case "left out":
		return nil
	case "other":
		return other
	case "unknown":
		return protocol.Unknown{}
	}
	switch part := part.(type) {
	case object:
		others, _ := other.(object)
		return editedObject(t, part, others, edits)
	case []any:
		others, _ := other.([]any)
		list := slices.Clone(part)
		for i := range list {
			var beside object
			if i < len(others) {
				beside, _ = others[i].(object)
			}
			element, _ := list[i].(object)
			list[i] = editedObject(t, element, beside, edits)
		}
		return list
	}
	return part
}

// editedObject changes the attributes of an object, except those that are
// required.
func editedObject(t *rapid.T, from, other object, edits []string) object {
	out := maps.Clone(from)
	for _, name := range slices.Sorted(maps.Keys(from)) {
		if name == "serving_id" || name == "initiator" {
			continue
		}
		if out[name] = edited(t, from[name], other[name], edits); name == "parties" && out[name] == nil {
			out[name] = from[name]
		}
	}
	return out
}

// drawConfig generates a configuration that may be invalid or have unknown
// values.
func drawConfig(t *rapid.T, from object) object {
	other, _ := drawServing(t)
	config := editedObject(t, from, other, edits)
	for name := range servingtest.ComputedOnly {
		config[name] = nil
	}
	return config
}

// usual is the private state of a serving that was created by the provider; the
// framework encodes the values in base64.
var usual = []byte(`{"rollout":"e30="}`)

func drawPrivate(t *rapid.T) []byte {
	text := rapid.SampledFrom([]string{
		"{}", "{}", `{"containers":{"a/":["m"],"b/r":["m","n"]}}`, `{"observed":["a/"]}`, `{"ports":7}`, `{"containers":7}`, `[]`, "", "missing",
	}).Draw(t, "private")
	if text == "missing" {
		return nil
	}
	private := map[string][]byte{"rollout": []byte(text)}
	switch flag := rapid.SampledFrom([]string{"", "", "", "imported", "uncertain", "secrets_from_import", "other"}).Draw(t, "flag"); flag {
	case "":
	case "other":
		private[flag] = []byte("1")
	default:
		private[flag] = []byte("true")
	}
	encoded, err := json.Marshal(private)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// planner is the framework's server, with and without the wrapper.
type planner struct {
	bare, wrapped tfprotov6.ProviderServer
	resource      *protocol.Resource
	// answered counts the responses of the wrapper.
	answered int
}

func newPlanner(t *testing.T) *planner {
	t.Helper()
	factory := provider.New(provider.Build{Version: "test"}, provider.WithEnvironment(func(string) string { return "" }))
	p := &planner{bare: providerserver.NewProtocol6(factory())()}
	p.wrapped = fastpath.Wrap(providerserver.NewProtocol6(factory())(), fastpath.Options{
		Release: true,
		NoOpPlan: map[string]fastpath.NoOpPlan{"kuscia_serving": func(ctx context.Context, config, prior map[string]any, private map[string][]byte) bool {
			certain := serving.Types.Shortcuts[0].NoOpPlan(ctx, nil, config, prior, private)
			if certain {
				p.answered++
			}
			return certain
		}},
	})
	p.resource = protocol.NewServer(t, p.bare).Resource(t, "kuscia_serving")
	return p
}

func (p *planner) agree(t rapid.TB, config, prior any, private []byte, identity *tfprotov6.ResourceIdentityData) {
	t.Helper()
	given, before := protocol.Value(p.resource.Kind, config), protocol.Value(p.resource.Kind, prior)
	request := func() *tfprotov6.PlanResourceChangeRequest {
		return &tfprotov6.PlanResourceChangeRequest{
			TypeName: "kuscia_serving", PriorPrivate: private, PriorIdentity: identity,
			Config:           protocol.Encode(given),
			PriorState:       protocol.Encode(before),
			ProposedNewState: protocol.Encode(p.resource.Proposed(before, given)),
		}
	}
	want, err := p.bare.PlanResourceChange(context.Background(), request())
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.wrapped.PlanResourceChange(context.Background(), request())
	if err != nil {
		t.Fatal(err)
	}
	if a, b := p.decoded(t, got.PlannedState), p.decoded(t, want.PlannedState); !a.Equal(b) {
		t.Errorf("planned\n%s\nwant\n%s", a, b)
	}
	if !bytes.Equal(got.PlannedPrivate, want.PlannedPrivate) {
		t.Errorf("private %s, want %s", got.PlannedPrivate, want.PlannedPrivate)
	}
	if !reflect.DeepEqual(got.PlannedIdentity, want.PlannedIdentity) {
		t.Errorf("identity %v, want %v", got.PlannedIdentity, want.PlannedIdentity)
	}
	// Compare the remaining fields as a whole, so that fields added later are
	// compared too.
	for _, response := range []*tfprotov6.PlanResourceChangeResponse{got, want} {
		response.PlannedState, response.PlannedPrivate, response.PlannedIdentity = nil, nil, nil
		if len(response.RequiresReplace) == 0 {
			response.RequiresReplace = nil
		}
		if len(response.Diagnostics) == 0 {
			response.Diagnostics = nil
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func (p *planner) decoded(t rapid.TB, value *tfprotov6.DynamicValue) tftypes.Value {
	t.Helper()
	return protocol.Decode(p.resource.Kind, value)
}

func drawIdentity(t *rapid.T) *tfprotov6.ResourceIdentityData {
	if rapid.Bool().Draw(t, "no identity") {
		return nil
	}
	kind := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"serving_id": tftypes.String}}
	return &tfprotov6.ResourceIdentityData{IdentityData: protocol.Encode(protocol.Value(kind, object{"serving_id": "s"}))}
}

// TestPlanWithAndWithoutShortcut: the wrapper's responses equal the
// framework's, for every kind of difference.
func TestPlanWithAndWithoutShortcut(t *testing.T) {
	t.Parallel()
	p := newPlanner(t)
	rapid.Check(t, func(t *rapid.T) {
		config, prior := drawServing(t)
		before := p.answered
		p.agree(t, config, prior, usual, drawIdentity(t))
		if p.answered == before {
			t.Errorf("the framework handled a plan without changes")
		}
		private := usual
		if rapid.Bool().Draw(t, "unusual") {
			_, other := drawServing(t)
			prior, private = editedObject(t, prior, other, oldEdits), drawPrivate(t)
		}
		p.agree(t, drawConfig(t, config), prior, private, drawIdentity(t))
	})
}

// complete is a serving in the state after an apply.
func complete() object {
	party := func(domain string) object {
		return object{
			"domain_id": domain, "role": "", "app_image": "i", "replicas": 3, "service_name_prefix": "",
			"update_strategy": object{"type": "RollingUpdate", "max_surge": "1", "max_unavailable": "25%"},
			"resources":       object{"min_cpu": "1"},
		}
	}
	return object{
		"serving_id": "s", "initiator": "a", "serving_input_config": "{}", "affinity_mode": "none",
		"parties": object{"a": party("a"), "b": party("b")}, "redeploy_triggers": object{"a": "1"}, "wait_for_rollout": false, "follow_app_image": false,
		"id": "s", "replace_triggers": object{"b": "1"}, "progress_deadline": "2m",
		"create_time": "t", "endpoints": object{},
	}
}

func configured() (config, party object) {
	config = complete()
	for _, name := range []string{"create_time", "endpoints", "id"} {
		delete(config, name)
	}
	parties, _ := config["parties"].(object)
	party, _ = parties["a"].(object)
	return config, party
}

// TestShortcutDeclines: an attribute that is removed from the configuration
// gets its default, although Terraform proposes the prior value.
func TestShortcutDeclines(t *testing.T) {
	t.Parallel()
	p := newPlanner(t)
	between := func(t *testing.T, config, prior any, shortcut int) {
		t.Helper()
		p.answered = 0
		p.agree(t, config, prior, usual, nil)
		if p.answered != shortcut {
			t.Errorf("the wrapper answered %d plans, want %d", p.answered, shortcut)
		}
	}
	agree := func(t *testing.T, config any, shortcut int) {
		t.Helper()
		between(t, config, complete(), shortcut)
	}
	t.Run("the same party twice", func(t *testing.T) {
		config, party := configured()
		party["domain_id"] = "b"
		prior := maps.Clone(config)
		prior["endpoints"] = object{}
		between(t, config, prior, 0)
	})
	t.Run("nothing changed", func(t *testing.T) {
		config, _ := configured()
		agree(t, config, 1)
	})
	for _, name := range []string{"serving_input_config", "affinity_mode", "redeploy_triggers", "follow_app_image", "wait_for_rollout", "replace_triggers", "progress_deadline"} {
		t.Run(name+" left out", func(t *testing.T) {
			config, _ := configured()
			delete(config, name)
			agree(t, config, 0)
		})
	}
	t.Run("an unfinished rollout", func(t *testing.T) {
		config, _ := configured()
		prior := complete()
		prior["wait_for_rollout"], prior["rollout_complete"] = true, false
		config["wait_for_rollout"] = true
		between(t, config, prior, 0)
	})
	concealed := hidden(complete(), 1)
	write := func(text any, version int) object {
		config, _ := configured()
		config = hidden(config, version)
		config["serving_input_config_wo"] = text
		return config
	}
	t.Run("a hidden text", func(t *testing.T) { between(t, write("{}", 1), concealed, 1) })
	t.Run("a hidden text that is not known yet", func(t *testing.T) { between(t, write(protocol.Unknown{}, 1), concealed, 0) })
	t.Run("a hidden text of another version", func(t *testing.T) { between(t, write("{}", 2), concealed, 0) })
	// Its validation refuses it.
	t.Run("a version alone", func(t *testing.T) { between(t, write(nil, 1), concealed, 1) })
	t.Run("a text becomes hidden", func(t *testing.T) { agree(t, write("{}", 1), 0) })
	t.Run("a hidden text is shown", func(t *testing.T) {
		config, _ := configured()
		between(t, config, concealed, 0)
	})
	t.Run("a hidden text is left out", func(t *testing.T) {
		config, _ := configured()
		delete(config, "serving_input_config")
		between(t, config, concealed, 0)
	})
	t.Run("an empty text after none", func(t *testing.T) {
		config, _ := configured()
		config["serving_input_config"] = ""
		none := complete()
		delete(none, "serving_input_config")
		between(t, config, none, 0)
	})
	t.Run("no text after an empty one", func(t *testing.T) {
		config, _ := configured()
		delete(config, "serving_input_config")
		empty := complete()
		empty["serving_input_config"] = ""
		between(t, config, empty, 1)
	})
	for _, name := range []string{"replicas", "update_strategy", "resources"} {
		t.Run("party without "+name, func(t *testing.T) {
			config, party := configured()
			delete(party, name)
			agree(t, config, 0)
		})
	}
	t.Run("timeouts added", func(t *testing.T) {
		config, _ := configured()
		config["timeouts"] = object{"create": "1m"}
		agree(t, config, 0)
	})
	t.Run("deleted", func(t *testing.T) { agree(t, nil, 0) })
}

// TestServerKeepsOptionalParts: the wrapper implements all optional interfaces
// of the framework's server.
func TestServerKeepsOptionalParts(t *testing.T) {
	t.Parallel()
	bare := providerserver.NewProtocol6(provider.New(provider.Build{})())()
	served := provider.NewServer(provider.Build{}, true)()
	//nolint:staticcheck // deprecated means required soon; until then they are optional
	for name, has := range map[string]func(tfprotov6.ProviderServer) bool{
		"list resources": func(s tfprotov6.ProviderServer) bool {
			_, ok := s.(tfprotov6.ProviderServerWithListResource)
			return ok
		},
		"actions":      func(s tfprotov6.ProviderServer) bool { _, ok := s.(tfprotov6.ProviderServerWithActions); return ok },
		"state stores": func(s tfprotov6.ProviderServer) bool { _, ok := s.(tfprotov6.ProviderServerWithStateStores); return ok },
	} {
		if has(bare) != has(served) {
			t.Errorf("%s: framework %t, wrapper %t", name, has(bare), has(served))
		}
	}
	if reflect.TypeOf(bare) == reflect.TypeOf(served) {
		t.Error("the server is not wrapped: the framework's server lacks a part that the wrapper expects")
	}
	methods := reflect.TypeOf(bare)
	for i := range methods.NumMethod() {
		if name := methods.Method(i).Name; methods.Method(i).IsExported() {
			if _, ok := reflect.TypeOf(served).MethodByName(name); !ok {
				t.Errorf("the wrapper lacks %s", name)
			}
		}
	}
}
