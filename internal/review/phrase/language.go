package phrase

import "fmt"

// Language is one in which reviews are written. Values and JSON are the same in all.
type Language struct {
	// Name is that of -lang.
	Name string
	// words are the English words in the language; nil for English.
	words map[Words]Words
}

// English is the language in which the words of this program are.
var English = &Language{Name: "en"}

// Has reports whether the language has the words.
func (l *Language) Has(text Words) bool {
	_, ok := l.words[text]
	return ok || l.words == nil
}

// of are the words in the language. Numbers are the same in all.
func (l *Language) of(text Words) Words {
	if translated, ok := l.words[text]; ok {
		return translated
	}
	return text
}

// LanguageOf is the language with a name.
func LanguageOf(name string) (*Language, error) {
	for _, l := range []*Language{English} {
		if l.Name == name {
			return l, nil
		}
	}
	return nil, fmt.Errorf("-lang has no %q; it has en and zh", Text(name))
}
