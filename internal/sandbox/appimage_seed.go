package sandbox

import (
	"fmt"
	"maps"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// ImageStore is what tests and demos do with app images beside the API.
type ImageStore struct{ server *Server }

// NewImageStore gives access to the app images that a server has.
func NewImageStore(s *Server) *ImageStore { return &ImageStore{server: s} }

// PutAppImage creates an app image, or replaces one of the same name.
func (s *ImageStore) PutAppImage(image kuscia.AppImage) error {
	w := ImagesOf(s.server.World)
	func() {
		defer w.Enter()()
		delete(w.byName, image.Name)
	}()
	request := CreateAppImageRequest(image)
	return createAppImage(s.server, caller{}, &request).err()
}

// AppImageNames lists the names of all app images, sorted.
func (s *ImageStore) AppImageNames() []string {
	w := ImagesOf(s.server.World)
	defer w.Enter()()
	return slices.Sorted(maps.Keys(w.byName))
}

// AppImage is what is stored of an app image.
func (s *ImageStore) AppImage(name string) (kuscia.AppImage, error) {
	w := ImagesOf(s.server.World)
	defer w.Enter()()
	image := w.byName[name]
	if image == nil {
		return kuscia.AppImage{}, fmt.Errorf("app image %q: %w", name, ErrUnknown)
	}
	return image.AppImage, nil
}

// RemoveAppImage deletes an app image behind everybody's back.
func (s *ImageStore) RemoveAppImage(name string) error {
	return deleteAppImage(s.server, caller{}, &DeleteAppImageRequest{Name: name}).err()
}
