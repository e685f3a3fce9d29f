// Package phrasetest has texts for tests of what is shown of a plan.
package phrasetest

import "strings"

// Hostile are texts that mean something in a language in which values are shown.
var Hostile = []string{
	"alice", "", " ", "@octocat", "#123", "!5", "owner/repo#1", "https://evil.example", "www.evil.example", "a@b.example", "a@b.example|x",
	"<script>alert(1)</script>", "<!-- -->", "</details>", "]()[x](javascript:y)", "![x](http://x)", "`code`", "``", "```\nmermaid", "a|b", "\\|", "\\`",
	"**bold**", "_x_", "~~x~~", "$x^2$", "$`x`$", ":smile:", "&amp;", "&#96;", "- [ ] x", "1. x", "- x", "# x", "> x", "\n\n# x", "\r\n---", "\tx",
	"\x1b[31mred", "\a", "\u202eevil", "\u2066x\u2069", "\u200b", "\ufeff", "\u2028", "\x00", "\xff\xfe", "e\u0301\u0301\u0301\u0301\u0301",
	`"]; click n0 "javascript:x"`, `"--> n1`, "end", "%%{init: {}}%%", "%% x", "#quot;", "fl°°34¶ß", "style:x#1;", "classDef:x#1;", "fa:fa-user", "$$x$$", "graph;", "subgraph x",
	strings.Repeat("x", 5000), strings.Repeat("`", 300), "模型-一", "Zürich",
	"\ufb02\u00b0\u00b08238;bob", "\ufb02\u00b0\u00b060;", "\u05d0-1", "(sensitive)", "(known after apply)", "::add-mask::alice", "x ::error file=a::b", "##[add-mask]alice", "m\u2800\u3164\u034f\ufe0f1",
}
