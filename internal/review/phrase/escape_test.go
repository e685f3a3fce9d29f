package phrase

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/printable"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase/phrasetest"
)

var (
	codeSpan = regexp.MustCompile("^`[^`|\\\\<>&$\n]+`$")
	codeTag  = regexp.MustCompile(`^<code>(?:[A-Za-z0-9 ]|[^\x00-\x7f]|&#\d{1,3};)+</code>$`)
	label    = regexp.MustCompile(`^(?:[A-Za-z0-9 ]|[^\x00-\x7f]|#\d{1,7};|[A-Za-z0-9][-_/][A-Za-z0-9])*$`)
)

// ofWhole is what follows a value that is cut.
var ofWhole = regexp.MustCompile(` \(\d+ characters, SHA-256 [0-9a-f]{12}\)$`)

// checkClean: one line of visible characters, of bounded length.
func checkClean(t *testing.T, escaped string, limit int) {
	t.Helper()
	escaped = strings.NewReplacer("\u2068", "", "\u2069", "").Replace(escaped) // around what is written from right to left
	if !utf8.ValidString(escaped) {
		t.Errorf("%q is not UTF-8", escaped)
	}
	for _, r := range escaped {
		if !unicode.IsPrint(r) && !unicode.IsMark(r) || printable.Invisible(r) {
			t.Errorf("%q has %U", escaped, r)
		}
	}
	if strings.HasPrefix(escaped, "::") || strings.Contains(escaped, " ::a") || strings.Contains(escaped, "##[") {
		t.Errorf("%q has a command of a CI", escaped)
	}
	if n := utf8.RuneCountInString(escaped); n > limit {
		t.Errorf("%d characters", n)
	}
}

func checkEscapes(t *testing.T, text string) {
	t.Helper()
	checkClean(t, Text(text), MaxShown*(1+printable.MaxMarks)+1)

	markdown := ofWhole.ReplaceAllString(English.Markdown(text, MaxShown), "")
	checkClean(t, markdown, (MaxShown*(1+printable.MaxMarks)+1)*6+13)
	if markdown != "" && !codeSpan.MatchString(markdown) && !codeTag.MatchString(markdown) {
		t.Errorf("%q is no code in Markdown: %s", text, markdown)
	}
	if strings.HasPrefix(markdown, "<code>") && (strings.Contains(markdown, "&#64;") || strings.Contains(markdown, "@")) {
		t.Errorf("%q has an address of which GitHub makes a link: %s", text, markdown)
	}

	mermaid := Mermaid(text)
	checkClean(t, mermaid, (MaxLabel*(1+printable.MaxMarks)+1)*11)
	// What is between two letters may be followed by another such character.
	if !label.MatchString(regexp.MustCompile(`([A-Za-z0-9])[-_/]([A-Za-z0-9])`).ReplaceAllString(regexp.MustCompile(`([A-Za-z0-9])[-_/]([A-Za-z0-9])`).ReplaceAllString(mermaid, "$1$2"), "$1$2")) {
		t.Errorf("%q is no label: %s", text, mermaid)
	}
	for _, magic := range []string{"°", "¶", "end\n"} {
		if strings.Contains(mermaid, magic) {
			t.Errorf("%q has %q: %s", text, magic, mermaid)
		}
	}

}

func TestEscapes(t *testing.T) {
	t.Parallel()
	for _, text := range phrasetest.Hostile {
		checkEscapes(t, text)
	}
	for text, want := range map[string]string{
		"alice":       "`alice`",
		`x["a"]`:      "`x[\"a\"]`",
		"a|b":         "<code>a&#124;b</code>",
		"a@b.c|x":     "<code>a＠b&#46;c&#124;x</code>",
		"a\n\nb\tc ":  "`a b c`",
		"\u202ealice": "`\ufffdalice`",
		"":            "",
	} {
		if got := English.Markdown(text, MaxShown); got != want {
			t.Errorf("Markdown(%q) = %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"glm-1": "glm-1", "- x": "#45; x", "1. x": "1#46; x", `a"]`: "a#34;#93;", "a_b/c-": "a_b/c#45;",
		"$$x$$": "#65284;#65284;x#65284;#65284;", "fa:fa-user": "fa#58; fa-user", "fl°°34¶ß": "fl #176;#176;34#182; ß",
	} {
		if got := Mermaid(text); got != want {
			t.Errorf("Mermaid(%q) = %s, want %s", text, got, want)
		}
	}
}

func FuzzEscapes(f *testing.F) {
	for _, text := range phrasetest.Hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkEscapes(t, text) })
}
