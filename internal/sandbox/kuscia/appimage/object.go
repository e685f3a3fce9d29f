package appimage

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
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
		"appimage/create":     appImageOperation(server.Handle(codeCreateAppImage, createAppImage)),
		"appimage/query":      appImageOperation(server.Handle(codeQueryAppImage, queryAppImage)).Data(),
		"appimage/update":     appImageOperation(server.Handle(codeUpdateAppImage, updateAppImage)),
		"appimage/delete":     appImageOperation(server.Handle(codeDeleteAppImage, deleteAppImage)),
		"appimage/batchQuery": appImageOperation(server.Handle(codeBatchAppImages, batchQueryAppImages)).Data(),
		"appimage/list":       appImageOperation(server.Handle(codeListAppImages, listAppImages)).Data().SinceVersion(server.Version.HasAppImageList),
	},
	IDFields:       []string{"name"},
	Save:           saveImages,
	Restore:        restoreImages,
	RestoreEarlier: restoreEarlierImages,
}

func appImageOperation(op server.Operation) server.Operation {
	return op.SinceVersion(server.Version.HasAppImages).OnLite(server.LiteRefused)
}

// Images are all app images.
type Images struct {
	*server.ControlPlane
	ByName map[string]*Image
	// cluster has the app images too; nil for none.
	cluster Cluster
}

// Of returns the app images of a control plane. It is called with the lock
// held.
func Of(w *server.ControlPlane) *Images {
	images := server.Stored[Images](w)
	if images.ByName == nil {
		*images = Images{ControlPlane: w, ByName: map[string]*Image{}}
	}
	return images
}

// Image is a stored app image with canonical quantities.
type Image struct {
	kuscia.AppImage
	uid     uint64
	created time.Time
	// version is that of the object in the cluster.
	version int64
}

// savedImage is an app image in the state file.
type savedImage struct {
	Image   kuscia.AppImage `json:"image"`
	Created time.Time       `json:"created"`
}

func saveImages(w *server.ControlPlane) any {
	list := []savedImage{}
	images := Of(w).ByName
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
	images := Of(w).ByName
	for _, saved := range list {
		images[saved.Image.Name] = &Image{AppImage: saved.Image, uid: w.NextUID(), created: saved.Created}
	}
	return nil
}

// restoreEarlierImages restores app images of the first release, which stored
// them separately.
func restoreEarlierImages(w *server.ControlPlane, file map[string]json.RawMessage) error {
	if text, ok := file["app_images"]; ok {
		return restoreImages(w, text)
	}
	return nil
}
