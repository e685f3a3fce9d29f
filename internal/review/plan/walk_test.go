package plan

import (
	"maps"
	"strings"
	"testing"
)

// TestDeepValues: of a value with many levels, those at the bottom are one difference.
func TestDeepValues(t *testing.T) {
	t.Parallel()
	deep := func(bottom string) Value {
		var v any = bottom
		for range 9000 {
			v = map[string]any{"a": "x", "b": v}
		}
		return Value{Raw: v}
	}
	for name, before := range map[string]Value{"new": {}, "changed": deep("x")} {
		all := Differences(before, deep("y"))
		last := all[len(all)-1]
		if len(all) > maxLevels+1 || len(last.Path) != maxLevels || !Differs(last.Before, last.After) {
			t.Errorf("%s: %d differences, the last one at %d levels", name, len(all), len(last.Path))
		}
	}
}

// TestKeysAreCheap: the keys of an object cost no more than their list, and no errors of numbers that they are not: a
// review asks for them at every level of every object.
func TestKeysAreCheap(t *testing.T) {
	raw := map[string]any{}
	for _, key := range strings.Fields("access_mode author domain_id endpoints id labels name parties status timeouts version") {
		raw[key] = key
	}
	v := Value{Raw: raw}
	if n := testing.AllocsPerRun(10, func() { v.AllKeys() }); n > 3 {
		t.Errorf("the keys of an object take %v allocations", n)
	}
	same := Value{Raw: maps.Clone(raw)}
	if n := testing.AllocsPerRun(10, func() { Differs(v, same) }); n > 0 {
		t.Errorf("a comparison takes %v allocations", n)
	}
}

// TestKeysInOrder: numbers are first, in their order.
func TestKeysInOrder(t *testing.T) {
	t.Parallel()
	v := Value{Raw: map[string]any{"10": 1, "2": 1, "1a": 1, "a": 1, "01": 1, "1": 1, "-": 1}}
	if got := strings.Join(v.AllKeys(), " "); got != "01 1 2 10 - 1a a" {
		t.Errorf("the keys are %s", got)
	}
}
