package config

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// Types are the resources and data sources for configuration entries.
var Types = crud.Types{
	Resources:   []func() resource.Resource{entry.NewResource},
	DataSources: []func() datasource.DataSource{lookup},
	Shortcuts:   []crud.Shortcuts{entry},
}
