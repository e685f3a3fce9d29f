package appimage

import (
	"cmp"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// toWire converts a planned app image.
func toWire(root definition.Reader) *kuscia.AppImage {
	base, _ := root.Object("image")
	image := &kuscia.AppImage{
		Name: root.String("name"),
		Image: kuscia.AppImageInfo{
			Name: base.String("name"),
			Tag:  base.String("tag"),
			ID:   base.String("id"),
			Sign: base.String("sign"),
		},
		ConfigTemplates: root.StringMap("config_templates"),
	}
	for _, template := range root.Objects("deploy_templates") {
		image.DeployTemplates = append(image.DeployTemplates, wireTemplate(template))
	}
	return image
}

func wireTemplate(r definition.Reader) kuscia.DeployTemplate {
	template := kuscia.DeployTemplate{
		Name:          r.String("name"),
		Role:          r.String("role"),
		Replicas:      r.Int32("replicas"),
		RestartPolicy: r.String("restart_policy"),
	}
	for _, c := range r.Objects("containers") {
		template.Containers = append(template.Containers, wireContainer(c))
	}
	return template
}

func wireContainer(r definition.Reader) kuscia.Container {
	container := kuscia.Container{
		Name:            r.String("name"),
		Command:         r.Strings("command"),
		Args:            r.Strings("args"),
		WorkingDir:      r.String("working_dir"),
		Resources:       wireResources(r),
		LivenessProbe:   wireProbe(r, "liveness_probe"),
		ReadinessProbe:  wireProbe(r, "readiness_probe"),
		StartupProbe:    wireProbe(r, "startup_probe"),
		ImagePullPolicy: r.String("image_pull_policy"),
	}
	for _, mount := range r.Objects("config_volume_mounts") {
		container.ConfigVolumeMounts = append(container.ConfigVolumeMounts, kuscia.ConfigVolumeMount{
			MountPath: mount.String("mount_path"), SubPath: mount.String("sub_path"),
		})
	}
	for _, port := range r.Objects("ports") {
		container.Ports = append(container.Ports, kuscia.ContainerPort{
			Name:     port.String("name"),
			Protocol: cmp.Or(port.String("protocol"), defaultProtocol),
			Scope:    cmp.Or(port.String("scope"), defaultScope),
		})
	}
	for _, source := range r.Objects("env_from") {
		container.EnvFrom = append(container.EnvFrom, kuscia.EnvFromSource{
			Prefix:       source.String("prefix"),
			ConfigMapRef: wireSource(source, "config_map_ref"),
			SecretRef:    wireSource(source, "secret_ref"),
		})
	}
	for _, env := range r.Objects("env") {
		container.Env = append(container.Env, kuscia.EnvVar{Name: env.String("name"), Value: env.String("value")})
	}
	return container
}

func wireSource(r definition.Reader, name string) *kuscia.ObjectSource {
	source, ok := r.Object(name)
	if !ok {
		return nil
	}
	return &kuscia.ObjectSource{Name: source.String("name")}
}

// wireResources omits empty limits and requests: the server returns null for
// them.
func wireResources(r definition.Reader) *kuscia.ResourceRequirements {
	resources, ok := r.Object("resources")
	if !ok {
		return nil
	}
	limits, requests := wireSpec(resources, "limits"), wireSpec(resources, "requests")
	if limits == nil && requests == nil {
		return nil
	}
	return &kuscia.ResourceRequirements{Limits: limits, Requests: requests}
}

func wireSpec(r definition.Reader, name string) *kuscia.ResourceSpec {
	spec, _ := r.Object(name)
	cpu, memory := spec.String("cpu"), spec.String("memory")
	if cpu == "" && memory == "" {
		return nil
	}
	return &kuscia.ResourceSpec{CPU: cpu, Memory: memory}
}

func wireProbe(r definition.Reader, name string) *kuscia.Probe {
	p, ok := r.Object(name)
	if !ok {
		return nil
	}
	probe := &kuscia.Probe{
		InitialDelaySeconds:           p.Int32("initial_delay_seconds"),
		TimeoutSeconds:                p.Int32("timeout_seconds"),
		PeriodSeconds:                 p.Int32("period_seconds"),
		SuccessThreshold:              p.Int32("success_threshold"),
		FailureThreshold:              p.Int32("failure_threshold"),
		TerminationGracePeriodSeconds: kuscia.Int64(p.Int64("termination_grace_period_seconds")),
	}
	if exec, ok := p.Object("exec"); ok {
		probe.Exec = &kuscia.ExecAction{Command: exec.Strings("command")}
	}
	if get, ok := p.Object("http_get"); ok {
		probe.HTTPGet = &kuscia.HTTPGetAction{
			Path: get.String("path"), Port: get.String("port"), Host: get.String("host"), Scheme: get.String("scheme"),
		}
		for _, header := range get.Objects("http_headers") {
			probe.HTTPGet.HTTPHeaders = append(probe.HTTPGet.HTTPHeaders,
				kuscia.HTTPHeader{Name: header.String("name"), Value: header.String("value")})
		}
	}
	if socket, ok := p.Object("tcp_socket"); ok {
		probe.TCPSocket = &kuscia.TCPSocketAction{Port: socket.String("port"), Host: socket.String("host")}
	}
	if grpc, ok := p.Object("grpc"); ok {
		probe.GRPC = &kuscia.GRPCAction{Port: grpc.Int32("port"), Service: grpc.String("service")}
	}
	return probe
}
