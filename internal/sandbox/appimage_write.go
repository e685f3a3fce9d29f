package sandbox

import (
	"errors"
	"maps"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

func createAppImage(s *Server, _ caller, request *CreateAppImageRequest) answer {
	w := ImagesOf(s.World)
	defer w.Enter()()
	switch {
	case request.Name == "":
		return refuse(codeValidate, "appimage name can not be empty")
	case request.Image.Name == "":
		return refuse(codeValidate, "base image name can not be empty")
	}
	if complaint := checkTemplates(request.DeployTemplates); complaint != "" {
		return refuse(codeValidate, complaint)
	}
	if complaint := checkName(request.Name, "appimage_id"); complaint != "" {
		return refuse(codeValidate, complaint)
	}
	templates, err := storeTemplates(request.DeployTemplates)
	if errors.Is(err, errNilDereference) {
		return crash(err.Error())
	}
	if err != nil {
		return refuse(codeCreateAppImage, err.Error())
	}
	if complaint := admitPorts(request.Name, templates); complaint != "" {
		return refuse(codeCreateAppImage, complaint)
	}
	if complaint := checkSize(sizeOf(request.ConfigTemplates)); complaint != "" {
		return refuse(codeCreateAppImage, complaint)
	}
	if w.byName[request.Name] != nil {
		return refuse(codeAppImageExists, existsError(kindAppImages, request.Name))
	}
	w.addAppImage(kuscia.AppImage{
		Name: request.Name, Image: request.Image,
		ConfigTemplates: maps.Clone(request.ConfigTemplates), DeployTemplates: templates,
	})
	return done()
}

func (w *Images) addAppImage(image kuscia.AppImage) {
	w.byName[image.Name] = &appImage{AppImage: image, uid: w.NextUID(), created: w.Now()}
}

func sizeOf(templates map[string]string) int {
	size := 0
	for name, text := range templates {
		size += len(name) + len(text)
	}
	return size
}

func updateAppImage(s *Server, _ caller, request *kuscia.UpdateAppImageRequest) answer {
	w := ImagesOf(s.World)
	defer w.Enter()()
	switch {
	case request.Name == "":
		return refuse(codeValidate, "appimage name can not be empty")
	case request.Image.Name == "":
		return refuse(codeValidate, "base image name can not be empty")
	}
	if request.DeployTemplates != nil {
		if complaint := checkTemplates(request.DeployTemplates); complaint != "" {
			return refuse(codeValidate, complaint)
		}
	}
	image := w.byName[request.Name]
	if image == nil {
		return refuse(codeAppImageGone, lookupError(kindAppImages, request.Name))
	}
	templates, err := storeTemplates(request.DeployTemplates)
	if errors.Is(err, errNilDereference) {
		return crash(err.Error())
	}
	if err != nil {
		return refuse(codeUpdateAppImage, err.Error())
	}
	if complaint := admitPorts(request.Name, templates); complaint != "" {
		return refuse(codeUpdateAppImage, complaint)
	}
	// The image is replaced whole; the rest only when it is there.
	image.Image = request.Image
	if request.ConfigTemplates != nil {
		image.ConfigTemplates = maps.Clone(*request.ConfigTemplates)
	}
	if request.DeployTemplates != nil {
		image.DeployTemplates = templates
	}
	return done()
}

func deleteAppImage(s *Server, _ caller, request *DeleteAppImageRequest) answer {
	w := ImagesOf(s.World)
	defer w.Enter()()
	if request.Name == "" {
		return refuse(codeValidate, "appimage name can not be empty")
	}
	if w.byName[request.Name] == nil {
		return refuse(codeDeleteAppImage, lookupError(kindAppImages, request.Name))
	}
	delete(w.byName, request.Name)
	return done()
}
