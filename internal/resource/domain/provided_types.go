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

var lookup = domain.NewDataSource("One domain of Kuscia, looked up by id, with its nodes. It is an error if there is none. "+
	"The id `master` is not that of a domain: it gives the certificate of the cluster's authority in `cert`, and nothing else.", outsideAttributes()...)
