package acctest

import "testing"

func TestLineDiff(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ before, after, want string }{
		"changed": {"a\nb\nc", "a\nx\nc", "  a\n- b\n+ x\n  c\n"},
		"added":   {"a\nc", "a\nb\nc\nd", "  a\n+ b\n  c\n+ d\n"},
		"removed": {"a\nb\nc", "b", "- a\n  b\n- c\n"},
		"moved":   {"a\nb\nc", "b\nc\na", "- a\n  b\n  c\n+ a\n"},
		"no file": {"", "a", "- \n+ a\n"},
	} {
		if got := lineDiff(test.before, test.after); got != test.want {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}
