package review

import (
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
	// provider is the key of its provider configuration, "" if that is not known: that of
	// an object without a block in the configuration is not in the plan.
	provider string
}

// newObjects decodes a change. One that leaves an old object and creates another is both.
func newObjects(change *tfjson.ResourceChange) []object {
	o := newObject(change)
	if o.action != leave {
		return []object{o}
	}
	left, created := o, o
	left.action, left.after = Forget, value{}
	created.action, created.before, created.movedFrom = Create, value{}, ""
	return []object{left, created}
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

// leave is the action of a replacement that leaves the old object.
const leave Action = "leave"

// verbs are what the CLIs write of a change.
var verbs = map[string]Action{
	"no-op": None, "read": None, "create": Create, "update": Update, "delete": Delete, "forget": Forget,
	"delete create": Replace, "create delete": Replace, "create forget": leave, "forget create": leave,
	"open": None, // an ephemeral resource
}

func verbOf(actions tfjson.Actions) string {
	var all []string
	for _, action := range actions {
		all = append(all, string(action))
	}
	return strings.Join(all, " ")
}

// actionOf is the action of a change, whose verbs Read has checked.
func actionOf(actions tfjson.Actions) Action { return verbs[verbOf(actions)] }

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

// isOurs reports whether a resource or action is one of this provider, whoever publishes it
// and under whatever name.
func isOurs(kind string) bool { return strings.HasPrefix(kind, "kuscia_") }

// sameProvider reports whether two objects have the same provider configuration. One that is
// not known may be any.
func sameProvider(x, y string) certainty {
	switch {
	case x == "" || y == "":
		return maybe
	case x == y:
		return yes
	}
	return no
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

// changesBeside reports whether any but these attributes change.
func (o object) changesBeside(paths ...string) bool {
	var walk func(at string, before, after value) bool
	walk = func(at string, before, after value) bool {
		if !differs(before, after) || slices.Contains(paths, at) {
			return false
		}
		keys := slices.Concat(before.allKeys(), after.allKeys())
		isObject := func(v value) bool { _, ok := v.raw.(map[string]any); return ok }
		if !isObject(before) || !isObject(after) {
			return true
		}
		return slices.ContainsFunc(keys, func(key string) bool {
			return walk(strings.TrimPrefix(at+"."+key, "."), before.at(key), after.at(key))
		})
	}
	return walk("", o.before, o.after)
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

// OnlyInState are the attributes of all types that no request has and on which nothing acts: an update of
// them alone is one of the state.
var OnlyInState = []string{
	"allow_removal_of", "check_application", "follow_app_image", "force_conflicts", "force_destroy", "progress_deadline",
	"promote_on_destroy", "rollout_complete", "timeouts", "wait_for_deploy_token", "wait_for_healthy", "wait_for_ready", "wait_for_rollout",
}

// sends reports whether a change of an object is more than one of the state.
func (o object) sends() bool { return o.action != Update || o.changesBeside(OnlyInState...) }
