package domain

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// Types are the resources, data sources and ephemeral resources for domains.
var Types = crud.Types{
	Resources:          []func() resource.Resource{domain.NewResource},
	DataSources:        []func() datasource.DataSource{lookup, NewListDataSource},
	EphemeralResources: []func() ephemeral.EphemeralResource{NewDeployToken},
	Shortcuts:          []crud.Shortcuts{domain},
}

var lookup = domain.NewDataSource("One domain of Kuscia, looked up by ID, with its nodes. The plan fails if it does not exist. " +
	"The ID `master` is not that of a domain: it only returns the CA certificate of the cluster in `cert`.")
