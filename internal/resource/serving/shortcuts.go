package serving

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
)

// shortcuts handle the requests that Terraform sends for every serving of every
// plan and that change nothing.
type shortcuts struct{}

var _ crud.Shortcuts = shortcuts{}

// ResourceType returns the resource type.
func (shortcuts) ResourceType() string { return servingKind.ResourceType() }

// configChecker checks each attribute of a configuration by the schema.
var configChecker = sync.OnceValue(func() *fastpath.Checker {
	var resp resource.SchemaResponse
	NewResource().Schema(context.Background(), resource.SchemaRequest{}, &resp)
	return fastpath.NewChecker(context.Background(), resp.Schema)
})

// FastValidate is a shortcut for ValidateConfig. It reports whether
// ValidateConfig has no diagnostics for a configuration.
func (shortcuts) FastValidate(ctx context.Context, raw map[string]any) bool {
	values, ok := configChecker().Check(ctx, raw)
	var config model.Serving
	var parties types.Map
	ok = ok && len(values) == len(model.ServingFields) &&
		take(values, "id", &config.ID) &&
		take(values, "serving_id", &config.ServingID) &&
		take(values, "initiator", &config.Initiator) &&
		take(values, model.AttrConfig, &config.ServingInputConfig) &&
		take(values, model.AttrConfigWO, &config.ServingInputConfigWO) &&
		take(values, model.AttrConfigVersion, &config.ServingInputConfigVersion) &&
		take(values, "affinity_mode", &config.AffinityMode) &&
		take(values, "parties", &parties) &&
		take(values, "redeploy_triggers", &config.RedeployTriggers) &&
		take(values, "replace_triggers", &config.ReplaceTriggers) &&
		take(values, "follow_app_image", &config.FollowAppImage) &&
		take(values, "wait_for_rollout", &config.WaitForRollout) &&
		take(values, model.AttrProgressDeadline, &config.ProgressDeadline) &&
		take(values, "rollout_complete", &config.RolloutComplete) &&
		take(values, "create_time", &config.CreateTime) &&
		take(values, "endpoints", &config.Endpoints) &&
		take(values, "timeouts", &config.Timeouts)
	config.Parties = model.DecodeParties(parties)
	return ok && len(plan.Validate(config)) == 0
}

func take[T attr.Value](values map[string]attr.Value, name string, into *T) bool {
	value, ok := values[name].(T)
	*into = value
	return ok
}
