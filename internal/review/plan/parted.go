package plan

import (
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
)

// Parted makes two of each object that is replaced by one of another identity: one that is deleted, and one that
// is created. An identity that is known after apply counts as another one. The two are neighbors.
func Parted(objects []Object) []Object {
	var all []Object
	for _, o := range objects {
		if !o.IsAnother() {
			all = append(all, o)
			continue
		}
		ends, begins := o, o
		ends.Action, ends.After, ends.other = Delete, Value{Hidden: o.After.Hidden}, o.After
		begins.Action, begins.Before, begins.other, begins.MovedFrom, begins.Imported = Create, Value{Hidden: o.Before.Hidden}, o.Before, "", false
		all = append(all, ends, begins)
	}
	return all
}

// IsAnother reports whether an object is replaced by one of another identity.
func (o Object) IsAnother() bool { return o.Action == Replace && o.ChangesIdentity() }

// ChangesIdentity reports whether what identifies an object changes, or may change.
func (o Object) ChangesIdentity() bool {
	return slices.ContainsFunc(identities[o.Kind], func(attribute string) bool { return o.Changes(attribute) })
}

// IsKnownAnother reports whether an object is replaced by one that is known to have another identity.
func (o Object) IsKnownAnother() bool {
	return o.IsAnother() && slices.ContainsFunc(identities[o.Kind], func(attribute string) bool {
		return !o.After.At(attribute).IsUnknown() && o.Changes(attribute)
	})
}

// isEnd reports whether an object ends, and another one takes its place.
func (o Object) isEnd() bool { return o.Action == Delete && o.other.Exists() }

// Successor is what a sentence calls the object that takes the place of one that ends.
func (o Object) Successor() phrase.Phrase {
	isUnknown := func(attribute string) bool { return o.other.At(attribute).IsUnknown() }
	title, ok := o.title(o.other)
	switch {
	case !o.isEnd():
		return nil
	case ok:
		return title
	case slices.ContainsFunc(identities[o.Kind], isUnknown):
		return phrase.Say("one whose name is known after apply")
	}
	return phrase.Say("another one")
}

// Whole is the replacement of which Parted has made two objects, if this is one of them.
func (o Object) Whole() (whole Object, ok bool) {
	switch {
	case !o.other.Exists():
		return o, false
	case o.Action == Delete:
		o.After = o.other
	default:
		o.Before = o.other
	}
	o.Action, o.other, o.Index = Replace, Value{}, -1-o.Index // which no other object has
	return o, true
}
