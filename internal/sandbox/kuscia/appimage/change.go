package appimage

import (
	"errors"
	"maps"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

func createAppImage(w *Images, s *server.Node, _ server.Caller, request *CreateAppImageRequest) server.Response {
	switch {
	case request.Name == "":
		return server.Refuse(server.CodeValidate, "appimage name can not be empty")
	case request.Image.Name == "":
		return server.Refuse(server.CodeValidate, "base image name can not be empty")
	}
	if complaint := checkTemplates(request.DeployTemplates); complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	if complaint := server.CheckName(s.ControlPlane.Version, request.Name, "appimage_id"); complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	templates, err := storeTemplates(request.DeployTemplates)
	if errors.Is(err, errNilDereference) {
		return server.Crash(err.Error())
	}
	if err != nil {
		return server.Refuse(codeCreateAppImage, err.Error())
	}
	if complaint := admitPorts(request.Name, templates); complaint != "" {
		return server.Refuse(codeCreateAppImage, complaint)
	}
	if complaint := server.CheckSize(sizeOf(request.ConfigTemplates)); complaint != "" {
		return server.Refuse(codeCreateAppImage, complaint)
	}
	before, err := w.Get(request.Name)
	if err != nil {
		return server.Refuse(codeCreateAppImage, err.Error())
	}
	if before != nil {
		return codes.Refuse(codeCreateAppImage, kind.Taken(request.Name))
	}
	return codes.DoneUnless(codeCreateAppImage, w.put(kuscia.AppImage{
		Name: request.Name, Image: request.Image,
		ConfigTemplates: maps.Clone(request.ConfigTemplates), DeployTemplates: templates,
	}, nil, true))
}

func sizeOf(templates map[string]string) int {
	size := 0
	for name, text := range templates {
		size += len(name) + len(text)
	}
	return size
}

func updateAppImage(w *Images, _ *server.Node, _ server.Caller, request *kuscia.UpdateAppImageRequest) server.Response {
	switch {
	case request.Name == "":
		return server.Refuse(server.CodeValidate, "appimage name can not be empty")
	case request.Image.Name == "":
		return server.Refuse(server.CodeValidate, "base image name can not be empty")
	}
	if request.DeployTemplates != nil {
		if complaint := checkTemplates(request.DeployTemplates); complaint != "" {
			return server.Refuse(server.CodeValidate, complaint)
		}
	}
	before, err := w.Get(request.Name)
	if err != nil {
		return server.Refuse(codeUpdateAppImage, err.Error())
	}
	if before == nil {
		return codes.Refuse(codeUpdateAppImage, kind.Missing(request.Name))
	}
	image := before.AppImage
	templates, err := storeTemplates(request.DeployTemplates)
	if errors.Is(err, errNilDereference) {
		return server.Crash(err.Error())
	}
	if err != nil {
		return server.Refuse(codeUpdateAppImage, err.Error())
	}
	if complaint := admitPorts(request.Name, templates); complaint != "" {
		return server.Refuse(codeUpdateAppImage, complaint)
	}
	// The image is replaced as a whole; the rest only if set.
	image.Image = request.Image
	if request.ConfigTemplates != nil {
		image.ConfigTemplates = maps.Clone(*request.ConfigTemplates)
	}
	if request.DeployTemplates != nil {
		image.DeployTemplates = templates
	}
	return codes.DoneUnless(codeUpdateAppImage, w.put(image, before, request.DeployTemplates != nil))
}

func deleteAppImage(w *Images, _ *server.Node, _ server.Caller, request *DeleteAppImageRequest) server.Response {
	if request.Name == "" {
		return server.Refuse(server.CodeValidate, "appimage name can not be empty")
	}
	return server.StoreCodes{}.DoneUnless(codeDeleteAppImage, w.table.Delete("", request.Name))
}
