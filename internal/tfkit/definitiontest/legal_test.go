package definitiontest

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// recorder records whether a rule is violated.
type recorder struct{ broken bool }

func (r *recorder) Fatalf(string, ...any) { r.broken = true }

// TestLegal covers plans that Terraform accepts and plans that it rejects.
func TestLegal(t *testing.T) {
	t.Parallel()
	item := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"set": tftypes.String, "chosen": tftypes.String}}
	kind := tftypes.Object{AttributeTypes: map[string]tftypes.Type{
		"set": tftypes.String, "chosen": tftypes.String, "secret_wo": tftypes.String, "items": tftypes.List{ElementType: item}, "named": tftypes.Map{ElementType: item},
	}}
	nested := map[string]Rule{"set": {}, "chosen": {Computed: true}}
	rules := map[string]Rule{"set": {}, "chosen": {Computed: true}, "secret_wo": {WriteOnly: true}, "items": {Attributes: nested}, "named": {Attributes: nested}}
	type object = protocol.Object
	list := func(element object) object { return object{"items": []any{element}} }
	at := func(key string, element object) object { return object{"named": object{key: element}} }
	for name, test := range map[string]struct {
		prior        any
		config, plan object
		illegal      bool
	}{
		"as configured":               {nil, object{"set": "a"}, object{"set": "a"}, false},
		"another value":               {nil, object{"set": "a"}, object{"set": "b"}, true},
		"another value than left out": {nil, object{}, object{"set": "b"}, true},
		"the prior spelling":          {object{"set": "b"}, object{"set": "a"}, object{"set": "b"}, false},
		"the prior one of nothing":    {object{"set": "b"}, object{}, object{"set": "b"}, true},
		"a computed value":            {nil, object{}, object{"chosen": "b"}, false},
		"a computed one that is set":  {nil, object{"chosen": "a"}, object{"chosen": "b"}, true},
		"known for unknown":           {nil, object{"set": protocol.Unknown{}}, object{"set": "b"}, true},
		"the prior one for unknown":   {object{"set": "b"}, object{"set": protocol.Unknown{}}, object{"set": "b"}, true},
		"a write-only value":          {nil, object{"secret_wo": "a"}, object{}, false},
		"a write-only value planned":  {nil, object{"secret_wo": "a"}, object{"secret_wo": "a"}, true},
		"in an element":               {nil, list(object{"set": "a"}), list(object{"set": "a", "chosen": "b"}), false},
		"another in an element":       {nil, list(object{"set": "a"}), list(object{"set": "b"}), true},
		"the prior of an element":     {list(object{"set": "b"}), list(object{"set": "a"}), list(object{"set": "b"}), false},
		"at a key":                    {nil, at("a", object{"set": "a"}), at("a", object{"set": "a", "chosen": "b"}), false},
		"another at a key":            {nil, at("a", object{"set": "a"}), at("a", object{"set": "b"}), true},
		"the prior at a key":          {at("a", object{"set": "b"}), at("a", object{"set": "a"}), at("a", object{"set": "b"}), false},
		"the prior at another key":    {at("b", object{"set": "b"}), at("a", object{"set": "a"}), at("a", object{"set": "b"}), true},
		"another key":                 {nil, at("a", object{}), at("b", object{}), true},
		"an element more":             {nil, list(object{}), object{"items": []any{object{}, object{}}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &recorder{}
			LegalBy(r, rules, protocol.Value(kind, test.prior), protocol.Value(kind, test.config), protocol.Value(kind, test.plan))
			if r.broken != test.illegal {
				t.Errorf("illegal: %t, want %t", r.broken, test.illegal)
			}
		})
	}
}
