package phrase

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/printable"
)

// The number of characters up to which a value is shown.
const (
	maxShown = 120
	MaxLabel = 48
)

// Clean returns a text in one line without characters that are invisible or
// change how others are shown, and without commands of a CI, and cuts a long one.
func Clean(text string, limit int) string {
	return printable.WithoutCommands(inOneLine(text, limit))
}

func inOneLine(text string, limit int) string {
	var b strings.Builder
	runes, marks, space := 0, 0, false
	for _, r := range text {
		if runes >= limit {
			return strings.TrimRight(b.String(), " ") + "…"
		}
		switch {
		case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Me, r):
			if marks++; marks > printable.MaxMarks || printable.Invisible(r) {
				continue
			}
		case unicode.IsSpace(r):
			if space || runes == 0 {
				continue
			}
			r = ' '
			marks = 0
		default:
			marks = 0
			if !unicode.IsPrint(r) || printable.Invisible(r) {
				r = utf8.RuneError
			}
		}
		space = r == ' '
		b.WriteRune(r)
		runes++
	}
	return strings.TrimRight(b.String(), " ")
}

// JSONText writes what is invisible in JSON as \u escapes, which mean the same.
func JSONText(content []byte) []byte {
	var escaped []byte
	for _, r := range string(content) {
		switch {
		case r == '#' && bytes.HasSuffix(escaped, []byte("#")): // begins a command of some CIs
			escaped = append(escaped, `\u0023`...)
		case r == '\n', (unicode.IsPrint(r) || unicode.IsMark(r)) && !printable.Invisible(r):
			escaped = utf8.AppendRune(escaped, r)
		default:
			for _, unit := range utf16.Encode([]rune{r}) {
				escaped = fmt.Appendf(escaped, `\u%04x`, unit)
			}
		}
	}
	return escaped
}

// Text escapes a value for a terminal: one line of printable characters.
func Text(value string) string { return Clean(value, maxShown) }

// Markdown escapes a value for Markdown: it is code, in which GitHub, GitLab
// and Gitea look for no markup, link, mention or reference, also in a table.
func Markdown(value string) string {
	text := Clean(value, maxShown)
	switch {
	case text == "":
		return ""
	case !strings.ContainsAny(text, "`|\\<>&$"):
		return "`" + text + "`"
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '@': // GitHub makes links of addresses between tags, after it has decoded them
			b.WriteRune('＠')
		case r < utf8.RuneSelf && !IsAlphanumeric(r) && r != ' ':
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return "<code>" + b.String() + "</code>"
}

// decoded is what Mermaid looks for after it has decoded a label: formulas, icons
// and its own form of escapes. They are changed, since they cannot be escaped.
var decoded = strings.NewReplacer("$", "＄", ":fa-", ": fa-", "fl°", "fl °", "¶ß", "¶ ß")

// Mermaid escapes a value for a label in double quotes of a Mermaid graph,
// which is read as Mermaid, as Markdown and as HTML.
func Mermaid(value string) string {
	var b strings.Builder
	text := []rune(decoded.Replace(Clean(value, MaxLabel)))
	for i, r := range text {
		inWord := i > 0 && i+1 < len(text) && IsAlphanumeric(text[i-1]) && IsAlphanumeric(text[i+1])
		switch {
		case IsAlphanumeric(r), r == ' ', inWord && strings.ContainsRune("-_/", r):
			b.WriteRune(r)
		case r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '…'):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}

// IsAlphanumeric reports whether a character is a Latin letter or a digit.
func IsAlphanumeric(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
}
