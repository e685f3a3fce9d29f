package httpapi

import (
	"fmt"
	"strings"
	"unicode"
)

// MaxMessage limits a text of a server that is shown; some are dumps of
// objects.
const MaxMessage = 8 << 10

// maxMasked is how much of a text is masked: what is shown, and enough more to
// find the secrets in it.
const maxMasked = 2 * MaxMessage

// Text makes an external text safe to show in errors, logs and terminals: it
// masks secrets, limits the length and removes terminal control characters.
// Newlines and tabs are kept. Every text of a server must go through Text.
func (m Masker) Text(s string) string {
	// The text is cut first, so that a huge one takes no time.
	cut := len(s) > maxMasked
	s = m.masked(strings.ToValidUTF8(s[:min(len(s), maxMasked)], "?"), cut)
	// Mask again: a removed character may have been in the middle of a secret.
	s = m.masked(strings.Map(sanitize, strings.TrimRight(s, "\r\n")), cut)
	if cut || len(s) > MaxMessage {
		s = strings.ToValidUTF8(s[:min(len(s), MaxMessage)], "") + " … (cut off)"
	}
	return s
}

// masked masks a text. What a cut one ends with may be the beginning of a
// secret, which cannot be found, so it is left out.
func (m Masker) masked(s string, cut bool) string {
	if !cut {
		return m.replace(s)
	}
	if len(s) <= maxSearched {
		return masked
	}
	return m.replaceBefore(s, len(s)-maxSearched)
}

// Text is Masker.Text without secrets.
func Text(s string) string { return Masker{}.Text(s) }

// sanitize replaces control characters, such as ESC, by spaces, and removes
// characters that are invisible or change the text direction.
func sanitize(r rune) rune {
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

// QuoteAll lists names in quotes. They may come from a server.
func QuoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	return Text(strings.Join(quoted, ", "))
}
