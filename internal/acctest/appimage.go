package acctest

import (
	"context"
	"errors"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/kusciaapi"
)

// AppImage creates an app image through the API, beside Terraform, and deletes
// it when the test ends. It has one deploy template for every role with one
// container, "secretflow"; change alters it before it is created.
func (e *Env) AppImage(change ...func(*kusciaapi.AppImage)) string {
	e.t.Helper()
	image := &kusciaapi.AppImage{
		Name:  e.Name("image"),
		Image: kusciaapi.AppImageInfo{Name: "secretflow/serving-anolis8", Tag: "0.2.0b0"},
		ConfigTemplates: map[string]string{
			"serving-config.conf": `{"serving_id": "{{.SERVING_ID}}", "input_config": "{{.INPUT_CONFIG}}"}`,
		},
		DeployTemplates: []kusciaapi.DeployTemplate{{
			Name:          "secretflow",
			Replicas:      1,
			RestartPolicy: "Always",
			Containers: []kusciaapi.Container{{
				Name:       "secretflow",
				Command:    []string{"sh", "-c", "serve"},
				WorkingDir: "/root/sf_serving",
				ConfigVolumeMounts: []kusciaapi.ConfigVolumeMount{
					{MountPath: "/root/sf_serving/conf/serving-config.conf", SubPath: "serving-config.conf"},
				},
				Ports: []kusciaapi.ContainerPort{
					{Name: "service", Protocol: "HTTP", Scope: "Domain"},
					{Name: "communication", Protocol: "HTTP", Scope: "Cluster"},
				},
			}},
		}},
	}
	for _, c := range change {
		c(image)
	}

	e.Do(func(ctx context.Context, api *kusciaapi.Client) error { return api.CreateAppImage(ctx, image) })()
	e.t.Cleanup(e.Do(func(ctx context.Context, api *kusciaapi.Client) error {
		err := api.DeleteAppImage(ctx, image.Name)
		if errors.Is(err, kusciaapi.ErrNotFound) { // the test deleted it itself
			return nil
		}
		return err
	}))
	return image.Name
}
