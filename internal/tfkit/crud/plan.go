package crud

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Planned is the plan of an object that is not deleted.
type Planned struct {
	definition.Plan

	// Config is the configuration, with strings that only an imported state has, Prior the
	// state, which is null for a create.
	Config, Prior definition.Value
	// Memory is what the Rollout remembers.
	Memory Memory
	// Imported is set until the first update after an import.
	Imported bool
	// Destroys is set if the apply destroys a live object before it creates the planned one.
	Destroys bool
	// CrossCheck adds errors and warnings that depend on other plans of the run, or on the way from
	// the prior state, once all else of the plan is known, also if nothing changes. May be nil.
	CrossCheck func(ctx context.Context, c *run.Run, planned Planned) diag.Diagnostics
	// MayEndOtherwise reports whether no plan knows if the rollout will be complete, as where a
	// wait may end with Progress.Paused. nil: each knows.
	MayEndOtherwise func(c *run.Run, planned Planned) bool
}

// Moment is when the references of the plan are checked.
func (p Planned) Moment() Moment {
	if p.Destroys {
		return InReplacement
	}
	return InPlan
}

// Plan adds the planned values of an object.
func (o *Object[W]) Plan(ctx context.Context, c *run.Run, from Planned) Planned {
	from = o.steps.Plan(ctx, c, from)
	o.planRollout(c, &from)
	return from
}

// crossCheck calls CrossCheck.
func (p Planned) crossCheck(ctx context.Context, c *run.Run) diag.Diagnostics {
	if p.CrossCheck == nil {
		return nil
	}
	return p.CrossCheck(ctx, c, p)
}

// keepSecrets returns the configuration to plan from, in which write-only values are unknown that
// stay as the server has them, and refuses those that are null and cannot stay.
func (o *Object[W]) keepSecrets(config, state definition.Value) (kept definition.Value, diags diag.Diagnostics) {
	kept, missing := o.Definition.KeepSecrets(config, state)
	definition.RefuseMissingSecrets(o.Title, state.IsNull(), missing, &diags)
	return kept, diags
}

// Validate reports what is invalid in a configuration, whatever the state.
func (o *Object[W]) Validate(config definition.Value) diag.Diagnostics {
	config, _ = o.Definition.KeepSecrets(config, config) // only a plan knows the version of the state
	return append(o.checkAllowed(config), o.steps.Validate(config)...)
}

// CheckChange reports the errors and warnings that depend on the planned change, and
// the errors that depend on whether an import has read a value that the
// configuration does not set.
func (o *Object[W]) CheckChange(config, prior definition.Value) diag.Diagnostics {
	if !o.makesRequests() {
		return nil // the steps check it
	}
	issues := o.Issues(config)
	return append(check.Validate(issues), check.Plan(issues, func() []check.Issue {
		if prior.IsNull() {
			return nil
		}
		return o.Issues(prior)
	})...)
}

// Issues returns the problems of a configuration or a state, in the order of
// the attributes. Problems that depend on an unknown value are left out.
func (o *Object[W]) Issues(value definition.Value) []check.Issue {
	null := o.Definition.Null()
	complete := o.Definition.Complete(value)
	wire, unconvertible := o.wire(o.Definition.WithSecrets(complete, value, null, null), value)
	c := &check.Checker{}
	for _, at := range unconvertible.Null {
		c.Add(check.Refused, at, "", "Null element", "An element of a list or map must not be null. Remove it, or set a value.")
	}
	for _, at := range unconvertible.OutOfRange {
		c.Add(check.Refused, at, "", "Invalid number", "This is not a whole number of at most 2147483647 (durations in seconds may be larger). Use one without a fraction.")
	}
	certain := c.IndependentOf(nil)
	c = &check.Checker{}
	for _, a := range o.Identity.Attributes {
		field := definition.At(complete, a.Name)
		if problem := a.problem(definition.StringOf(field)); problem != "" && field.IsKnown() {
			c.Add(check.Refused, path.Root(a.Name), definition.StringOf(field), "Invalid "+a.Name, problem)
		}
	}
	if o.Checks.Object != nil {
		o.Checks.Object(c, wire)
	}
	open := append(slices.Clip(unconvertible.All()), o.Definition.Unversioned(value)...)
	return append(slices.Clip(certain), c.IndependentOf(open)...)
}

// wire converts an object to the wire type, and returns the values that could
// not be converted.
func (o *Object[W]) wire(value, config definition.Value) (*W, *definition.Unconvertible) {
	reader, unconvertible := definition.Read(value, config)
	if o.ToWire == nil {
		return nil, unconvertible
	}
	return o.ToWire(reader), unconvertible
}

// Request converts a planned object to the request. A remaining unknown value
// is an error with its path, never a zero value.
func (o *Object[W]) Request(desired, config definition.Value) (*W, diag.Diagnostics) {
	var diags diag.Diagnostics
	wire, unconvertible := o.wire(o.Definition.Sendable(desired), config)
	for _, at := range unconvertible.Unknown {
		diags.AddAttributeError(at, "Unknown value at apply",
			fmt.Sprintf("%s is still unknown although everything must be known now. Nothing was sent. This is a bug in the provider; please report it.", at))
	}
	for _, at := range slices.Concat(unconvertible.Null, unconvertible.OutOfRange) {
		diags.AddAttributeError(at, "Value that cannot be sent",
			fmt.Sprintf("%s has a value that %s cannot store, and that should have been refused before. Nothing was sent. This is a bug in the provider; please report it.", at, o.Server.Name))
	}
	return wire, diags
}

// publishPlanned publishes the planned object to the other resources of the same
// plan.
func (o *Object[W]) publishPlanned(c *run.Run, planned definition.Value) {
	id, known := o.Identity.of(planned)
	if c == nil {
		return
	}
	if !known {
		c.Objects.Record(o.TypeName, run.UnknownID, run.Planned)
		return
	}
	c.Objects.Record(o.TypeName, id.String(), run.Planned)
	if o.Planned == nil {
		return
	}
	wire, unconvertible := o.wire(planned, o.Definition.Null())
	o.Planned(c, id, wire, unconvertible.All())
}

// AddReplacements adds the replacements of a plan to its response, with a
// warning for each that needs an explanation. title is the name of the object in
// messages, and meanwhile what does not work until the new one is there, as a sentence, or "".
func AddReplacements(resp *resource.ModifyPlanResponse, title, meanwhile string, replaces []definition.Replacement) {
	for _, replaced := range replaces {
		resp.RequiresReplace = append(resp.RequiresReplace, replaced.Path)
		if why := strings.TrimSpace(replaced.Warning() + " " + meanwhile); why != "" {
			resp.Diagnostics.AddAttributeWarning(replaced.Path, message.Capitalize(title)+" is replaced", why)
		}
		meanwhile = ""
	}
}
