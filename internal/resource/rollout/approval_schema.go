package rollout

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

const approvalDescription = "The approval of a step of a Rollout, for CLIs without actions; with Terraform 1.14 or later the action `kuscia_rollout_approve` does the same without storing a resource in the state.\n\n" +
	"A create, and an update of `step`, `to_step` or `triggers`, approves the step at which the release is paused, which must be `step`. The apply waits until the release is paused again or has ended. " +
	"To release step by step, increase `step` with each apply. For the next release set it back to 1; if it stays the same, change `triggers`. With the image in `triggers`, remove the resource in the apply that rolls back or begins the next release: that image has no paused release to approve yet.\n\n" +
	"Only a paused release is approved, and only the version, the step and the state that the apply has read: otherwise it fails and writes nothing. The version is the one that is paused at `step` then, even if it is newer than the plan. A destroy does not undo the approval."

// approvesAgain is what a change of the step or the triggers does.
const approvesAgain = "`step` is approved"

// approvalDefinition defines the attributes of kuscia_rollout_approval.
var approvalDefinition = definition.New(definition.Schema{
	Description: approvalDescription,
	Attributes: []definition.Attribute{
		{Name: attrID, Presence: definition.Computed, Description: "Namespace, name and step, and `to_step` if it is set: `namespace/name/step` or `namespace/name/step/to_step`. It is the import ID."},
		{Name: attrNamespace, Replace: definition.Always, Description: "Namespace of the Rollout: with Kuscia the domain. Changing it replaces the approval."},
		{Name: attrName, Replace: definition.Always, Description: "Name of the Rollout. Changing it replaces the approval."},
		{Name: attrStep, Type: definition.Number, Effect: approvesAgain, Description: "The step to approve, from 1. Changing it approves the new one."},
		{Name: attrToStep, Type: definition.Number, Presence: definition.Nullable, Effect: approvesAgain, Description: "The step to continue with instead of the next one. An earlier step is executed again; pods that already have the new version keep it."},
		{Name: attrTriggers, Type: definition.StringMap, Presence: definition.Optional, Local: true, Effect: approvesAgain, Description: "Arbitrary values, such as the image of the release. A change of them approves `step` again."},
		{Name: attrRevision, Presence: definition.Computed, Description: "Hash of the version that was approved."},
		{Name: attrComplete, Type: definition.Bool, Presence: definition.Computed, Description: "Whether the provider saw the release reach its next pause or its end. While it is `false`, the plan shows a change, and an apply waits again. If the release has ended in the meantime, that apply ends with a warning."},
	},
	Timeouts: definition.Timeouts{Create: approveTimeout, Update: approveTimeout},
	Derive: func(value, _ definition.Value) map[string]definition.Value {
		fields := definition.FieldsOf(value)
		for _, name := range []string{attrNamespace, attrName, attrStep, attrToStep} {
			if !fields[name].IsKnown() {
				return map[string]definition.Value{attrID: definition.UnknownString()}
			}
		}
		return map[string]definition.Value{attrID: definition.StringValue(approvalOf(value).importID())}
	},
})

// validateApproval validates a configuration.
func validateApproval(config definition.Value) diag.Diagnostics {
	var diags diag.Diagnostics
	fields := definition.FieldsOf(config)
	for _, a := range identity("Rollout").Attributes {
		if value := fields[a.Name]; value.IsKnown() && !value.IsNull() && a.Problem(definition.StringOf(value)) != "" {
			diags.AddAttributeError(path.Root(a.Name), "Invalid "+a.Name, a.Problem(definition.StringOf(value)))
		}
	}
	for _, name := range []string{attrStep, attrToStep} {
		value := fields[name]
		if n, whole := definition.NumberOf(value); value.IsKnown() && !value.IsNull() && (!whole || n < 1 || n > maxSteps) {
			diags.AddAttributeError(path.Root(name), "Invalid number", fmt.Sprintf("%s is %s; use a whole number from 1 to %d.", name, definition.NumberText(value), maxSteps))
		}
	}
	step, _ := definition.NumberOf(fields[attrStep])
	if to, _ := definition.NumberOf(fields[attrToStep]); to != 0 && to == step {
		diags.AddAttributeError(path.Root(attrToStep), "Invalid step", "to_step is the same as step, so the release would not continue. Omit it to continue with the next step.")
	}
	for _, problem := range approvalDefinition.Problems(config) {
		diags.AddAttributeError(problem.Path, problem.Summary, check.WithPath(problem.Path, problem.Detail))
	}
	return diags
}
