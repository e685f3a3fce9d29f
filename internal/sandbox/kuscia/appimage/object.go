package appimage

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// The codes of app image operations, and the kind in the texts of the store.
const (
	codeCreateAppImage int32 = 13100
	codeQueryAppImage  int32 = 13101
	codeUpdateAppImage int32 = 13102
	codeDeleteAppImage int32 = 13103
	codeBatchAppImages int32 = 13104
	codeAppImageGone   int32 = 13105
	codeAppImageExists int32 = 13106
	codeListAppImages  int32 = 13107
	Kind                     = "appimages"
)

// Object is the kind app image.
var Object = server.Object{
	Name: "app_images", Plural: Kind,
	Operations: map[string]server.Operation{
		"appimage/create":     appImageOperation(server.Handle(codeCreateAppImage, Of, createAppImage)),
		"appimage/query":      appImageOperation(server.Handle(codeQueryAppImage, Of, queryAppImage)).Data(),
		"appimage/update":     appImageOperation(server.Handle(codeUpdateAppImage, Of, updateAppImage)),
		"appimage/delete":     appImageOperation(server.Handle(codeDeleteAppImage, Of, deleteAppImage)),
		"appimage/batchQuery": appImageOperation(server.Handle(codeBatchAppImages, Of, batchQueryAppImages)).Data(),
		"appimage/list":       appImageOperation(server.Handle(codeListAppImages, Of, listAppImages)).Data().SinceVersion(server.Version.HasAppImageList),
	},
	IDFields: []string{"name"},
	Save:     saveImages,
	Restore:  restoreImages,
}

func appImageOperation(op server.Operation) server.Operation {
	return op.SinceVersion(server.Version.HasAppImages).OnLite(server.LiteRefused)
}

// Images are all app images: those in memory, or those of the API server, if the
// control plane has one.
type Images struct {
	*server.ControlPlane
	byName map[string]*Image
}

// Of returns the app images of a control plane. It is called with the lock
// held.
func Of(w *server.ControlPlane) *Images {
	images := server.Stored[Images](w)
	if images.byName == nil {
		*images = Images{ControlPlane: w, byName: map[string]*Image{}}
	}
	return images
}

// Image is a stored app image with canonical quantities.
type Image struct {
	kuscia.AppImage
	// Object is the app image as the controllers have it.
	Object  *objects.AppImage
	uid     string
	created time.Time
}

// Get is an app image, nil if it does not exist.
func (w *Images) Get(name string) (*Image, error) {
	if w.API == nil {
		return w.byName[name], nil
	}
	object, err := w.API.AppImages.Get("", name)
	if object == nil || err != nil {
		return nil, err
	}
	return shown(object)
}

// shown is an app image of the API server.
func shown(object *objects.AppImage) (*Image, error) {
	image, err := imageOf(object)
	if err != nil {
		return nil, err
	}
	return &Image{AppImage: image, Object: object, uid: object.Meta.UID, created: *object.Meta.CreationTimestamp}, nil
}

// all are all app images, by name.
func (w *Images) all() ([]*Image, error) {
	list := slices.Collect(maps.Values(w.byName))
	if w.API != nil {
		found, err := w.API.AppImages.List("", nil)
		if err != nil {
			return nil, err
		}
		for _, object := range found {
			image, err := shown(object)
			if err != nil {
				return nil, err
			}
			list = append(list, image)
		}
	}
	slices.SortFunc(list, func(a, b *Image) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// put stores an app image. There are deploy templates only if they have changed: then
// all that the KusciaAPI does not know of is lost.
func (w *Images) put(image kuscia.AppImage, before *Image, templates bool) error {
	object, err := objectOf(&image)
	if err != nil {
		return err
	}
	if w.API == nil {
		stored := &Image{AppImage: image, Object: object, uid: fmt.Sprintf("%08d-0000-4000-8000-%012[1]d", w.NextUID()), created: w.Now()}
		if before != nil {
			stored.uid, stored.created = before.uid, before.created
		}
		w.byName[image.Name] = stored
		return nil
	}
	if before == nil {
		return w.API.AppImages.Create(object)
	}
	if !templates {
		object.Spec.DeployTemplates = before.Object.Spec.DeployTemplates
	}
	object.Meta = before.Object.Meta
	return w.API.AppImages.Update(object)
}

func (w *Images) remove(name string) error {
	if w.API != nil {
		return w.API.AppImages.Delete("", name)
	}
	delete(w.byName, name)
	return nil
}

// MoveTo writes the app images in memory to the API server that has them from now on.
func (w *Images) MoveTo(api *objects.API) error {
	for _, name := range slices.Sorted(maps.Keys(w.byName)) {
		object := w.byName[name].Object
		there, err := api.AppImages.Get("", name)
		switch {
		case err != nil:
		case there == nil:
			err = api.AppImages.Create(object)
		default:
			there.Spec = object.Spec
			err = api.AppImages.Update(there)
		}
		if err != nil {
			return err
		}
	}
	clear(w.byName)
	return nil
}

// savedImage is an app image in the state file.
type savedImage struct {
	Image   kuscia.AppImage `json:"image"`
	Created time.Time       `json:"created"`
}

func saveImages(w *server.ControlPlane) any {
	list := []savedImage{}
	images := Of(w).byName
	for _, name := range slices.Sorted(maps.Keys(images)) {
		list = append(list, savedImage{images[name].AppImage, images[name].created})
	}
	return list
}

func restoreImages(w *server.ControlPlane, text json.RawMessage) error {
	var list []savedImage
	if err := json.Unmarshal(text, &list); err != nil {
		return fmt.Errorf("reading app images: %w", err)
	}
	images := Of(w)
	for _, saved := range list {
		if err := images.put(saved.Image, nil, true); err != nil {
			return err
		}
		images.byName[saved.Image.Name].created = saved.Created
	}
	return nil
}
