package kuscia

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/appimage"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/domain"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/serving"
)

// Objects are all simulated kinds. They are seeded and restored in this order.
// A new one adds a line.
var Objects = []*server.Object{
	&domain.NamespaceObject,
	&domain.Object,
	&domain.RouteObject,
	&domain.RouteCopyObject,
	&domain.DataSourceObject,
	&domain.DataObject,
	&domain.GrantObject,
	&domain.ConfigObject,
	&domain.CertificateObject,
	&appimage.Object,
	&serving.Object,
	&serving.ClusterObject,
}
