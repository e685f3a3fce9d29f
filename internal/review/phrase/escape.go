package phrase

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/printable"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secrets"
)

// The number of characters up to which a value is shown.
const (
	MaxShown = 120
	MaxLabel = 48
)

// Clean returns a text in one line without characters that are invisible or
// change how others are shown, and without commands of a CI. A long one is cut in the middle.
func Clean(text string, limit int) string {
	cleaned, _ := cut(text, limit)
	return cleaned
}

// cut is Clean, and whether the text is cut.
func cut(text string, limit int) (cleaned string, isCut bool) {
	cleaned, whole := inOneLine(text, limit)
	if !whole {
		tail := limit / 3
		cleaned, _ = inOneLine(text, limit-tail)
		cleaned += ellipsis + end(text, tail)
	}
	return printable.WithoutCommands(cleaned), !whole
}

const ellipsis = "…"

// end is the last characters of a text.
func end(text string, limit int) string {
	from := max(0, len(text)-(1+printable.MaxMarks)*utf8.UTFMax*limit)
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	line, _ := inOneLine(text[from:], len(text))
	runes := []rune(line)
	runes = runes[max(0, len(runes)-limit):]
	for len(runes) > 0 && unicode.In(runes[0], unicode.Mn, unicode.Me) { // belongs to the letter before
		runes = runes[1:]
	}
	return string(runes)
}

// inOneLine returns the first characters of a text in one line, and whether that is all of it.
func inOneLine(text string, limit int) (line string, whole bool) {
	var b strings.Builder
	runes, marks, space := 0, 0, false
	for _, r := range text {
		if runes >= limit && !unicode.IsSpace(r) {
			return strings.TrimRight(b.String(), " "), false
		}
		switch {
		case r > ' ' && r < unicode.MaxASCII: // is shown as it is
			marks = 0
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
	return strings.TrimRight(b.String(), " "), true
}

// isolated keeps the letters of a text that are written from right to left from changing the order
// of what is beside it.
func isolated(text string) string {
	if strings.IndexFunc(text, isRightToLeft) < 0 {
		return text
	}
	return "\u2068" + text + "\u2069"
}

// isRightToLeft reports whether a character is written from right to left: those of the blocks
// that Unicode reserves for such scripts.
func isRightToLeft(r rune) bool {
	return r >= 0x0590 && r <= 0x08ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfeff || r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff
}

// ofWhole says how long a value is that is cut, and what identifies it.
func (l *Language) ofWhole(value string) string {
	sum := sha256.Sum256([]byte(value))
	return Say(" ({} characters, SHA-256 {})", Number(utf8.RuneCountInString(value)), Phrase{{words: Words(hex.EncodeToString(sum[:6]))}}).Write(l, Text)
}

// endOfLiteral is where a text in JSON ends that begins at a place with its quote.
func endOfLiteral(content []byte, at int) int {
	for at++; at < len(content); at++ {
		switch content[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(content)
}

// masked masks the secrets in a literal.
func masked(text string) string {
	value := text[1 : len(text)-1]
	if strings.Contains(value, `\`) && json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	shown := secrets.Masked(value)
	content, err := json.Marshal(shown)
	if shown == value || err != nil {
		return text
	}
	return string(content)
}

// JSONText masks the secrets in JSON, and writes what is invisible as \u escapes, which mean the same. A literal
// that is there several times is masked once.
func JSONText(content []byte) []byte {
	escaped := make([]byte, 0, len(content))
	known := map[string]string{}
	for at := 0; at < len(content); {
		if content[at] != '"' {
			escaped = append(escaped, content[at])
			at++
			continue
		}
		end := endOfLiteral(content, at)
		text, ok := known[string(content[at:end])]
		if !ok {
			literal := string(content[at:end])
			text = visible(masked(literal))
			known[literal] = text
		}
		escaped = append(escaped, text...)
		at = end
	}
	return escaped
}

// visible writes what is invisible in a literal as \u escapes.
func visible(literal string) string {
	escaped := make([]byte, 0, len(literal))
	for _, r := range literal {
		switch {
		case r == '#' && bytes.HasSuffix(escaped, []byte("#")): // begins a command of some CIs
			escaped = append(escaped, `\u0023`...)
		case (unicode.IsPrint(r) || unicode.IsMark(r)) && !printable.Invisible(r):
			escaped = utf8.AppendRune(escaped, r)
		default:
			for _, unit := range utf16.Encode([]rune{r}) {
				escaped = fmt.Appendf(escaped, `\u%04x`, unit)
			}
		}
	}
	return string(escaped)
}

// Text escapes a value for a terminal: one line of printable characters.
func Text(value string) string { return isolated(Clean(value, MaxShown)) }

// Quoted escapes a value for a text in this language, in quotes.
func (l *Language) Quoted(value string) string {
	text, isCut := cut(value, MaxShown)
	text = isolated(strconv.Quote(text))
	if isCut {
		text += l.ofWhole(value)
	}
	return text
}

// IsCut reports whether a value of which so many characters are shown is not shown as it is: it is
// longer, or has several lines.
func IsCut(value string, limit int) bool {
	_, isCut := cut(value, limit)
	return isCut || strings.Contains(strings.TrimSpace(value), "\n")
}

// Markdown escapes a value for Markdown: it is code, in which GitHub, GitLab
// and Gitea look for no markup, link, mention or reference, also in a table.
func (l *Language) Markdown(value string, limit int) string {
	text, isCut := cut(value, limit)
	text = code(isolated(text))
	if isCut {
		text += l.ofWhole(value)
	}
	return text
}

// HTML escapes a value for code in HTML, in which no Markdown is read.
func (l *Language) HTML(value string, limit int) string {
	text, isCut := cut(value, limit)
	text = "<code>" + inHTML(isolated(text)) + "</code>"
	if isCut {
		text += l.ofWhole(value)
	}
	return text
}

// Lines masks the secrets in a value, and makes its lines printable.
func Lines(value string) []string {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimRight(secrets.Masked(value), "\n"), "\n") {
		lines = append(lines, Line(line))
	}
	return lines
}

// Line makes a line of a value printable.
func Line(line string) string {
	return isolated(strings.ReplaceAll(printable.Clean(strings.ReplaceAll(line, "\t", "  ")), "\n", " "))
}

// Code is lines as code in HTML.
func Code(lines []string) string {
	escaped := make([]string, len(lines))
	for i, line := range lines {
		escaped[i] = inHTML(line)
	}
	return "<pre><code>" + strings.Join(escaped, "<br>") + "</code></pre>"
}

func code(text string) string {
	switch {
	case text == "":
		return ""
	case !strings.ContainsAny(text, "`|\\<>&$"):
		return "`" + text + "`"
	}
	return "<code>" + inHTML(text) + "</code>"
}

// inHTML escapes a text so that no language finds anything in it.
func inHTML(text string) string {
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
	return b.String()
}

// decoded is what Mermaid looks for after it has decoded a label: formulas, icons
// and its own form of escapes, which it writes with a ligature. They are changed, since they cannot be escaped.
var decoded = strings.NewReplacer("$", "＄", ":fa-", ": fa-", "fl°", "fl °", "¶ß", "¶ ß", "\ufb02°", "\ufb02 °")

// Mermaid escapes a value for a label in double quotes of a Mermaid graph,
// which is read as Mermaid, as Markdown and as HTML.
func Mermaid(value string) string {
	var b strings.Builder
	text := []rune(decoded.Replace(isolated(Clean(secrets.Masked(value), MaxLabel))))
	for i, r := range text {
		inWord := i > 0 && i+1 < len(text) && IsAlphanumeric(text[i-1]) && IsAlphanumeric(text[i+1])
		switch {
		case IsAlphanumeric(r), r == ' ', inWord && strings.ContainsRune("-_/", r):
			b.WriteRune(r)
		case r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("…\u2068\u2069", r)):
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
