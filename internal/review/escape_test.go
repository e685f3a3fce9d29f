package review

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/printable"
)

// hostile are texts that mean something in a language in which values are shown.
var hostile = []string{
	"alice", "", " ", "@octocat", "#123", "!5", "owner/repo#1", "https://evil.example", "www.evil.example", "a@b.example", "a@b.example|x",
	"<script>alert(1)</script>", "<!-- -->", "</details>", "]()[x](javascript:y)", "![x](http://x)", "`code`", "``", "```\nmermaid", "a|b", "\\|", "\\`",
	"**bold**", "_x_", "~~x~~", "$x^2$", "$`x`$", ":smile:", "&amp;", "&#96;", "- [ ] x", "1. x", "- x", "# x", "> x", "\n\n# x", "\r\n---", "\tx",
	"\x1b[31mred", "\a", "\u202eevil", "\u2066x\u2069", "\u200b", "\ufeff", "\u2028", "\x00", "\xff\xfe", "e\u0301\u0301\u0301\u0301\u0301",
	`"]; click n0 "javascript:x"`, `"--> n1`, "end", "%%{init: {}}%%", "%% x", "#quot;", "fl°°34¶ß", "style:x#1;", "classDef:x#1;", "fa:fa-user", "$$x$$", "graph;", "subgraph x",
	strings.Repeat("x", 5000), strings.Repeat("`", 300), "模型-一", "Zürich",
	"::add-mask::alice", "x ::error file=a::b", "##[add-mask]alice", "m\u2800\u3164\u034f\ufe0f1",
}

var (
	codeSpan = regexp.MustCompile("^`[^`|\\\\<>&$\n]+`$")
	codeTag  = regexp.MustCompile(`^<code>(?:[A-Za-z0-9 ]|[^\x00-\x7f]|&#\d{1,3};)+</code>$`)
	label    = regexp.MustCompile(`^(?:[A-Za-z0-9 ]|[^\x00-\x7f]|#\d{1,7};|[A-Za-z0-9][-_/][A-Za-z0-9])*$`)
)

// checkClean: one line of visible characters, of bounded length.
func checkClean(t *testing.T, escaped string, limit int) {
	t.Helper()
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
	checkClean(t, Text(text), maxShown*(1+printable.MaxMarks)+1)

	markdown := Markdown(text)
	checkClean(t, markdown, (maxShown*(1+printable.MaxMarks)+1)*6+13)
	if markdown != "" && !codeSpan.MatchString(markdown) && !codeTag.MatchString(markdown) {
		t.Errorf("%q is no code in Markdown: %s", text, markdown)
	}
	if strings.HasPrefix(markdown, "<code>") && (strings.Contains(markdown, "&#64;") || strings.Contains(markdown, "@")) {
		t.Errorf("%q has an address of which GitHub makes a link: %s", text, markdown)
	}

	mermaid := Mermaid(text)
	checkClean(t, mermaid, (maxLabel*(1+printable.MaxMarks)+1)*11)
	// What is between two letters may be followed by another such character.
	if !label.MatchString(regexp.MustCompile(`([A-Za-z0-9])[-_/]([A-Za-z0-9])`).ReplaceAllString(regexp.MustCompile(`([A-Za-z0-9])[-_/]([A-Za-z0-9])`).ReplaceAllString(mermaid, "$1$2"), "$1$2")) {
		t.Errorf("%q is no label: %s", text, mermaid)
	}
	for _, magic := range []string{"°", "¶", "end\n"} {
		if strings.Contains(mermaid, magic) {
			t.Errorf("%q has %q: %s", text, magic, mermaid)
		}
	}

	if mark := Mark(text); strings.Count(mark, "--") != 2 || strings.Count(mark, ">") != 1 || strings.ContainsAny(mark, "\n\r") {
		t.Errorf("%q is no mark: %s", text, mark)
	}
}

func TestEscapes(t *testing.T) {
	t.Parallel()
	for _, text := range hostile {
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
		if got := Markdown(text); got != want {
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
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkEscapes(t, text) })
}

// What lines of a review look like: values are in code, and the rest is made of
// this program's words.
var (
	spans      = regexp.MustCompile("`[^`|]+`|<code>[^<|]+</code>")
	ownLine    = regexp.MustCompile(`^(?:<!-- kuscia-review -->|<details><summary>Everything else \(\d+\)</summary>|</details>|(?:### |> )?[A-Za-z0-9 ,.:;|→()*_/-]*)$`)
	graphLine  = regexp.MustCompile(`^(?:%%\{init: \{"flowchart": \{"wrappingWidth": 300}}}%%|flowchart (?:LR|TB)|  classDef [a-z]+ [a-z0-9#:, -]+|  n\d+(?:\[L\]|\[\(L\)\]|\(\[L\]\)):::[a-z]+|  n\d+ [<=.>-]+(?:\|L\|)? n\d+)$`)
	graphLabel = regexp.MustCompile("\"`[^\"`<>*]*`\"")
)
