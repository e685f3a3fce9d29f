package kuscia

import (
	"cmp"
	"context"
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
)

// Error codes of app images (since Kuscia v0.13).
const (
	CodeCreateAppImage      int32 = 13100
	CodeQueryAppImage       int32 = 13101
	CodeUpdateAppImage      int32 = 13102
	CodeDeleteAppImage      int32 = 13103
	CodeBatchQueryAppImages int32 = 13104
	CodeAppImageNotExists   int32 = 13105
	CodeAppImageExists      int32 = 13106
	CodeListAppImages       int32 = 13107
)

const appImageKind = "appimages.kuscia.secretflow"

var (
	opCreateAppImage = register(operation{Operation: create("appimage/create"), code: CodeCreateAppImage, kind: appImageKind})
	opQueryAppImage  = register(operation{Operation: post("appimage/query"), code: CodeQueryAppImage, kind: appImageKind})
	opUpdateAppImage = register(operation{Operation: update("appimage/update"), code: CodeUpdateAppImage, kind: appImageKind})
	opDeleteAppImage = register(operation{Operation: update("appimage/delete"), code: CodeDeleteAppImage, kind: appImageKind})
	opBatchAppImages = register(operation{Operation: post("appimage/batchQuery"), code: CodeBatchQueryAppImages})
	opListAppImages  = register(operation{Operation: post("appimage/list"), code: CodeListAppImages})
)

var _ = errorRules.add(
	errorRule{code: CodeAppImageNotExists, fits: isGone, kind: ErrNotFound},
	errorRule{code: CodeAppImageExists, kind: ErrExists},
)

var _ = hints.add(errorHint{
	operations: "appimage/", fits: isNotImplemented,
	hint: "The server has no such operation. " + versions.AppImageAPI.Message() + " " + versions.AppImageList.Message() + " " +
		"Check the version of the server, and that endpoint is a KusciaAPI without a wrong path.",
})

var _ = secretFields.add("config_templates")

// AppImage is an application definition: the data of appimage/query and the
// body of appimage/create (since Kuscia v0.13).
type AppImage struct {
	Header *RequestHeader `json:"header,omitempty"`
	Name   string         `json:"name"`
	Image  AppImageInfo   `json:"image"`
	// ConfigTemplates maps file names to templates.
	ConfigTemplates map[string]string `json:"config_templates,omitempty"`
	// DeployTemplates has at least one element.
	DeployTemplates []DeployTemplate `json:"deploy_templates"`
}

// Reference returns the reference of the container image, as Kuscia starts it.
func (a *AppImage) Reference() string { return a.Image.Name + ":" + a.Image.Tag }

// UpdateAppImageRequest is the body of appimage/update. Image is replaced as a
// whole; ConfigTemplates nil keeps and an empty map clears (over HTTP);
// DeployTemplates nil or empty keeps, otherwise the list is replaced as a
// whole.
type UpdateAppImageRequest struct {
	Header          *RequestHeader     `json:"header,omitempty"`
	Name            string             `json:"name"`
	Image           AppImageInfo       `json:"image"`
	ConfigTemplates *map[string]string `json:"config_templates,omitempty"`
	DeployTemplates []DeployTemplate   `json:"deploy_templates,omitempty"`
}

// AppImageInfo is the container image reference.
type AppImageInfo struct {
	Name string `json:"name"`
	Tag  string `json:"tag"`
	ID   string `json:"id"`
	Sign string `json:"sign"`
}

// DeployTemplate describes the pods of one role.
type DeployTemplate struct {
	Name string `json:"name"`
	// Role may be a comma separated list; "" serves every role.
	Role string `json:"role"`
	// Replicas is stored as 0 if omitted; a serving without its own replicas
	// then runs no pods.
	Replicas      int32       `json:"replicas"`
	RestartPolicy string      `json:"restart_policy"`
	Containers    []Container `json:"containers"`
}

// Container is one container of a deploy template.
type Container struct {
	Name               string                `json:"name"`
	Command            []string              `json:"command"`
	Args               []string              `json:"args"`
	WorkingDir         string                `json:"working_dir"`
	ConfigVolumeMounts []ConfigVolumeMount   `json:"config_volume_mounts"`
	Ports              []ContainerPort       `json:"ports"`
	EnvFrom            []EnvFromSource       `json:"env_from"`
	Env                []EnvVar              `json:"env"`
	Resources          *ResourceRequirements `json:"resources"`
	LivenessProbe      *Probe                `json:"liveness_probe"`
	ReadinessProbe     *Probe                `json:"readiness_probe"`
	StartupProbe       *Probe                `json:"startup_probe"`
	ImagePullPolicy    string                `json:"image_pull_policy"`
}

// ConfigVolumeMount mounts one config template as a file.
type ConfigVolumeMount struct {
	MountPath string `json:"mount_path"`
	SubPath   string `json:"sub_path"`
}

// ContainerPort is a named port; Kuscia allocates the number.
type ContainerPort struct {
	Name string `json:"name"`
	// Protocol is HTTP (the server's default) or GRPC.
	Protocol string `json:"protocol,omitempty"`
	// Scope is Cluster, Domain or Local (the server's default).
	Scope string `json:"scope,omitempty"`
}

// EnvFromSource imports all keys of a ConfigMap or Secret as variables.
type EnvFromSource struct {
	Prefix       string        `json:"prefix"`
	ConfigMapRef *ObjectSource `json:"config_map_ref"`
	// SecretRef is named secret_map_ref in Kuscia's documents; the server
	// ignores that name.
	SecretRef *ObjectSource `json:"secret_ref"`
}

// ObjectSource names a ConfigMap or Secret.
type ObjectSource struct {
	Name string `json:"name"`
}

// EnvVar is an environment variable with a literal value.
type EnvVar struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// ResourceRequirements are a container's limits and requests; the response has
// null for an empty side, and null for the whole if both are empty.
type ResourceRequirements struct {
	Limits   *ResourceSpec `json:"limits"`
	Requests *ResourceSpec `json:"requests"`
}

// ResourceSpec is CPU and memory in Kubernetes quantities; "" means not set.
type ResourceSpec struct {
	CPU    string `json:"cpu"`
	Memory string `json:"memory"`
}

// Probe is a container health check. A missing probe is null; an empty object
// is stored and returned as an object of zeros.
type Probe struct {
	Exec                          *ExecAction      `json:"exec"`
	HTTPGet                       *HTTPGetAction   `json:"http_get"`
	TCPSocket                     *TCPSocketAction `json:"tcp_socket"`
	GRPC                          *GRPCAction      `json:"grpc"`
	InitialDelaySeconds           int32            `json:"initial_delay_seconds"`
	TimeoutSeconds                int32            `json:"timeout_seconds"`
	PeriodSeconds                 int32            `json:"period_seconds"`
	SuccessThreshold              int32            `json:"success_threshold"`
	FailureThreshold              int32            `json:"failure_threshold"`
	TerminationGracePeriodSeconds Int64            `json:"termination_grace_period_seconds"`
}

// ExecAction runs a command in the container.
type ExecAction struct {
	Command []string `json:"command"`
}

// HTTPGetAction sends an HTTP request. Port is a port name: Kuscia stores a
// number as a string, which Kubernetes then refuses as a name.
type HTTPGetAction struct {
	Path        string       `json:"path"`
	Port        string       `json:"port"`
	Host        string       `json:"host"`
	Scheme      string       `json:"scheme"`
	HTTPHeaders []HTTPHeader `json:"http_headers"`
}

// HTTPHeader is a header of an HTTP probe.
type HTTPHeader struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// TCPSocketAction opens a connection. Port is a port name.
type TCPSocketAction struct {
	Port string `json:"port"`
	Host string `json:"host"`
}

// GRPCAction queries the gRPC health service.
type GRPCAction struct {
	Port    int32  `json:"port"`
	Service string `json:"service"`
}

// AppImagePage is one page of appimage/list.
type AppImagePage struct {
	AppImages []AppImage `json:"appimage_list"`
	// NextPageToken is opaque and empty on the last page.
	NextPageToken string `json:"next_page_token"`
	// Page is the page as it was sent, for httpapi.Pages.
	Page httpapi.Document `json:"-"`
}

func (p *AppImagePage) setPage(page httpapi.Document) { p.Page = page }

// CreateAppImage creates an app image (since Kuscia v0.13).
func (c *Client) CreateAppImage(ctx context.Context, image *AppImage) error {
	body := *image
	body.Header = c.header(image.Header)
	_, err := c.do(ctx, opCreateAppImage, []string{image.Name}, &body)
	return err
}

// QueryAppImage returns an app image, or an error that is ErrNotFound.
func (c *Client) QueryAppImage(ctx context.Context, name string) (*AppImage, error) {
	var out AppImage
	if err := c.read(ctx, opQueryAppImage, []string{name}, &appImageNameRequest{Header: c.header(nil), Name: name}, &out, func() error {
		if out.Name != name {
			return fmt.Errorf("the response is for the app image %q", httpapi.Text(out.Name))
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return &out, nil
}

// UpdateAppImage replaces the parts of an app image that the request contains.
func (c *Client) UpdateAppImage(ctx context.Context, request *UpdateAppImageRequest) error {
	body := *request
	body.Header = c.header(request.Header)
	_, err := c.do(ctx, opUpdateAppImage, []string{request.Name}, &body)
	return err
}

// DeleteAppImage deletes an app image, even if it is in use. It returns
// ErrNotFound if there is none, as DeleteServing does.
func (c *Client) DeleteAppImage(ctx context.Context, name string) error {
	_, err := c.do(ctx, opDeleteAppImage, []string{name}, &appImageNameRequest{Header: c.header(nil), Name: name})
	return err
}

// BatchQueryAppImages returns the app images in the order of the names. If one
// does not exist, it returns ErrNotFound and no app images.
func (c *Client) BatchQueryAppImages(ctx context.Context, names []string) ([]AppImage, error) {
	var out []AppImage
	if err := c.read(ctx, opBatchAppImages, names, &appImageNamesRequest{Header: c.header(nil), Names: names}, &out, func() error {
		if len(out) != len(names) {
			return fmt.Errorf("the response has %d app images for %d names", len(out), len(names))
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return out, nil
}

// defaultPageSize is the server's.
const defaultPageSize = 10

// ListAppImages returns one page of all app images, sorted by name (since
// Kuscia v1.0). Page size 0 means the server's default of 10; pageToken is
// empty for the first page.
func (c *Client) ListAppImages(ctx context.Context, pageSize int64, pageToken string) (*AppImagePage, error) {
	var out AppImagePage
	request := &listAppImagesRequest{Header: c.header(nil), PageSize: pageSize, PageToken: pageToken}
	if err := c.read(ctx, opListAppImages, nil, request, &out, func() error {
		if out.AppImages == nil {
			return fmt.Errorf("the response has no list of app images")
		}
		return new(httpapi.Pages).Add(out.Page, len(out.AppImages), int(cmp.Or(pageSize, defaultPageSize)))
	}); err != nil {
		return nil, err
	}
	return &out, nil
}

type appImageNameRequest struct {
	Header *RequestHeader `json:"header,omitempty"`
	Name   string         `json:"name"`
}

type appImageNamesRequest struct {
	Header *RequestHeader `json:"header,omitempty"`
	Names  []string       `json:"names"`
}

type listAppImagesRequest struct {
	Header    *RequestHeader `json:"header,omitempty"`
	PageSize  int64          `json:"page_size,omitempty"`
	PageToken string         `json:"page_token,omitempty"`
}
