package provider

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/appimage"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/certificate"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/config"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/datagrant"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/datasource"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/deployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/domain"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/domaindata"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/domainroute"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/edgedeployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/rollout"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// typeName is the name with which all types begin.
const typeName = "kuscia"

// providedTypes are all types, by package. A new package adds a line.
var providedTypes = []crud.Types{
	appimage.Types,
	certificate.Types,
	config.Types,
	datagrant.Types,
	datasource.Types,
	deployment.Types,
	domain.Types,
	domaindata.Types,
	domainroute.Types,
	edgedeployment.Types,
	rollout.Types,
	serving.Types,
}

// Effects are what changes of the attributes of each resource do, by its type.
func Effects(ctx context.Context) map[string][]definition.Effect {
	all := map[string][]definition.Effect{}
	for _, factory := range collect(func(t crud.Types) []func() resource.Resource { return t.Resources }) {
		made := factory()
		var metadata resource.MetadataResponse
		made.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: typeName}, &metadata)
		if r, ok := made.(interface{ Effects() []definition.Effect }); ok {
			all[metadata.TypeName] = r.Effects()
		}
	}
	return all
}

// collect returns one kind of types of all packages.
func collect[T any](kind func(crud.Types) []T) []T {
	var all []T
	for _, t := range providedTypes {
		all = append(all, kind(t)...)
	}
	return slices.Clip(all)
}
