package plan

import (
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
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
	// Lookup: a data source is read in the apply.
	Lookup Action = "read"
	// Invoke: an action is invoked.
	Invoke Action = "invoke"
)

// Object is a resource of the provider with its change.
type Object struct {
	// Index is its place among the objects of a review: a plan may have several with one address.
	Index   int
	Address string
	Kind    string // the resource type, such as kuscia_serving
	Action  Action
	Reason  tfjson.ActionReason
	Before  Value
	After   Value
	// replacePaths are the attributes that cause a replacement.
	replacePaths []string
	MovedFrom    string
	// Renamed is the address at which it is deleted, if it is created at another one.
	Renamed string
	Deposed bool
	// TakesFrom is the address at which the plan forgets an object of the same identity, if this one is
	// created, and takes what it had.
	TakesFrom string
	takes     Value
	// other is the other object of a replacement that Parted has made two of.
	other    Value
	Imported bool
	// Provider is the key of its provider configuration, of several with the address of one Kuscia the first
	// one, and "" if that is not known: that of an object without a block in the configuration is not in the plan.
	Provider string
}

// NewObjects decodes a change. One that leaves an old object and creates another is both.
func NewObjects(change *tfjson.ResourceChange) []Object {
	o := NewObject(change)
	if o.Action != leave {
		return []Object{o}
	}
	left, created := o, o
	left.Action, left.After = Forget, Value{}
	created.Action, created.Before, created.MovedFrom = Create, Value{}, ""
	return []Object{left, created}
}

// NewObject decodes a change.
func NewObject(change *tfjson.ResourceChange) Object {
	o := Object{
		Address: change.Address, Kind: change.Type, Reason: change.ActionReason,
		MovedFrom: change.PreviousAddress, Deposed: change.DeposedKey != "", Action: None,
	}
	if c := change.Change; c != nil {
		hidden := [2]any{c.BeforeSensitive, c.AfterSensitive}
		o.Action = ActionOf(c.Actions)
		o.Before = Value{Raw: c.Before, Hidden: hidden}
		o.After = Value{Raw: c.After, Unknown: c.AfterUnknown, Hidden: hidden}
		o.Imported = c.Importing != nil
		for _, at := range c.ReplacePaths {
			o.replacePaths = append(o.replacePaths, o.path(at))
		}
	}
	return o
}

// NewLookup decodes a read of a data source in the apply, with what it is configured with.
func NewLookup(change *tfjson.ResourceChange) Object {
	o := NewObject(change)
	o.Action, o.Before = Lookup, Value{}
	return o
}

// NewOutput decodes a change of an output, as of an object with an attribute of its name.
func NewOutput(name string, c *tfjson.Change) Object {
	in := func(value any) any { return map[string]any{name: value} }
	return NewObject(&tfjson.ResourceChange{Address: "output." + name, Change: &tfjson.Change{
		Actions: c.Actions, Before: in(c.Before), After: in(c.After), AfterUnknown: in(c.AfterUnknown), BeforeSensitive: in(c.BeforeSensitive), AfterSensitive: in(c.AfterSensitive),
	}})
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

// ActionOf is the action of a change, whose verbs Read has checked.
func ActionOf(actions tfjson.Actions) Action { return verbs[verbOf(actions)] }

// path is a path of a plan as a text, without keys within what is sensitive.
func (o Object) path(at any) string {
	parts, _ := at.([]any)
	var keys []string
	for _, part := range parts {
		keys = append(keys, Value{Raw: part}.Text())
	}
	return strings.Join(o.Visible(keys), ".")
}

// Visible is the part of a path that may be shown: without keys within what is sensitive.
func (o Object) Visible(path []string) []string {
	before, after := o.Before, o.After
	for i, key := range path {
		if before.WholeSensitive() || after.WholeSensitive() {
			return path[:i]
		}
		before, after = before.At(key), after.At(key)
	}
	return path
}

// Differences are the smallest parts of the object that change, or may change: of one that is known after
// apply as a whole, all that it had.
func (o Object) Differences() []Difference {
	if o.After.Unknown != true { // nothing differs between null and an object without attributes
		return slices.DeleteFunc(Differences(o.Before, o.After), func(d Difference) bool { return len(d.Path) == 0 })
	}
	var all []Difference
	for _, key := range allKeys(o.Before, o.After) {
		all = append(all, Difference{Path: []string{key}, Before: o.Before.At(key), After: o.After.At(key)})
	}
	return all
}

// IsOurs reports whether a resource or action is one of this provider, whoever publishes it
// and under whatever name.
func IsOurs(kind string) bool { return strings.HasPrefix(kind, "kuscia_") }

// SameProvider reports whether two objects have the same provider configuration. One that is
// not known may be any.
func SameProvider(x, y string) Certainty {
	switch {
	case x == "" || y == "":
		return Maybe
	case x == y:
		return Yes
	}
	return No
}

// Latest is the object after the change, or before it if it is gone.
func (o Object) Latest() Value {
	if o.After.Exists() {
		return o.After
	}
	return o.Before
}

// Both is the attribute before and after.
func (o Object) Both(path ...string) Pair { return NewPair(o.Before.At(path...), o.After.At(path...)) }

// Changes reports whether an attribute changes.
func (o Object) Changes(path ...string) bool {
	return Differs(o.Before.At(path...), o.After.At(path...))
}

// ChangesBeside reports whether any but these attributes change.
func (o Object) ChangesBeside(paths ...string) bool {
	var walk func(at string, before, after Value) bool
	walk = func(at string, before, after Value) bool {
		if !Differs(before, after) || slices.Contains(paths, at) {
			return false
		}
		isObject := func(v Value) bool { _, ok := v.Raw.(map[string]any); return ok }
		if !isObject(before) || !isObject(after) {
			return true
		}
		return slices.ContainsFunc(allKeys(before, after), func(key string) bool {
			return walk(strings.TrimPrefix(at+"."+key, "."), before.At(key), after.At(key))
		})
	}
	return walk("", o.Before, o.After)
}

// Name is that of the object in Kuscia, or its address if that is not known.
func (o Object) Name(attributes ...string) string {
	for _, attribute := range attributes {
		if name := o.Latest().At(attribute).Name(); name != "" {
			return name
		}
	}
	return o.Address
}

// titles are the types whose objects have a name in sentences, with the words and attributes of it.
var titles = map[string]struct {
	words      phrase.Words
	attributes []string
}{
	"kuscia_domain":             {"the domain {}", []string{"domain_id"}},
	"kuscia_domain_route":       {"the route from {} to {}", []string{"source", "destination"}},
	"kuscia_serving":            {"the serving {}", []string{"serving_id"}},
	"kuscia_deployment":         {"the serving {}", []string{"name"}},
	"kuscia_edge_deployment":    {"the edge deployment {}", []string{"name"}},
	"kuscia_domain_data_source": {"the data source {} of {}", []string{"datasource_id", "domain_id"}},
	"kuscia_domain_data":        {"the data {} of {}", []string{"domaindata_id", "domain_id"}},
	"kuscia_domain_data_grant":  {"the grant of {} of {} to {}", []string{"domaindata_id", "domain_id", "grant_domain"}},
	"kuscia_app_image":          {"the app image {}", []string{"name"}},
	"kuscia_rollout":            {"the Rollout {} of {}", []string{"name", "namespace"}},
	"kuscia_config":             {"the configuration entry {}", []string{"key"}},
}

// Title is what a sentence calls the object: its address if it has no name, or one that is not to be
// shown.
func (o Object) Title() phrase.Phrase {
	if title, ok := o.title(o.Latest()); ok {
		return title
	}
	return phrase.Show(o.Address)
}

// title is what a sentence calls the object by a side of the change, if it has a name there.
func (o Object) title(side Value) (text phrase.Phrase, ok bool) {
	title, ok := titles[o.Kind]
	var names []phrase.Phrase
	for _, attribute := range title.attributes {
		name := side.At(attribute).Name()
		ok = ok && name != ""
		names = append(names, phrase.Show(name))
	}
	return phrase.Say(title.words, names...), ok
}

// Hide marks an attribute as one that is not to be shown.
func (o *Object) Hide(attribute string) {
	marks := [2]any{map[string]any{}, map[string]any{}}
	for i, hidden := range o.Before.Hidden {
		marks[i] = hidden
		if object, ok := hidden.(map[string]any); ok || hidden == nil || hidden == false {
			copied := map[string]any{attribute: true}
			for key, mark := range object {
				if key != attribute {
					copied[key] = mark
				}
			}
			marks[i] = copied
		}
	}
	o.Before.Hidden, o.After.Hidden, o.other.Hidden = marks, marks, marks
}

// Unchanged is the object as it was before the change.
func (o Object) Unchanged() Object {
	return Object{Index: o.Index, Address: o.Address, Kind: o.Kind, Action: None, Before: o.Before, After: o.Before, Provider: o.Provider}
}

// WasRemoved reports whether an object is created that others have removed.
func (o Object) WasRemoved() bool { return o.takes.Exists() && o.TakesFrom == "" }

// AsChange is an object that is created as a change of what it takes over, if the plan has that.
func (o Object) AsChange() Object {
	if o.takes.Exists() {
		o.Action, o.Before = Update, o.takes
	}
	return o
}

// Touched reports whether the plan does anything with the object.
func (o Object) Touched() bool { return o.Action != None }

// maxCauses is the number of attributes of which a comment says that they replace an object.
const maxCauses = 5

// Cause is why an object is replaced, and by which other one if it is another.
func (o Object) Cause() phrase.Phrase {
	cause := o.cause()
	if len(cause) == 0 && o.isEnd() {
		isSame := func(attribute string) bool { return !Differs(o.Before.At(attribute), o.other.At(attribute)) }
		cause = phrase.Join(", ", phrase.Values(slices.DeleteFunc(slices.Clone(identities[o.Kind]), isSame), 5)...)
	}
	if successor := o.Successor(); len(successor) > 0 {
		return phrase.Say("{}; {} takes its place", cause, successor)
	}
	return cause
}

func (o Object) cause() phrase.Phrase {
	switch {
	case o.Renamed != "":
		return phrase.Say("another block, before {}", phrase.Show(o.Renamed))
	case o.Action == Create:
		return nil
	case o.Reason == tfjson.ActionReasonReplaceBecauseTainted:
		return phrase.Say("its last create, which did not complete (tainted)")
	case o.Reason == tfjson.ActionReasonReplaceByRequest:
		return phrase.Say("a request with -replace")
	case o.Reason == tfjson.ActionReasonReplaceByTriggers:
		return phrase.Say("replace_triggered_by")
	case len(o.replacePaths) == 0:
		return nil
	}
	causes := phrase.Values(o.replacePaths, phrase.Everything)
	for i, at := range o.replacePaths {
		if why := whyReplaced(o.Kind, at); why != "" {
			causes[i] = phrase.Say("{} ({})", causes[i], phrase.Say(why))
		}
	}
	return phrase.Brief(", ", maxCauses, causes...)
}

// Sends reports whether a change of an object is more than one of the state.
func (o Object) Sends() bool { return o.Action != Update || o.ChangesBeside(category.OnlyInState...) }
