package serving

import (
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// Types are the provider's types for servings.
var Types = crud.Types{
	Resources:     []func() resource.Resource{NewResource},
	DataSources:   []func() datasource.DataSource{NewDataSource, newStatusDataSource},
	ListResources: []func() list.ListResource{listed},
	Actions:       []func() action.Action{NewRedeployAction},
	Shortcuts:     []crud.Shortcuts{serving},
}
