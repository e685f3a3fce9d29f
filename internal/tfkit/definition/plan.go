package definition

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Plan is the planned change of an object.
type Plan struct {
	// Planned is the planned value. It equals the prior state if nothing
	// changes.
	Planned Value
	// Unchanged reports that Planned is identical to the prior state. It may be
	// false although they are identical.
	Unchanged bool
	// Differences are the changed attributes, without those that only become empty
	// instead of null, which are stored as they are written; Sent are those that have to be
	// sent to the server. Both are empty for a create.
	Differences, Sent []path.Path
	// Replaces are the changes that cannot be made in place.
	Replaces []Replacement
}

// Replacement is a change that cannot be made in place.
type Replacement struct {
	Path path.Path
	// Why is a warning for the user, "" if the attribute needs no explanation.
	Why string
	// Unknown reports that the value is unknown, so that an update might be
	// sufficient.
	Unknown bool
}

// Warning explains to the user why a change is a replacement, "" if the
// attribute needs no explanation.
func (r Replacement) Warning() string {
	if r.Why == "" || !r.Unknown {
		return r.Why
	}
	return fmt.Sprintf("%s is not known yet. Some values of it need a replacement, and Terraform must decide in the plan whether it replaces, so a replacement is planned. "+
		"To avoid one that is not needed, first apply the resource that provides the value (-target), and plan again.\n\n%s", r.Path, r.Why)
}

// PlanOptions modify a plan.
type PlanOptions struct {
	// Imported is set until the first update after an import: a difference in
	// Local attributes alone is no change.
	Imported bool
	// ReplaceAll is set if the server cannot update the object at all.
	ReplaceAll bool
}

// Plan compares a configuration with the prior state. prior is null for a
// create. Semantically equal values are no change.
func (d *Definition) Plan(config, prior Value, options PlanOptions) Plan {
	p := d.plan(config, prior, options)
	if options.Imported && !p.Unchanged && !Equal(p.Planned, prior) {
		// Local attributes of an update are taken from the configuration.
		options.Imported = false
		p = d.plan(config, prior, options)
	}
	return p
}

func (d *Definition) plan(config, prior Value, options PlanOptions) Plan {
	planned, k := completer{source: fromConfig, keepLocal: options.Imported}.complete(d.root, config, prior)
	p := Plan{Planned: planned, Unchanged: k == identical}
	if p.Unchanged {
		return p
	}
	if !prior.IsNull() {
		p.Differences = asPlanned.differences(d.root, prior, p.Planned, path.Empty())
		p.Sent = p.Differences
		if len(p.Sent) > 0 {
			p.Sent = asSent.differences(d.root, prior, p.Planned, path.Empty())
		}
	}
	if !prior.IsNull() && len(p.Differences) == 0 {
		// Computed values are no reason for a change, even if a state of an
		// earlier release lacks them.
		p.Planned = d.keepComputed(p.Planned, prior)
		return p
	}
	p.Replaces = d.replaces(prior, p, options)
	if len(p.Sent) > 0 {
		p.Planned = d.volatile(p.Planned)
	}
	p.Planned = d.derived(p.Planned, prior, config)
	return p
}

// keepComputed copies the computed attributes of the prior state.
func (d *Definition) keepComputed(planned, prior Value) Value {
	fields, before := fieldsCopy(planned), FieldsOf(prior)
	for name, n := range d.root.fields {
		if n.Presence == Computed {
			fields[name] = n.fieldOf(before)
		}
	}
	return tftypes.NewValue(d.root.tfType, fields)
}

// HasLocal reports whether there are attributes that the server does not have.
func (d *Definition) HasLocal() bool {
	for _, n := range d.root.fields {
		if n.Local {
			return true
		}
	}
	return false
}

// replaces returns the changes that need a replacement. A rule applies to every
// difference at or below its attribute.
func (d *Definition) replaces(prior Value, p Plan, options PlanOptions) []Replacement {
	var found []Replacement
	seen := map[string]bool{}
	for _, at := range p.Sent {
		if options.ReplaceAll {
			found = append(found, Replacement{Path: path.Root(rootName(at))})
			continue
		}
		for where := at; len(where.Steps()) > 0; where = where.ParentPath() {
			n := d.root.at(where)
			if n == nil || n.Replace.when == nil || seen[where.String()] {
				continue
			}
			planned := ValueAt(p.Planned, where)
			if n.Replace.when(ValueAt(prior, where), planned) {
				seen[where.String()] = true
				found = append(found, Replacement{Path: where, Why: n.Replace.why, Unknown: !planned.IsKnown()})
			}
		}
	}
	return found
}

func rootName(at path.Path) string {
	name, _ := at.Steps()[0].(path.PathStepAttributeName)
	return string(name)
}

// volatile sets attributes that an update may change to unknown. For a
// replacement, Terraform requests a second plan, that of the create.
func (d *Definition) volatile(planned Value) Value {
	fields := fieldsCopy(planned)
	for name, n := range d.root.fields {
		if n.Presence == Computed && n.Volatile {
			fields[name] = n.unknown()
		}
	}
	return tftypes.NewValue(d.root.tfType, fields)
}

// ValueAt returns the value at a path, null (without a type) if there is none.
func ValueAt(value Value, at path.Path) Value {
	for _, step := range at.Steps() {
		switch step := step.(type) {
		case path.PathStepAttributeName:
			value = FieldsOf(value)[string(step)]
		case path.PathStepElementKeyInt:
			elements := ElementsOf(value)
			if int(step) >= len(elements) {
				return Value{}
			}
			value = elements[step]
		case path.PathStepElementKeyString:
			value = FieldsOf(value)[string(step)]
		}
		if value.Type() == nil {
			return value
		}
	}
	return value
}

// Sendable returns a planned object without the values that the server chooses.
// Any value that is still unknown is a bug.
func (d *Definition) Sendable(planned Value) Value { return sendable(d.root, planned) }

func sendable(n *node, value Value) Value {
	if !value.IsKnown() || value.IsNull() {
		return value
	}
	switch n.Attribute.Type {
	case Object:
		fields := fieldsCopy(value)
		for name, field := range n.fields {
			if chosen := field.Presence == Computed || field.Presence == ServerDefault; chosen && !fields[name].IsKnown() {
				fields[name] = field.null()
			} else {
				fields[name] = sendable(field, field.fieldOf(fields))
			}
		}
		return tftypes.NewValue(n.tfType, fields)
	case ObjectList, ObjectMap:
		return n.mapElements(value, func(_ path.PathStep, element Value) Value { return sendable(n.element, element) })
	default:
		return value
	}
}

// OmitUnmanaged returns a planned object without the SetByOthers values that the
// configuration does not set. This is what is sent and compared.
func (d *Definition) OmitUnmanaged(planned, config Value) Value {
	var fields map[string]Value
	for name, n := range d.root.fields {
		if n.SetByOthers && !isSet(n.fieldOf(FieldsOf(config))) {
			if fields == nil {
				fields = fieldsCopy(planned)
			}
			fields[name] = n.unknown()
		}
	}
	if fields == nil {
		return planned
	}
	return tftypes.NewValue(d.root.tfType, fields)
}

// Generated returns a planned object in which unknown ids are replaced by
// generated ones.
func (d *Definition) Generated(planned Value) Value {
	fields := fieldsCopy(planned)
	for _, name := range d.root.names {
		n := d.root.fields[name]
		if n.Generate == nil || fields[name].IsKnown() {
			continue
		}
		reader, _ := Read(sendable(d.root, planned), Value{})
		fields[name] = StringValue(n.Generate(reader))
	}
	return tftypes.NewValue(d.root.tfType, fields)
}

// NotReturned are the names of the attributes that the server never returns.
func (d *Definition) NotReturned() []string {
	var names []string
	for _, name := range d.root.names {
		if d.root.fields[name].NotReturned {
			names = append(names, name)
		}
	}
	return names
}
