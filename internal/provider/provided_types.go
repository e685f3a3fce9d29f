package provider

import (
	"slices"

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
)

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

// collect returns one kind of types of all packages.
func collect[T any](kind func(crud.Types) []T) []T {
	var all []T
	for _, t := range providedTypes {
		all = append(all, kind(t)...)
	}
	return slices.Clip(all)
}
