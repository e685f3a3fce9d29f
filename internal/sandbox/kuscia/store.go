package kuscia

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/appimage"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/domain"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/serving"
)

// Store has the methods by which tests and demos access servings, and the
// objects that these use, without the API. Objects are not added to it: tests
// of one object use its API.
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
