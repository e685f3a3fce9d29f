package acctest

import (
	"context"
	"errors"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// AppImage creates an app image through the API, outside of Terraform, and
// deletes it when the test ends. It has one deploy template for every role with
// one container, "secretflow"; change modifies it before it is created.
func (e *Env) AppImage(change ...func(*kuscia.AppImage)) string {
	e.t.Helper()
	image := &kuscia.AppImage{
		Name:  e.Name("image"),
		Image: kuscia.AppImageInfo{Name: "example/app", Tag: "0.2.0b0"},
		ConfigTemplates: map[string]string{
			"serving-config.conf": `{"serving_id": "{{.SERVING_ID}}", "input_config": "{{.INPUT_CONFIG}}"}`,
		},
		DeployTemplates: []kuscia.DeployTemplate{{
			Name:          "secretflow",
			Replicas:      1,
			RestartPolicy: "Always",
			Containers: []kuscia.Container{{
				Name:       "secretflow",
				Command:    []string{"sh", "-c", "serve"},
				WorkingDir: "/root/sf_serving",
				ConfigVolumeMounts: []kuscia.ConfigVolumeMount{
					{MountPath: "/root/sf_serving/conf/serving-config.conf", SubPath: "serving-config.conf"},
				},
				Ports: []kuscia.ContainerPort{
					{Name: "service", Protocol: "HTTP", Scope: "Domain"},
					{Name: "communication", Protocol: "HTTP", Scope: "Cluster"},
				},
			}},
		}},
	}
	for _, c := range change {
		c(image)
	}

	e.Do(func(ctx context.Context, api *kuscia.Client) error { return api.CreateAppImage(ctx, image) })()
	e.t.Cleanup(e.Do(func(ctx context.Context, api *kuscia.Client) error {
		err := api.DeleteAppImage(ctx, image.Name)
		if errors.Is(err, kuscia.ErrNotFound) { // the test deleted it itself
			return nil
		}
		return err
	}))
	return image.Name
}

// StoredAppImage is an app image in Kuscia.
func (e *Env) StoredAppImage(name string) (found *kuscia.AppImage) {
	e.t.Helper()
	e.Do(func(ctx context.Context, api *kuscia.Client) (err error) {
		found, err = api.QueryAppImage(ctx, name)
		return err
	})()
	return found
}

// ChangeAppImage changes an app image outside of Terraform, except for its configuration templates.
func (e *Env) ChangeAppImage(name string, change func(*kuscia.AppImage)) {
	e.t.Helper()
	i := e.StoredAppImage(name)
	change(i)
	e.Do(func(ctx context.Context, api *kuscia.Client) error {
		return api.UpdateAppImage(ctx, &kuscia.UpdateAppImageRequest{Name: i.Name, Image: i.Image, DeployTemplates: i.DeployTemplates})
	})()
}
