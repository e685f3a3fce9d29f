package appimage

import (
	"fmt"
	"maps"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// Store has the methods by which tests and demos access app images without the
// API.
type Store struct{ server *server.Node }

// NewStore returns access to the app images of a node.
func NewStore(s *server.Node) *Store { return &Store{server: s} }

// PutAppImage creates an app image, or replaces one with the same name.
func (s *Store) PutAppImage(image kuscia.AppImage) error {
	func() {
		defer s.server.ControlPlane.Acquire()()
		delete(Of(s.server.ControlPlane).ByName, image.Name)
	}()
	request := CreateAppImageRequest(image)
	return createAppImage(s.server, server.Caller{}, &request).Err()
}

// AppImageNames lists the names of all app images, sorted.
func (s *Store) AppImageNames() []string {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	return slices.Sorted(maps.Keys(w.ByName))
}

// AppImage is a stored app image.
func (s *Store) AppImage(name string) (kuscia.AppImage, error) {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	image := w.ByName[name]
	if image == nil {
		return kuscia.AppImage{}, fmt.Errorf("app image %q: %w", name, server.ErrUnknown)
	}
	return image.AppImage, nil
}

// RemoveAppImage deletes an app image without the API.
func (s *Store) RemoveAppImage(name string) error {
	return deleteAppImage(s.server, server.Caller{}, &DeleteAppImageRequest{Name: name}).Err()
}
