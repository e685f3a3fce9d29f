package objects

// Client reads and writes the objects of a kind in an API server.
type Client[T any] interface {
	// Get returns nil for an object that does not exist.
	Get(namespace, name string) (*T, error)
	// List returns the objects of a namespace, "" for all, with these labels.
	List(namespace string, labels map[string]string) ([]*T, error)
	Create(object *T) error
	// Update replaces an object, unless it has changed since it was read.
	Update(object *T) error
	Delete(namespace, name string) error
}

// API is an API server with the objects that the KusciaAPI uses.
type API struct {
	Domains           Client[Domain]
	AppImages         Client[AppImage]
	KusciaDeployments Client[KusciaDeployment]
	Deployments       Client[Deployment]
	Services          Client[Service]
}
