package review

import (
	"path"
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
)

// Action is what a plan does with an object.
type Action string

// The actions.
const (
	None    Action = "none"
	Create  Action = "create"
	Update  Action = "update"
	Replace Action = "replace"
	Delete  Action = "delete"
	// Forget: the object stays and is no longer managed.
	Forget Action = "forget"
)

// object is a resource of the provider with its change.
type object struct {
	address string
	kind    string // the resource type, such as kuscia_serving
	action  Action
	reason  tfjson.ActionReason
	before  value
	after   value
	// replacePaths are the attributes that cause a replacement.
	replacePaths []string
	movedFrom    string
	deposed      bool
	imported     bool
}

// newObject decodes a change.
func newObject(change *tfjson.ResourceChange) object {
	o := object{
		address: change.Address, kind: change.Type, reason: change.ActionReason,
		movedFrom: change.PreviousAddress, deposed: change.DeposedKey != "", action: None,
	}
	if c := change.Change; c != nil {
		hidden := [2]any{c.BeforeSensitive, c.AfterSensitive}
		o.action = actionOf(c.Actions)
		o.before = value{raw: c.Before, hidden: hidden}
		o.after = value{raw: c.After, unknown: c.AfterUnknown, hidden: hidden}
		o.imported = c.Importing != nil
		for _, at := range c.ReplacePaths {
			o.replacePaths = append(o.replacePaths, o.path(at))
		}
	}
	return o
}

func actionOf(actions tfjson.Actions) Action {
	has := map[tfjson.Action]bool{}
	for _, action := range actions {
		has[action] = true
	}
	switch {
	case has[tfjson.ActionCreate] && has[tfjson.ActionDelete]:
		return Replace
	case has[tfjson.ActionCreate]: // also with forget: the old object stays
		return Create
	case has[tfjson.ActionDelete]:
		return Delete
	case has[tfjson.ActionUpdate]:
		return Update
	case has["forget"]:
		return Forget
	}
	return None
}

// path is a path as a text, without keys within what is sensitive.
func (o object) path(at any) string {
	parts, _ := at.([]any)
	var texts []string
	before, after := o.before, o.after
	for _, part := range parts {
		if before.wholeSensitive() || after.wholeSensitive() {
			break
		}
		key := value{raw: part}.text()
		texts = append(texts, key)
		before, after = before.at(key), after.at(key)
	}
	return strings.Join(texts, ".")
}

// isOurs reports whether a resource is one of this provider, from any registry.
func isOurs(change *tfjson.ResourceChange) bool {
	return strings.HasPrefix(change.Type, "kuscia_") && path.Base(change.ProviderName) == "kuscia"
}

// latest is the object after the change, or before it if it is gone.
func (o object) latest() value {
	if o.after.exists() {
		return o.after
	}
	return o.before
}

// both is the attribute before and after.
func (o object) both(path ...string) Pair { return pair(o.before.at(path...), o.after.at(path...)) }

// changes reports whether an attribute changes.
func (o object) changes(path ...string) bool {
	return differs(o.before.at(path...), o.after.at(path...))
}

// redirected reports whether a replacement connects others than before: one of
// these attributes changes.
func (o object) redirected(ends ...string) bool {
	return o.action == Replace && slices.ContainsFunc(ends, func(end string) bool { return o.changes(end) })
}

// name is that of the object in Kuscia, or its address if that is not known.
func (o object) name(attributes ...string) string {
	for _, attribute := range attributes {
		if name := o.latest().at(attribute).name(); name != "" {
			return name
		}
	}
	return o.address
}

// touched reports whether the plan does anything with the object.
func (o object) touched() bool { return o.action != None }

// cause is why an object is replaced.
func (o object) cause() phrase {
	switch {
	case o.reason == tfjson.ActionReasonReplaceBecauseTainted:
		return say("it is tainted: its last create did not complete")
	case o.reason == tfjson.ActionReasonReplaceByRequest:
		return say("requested with -replace")
	case o.reason == tfjson.ActionReasonReplaceByTriggers:
		return say("replace_triggered_by")
	case len(o.replacePaths) == 0:
		return nil
	}
	causes := values(o.replacePaths, 5)
	for i, at := range o.replacePaths[:min(len(o.replacePaths), 5)] {
		if why := whyReplaced(o.kind, at); why != "" {
			causes[i] = concat(causes[i], say(" ("+why+")"))
		}
	}
	return join(", ", causes...)
}
