package printable_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/printable"
)

// TestForeign: no line of a text of others looks like one of the CLI or of a CI, and what is
// invisible is removed.
func TestForeign(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"one line":   "one line",
		"":           "",
		"two\nlines": "two\n  | lines",
		"\n\nfirst\r\n\n \nApply complete! Resources: 1 added\n": "first\n  | Apply complete! Resources: 1 added",
		"made harmless\n  | before":                              "made harmless\n  | before",
		"::add-mask::alice":                                      ": :add-mask::alice",
		"x   ::stop-commands::t":                                 "x   : :stop-commands::t",
		"x\n::error file=a::b":                                   "x\n  | : :error file=a::b",
		"a ##[add-mask]alice ##vso[task.setvariable]b":           "a ## [add-mask]alice ## vso[task.setvariable]b",
		"dial tcp [fe80::a1]:443, std::vector, ::1":              "dial tcp [fe80::a1]:443, std::vector, ::1",
		"padded to the width Error: it failed":                   "padded to the width\u00a0Error: it failed",
		"twice  Error: Error: x":                                 "twice\u00a0Error:\u00a0Error: x",
		"e\u0301\u0302\u0303\u0304n":                             "e\u0301\u0302n",
		"e\u0301\u0302n\u0303\u0304\u0305":                       "e\u0301\u0302n\u0303\u0304",
		"\u0301\u0302\u0303e":                                    "\u0301\u0302e",
		"m\u2800\u3164\u034f\ufe0f\u180b\u115f\uffa0\u202e1":     "m1",
		"n\U0001d1591":                                           "n1",
		"e\u20dd\u20dd\u20dd":                                    "e\u20dd\u20dd",
		"wide\u2003and\u00a0fixed\u3000spaces":                   "wide and fixed spaces",
		"a\u2028b\u2029c":                                        "a\n  | b\n  | c",
		"\x1b[2Jred\ttab":                                        " [2Jred\ttab",
	} {
		if got := printable.Foreign(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
	if got := printable.Clean("Title:\n\n  parties\u202e\n::warning::x Error: y"); got != "Title:\n\n  parties\n: :warning::x\u00a0Error: y" {
		t.Errorf("an own text becomes %q", got)
	}
}

// TestHarmless: whatever a text has, nothing in it is a command of a CI, and it does not change
// any more.
func TestHarmless(t *testing.T) {
	t.Parallel()
	command := regexp.MustCompile(`(?m)^\s*::[a-zA-Z][^\n]*::|##\w*\[`)
	parts := []string{"::", ":", "##", "#", "[", "vso[", "error", " ", "\n", "\r", "\t", "\u00a0", "\u200b", "\u0301", "Error: ", "  | ", "x"}
	rapid.Check(t, func(t *rapid.T) {
		in := strings.Join(rapid.SliceOf(rapid.SampledFrom(parts)).Draw(t, "parts"), "")
		out := printable.Foreign(in)
		if command.MatchString(out) || command.MatchString(strings.ReplaceAll(out, " ", "\n")) {
			t.Errorf("%q has a command: %q", in, out)
		}
		for i, line := range strings.Split(out, "\n") {
			if i > 0 && !strings.HasPrefix(line, printable.Prefix) {
				t.Errorf("%q has a line of its own: %q", in, out)
			}
		}
		if again := printable.Foreign(out); again != out {
			t.Errorf("%q becomes %q, and then %q", in, out, again)
		}
		if strings.ContainsFunc(out, func(r rune) bool { return r != '\n' && r != '\t' && unicode.IsControl(r) }) {
			t.Errorf("%q has a control character: %q", in, out)
		}
	})
}
