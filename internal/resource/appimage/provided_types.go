package appimage

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	fwlist "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// Types are the resources and data sources for app images.
var Types = crud.Types{
	Resources:     []func() resource.Resource{appImage.NewResource},
	DataSources:   []func() datasource.DataSource{lookup, all},
	ListResources: []func() fwlist.ListResource{listed},
	Shortcuts:     []crud.Shortcuts{appImage},
}
