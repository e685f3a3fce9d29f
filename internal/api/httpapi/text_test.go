package httpapi

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/printable"
)

// TestTextControlCharacters: terminal control characters are removed, tabs are
// kept, and lines are marked.
func TestTextControlCharacters(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"two\nlines\tand a tab":      "two\n  | lines\tand a tab",
		"\x1b[31mred\x1b[0m":         " [31mred [0m",
		"\x1b]0;title\x07x":          " ]0;title x",
		"\x1b]8;;http://x\x1b\\link": " ]8;;http://x \\link",
		"a\rb":                       "a b",
		"\u202eabc\u202c":            "abc",
		"\u202a\u202b\u202d\u2066x\u2067y\u2068z\u2069": "xyz",
		"line\u2028paragraph\u2029":                     "line\n  | paragraph",
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

// TestMasksPrintableSecrets: a secret that another masker has made printable is masked, as where a
// wait masks the texts of a request that it shares.
func TestMasksPrintableSecrets(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{"a key\n\nof two lines", "pl4nted ::secret::x", "pl4nted ##[secret]", "pl4\u200bnted", "pl4nted Error: x"} {
		if got := NewMasker(secret).Text(Text("it is " + secret + ".")); got != "it is ***." {
			t.Errorf("%q becomes %q", secret, got)
		}
	}
}

// TestQuoteAll: of many names the first are listed.
func TestQuoteAll(t *testing.T) {
	t.Parallel()
	if got := QuoteAll([]string{"a", "b\"\u202e"}); got != `"a", "b\"\u202e"` {
		t.Error(got)
	}
	many := slices.Repeat([]string{"a"}, maxQuoted)
	if got := QuoteAll(many); !strings.HasSuffix(got, `"a", "a"`) {
		t.Error(got)
	}
	if got := QuoteAll(append(many, "b", "c")); !strings.HasSuffix(got, `"a", "a" and 2 more`) {
		t.Error(got)
	}
}

// FuzzText: the result is bounded and harmless for any text. A long text is a short one,
// repeated: the fuzzer would spend its time on making a long one shorter.
func FuzzText(f *testing.F) {
	f.Add("\x1b[0m\u202e secret text\n::", uint16(1))
	f.Add("é", uint16(MaxMessage))
	m := NewMasker("secret text")
	const longest = 1 << 10
	f.Fuzz(func(t *testing.T, in string, times uint16) {
		in = in[:min(len(in), longest)]
		in = strings.Repeat(in, min(int(times), 2*maxMasked/max(len(in), 1)+1))
		out := m.Text(in)
		if len(out) > MaxMessage+20 || strings.Contains(out, "secret text") {
			t.Errorf("%q", out)
		}
		for _, r := range out {
			if r != '\n' && r != '\t' && (unicode.IsControl(r) || printable.Invisible(r)) {
				t.Errorf("%U is in %q", r, out)
			}
		}
	})
}
