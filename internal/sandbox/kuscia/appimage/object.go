package appimage

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// The codes of app image operations.
const (
	codeCreateAppImage int32 = 13100
	codeQueryAppImage  int32 = 13101
	codeUpdateAppImage int32 = 13102
	codeDeleteAppImage int32 = 13103
	codeBatchAppImages int32 = 13104
	codeAppImageGone   int32 = 13105
	codeAppImageExists int32 = 13106
	codeListAppImages  int32 = 13107
)

var (
	kind  = objects.KindOf[objects.AppImage]()
	codes = server.StoreCodes{NotFound: codeAppImageGone, Exists: codeAppImageExists}
)

// Object is the kind app image.
var Object = server.Object{
	Name: "app_images", Kind: kind, Table: server.AsTable[objects.AppImage],
	Operations: map[string]server.Operation{
		"appimage/create":     appImageOperation(server.Handle(codeCreateAppImage, Of, createAppImage)),
		"appimage/query":      appImageOperation(server.Handle(codeQueryAppImage, Of, queryAppImage)).Data(),
		"appimage/update":     appImageOperation(server.Handle(codeUpdateAppImage, Of, updateAppImage)),
		"appimage/delete":     appImageOperation(server.Handle(codeDeleteAppImage, Of, deleteAppImage)),
		"appimage/batchQuery": appImageOperation(server.Handle(codeBatchAppImages, Of, batchQueryAppImages)).Data(),
		"appimage/list":       appImageOperation(server.Handle(codeListAppImages, Of, listAppImages)).Data().Since(versions.AppImageList),
	},
	IDFields: []string{"name"},
}

func appImageOperation(op server.Operation) server.Operation {
	return op.Since(versions.AppImageAPI).OnLite(server.LiteRefused)
}

// Images are all app images.
type Images struct {
	table *server.Table[objects.AppImage]
	// shown are the images as the KusciaAPI returned them last, by name.
	shown map[string]*Image
}

// Of returns the app images of a control plane. It is called with the lock
// held.
func Of(w *server.ControlPlane) *Images {
	images := server.Stored[Images](w)
	if images.table == nil {
		*images = Images{table: server.TableOf[objects.AppImage](w), shown: map[string]*Image{}}
	}
	return images
}

// Image is a stored app image, and how the KusciaAPI returns it.
type Image struct {
	kuscia.AppImage
	// Object is the app image as the controllers have it.
	Object *objects.AppImage
}

// Get is an app image, nil if it does not exist.
func (w *Images) Get(name string) (*Image, error) {
	object := w.table.Get("", name)
	if object == nil {
		return nil, nil
	}
	return w.imageOf(object)
}

// imageOf converts an app image, once for each change.
func (w *Images) imageOf(object *objects.AppImage) (*Image, error) {
	if shown := w.shown[object.Name]; shown != nil && shown.Object.UID == object.UID && shown.Object.ResourceVersion == object.ResourceVersion {
		return shown, nil
	}
	image, err := imageOf(object)
	if err != nil {
		return nil, err
	}
	w.shown[object.Name] = &Image{AppImage: image, Object: object}
	return w.shown[object.Name], nil
}

// put stores an app image. There are deploy templates only if they have changed: then
// all that the KusciaAPI does not know of is lost.
func (w *Images) put(image kuscia.AppImage, before *Image, templates bool) error {
	object, err := objectOf(&image)
	if err != nil {
		return err
	}
	if before == nil {
		return w.table.Create(object)
	}
	if !templates {
		object.Spec.DeployTemplates = before.Object.Spec.DeployTemplates
	}
	object.Meta = before.Object.Meta
	return w.table.Update(object)
}
