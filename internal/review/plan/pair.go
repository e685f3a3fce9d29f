package plan

import "github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"

// Pair is a value before and after a change; "" for none.
type Pair struct {
	Before string `json:"before"`
	After  string `json:"after"`
}

// NewPair is the pair of two values.
func NewPair(before, after Value) Pair { return Pair{Before: before.Text(), After: after.Text()} }

// Changed reports whether the two are different.
func (p Pair) Changed() bool { return p.Before != p.After || p.After == UnknownText }

// Latest is the value after the change, or the one before if there is none.
func (p Pair) Latest() string {
	if p.After != "" {
		return p.After
	}
	return p.Before
}

// Phrase shows a value before and after.
func (p Pair) Phrase() phrase.Phrase {
	switch {
	case p.Before == p.After, p.Before == "":
		return Shown(p.After)
	case p.After == "":
		return phrase.Say("{} → {}", Shown(p.Before), phrase.Say("none"))
	}
	return phrase.Say("{} → {}", Shown(p.Before), Shown(p.After))
}

// Shown shows a value, or the words that stand for one.
func Shown(value string) phrase.Phrase {
	switch value {
	case "":
		return nil
	case SensitiveText:
		return phrase.Say(SensitiveText)
	case UnknownText:
		return phrase.Say("known after apply")
	}
	return phrase.Show(value)
}

// Of shows a value of an object with this action: of one that is removed or forgotten only
// what it was, which a forgotten one still is.
func (p Pair) Of(action Action) phrase.Phrase {
	if action == Delete || action == Forget {
		return Shown(p.Before)
	}
	return p.Phrase()
}
