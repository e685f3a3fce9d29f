package crud

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

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
