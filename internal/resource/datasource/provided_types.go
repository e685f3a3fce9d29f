package datasource

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	fwlist "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// Types are the resource, the data sources and the list resource for data
// sources of domains.
var Types = crud.Types{
	Resources:     []func() resource.Resource{source.NewResource},
	DataSources:   []func() datasource.DataSource{lookup, all},
	ListResources: []func() fwlist.ListResource{listed},
	Shortcuts:     []crud.Shortcuts{source},
}
