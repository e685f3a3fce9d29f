package rollout

import (
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// Types are the resources, data sources and actions for OpenKruise Rollouts.
var Types = crud.Types{
	Resources:   []func() resource.Resource{rollout.NewResource, trafficRouting.NewResource, NewApprovalResource},
	DataSources: []func() datasource.DataSource{lookupRollout, lookupTrafficRouting},
	Actions:     []func() action.Action{NewApproveAction},
	Shortcuts:   []crud.Shortcuts{rollout, trafficRouting},
}
