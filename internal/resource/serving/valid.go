package serving

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// CertainlyValid is a shortcut for ValidateConfig: whether it has no message
// about a configuration whose attributes, given by name, are valid one by one.
func CertainlyValid(values map[string]attr.Value) bool {
	var config model
	var list types.List
	ok := len(values) == len(servingFields) &&
		take(values, "id", &config.ID) &&
		take(values, "serving_id", &config.ServingID) &&
		take(values, "initiator", &config.Initiator) &&
		take(values, attrConfig, &config.ServingInputConfig) &&
		take(values, attrConfigWO, &config.ServingInputConfigWO) &&
		take(values, attrConfigVersion, &config.ServingInputConfigVersion) &&
		take(values, "affinity_mode", &config.AffinityMode) &&
		take(values, "parties", &list) &&
		take(values, "redeploy_triggers", &config.RedeployTriggers) &&
		take(values, "replace_triggers", &config.ReplaceTriggers) &&
		take(values, "wait_for_rollout", &config.WaitForRollout) &&
		take(values, attrProgressDeadline, &config.ProgressDeadline) &&
		take(values, "rollout_complete", &config.RolloutComplete) &&
		take(values, "create_time", &config.CreateTime) &&
		take(values, "endpoints", &config.Endpoints) &&
		take(values, "timeouts", &config.Timeouts)
	config.Parties = decodeParties(list)
	return ok && len(validate(config)) == 0
}

func take[T attr.Value](values map[string]attr.Value, name string, into *T) bool {
	value, ok := values[name].(T)
	*into = value
	return ok
}
