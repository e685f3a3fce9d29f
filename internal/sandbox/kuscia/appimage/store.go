package appimage

import (
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// Store has the methods by which tests and demos access app images without the
// API.
type Store struct{ server *server.Node }

// NewStore returns access to the app images of a node.
func NewStore(s *server.Node) *Store { return &Store{server: s} }

// PutAppImage creates an app image, or replaces one with the same name.
func (s *Store) PutAppImage(image kuscia.AppImage) error {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	if err := w.table.Delete("", image.Name); err != nil && objects.ReasonOf(err) != objects.NotFound {
		return fmt.Errorf("app image %q: %w", image.Name, err)
	}
	request := CreateAppImageRequest(image)
	return createAppImage(w, s.server, server.Caller{}, &request).Err()
}

// AppImageNames lists the names of all app images, sorted.
func (s *Store) AppImageNames() []string {
	defer s.server.ControlPlane.Acquire()()
	names := []string{}
	for _, image := range Of(s.server.ControlPlane).table.List("") {
		names = append(names, image.Name)
	}
	return names
}

// AppImage is a stored app image.
func (s *Store) AppImage(name string) (kuscia.AppImage, error) {
	defer s.server.ControlPlane.Acquire()()
	image, err := Of(s.server.ControlPlane).Get(name)
	if err != nil {
		return kuscia.AppImage{}, fmt.Errorf("app image %q: %w", name, err)
	}
	if image == nil {
		return kuscia.AppImage{}, fmt.Errorf("app image %q: %w", name, server.ErrUnknown)
	}
	return image.AppImage, nil
}

// RemoveAppImage deletes an app image without the API.
func (s *Store) RemoveAppImage(name string) error {
	defer s.server.ControlPlane.Acquire()()
	return deleteAppImage(Of(s.server.ControlPlane), s.server, server.Caller{}, &DeleteAppImageRequest{Name: name}).Err()
}

// firstNumber is the first number of the ports that NumberPorts sets.
const firstNumber = 8000

// NumberPorts gives the ports of all app images numbers, as their authors do for a Kuscia that
// allocates none. The KusciaAPI has no such field.
func (s *Store) NumberPorts() error {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	for _, image := range w.table.List("") {
		number := int32(firstNumber)
		for t := range image.Spec.DeployTemplates {
			for c := range image.Spec.DeployTemplates[t].Spec.Containers {
				ports := image.Spec.DeployTemplates[t].Spec.Containers[c].Ports
				for p := range ports {
					ports[p].Port = number
					number++
				}
			}
		}
		if err := w.table.Update(image); err != nil {
			return fmt.Errorf("app image %q: %w", image.Name, err)
		}
	}
	return nil
}
