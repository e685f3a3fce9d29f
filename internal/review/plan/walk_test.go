package plan

import "testing"

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
