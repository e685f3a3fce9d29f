package appimage

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

func queryAppImage(w *Images, _ *server.Node, _ server.Caller, request *QueryAppImageRequest) server.Response {
	if request.Name == "" {
		return server.Refuse(server.CodeValidate, "appimage name can not be empty")
	}
	image, err := w.Get(request.Name)
	if err != nil {
		return server.Refuse(codeQueryAppImage, err.Error())
	}
	if image == nil {
		return codes.Refuse(codeQueryAppImage, kind.Missing(request.Name))
	}
	return server.Result(showAppImage(image.AppImage))
}

func batchQueryAppImages(w *Images, s *server.Node, _ server.Caller, request *BatchQueryAppImageRequest) server.Response {
	// The data is a list here, so a failure has an empty list and not null.
	fail := func(code int32, message string) server.Response {
		return server.Response{Code: code, Message: message, Data: []appImageData{}}
	}
	if len(request.Names) == 0 {
		return fail(server.CodeValidate, "names can not be empty")
	}
	for i, name := range request.Names {
		if name == "" {
			return fail(server.CodeValidate, fmt.Sprintf("name can not be empty on index %d", i))
		}
	}
	found := make([]appImageData, 0, len(request.Names))
	for _, name := range request.Names {
		image, err := w.Get(name)
		if err != nil {
			return fail(codeBatchAppImages, err.Error())
		}
		if image == nil {
			return fail(codeAppImageGone, fmt.Sprintf("can't get appimage for %s, err: %s", name, kind.Missing(name)))
		}
		found = append(found, showAppImage(image.AppImage))
	}
	return server.Result(found)
}

const defaultPageSize = 10

// continueToken is the content of a page token.
type continueToken struct {
	Version  string `json:"v"`
	Revision int64  `json:"rv"`
	Start    string `json:"start"`
}

func listAppImages(w *Images, _ *server.Node, _ server.Caller, request *ListAppImageRequest) server.Response {
	size := request.PageSize
	if size == 0 {
		size = defaultPageSize
	}
	after := ""
	if request.PageToken != "" {
		var err error
		if after, err = readToken(request.PageToken); err != nil {
			return server.Refuse(codeListAppImages, fmt.Sprintf("invalid continue token: continue key is not valid: %v", err))
		}
	}
	images := slices.DeleteFunc(w.table.List(""), func(image *objects.AppImage) bool { return image.Name <= after })
	next := ""
	if size > 0 && int64(len(images)) > size {
		images = images[:size]
		next = writeToken(images[size-1].Name)
	}
	page := make([]appImageData, len(images))
	for i, object := range images {
		image, err := w.imageOf(object)
		if err != nil {
			return server.Refuse(codeListAppImages, err.Error())
		}
		page[i] = showAppImage(image.AppImage)
	}
	return server.Result(struct {
		AppImages     []appImageData `json:"appimage_list"`
		NextPageToken string         `json:"next_page_token"`
	}{page, next})
}

func writeToken(last string) string {
	text, err := json.Marshal(continueToken{Version: "meta.k8s.io/v1", Revision: 1, Start: last + "\x00"})
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

func readToken(token string) (after string, err error) {
	text, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return "", err
	}
	var read continueToken
	if err := json.Unmarshal(text, &read); err != nil {
		return "", err
	}
	return strings.TrimSuffix(read.Start, "\x00"), nil
}

// The response types write every field, including empty ones.
type (
	appImageData struct {
		Name            string               `json:"name"`
		Image           kuscia.AppImageInfo  `json:"image"`
		ConfigTemplates map[string]string    `json:"config_templates"`
		DeployTemplates []deployTemplateData `json:"deploy_templates"`
	}
	deployTemplateData struct {
		Name          string          `json:"name"`
		Role          string          `json:"role"`
		Replicas      int32           `json:"replicas"`
		RestartPolicy string          `json:"restart_policy"`
		Containers    []containerData `json:"containers"`
	}
	containerData struct {
		Name               string                       `json:"name"`
		Command            []string                     `json:"command"`
		Args               []string                     `json:"args"`
		WorkingDir         string                       `json:"working_dir"`
		ConfigVolumeMounts []mountData                  `json:"config_volume_mounts"`
		Ports              []portData                   `json:"ports"`
		EnvFrom            []kuscia.EnvFromSource       `json:"env_from"`
		Env                []envData                    `json:"env"`
		Resources          *kuscia.ResourceRequirements `json:"resources"`
		LivenessProbe      *probeData                   `json:"liveness_probe"`
		ReadinessProbe     *probeData                   `json:"readiness_probe"`
		StartupProbe       *probeData                   `json:"startup_probe"`
		ImagePullPolicy    string                       `json:"image_pull_policy"`
	}
	mountData struct {
		MountPath string `json:"mount_path"`
		SubPath   string `json:"sub_path"`
	}
	portData struct {
		Name     string `json:"name"`
		Protocol string `json:"protocol"`
		Scope    string `json:"scope"`
	}
	envData struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
)

func showAppImage(image kuscia.AppImage) appImageData {
	data := appImageData{
		Name: image.Name, Image: image.Image,
		ConfigTemplates: map[string]string{},
		DeployTemplates: make([]deployTemplateData, len(image.DeployTemplates)),
	}
	for name, text := range image.ConfigTemplates {
		data.ConfigTemplates[name] = text
	}
	for i, template := range image.DeployTemplates {
		data.DeployTemplates[i] = deployTemplateData{
			Name: template.Name, Role: template.Role, Replicas: template.Replicas,
			RestartPolicy: template.RestartPolicy,
			Containers:    convert(template.Containers, showContainer),
		}
	}
	return data
}

func showContainer(c kuscia.Container) containerData {
	return containerData{
		Name: c.Name, Command: notNil(c.Command), Args: notNil(c.Args), WorkingDir: c.WorkingDir,
		ConfigVolumeMounts: convert(c.ConfigVolumeMounts, func(m kuscia.ConfigVolumeMount) mountData { return mountData(m) }),
		Ports: convert(c.Ports, func(p kuscia.ContainerPort) portData {
			return portData{Name: p.Name, Protocol: p.Protocol, Scope: p.Scope}
		}),
		EnvFrom:        notNil(c.EnvFrom),
		Env:            convert(c.Env, func(e kuscia.EnvVar) envData { return envData(e) }),
		Resources:      c.Resources,
		LivenessProbe:  showProbe(c.LivenessProbe),
		ReadinessProbe: showProbe(c.ReadinessProbe), StartupProbe: showProbe(c.StartupProbe),
		ImagePullPolicy: c.ImagePullPolicy,
	}
}

func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func convert[S, D any](list []S, one func(S) D) []D {
	converted := make([]D, len(list))
	for i, item := range list {
		converted[i] = one(item)
	}
	return converted
}
