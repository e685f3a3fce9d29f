package review

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// words are a text of this program, never one of a plan: a constant converts
// to it without a conversion, a variable does not.
type words string

// phrase is a text of words of this program and of values of a plan, which are
// escaped when it is written.
type phrase []part

type part struct {
	words   words
	value   string
	isValue bool
}

func say(text words) phrase { return phrase{{words: text}} }

func show(value string) phrase { return phrase{{value: value, isValue: true}} }

func number(n int) phrase { return phrase{{words: words(strconv.Itoa(n))}} }

// concat puts phrases one after the other.
func concat(phrases ...phrase) phrase {
	var all phrase
	for _, p := range phrases {
		all = append(all, p...)
	}
	return all
}

// join puts words between phrases, and leaves out empty ones.
func join(between words, phrases ...phrase) phrase {
	var all phrase
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

// values shows the first values of a list and says how many there are more.
func values(list []string, limit int) []phrase {
	var all []phrase
	for _, v := range list[:min(len(list), limit)] {
		all = append(all, show(v))
	}
	if more := len(list) - limit; more > 0 {
		all = append(all, concat(number(more), say(" more")))
	}
	return all
}

// and lists phrases in a sentence.
func and(phrases ...phrase) phrase {
	if len(phrases) < 2 {
		return concat(phrases...)
	}
	last := len(phrases) - 1
	return concat(join(", ", phrases[:last]...), say(" and "), phrases[last])
}

// count is a number with its noun.
func count(n int, one, many words) phrase {
	if n == 1 {
		return concat(number(n), say(" "+one))
	}
	return concat(number(n), say(" "+many))
}

// write writes a phrase for a target.
func (p phrase) write(escape func(string) string) string {
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

// plain is the phrase without markup, with quoted values.
func (p phrase) plain() string {
	return p.write(func(value string) string { return fmt.Sprintf("%q", Text(value)) })
}

// MarshalJSON writes the phrase as a text.
func (p phrase) MarshalJSON() ([]byte, error) {
	content, err := json.Marshal(p.write(Text))
	if err != nil {
		return nil, fmt.Errorf("a phrase as JSON: %w", err)
	}
	return content, nil
}

// phrase shows a value before and after.
func (p Pair) phrase() phrase {
	switch {
	case p.Before == p.After, p.Before == "":
		return shown(p.After)
	case p.After == "":
		return concat(shown(p.Before), say(" → none"))
	}
	return concat(shown(p.Before), say(" → "), shown(p.After))
}

// shown shows a value, or the words that stand for one.
func shown(value string) phrase {
	switch value {
	case "":
		return nil
	case sensitiveText:
		return say(sensitiveText)
	case unknownText:
		return say("known after apply")
	}
	return show(value)
}

// of shows a value of an object with this action: of one that is removed or forgotten only
// what it was, which a forgotten one still is.
func (p Pair) of(action Action) phrase {
	if action == Delete || action == Forget {
		return shown(p.Before)
	}
	return p.phrase()
}
