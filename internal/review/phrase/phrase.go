// Package phrase has the texts of a review: words of this program, and values of a plan that are
// masked (package secrets) and escaped for where they are written. No value becomes part of the markup
// or shows a secret that can be told in it.
package phrase

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secrets"
)

// Words are a text of this program, never one of a plan: a constant converts
// to it without a conversion, a variable does not. {} stands for a phrase, {1} for the first
// of those in another order.
type Words string

// Phrase is a text of words of this program and of values of a plan, which are
// escaped when it is written.
type Phrase []part

type part struct {
	words   Words
	args    []Phrase
	value   string
	isValue bool
	// items are those of a list with the words between them, of which so many are said at length, and so many in a
	// comment.
	items      []Item
	long, most int
}

// Say is a phrase of words, with phrases where they have {}.
func Say(text Words, args ...Phrase) Phrase { return Phrase{{words: text, args: args}} }

// Show is a phrase of a value, without the secrets that can be told in it.
func Show(value string) Phrase { return Phrase{{value: secrets.Masked(value), isValue: true}} }

// Number is a phrase of a number.
func Number(n int) Phrase { return Phrase{{words: Words(strconv.Itoa(n))}} }

// Concat puts phrases one after the other.
func Concat(phrases ...Phrase) Phrase {
	var all Phrase
	for _, p := range phrases {
		all = append(all, p...)
	}
	return all
}

// Join puts words between phrases, and leaves out empty ones.
func Join(between Words, phrases ...Phrase) Phrase {
	var all Phrase
	for _, p := range phrases {
		if len(p) == 0 {
			continue
		}
		if len(all) > 0 {
			all = append(all, part{words: between})
		}
		all = append(all, p...)
	}
	return all
}

// Values shows the first values of a list and says how many there are more.
func Values(list []string, limit int) []Phrase {
	var all []Phrase
	for _, v := range list[:min(len(list), limit)] {
		all = append(all, Show(v))
	}
	if more := len(list) - limit; more > 0 {
		all = append(all, Say("{} more", Number(more)))
	}
	return all
}

// First are the first phrases of a list, and how many there are more.
func First(list []Phrase, limit int) []Phrase {
	if more := len(list) - limit; more > 0 {
		return append(list[:limit:limit], Say("{} more", Number(more)))
	}
	return list
}

// And lists phrases in a sentence.
func And(phrases ...Phrase) Phrase {
	if len(phrases) < 2 {
		return Concat(phrases...)
	}
	last := len(phrases) - 1
	return Say("{} and {}", Join(", ", phrases[:last]...), phrases[last])
}

// Clauses joins what a sentence says of its subject. Other languages join these in another way than
// names.
func Clauses(phrases ...Phrase) Phrase {
	var all Phrase
	for i, p := range phrases {
		switch {
		case i == 0:
			all = p
		case i < len(phrases)-1:
			all = Concat(all, Say(", {}", p))
		default:
			all = Concat(all, Say(" and {}", p))
		}
	}
	return all
}

// Count is a number with its noun: words with {} for the number.
func Count(n int, one, many Words) Phrase {
	if n == 1 {
		return Say(one, Number(n))
	}
	return Say(many, Number(n))
}

// Write writes a phrase in a language and for a target, whose escape gets the values.
func (p Phrase) Write(in *Language, escape func(string) string) string {
	w := writer{in: in, escape: escape, long: Everything, total: Everything, inItem: Everything}
	w.phrase(p)
	return w.b.String()
}

// writer writes phrases. Between a letter of Chinese and a value, a number or a Latin letter it puts
// a space.
type writer struct {
	b      strings.Builder
	in     *Language
	escape func(string) string
	last   rune
	// long and total are the numbers of items of a list that are said at length, and at all.
	long, total int
	// inItem is the number of items of a list within an item.
	inItem int
	// isComment: a list has no more items than it has in a comment.
	isComment bool
	// isValue: the last part is a value.
	isValue bool
}

func (w *writer) text(s string, isValue bool) {
	if s == "" {
		return
	}
	first, _ := utf8.DecodeRuneInString(s)
	if unicode.Is(unicode.Han, w.last) && (isValue || isLatin(first)) || unicode.Is(unicode.Han, first) && !isValue && (w.isValue || isLatin(w.last)) {
		w.b.WriteByte(' ')
	}
	if w.last == '）' && !isValue && strings.HasPrefix(s, " ") { // no blank is beside such a bracket
		s = s[1:]
	}
	w.b.WriteString(s)
	w.last, _ = utf8.DecodeLastRuneInString(s)
	w.isValue = isValue
}

// isLatin reports whether a letter or digit is one of ASCII.
func isLatin(r rune) bool {
	return r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

func (w *writer) phrase(p Phrase) {
	for _, part := range p {
		if part.isValue {
			w.text(w.escape(part.value), true)
			continue
		}
		if len(part.items) > 0 {
			w.list(part)
			continue
		}
		rest, next := string(w.in.of(part.words)), 0
		for len(part.args) > 0 {
			before, after, found := strings.Cut(rest, "{")
			place, end, closed := strings.Cut(after, "}")
			if !found || !closed {
				break
			}
			at := next
			if n, err := strconv.Atoi(place); err == nil {
				at = n - 1
			}
			w.text(before, false)
			if at >= 0 && at < len(part.args) {
				w.phrase(part.args[at])
			}
			next, rest = at+1, end
		}
		w.text(rest, false)
	}
}

// Plain is the phrase without markup, with quoted values.
func (p Phrase) Plain(in *Language) string { return p.Write(in, in.Quoted) }

// MarshalJSON writes the phrase as an English text.
func (p Phrase) MarshalJSON() ([]byte, error) {
	content, err := json.Marshal(p.Write(English, Text))
	if err != nil {
		return nil, fmt.Errorf("a phrase as JSON: %w", err)
	}
	return content, nil
}
