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
	return ofResources(ctx, func(r interface{ Effects() []definition.Effect }) []definition.Effect { return r.Effects() })
}

// Since are the values of each resource that only some versions of Kuscia support, by its type.
func Since(ctx context.Context) map[string][]definition.Declared {
	return ofResources(ctx, func(r interface{ Since() []definition.Declared }) []definition.Declared { return r.Since() })
}

// KnownFields are the fields of the custom resource of each resource that has one, see
// manifest.CustomResource.Known, by its type.
func KnownFields(ctx context.Context) map[string][]string {
	return ofResources(ctx, func(r interface{ KnownFields() []string }) []string { return r.KnownFields() })
}

// Attributes are the definitions of the attributes of each resource.
func Attributes(ctx context.Context) map[string][]definition.Attribute {
	return ofResources(ctx, func(r interface{ Attributes() []definition.Attribute }) []definition.Attribute { return r.Attributes() })
}

// ofResources asks every resource that can tell it, by its type.
func ofResources[R, T any](ctx context.Context, ask func(R) []T) map[string][]T {
	all := map[string][]T{}
	for _, factory := range collect(func(t crud.Types) []func() resource.Resource { return t.Resources }) {
		made := factory()
		var metadata resource.MetadataResponse
		made.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: typeName}, &metadata)
		if r, ok := made.(R); ok {
			all[metadata.TypeName] = ask(r)
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
