package appimage

import (
	"maps"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// Cluster is a Kubernetes API that has the app images too, as that of a real
// Kuscia. It is called before the response to a request, and must not call the
// sandbox.
type Cluster interface {
	// Stored is called for an app image that was created or changed. Its deploy
	// templates were replaced only if templates is set. It returns the version of
	// the object.
	Stored(image kuscia.AppImage, templates bool) (version int64)
	// Removed is called for an app image that was deleted.
	Removed(name string)
}

// UseCluster stores the app images in a cluster from now on.
func (s *Store) UseCluster(to Cluster) {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	w.cluster = to
	for _, name := range slices.Sorted(maps.Keys(w.ByName)) {
		w.stored(w.ByName[name], true)
	}
}

// ShowAppImage sets an app image to what the KusciaAPI returns for a version in
// the cluster, unless it has a newer one, or does not exist.
func (s *Store) ShowAppImage(image kuscia.AppImage, version int64) error {
	defer s.server.ControlPlane.Acquire()()
	stored := Of(s.server.ControlPlane).ByName[image.Name]
	if stored == nil || version <= stored.version {
		return nil
	}
	templates, err := storeTemplates(image.DeployTemplates)
	if err != nil {
		return err
	}
	image.DeployTemplates = templates
	stored.AppImage, stored.version = image, version
	return nil
}

func (w *Images) stored(image *Image, templates bool) {
	if w.cluster != nil {
		image.version = w.cluster.Stored(image.AppImage, templates)
	}
}
