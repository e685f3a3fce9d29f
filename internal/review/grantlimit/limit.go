// Package grantlimit says how grants of data are limited, and which limits are lifted or set.
package grantlimit

import (
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
)

// limits are the limits of a grant, in the order in which a review names them, with what it says.
var limits = []struct {
	name string
	text phrase.Words
}{
	{"expiration_time", "until {}"},
	{"use_count", "{} uses"},
	{"components", "only for the components {}"},
	{"flow_id", "only for the flow {}"},
	{"initiator", "only for the initiator {}"},
	{"input_config", "only for one configuration"},
}

// usesAt is the place of the number of uses among the limits.
const usesAt = 1

// phrases are the limits of a grant in words, nil for each that it does not have. The
// configuration to which one is limited is not shown, as that of a serving.
func phrases(v plan.Value) []phrase.Phrase {
	all := make([]phrase.Phrase, len(limits))
	for i, word := range limits {
		value := v.At("limit", word.name)
		switch {
		case plan.IsUnset(value), value.Raw == 0.0, len(value.AllKeys()) == 0 && value.Text() == "[]":
		case value.Raw == 1.0 && !value.IsSensitive() && word.name == "use_count":
			all[i] = phrase.Say("one use")
		case word.name == "input_config":
			all[i] = phrase.Say(word.text)
		default:
			all[i] = phrase.Say(word.text, elements(value))
		}
	}
	return all
}

// elements shows the elements of a list one after the other, or another value.
func elements(v plan.Value) phrase.Phrase {
	if _, isList := v.Raw.([]any); !isList || v.WholeSensitive() {
		return plan.Shown(v.Text())
	}
	var all []phrase.Phrase
	for _, key := range v.Keys() {
		all = append(all, plan.Shown(v.At(key).Text()))
	}
	return phrase.Brief(", ", 5, all...)
}

// Of is what a grant gives; "none" without one.
func Of(v plan.Value) phrase.Phrase {
	switch {
	case !v.Exists():
		return phrase.Say("none")
	case v.At("limit").IsUnknown():
		return phrase.Say("limits that are known after apply")
	}
	all := phrases(v)
	if len(all[0]) == 0 {
		all[0] = phrase.Say("no end date")
	}
	return phrase.Join(", ", all...)
}

// Difference is what changes of the limits of a grant.
type Difference struct {
	// Text names the limits that are lifted, set or changed, and Lifted those that are lifted.
	Text, Lifted phrase.Phrase
	// More: a limit is lifted or raised, or may be.
	More bool
}

// Change compares the limits of a grant that stays, or is created again.
func Change(o *plan.Object) Difference {
	if o.Action != plan.Update && o.Action != plan.Replace {
		return Difference{}
	}
	return Compare(o.Before, o.After)
}

// Compare compares the limits of two grants, or of one before and after a change.
func Compare(from, to plan.Value) Difference {
	var change Difference
	if to.At("limit").IsUnknown() {
		change.More = true
		return change
	}
	before, after := phrases(from), phrases(to)
	var lifted, set, others []phrase.Phrase
	for i, word := range limits {
		switch {
		case len(before[i]) > 0 && len(after[i]) == 0:
			lifted = append(lifted, before[i])
		case len(before[i]) == 0 && len(after[i]) > 0:
			set = append(set, after[i])
		case len(before[i]) > 0 && plan.Differs(from.At("limit", word.name), to.At("limit", word.name)):
			others = append(others, phrase.Say("{} → {}", before[i], after[i]))
			change.More = change.More || raises(from.At("limit", word.name), to.At("limit", word.name))
		}
	}
	change.More = change.More || len(lifted) > 0
	if len(lifted) > 0 {
		change.Lifted = phrase.Say("lifted: {}", phrase.Join(", ", lifted...))
	}
	if len(set) > 0 {
		set = []phrase.Phrase{phrase.Say("new limit: {}", phrase.Join(", ", set...))}
	}
	change.Text = phrase.Join("; ", slices.Concat([]phrase.Phrase{change.Lifted}, set, others)...)
	return change
}

// Covers reports whether a grant gives all that another one of the same data to the same reader would add
// to it. The uses of each count alone, so that each with a number of uses adds its own.
func Covers(grant, added plan.Value) bool {
	return !Compare(grant, added).More && len(phrases(grant)[usesAt]) == 0
}

// raises reports whether a limit that stays allows more, or may do so.
func raises(before, after plan.Value) bool {
	if !plan.Differs(before, after) {
		return false
	}
	if after.IsUnknown() {
		return true
	}
	switch was := before.Raw.(type) {
	case float64:
		is, ok := after.Raw.(float64)
		return !ok || is > was
	case string:
		begin, err := time.Parse(time.RFC3339, was)
		end, err2 := time.Parse(time.RFC3339, after.ID())
		return err != nil || err2 != nil || end.After(begin)
	case []any:
		list, ok := after.Raw.([]any)
		return !ok || slices.ContainsFunc(list, func(element any) bool {
			return !slices.ContainsFunc(was, func(old any) bool { return !plan.Differs(plan.Value{Raw: old}, plan.Value{Raw: element}) })
		})
	}
	return true
}
