package httpapi

import (
	"fmt"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/printable"
)

// MaxMessage limits a text of a server that is shown; some are dumps of
// objects.
const MaxMessage = 8 << 10

// maxMasked is how much of a text is masked: what is shown, and enough more to
// find the secrets in it.
const maxMasked = 2 * MaxMessage

// Text makes an external text safe to show in errors, logs and terminals: it
// masks secrets, limits the length, removes terminal control characters, and marks its
// lines (printable.Foreign). Every text of a server must go through Text.
func (m Masker) Text(s string) string { return m.printable(s, printable.Foreign) }

// Mask masks a text of this provider, which is not cut: what is cut of a secret cannot be found.
func (m Masker) Mask(s string) string { return m.replace(s) }

// Report is Text for a text of this provider, in which those of a server have gone
// through Text: it keeps the lines.
func (m Masker) Report(s string) string { return m.printable(s, printable.Clean) }

func (m Masker) printable(s string, printable func(string) string) string {
	// The text is cut first, so that a huge one takes no time.
	cut := len(s) > maxMasked
	s = m.masked(strings.ToValidUTF8(s[:min(len(s), maxMasked)], "?"), cut)
	// Mask again: a removed character may have been in the middle of a secret.
	s = m.masked(printable(strings.TrimRight(s, "\r\n")), cut)
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

// Report is Masker.Report without secrets.
func Report(s string) string { return Masker{}.Report(s) }

// maxQuoted bounds the names in a message: more than an object has fields.
const maxQuoted = 20

// QuoteAll lists names in quotes, the first of many. They may come from a server.
func QuoteAll(names []string) string {
	quoted := make([]string, min(len(names), maxQuoted))
	for i := range quoted {
		quoted[i] = fmt.Sprintf("%q", names[i])
	}
	text := Text(strings.Join(quoted, ", "))
	if more := len(names) - len(quoted); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
