package model

import (
	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ImportedState returns the state after an import, with non-null values for
// attributes that a configuration may set to any value without a difference.
func ImportedState(state Serving) Serving {
	if state.Timeouts.IsNull() {
		state.Timeouts = ImportedTimeouts()
	}
	if state.ProgressDeadline.IsNull() {
		state.ProgressDeadline = types.StringValue("")
	}
	return state
}

// ImportedTimeouts are non-null timeouts that set nothing. Terraform lets a plan
// keep a prior value that is not null, so that the plan of an imported serving
// has no difference whatever timeouts the configuration has.
func ImportedTimeouts() timeouts.Value {
	attributeTypes := map[string]attr.Type{}
	values := map[string]attr.Value{}
	for _, operation := range []string{"create", "update", "delete"} {
		attributeTypes[operation] = types.StringType
		values[operation] = types.StringNull()
	}
	return timeouts.Value{Object: types.ObjectValueMust(attributeTypes, values)}
}
