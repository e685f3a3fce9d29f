package sandbox

// objects are all that the sandbox plays. They are seeded and restored in this
// order.
var objects = []*Object{
	&domainObject, &routeObject, &dataSourceObject, &domainDataObject, &grantObject, &configObject, &certificateObject,
	&appImageObject, &servingObject,
}

// stores are what tests and demos do with objects beside the API.
type stores struct {
	*domainStore
	*imageStore
	*servingStore
}

type (
	domainStore  = DomainStore
	imageStore   = ImageStore
	servingStore = ServingStore
)

func newStores(s *Server) *stores {
	return &stores{NewDomainStore(s), NewImageStore(s), NewServingStore(s)}
}
