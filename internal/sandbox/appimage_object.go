package sandbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

const (
	codeCreateAppImage int32 = 13100
	codeQueryAppImage  int32 = 13101
	codeUpdateAppImage int32 = 13102
	codeDeleteAppImage int32 = 13103
	codeBatchAppImages int32 = 13104
	codeAppImageGone   int32 = 13105
	codeAppImageExists int32 = 13106
	codeListAppImages  int32 = 13107
	kindAppImages            = "appimages"
)

// appImageObject are the app images.
var appImageObject = Object{
	Name: "app_images", Kind: kindAppImages,
	Operations: map[string]Operation{
		"appimage/create":     appImageOperation(Handle(codeCreateAppImage, createAppImage)),
		"appimage/query":      appImageOperation(Handle(codeQueryAppImage, queryAppImage)).Data(),
		"appimage/update":     appImageOperation(Handle(codeUpdateAppImage, updateAppImage)),
		"appimage/delete":     appImageOperation(Handle(codeDeleteAppImage, deleteAppImage)),
		"appimage/batchQuery": appImageOperation(Handle(codeBatchAppImages, batchQueryAppImages)).Data(),
		"appimage/list":       appImageOperation(Handle(codeListAppImages, listAppImages)).Data().SinceVersion(Version.hasAppImageList),
	},
	Named:          NamedBy("name"),
	Save:           saveImages,
	Restore:        restoreImages,
	RestoreEarlier: restoreEarlierImages,
}

func appImageOperation(op Operation) Operation {
	return op.SinceVersion(Version.hasAppImages).OnLite(liteRefused)
}

// Images are all app images.
type Images struct {
	*World
	byName map[string]*appImage
}

// ImagesOf are the app images of a world.
func ImagesOf(w *World) *Images {
	images := stored[Images](w)
	if images.byName == nil {
		*images = Images{World: w, byName: map[string]*appImage{}}
	}
	return images
}

// appImage is a stored app image with canonical quantities.
type appImage struct {
	kuscia.AppImage
	uid     uint64
	created time.Time
}

// savedImage is an app image in the state file.
type savedImage struct {
	Image   kuscia.AppImage `json:"image"`
	Created time.Time       `json:"created"`
}

func saveImages(w *World) any {
	list := []savedImage{}
	images := ImagesOf(w).byName
	for _, name := range slices.Sorted(maps.Keys(images)) {
		list = append(list, savedImage{images[name].AppImage, images[name].created})
	}
	return list
}

func restoreImages(w *World, text json.RawMessage) error {
	var list []savedImage
	if err := json.Unmarshal(text, &list); err != nil {
		return fmt.Errorf("reading app images: %w", err)
	}
	images := ImagesOf(w).byName
	for _, saved := range list {
		images[saved.Image.Name] = &appImage{AppImage: saved.Image, uid: w.NextUID(), created: saved.Created}
	}
	return nil
}

// restoreEarlierImages: the first release kept app images beside the objects.
func restoreEarlierImages(w *World, file map[string]json.RawMessage) error {
	if text, ok := file["app_images"]; ok {
		return restoreImages(w, text)
	}
	return nil
}
