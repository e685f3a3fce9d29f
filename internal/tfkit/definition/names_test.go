package definition_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

var named = definition.New(definition.Schema{Attributes: []definition.Attribute{
	{Name: "id"},
	{Name: "size", Type: definition.Number, Presence: definition.Optional},
	{Name: "local", Type: definition.Bool, Presence: definition.Optional, Local: true},
	{Name: "parts", Type: definition.ObjectList, Presence: definition.Optional, Attributes: []definition.Attribute{
		{Name: "name"}, {Name: "secret", Presence: definition.Optional, NotReturned: true},
	}},
	{Name: "labels", Type: definition.StringMap, Presence: definition.Optional},
}, DataSource: []definition.Attribute{{Name: "status", Presence: definition.Computed}}})

// panicOf returns with what a function panics, "" if it does not.
func panicOf(f func()) (message string) {
	defer func() {
		if r := recover(); r != nil {
			message = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

// TestMistakenNames: a name that is no attribute, or an attribute of another type, panics, wherever
// code reads or writes it; the message has the name.
func TestMistakenNames(t *testing.T) {
	t.Parallel()
	full := named.Full()
	reader, _ := definition.Read(full, full)
	part := reader.Objects("parts")[0]
	shown := named.ForDataSource()
	schema := func(a ...definition.Attribute) func() {
		return func() { definition.New(definition.Schema{Attributes: a}) }
	}
	for name, mistake := range map[string]func(){
		"read":              func() { reader.String("mistaken") },
		"has":               func() { reader.Has("mistaken") },
		"known":             func() { reader.Known("mistaken") },
		"fully known":       func() { reader.FullyKnown("mistaken") },
		"configured":        func() { reader.Configured("mistaken") },
		"nested":            func() { part.String("mistaken") },
		"at":                func() { definition.At(full, "mistaken") },
		"text at":           func() { definition.StringAt(full, "mistaken") },
		"number as text":    func() { reader.String("size") },
		"text as number":    func() { reader.Int64("id") },
		"list as map":       func() { reader.StringMap("parts") },
		"map as list":       func() { reader.Strings("labels") },
		"list as object":    func() { reader.Object("parts") },
		"write":             func() { named.Encode(definition.Tree{"mistaken": "x"}) },
		"write nested":      func() { named.Encode(definition.Tree{"parts": []any{definition.Tree{"mistaken": "x"}}}) },
		"write text":        func() { named.Encode(definition.Tree{"size": "1"}) },
		"write number":      func() { named.Encode(definition.Tree{"id": int64(1)}) },
		"write value":       func() { named.Encode(definition.Tree{"id": definition.NumberValue(1)}) },
		"write texts":       func() { named.Encode(definition.Tree{"parts": []string{"x"}}) },
		"write object":      func() { named.Encode(definition.Tree{"size": definition.Tree{}}) },
		"write Go type":     func() { named.Encode(definition.Tree{"size": int32(1)}) },
		"in a data source":  func() { shown.Encode(definition.Tree{"mistaken": "x"}) },
		"default":           schema(definition.Attribute{Name: "size", Type: definition.Number, Presence: definition.Optional, Default: 1}),
		"sibling":           schema(definition.Attribute{Name: "id", SameAsEmpty: "mistaken"}),
		"identity of a map": schema(definition.Attribute{Name: "parts", Type: definition.ObjectMap, IdentifiedBy: []string{"mistaken"}, Attributes: []definition.Attribute{{Name: "name"}}}),
		"derived":           func() { derivedWrong().Refreshed(derivedWrong().Full(), derivedWrong().Full()) },
	} {
		if message := panicOf(mistake); !strings.Contains(message, "attribute") {
			t.Errorf("%s: %q", name, message)
		}
	}
}

func derivedWrong() *definition.Definition {
	return definition.New(definition.Schema{Attributes: []definition.Attribute{{Name: "id"}}, Derive: func(definition.Value, definition.Value) map[string]definition.Value {
		return map[string]definition.Value{"mistaken": definition.StringValue("x")}
	}})
}

// TestNamesOfOthers: the conversion of a resource is used for its data sources too, each of which lacks
// what only the other has; a missing object has no names.
func TestNamesOfOthers(t *testing.T) {
	t.Parallel()
	tree := definition.Tree{"id": "a", "local": true, "parts": []any{definition.Tree{"name": "b", "secret": "c"}}, "status": "good"}
	shown := named.ForDataSource().Encode(tree)
	if got := definition.StringAt(shown, "status"); got != "good" {
		t.Errorf("the data source has the status %q", got)
	}
	if fields := definition.FieldsOf(shown); len(fields) != 5 {
		t.Errorf("the data source has %v", fields)
	}
	if fields := definition.FieldsOf(named.Encode(tree)); len(fields) != 5 || !definition.BoolOf(fields["local"]) {
		t.Errorf("the resource has %v", fields)
	}
	var missing definition.Reader
	if missing.String("anything") != "" || missing.Has("anything") || !definition.At(named.Null(), "id").IsNull() {
		t.Error("a missing object has something")
	}
}
