package appimage

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"pgregory.net/rapid"
)

// drawn is a configuration that prints as what was set.
type drawn struct{ tree }

// GoString shows the tree in the report of a failed property.
func (d drawn) GoString() string { return fmt.Sprint(d.tree) }

// configs draws configurations in which every attribute that may be left out is
// left out, empty, or one of a few values, so that two draws often mean the
// same in different spellings. With unknowns, any part may be unknown.
func configs(unknowns bool) *rapid.Generator[drawn] {
	return rapid.Custom(func(t *rapid.T) drawn {
		d := generator{t: t, unknowns: unknowns}
		out := d.fields(definition, resourceSchema().Attributes)
		out["name"] = "app"
		return drawn{out}
	})
}

type generator struct {
	t        *rapid.T
	unknowns bool
}

func (g generator) fields(m meaning, attributes map[string]schema.Attribute) tree {
	out := tree{}
	for _, name := range sortedFields(m) {
		out[name] = g.attribute(name, m.fields[name], attributes[name])
	}
	return out
}

func (g generator) unknown() bool {
	return g.unknowns && rapid.IntRange(0, 24).Draw(g.t, "unknown") == 24
}

func (g generator) attribute(name string, m meaning, attribute schema.Attribute) any {
	if g.unknown() {
		return unknown{}
	}
	if attribute.IsOptional() && rapid.IntRange(0, 2).Draw(g.t, "absent") == 0 {
		return nil
	}
	texts := []string{"", "a", "b"}
	switch name {
	case "protocol":
		texts = []string{"", "HTTP", "GRPC"}
	case "scope":
		texts = []string{"", "Local", "Domain"}
	case "cpu", "memory":
		texts = []string{"", "0", "0.1", "100m", "1", "1000m", "1Gi", "1024Mi", "1.5Gi", "1536Mi", "128974848000m", "129e6"}
	}
	text := rapid.SampledFrom(texts)
	switch m.kind {
	case kindText, kindQuantity:
		return text.Draw(g.t, "text")
	case kindNumber:
		return rapid.IntRange(0, 2).Draw(g.t, "number")
	case kindTexts:
		return rapid.SliceOfN(text, 0, 2).Draw(g.t, "texts")
	case kindTextMap:
		return rapid.MapOfN(rapid.SampledFrom([]string{"a.conf", "b.conf"}), text, 0, 2).Draw(g.t, "map")
	case kindObjects:
		out := []any{}
		for range rapid.IntRange(0, 2).Draw(g.t, "length") {
			if g.unknown() {
				out = append(out, unknown{})
				continue
			}
			out = append(out, g.fields(*m.element, attribute.(schema.ListNestedAttribute).NestedObject.Attributes))
		}
		return out
	default:
		return g.fields(m, attribute.(schema.SingleNestedAttribute).Attributes)
	}
}

// resolve draws a value for everything that is unknown.
func resolve(t *rapid.T, open tree) drawn {
	return rapid.Custom(func(t *rapid.T) drawn {
		// A custom generator has to draw something, also when all is known.
		rapid.Bool().Draw(t, "unused")
		g := generator{t: t}
		return drawn{g.resolveFields(open, definition, resourceSchema().Attributes)}
	}).Draw(t, "resolved")
}

func (g generator) resolveFields(open tree, m meaning, attributes map[string]schema.Attribute) tree {
	out := tree{}
	for _, name := range sortedFields(m) {
		field, attribute := m.fields[name], attributes[name]
		switch v := open[name].(type) {
		case unknown:
			out[name] = g.attribute(name, field, attribute)
		case tree:
			out[name] = g.resolveFields(v, field, attribute.(schema.SingleNestedAttribute).Attributes)
		case []any:
			elements := []any{}
			nested := attribute.(schema.ListNestedAttribute).NestedObject.Attributes
			for _, element := range v {
				if e, ok := element.(tree); ok {
					elements = append(elements, g.resolveFields(e, *field.element, nested))
				} else {
					elements = append(elements, g.fields(*field.element, nested))
				}
			}
			out[name] = elements
		default:
			out[name] = v
		}
	}
	return out
}

// TestPropertySequence: whatever the configuration, and whatever it was before:
// the plan is legal, can be carried out, reads back as planned, and the next
// plan is empty; an import gives the same as a create.
func TestPropertySequence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prior := none()
		for i := range 3 {
			wanted := config(configs(false).Draw(t, fmt.Sprint("config ", i)).tree)
			change := plan(wanted, prior)
			legal(t, prior, wanted, change.planned)
			state := applied(t, change.planned)
			if again := plan(wanted, state); again.replace || !again.planned.Equal(state) {
				t.Fatalf("the next plan is not empty: %v", diff(again.planned, state))
			}
			wire, _ := toWire(definitionOf(change.planned))
			imported := refreshed(fromWire(served(wire)), none())
			if again := plan(wanted, imported); !again.planned.Equal(imported) {
				t.Fatalf("the plan after an import is not empty: %v", diff(again.planned, imported))
			}
			for _, revision := range []string{attrRolloutRevision, attrDefinitionRevision} {
				if !fieldsOf(imported)[revision].Equal(fieldsOf(state)[revision]) {
					t.Fatalf("import and create differ in %s", revision)
				}
			}
			same := len(definition.differences(definitionOf(prior), definitionOf(change.planned), path.Empty())) == 0
			if !prior.IsNull() && same != change.planned.Equal(prior) {
				t.Fatalf("the same meaning: %v, an empty plan: %v", same, change.planned.Equal(prior))
			}
			prior = state
		}
	})
}

// TestPropertyUnknown: with any part of a configuration unknown the plan is
// legal, and what it shows as known is what the apply then does.
func TestPropertyUnknown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prior := none()
		if rapid.Bool().Draw(t, "update") {
			prior = applied(t, plan(config(configs(false).Draw(t, "prior").tree), none()).planned)
		}
		drawn := configs(true).Draw(t, "config").tree
		open := config(drawn)
		early := plan(open, prior).planned
		legal(t, prior, open, early)

		known := config(resolve(t, drawn).tree)
		late := plan(known, prior).planned
		legal(t, prior, known, late)
		if at, ok := conforms(early, late, "app image"); !ok {
			t.Fatalf("planned something else than was done: %s", at)
		}
		_ = issues(open)
		applied(t, late)
	})
}

// applied is afterApply for properties.
func applied(t *rapid.T, planned tftypes.Value) tftypes.Value {
	request, diags := createRequest(planned)
	if diags.HasError() {
		t.Fatalf("request: %v", diags)
	}
	state := refreshed(fromWire(served(request)), planned)
	if !state.Equal(planned) {
		t.Fatalf("the server's answer is not as planned: %v", diff(state, planned))
	}
	return state
}

func diff(a, b tftypes.Value) any {
	found, err := a.Diff(b)
	if err != nil {
		return err
	}
	return found
}

// conforms is Terraform's rule for the plan that is made again at apply: what
// was known must not have changed.
func conforms(early, late tftypes.Value, at string) (string, bool) {
	if !early.IsKnown() || early.Equal(late) {
		return "", true
	}
	if early.IsNull() || !late.IsKnown() || late.IsNull() {
		return at, false
	}
	switch {
	case early.Type().Is(tftypes.Object{}) || early.Type().Is(tftypes.Map{}):
		a, b := fieldsOf(early), fieldsOf(late)
		if len(a) != len(b) {
			return at, false
		}
		for name := range a {
			if at, ok := conforms(a[name], b[name], at+"."+name); !ok {
				return at, false
			}
		}
		return "", true
	case early.Type().Is(tftypes.List{}):
		a, b := elementsOf(early), elementsOf(late)
		if len(a) != len(b) {
			return at, false
		}
		for i := range a {
			if at, ok := conforms(a[i], b[i], fmt.Sprintf("%s[%d]", at, i)); !ok {
				return at, false
			}
		}
		return "", true
	default:
		return at, false
	}
}

// legal is Terraform's rule for plans: a value is as configured, or the prior
// one while both are set, or anything for a computed attribute that is left
// out.
func legal(t *rapid.T, prior, wanted, planned tftypes.Value) {
	for name, attribute := range resourceSchema().Attributes {
		legalValue(t, name, attribute, fieldsOf(prior)[name], fieldsOf(wanted)[name], fieldsOf(planned)[name])
	}
}

func legalValue(t *rapid.T, at string, attribute schema.Attribute, prior, wanted, planned tftypes.Value) {
	priorIsSet := prior.Type() != nil && !prior.IsNull()
	switch {
	case planned.Equal(wanted):
		return
	case priorIsSet && planned.Equal(prior) && !wanted.IsNull():
		return
	case wanted.IsNull() && attribute.IsComputed():
		return
	case wanted.IsNull() || planned.IsNull():
		t.Fatalf("%s: planned %v for %v", at, planned, wanted)
	case !wanted.IsKnown() || !planned.IsKnown():
		t.Fatalf("%s: planned %v for %v", at, planned, wanted)
	}
	switch a := attribute.(type) {
	case schema.SingleNestedAttribute:
		legalFields(t, at, a.Attributes, prior, wanted, planned)
	case schema.ListNestedAttribute:
		want, got, before := elementsOf(wanted), elementsOf(planned), []tftypes.Value(nil)
		if priorIsSet {
			before = elementsOf(prior)
		}
		if len(want) != len(got) {
			t.Fatalf("%s: planned %d elements for %d", at, len(got), len(want))
		}
		for i := range want {
			elementPrior := tftypes.Value{}
			if i < len(before) {
				elementPrior = before[i]
			}
			if !want[i].IsKnown() {
				if got[i].IsKnown() {
					t.Fatalf("%s[%d]: planned %v for an unknown element", at, i, got[i])
				}
				continue
			}
			legalFields(t, fmt.Sprintf("%s[%d]", at, i), a.NestedObject.Attributes, elementPrior, want[i], got[i])
		}
	default:
		t.Fatalf("%s: planned %v for %v, before %v", at, planned, wanted, prior)
	}
}

func legalFields(t *rapid.T, at string, attributes map[string]schema.Attribute, prior, wanted, planned tftypes.Value) {
	before := map[string]tftypes.Value{}
	if prior.Type() != nil {
		before = fieldsOf(prior)
	}
	for name, attribute := range attributes {
		legalValue(t, at+"."+name, attribute, before[name], fieldsOf(wanted)[name], fieldsOf(planned)[name])
	}
}

// FuzzName: no import id or name makes the check fail in itself, and what it
// accepts is what Kuscia and Kubernetes accept.
func FuzzName(f *testing.F) {
	for _, seed := range []string{"", "a", "secretflow-1.2.0", "A", "a..b", "a.-b", "-a", "a_b", "a/b", "é"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if checkName(name) == "" && (!kusciaName.MatchString(name) || !kubernetesName.MatchString(name)) {
			t.Errorf("%q is accepted", name)
		}
	})
}

// FuzzAnswer: no answer makes reading it fail, and what was read is stable.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(`{"name":"a","deploy_templates":[{"name":"t","containers":[{"name":"c","resources":{"limits":{"cpu":"100m"}},"liveness_probe":{}}]}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		image, err := decodeImage(body)
		if err != nil {
			t.Skip("not an answer")
		}
		state := refreshed(fromWire(image), none())
		if again := refreshed(fromWire(image), state); !again.Equal(state) {
			t.Error("reading the same answer twice differs")
		}
		_ = issues(state)
		if request, diags := createRequest(state); diags.HasError() {
			t.Error(diags)
		} else if len(definition.differences(definitionOf(state), fromWire(request), path.Empty())) > 0 {
			t.Error("the request differs from the answer")
		}
	})
}
