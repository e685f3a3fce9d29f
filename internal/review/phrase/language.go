package phrase

import (
	"fmt"
	"maps"
	"slices"
)

// Language is one in which reviews are written. Values and JSON are the same in all.
type Language struct {
	// Name is that of -lang.
	Name string
	// words are the English words in the language; nil for English.
	words map[Words]Words
}

// English is the language in which the words of this program are.
var English = &Language{Name: "en"}

// of are the words in the language. Numbers are the same in all.
func (l *Language) of(text Words) Words {
	if translated, ok := l.words[text]; ok {
		return translated
	}
	return text
}

// Languages are all languages.
func Languages() []*Language { return []*Language{English, Chinese} }

// Of are the words in the language; ok is false if it does not have them.
func (l *Language) Of(text Words) (translated Words, ok bool) {
	translated, ok = l.words[text]
	return translated, ok
}

// Translations are the words that the language has.
func (l *Language) Translations() []Words { return slices.Sorted(maps.Keys(l.words)) }

// LanguageOf is the language with a name.
func LanguageOf(name string) (*Language, error) {
	for _, l := range Languages() {
		if l.Name == name {
			return l, nil
		}
	}
	return nil, fmt.Errorf("-lang has no %q; it has en and zh", Text(name))
}
