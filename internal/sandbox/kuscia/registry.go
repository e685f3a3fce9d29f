package kuscia

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/appimage"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/domain"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/serving"
)

// Objects are all simulated kinds. They are seeded and restored in this order.
var Objects = []*server.Object{
	&domain.Object, &domain.RouteObject, &domain.DataSourceObject, &domain.DataObject, &domain.GrantObject, &domain.ConfigObject, &domain.CertificateObject,
	&appimage.Object, &serving.Object,
}

// Store has the methods by which tests and demos access objects without the
// API.
type Store struct {
	*domainStore
	*imageStore
	*servingStore
}

type (
	domainStore  = domain.Store
	imageStore   = appimage.Store
	servingStore = serving.Store
)

// NewStore returns direct access to the objects of a node.
func NewStore(s *server.Node) *Store {
	return &Store{domain.NewStore(s), appimage.NewStore(s), serving.NewStore(s)}
}
