package httpapi

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// TestTextControlCharacters: terminal control characters are removed, newlines and
// tabs are kept.
func TestTextControlCharacters(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"two\nlines\tand a tab":      "two\nlines\tand a tab",
		"\x1b[31mred\x1b[0m":         " [31mred [0m",
		"\x1b]0;title\x07x":          " ]0;title x",
		"\x1b]8;;http://x\x1b\\link": " ]8;;http://x \\link",
		"a\rb":                       "a b",
		"\u202eabc\u202c":            "abc",
		"\u202a\u202b\u202d\u2066x\u2067y\u2068z\u2069": "xyz",
		"line\u2028paragraph\u2029":                     "line\nparagraph\n",
		"bad \xff\xfe utf-8":                            "bad ? utf-8",
		"":                                              "",
	} {
		if got := NewMasker().Text(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// TestTextMasksInterruptedSecrets: a removed character inside of a secret does
// not hide the secret from the masker.
func TestTextMasksInterruptedSecrets(t *testing.T) {
	t.Parallel()
	m := NewMasker("pl4nted-token").With(`{"key":"pl4nted-key"}`)
	for _, in := range []string{"pl4nted-\u202etoken", "pl4\u200bnted-key", "\u2066p\u2066l4nted-key"} {
		if got := m.Text(in); got != masked {
			t.Errorf("%q becomes %q", in, got)
		}
	}
}

// FuzzText: the result is bounded and harmless for any text.
func FuzzText(f *testing.F) {
	f.Add("\x1b[0m\u202e secret text")
	f.Add(strings.Repeat("é", MaxMessage))
	m := NewMasker("secret text")
	check := func(t rapid.TB, in string) {
		out := m.Text(in)
		if len(out) > MaxMessage+20 || strings.Contains(out, "secret text") {
			t.Errorf("%q", out)
		}
		for _, r := range out {
			if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
				t.Errorf("%U is in %q", r, out)
			}
		}
	}
	f.Fuzz(func(t *testing.T, in string) { check(t, in) })
}
