package httpapi

import (
	"fmt"
	"strings"
	"unicode"
)

// MaxMessage bounds a text of a server that is shown; some are dumps of objects.
const MaxMessage = 8 << 10

// Text makes a text from elsewhere fit to be shown in errors, logs and on
// terminals: known secrets are masked, it is bounded, and what a terminal obeys
// instead of showing it is taken out. Line ends and tabs stay. Every text of a
// server goes through here, wherever it ends up.
func (m Masker) Text(s string) string {
	s = m.replace(strings.ToValidUTF8(s, "?"))
	// Once more, since a character that is taken out may have stood in the
	// middle of a secret.
	s = m.replace(strings.Map(harmless, strings.TrimRight(s, "\r\n")))
	if len(s) > MaxMessage {
		s = strings.ToValidUTF8(s[:MaxMessage], "") + " … (cut off)"
	}
	return s
}

// Text is that of a Masker which knows no secret.
func Text(s string) string { return Masker{}.Text(s) }

// harmless turns control characters, such as ESC, into spaces and drops what
// changes the order of a line or is not seen at all.
func harmless(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case r == '\u2028' || r == '\u2029':
		return '\n'
	case unicode.IsControl(r):
		return ' '
	case unicode.Is(unicode.Cf, r):
		return -1
	}
	return r
}

// QuoteAll lists names, each in quotes. They may be those of a server.
func QuoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	return Text(strings.Join(quoted, ", "))
}
