package definition

import (
	"cmp"
	"slices"
	"strings"
)

// Effect is what a change of some attributes does, for the page of the resource.
type Effect struct {
	// Attributes are their names; a nested one has the names of the objects around it.
	// None: all that are in no other Effect.
	Attributes []string `json:"attributes"`
	// Result is Markdown.
	Result string `json:"result"`
}

// The results that follow from the declaration of an attribute.
const (
	EffectReplaced = "replaced"
	EffectInPlace  = "updated in place"
	EffectLocal    = "nothing is sent"
)

// Effects are what changes of the attributes do. replaceAll is set for objects
// that cannot be updated.
func (d *Definition) Effects(replaceAll bool) []Effect {
	list := effects{rest: d.schema.Update}
	if list.rest == "" {
		list.rest = EffectInPlace
	}
	if replaceAll && d.schema.Update == "" {
		list.rest = EffectReplaced
	}
	list.add("", d.schema.Attributes)
	if len(d.schema.Timeouts.operations()) > 0 {
		list.append(EffectLocal, AttrTimeouts)
	}
	slices.SortStableFunc(list.found, func(a, b Effect) int { return cmp.Compare(rank(a.Result), rank(b.Result)) })
	if list.hasRest {
		list.found = append(list.found, Effect{Result: list.rest})
	}
	return list.found
}

// rank orders results: replacements are first, what sends nothing is last.
func rank(result string) int {
	switch {
	case strings.HasPrefix(result, EffectReplaced):
		return 0
	case result == EffectLocal:
		return 2
	}
	return 1
}

// effects collects the effects of attributes.
type effects struct {
	found   []Effect
	rest    string
	hasRest bool
}

func (e *effects) add(within string, attributes []Attribute) {
	for _, a := range attributes {
		name := within + a.Name
		switch result := a.effect(); {
		case a.Presence == Computed && a.Effect == "" || a.Refused != "":
			continue
		case result != "":
			e.append(result, name)
			if a.WriteOnly {
				e.append(result, name+suffixVersion)
				e.append("nothing without a new version", name+suffixWO)
			}
		case within == "":
			e.hasRest = true
		}
		e.add(name+".", a.Attributes)
	}
}

// append adds an attribute to those with the same result.
func (e *effects) append(result, name string) {
	for i := range e.found {
		if e.found[i].Result == result {
			e.found[i].Attributes = append(e.found[i].Attributes, name)
			return
		}
	}
	e.found = append(e.found, Effect{Attributes: []string{name}, Result: result})
}

// effect is the result of a change, "" if it is an update like any other.
func (a Attribute) effect() string {
	switch {
	case a.Effect != "":
		return a.Effect
	case a.Local:
		return EffectLocal
	case a.Replace.when == nil:
		return ""
	case !a.Replace.always:
		return "updated in place, or replaced: " + firstSentence(a.Replace.why)
	case a.Replace.why != "":
		return EffectReplaced + ". " + firstSentence(a.Replace.why)
	}
	return EffectReplaced
}

// firstSentence is the first sentence of a text, without the full stop.
func firstSentence(text string) string {
	text, _, _ = strings.Cut(text, ". ")
	return strings.TrimSuffix(text, ".")
}
