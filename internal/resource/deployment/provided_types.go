package deployment

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	fwlist "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// Types are the resource, the data sources and the list resource for
// KusciaDeployments.
var Types = crud.Types{
	Resources:     []func() resource.Resource{kusciaDeployment.NewResource},
	DataSources:   []func() datasource.DataSource{NewDataSource, NewListDataSource},
	ListResources: []func() fwlist.ListResource{listed},
	Shortcuts:     []crud.Shortcuts{kusciaDeployment},
}
