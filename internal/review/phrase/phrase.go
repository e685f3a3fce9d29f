// Package phrase has the texts of a review: words of this program, and values of a plan that are
// escaped for where they are written. A value cannot become part of the markup.
package phrase

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Words are a text of this program, never one of a plan: a constant converts
// to it without a conversion, a variable does not.
type Words string

// Phrase is a text of words of this program and of values of a plan, which are
// escaped when it is written.
type Phrase []part

type part struct {
	words   Words
	value   string
	isValue bool
}

// Say is a phrase of words.
func Say(text Words) Phrase { return Phrase{{words: text}} }

// Show is a phrase of a value.
func Show(value string) Phrase { return Phrase{{value: value, isValue: true}} }

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
		all = append(all, Concat(Number(more), Say(" more")))
	}
	return all
}

// And lists phrases in a sentence.
func And(phrases ...Phrase) Phrase {
	if len(phrases) < 2 {
		return Concat(phrases...)
	}
	last := len(phrases) - 1
	return Concat(Join(", ", phrases[:last]...), Say(" and "), phrases[last])
}

// Count is a number with its noun.
func Count(n int, one, many Words) Phrase {
	if n == 1 {
		return Concat(Number(n), Say(" "+one))
	}
	return Concat(Number(n), Say(" "+many))
}

// write writes a phrase for a target.
func (p Phrase) Write(escape func(string) string) string {
	var b strings.Builder
	for _, part := range p {
		if part.isValue {
			b.WriteString(escape(part.value))
		} else {
			b.WriteString(string(part.words))
		}
	}
	return b.String()
}

// Plain is the phrase without markup, with quoted values.
func (p Phrase) Plain() string {
	return p.Write(func(value string) string { return fmt.Sprintf("%q", Text(value)) })
}

// MarshalJSON writes the phrase as a text.
func (p Phrase) MarshalJSON() ([]byte, error) {
	content, err := json.Marshal(p.Write(Text))
	if err != nil {
		return nil, fmt.Errorf("a phrase as JSON: %w", err)
	}
	return content, nil
}
