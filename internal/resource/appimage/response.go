package appimage

import (
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// fromWire turns an answer into the complete definition. It never fails:
// whatever the server holds is shown, also what this provider would refuse in
// a configuration.
func fromWire(image *kuscia.AppImage) tftypes.Value {
	templates := make([]any, len(image.DeployTemplates))
	for i, t := range image.DeployTemplates {
		templates[i] = treeTemplate(t)
	}
	tree := definition.encode(tree{
		"name": image.Name,
		"image": tree{
			"name": image.Image.Name, "tag": image.Image.Tag, "id": image.Image.ID, "sign": image.Image.Sign,
		},
		"config_templates": image.ConfigTemplates,
		"deploy_templates": templates,
	})
	return definition.complete(tree, tftypes.NewValue(definition.tfType, nil))
}

// tree is an object on its way into a value; what it lacks is null.
type tree map[string]any

func treeTemplate(t kuscia.DeployTemplate) tree {
	containers := make([]any, len(t.Containers))
	for i, c := range t.Containers {
		containers[i] = treeContainer(c)
	}
	return tree{
		"name": t.Name, "role": t.Role, "replicas": int64(t.Replicas), "restart_policy": t.RestartPolicy,
		"containers": containers,
	}
}

func treeContainer(c kuscia.Container) tree {
	out := tree{
		"name": c.Name, "command": c.Command, "args": c.Args, "working_dir": c.WorkingDir,
		"image_pull_policy": c.ImagePullPolicy,
		"config_volume_mounts": each(c.ConfigVolumeMounts, func(m kuscia.ConfigVolumeMount) tree {
			return tree{"mount_path": m.MountPath, "sub_path": m.SubPath}
		}),
		"ports": each(c.Ports, func(p kuscia.ContainerPort) tree {
			return tree{"name": p.Name, "protocol": p.Protocol, "scope": p.Scope}
		}),
		"env": each(c.Env, func(e kuscia.EnvVar) tree {
			return tree{"name": e.Name, "value": e.Value}
		}),
		"env_from": each(c.EnvFrom, func(e kuscia.EnvFromSource) tree {
			return tree{"prefix": e.Prefix, "config_map_ref": treeSource(e.ConfigMapRef), "secret_ref": treeSource(e.SecretRef)}
		}),
		"liveness_probe":  treeProbe(c.LivenessProbe),
		"readiness_probe": treeProbe(c.ReadinessProbe),
		"startup_probe":   treeProbe(c.StartupProbe),
	}
	if c.Resources != nil {
		out["resources"] = tree{"limits": treeSpec(c.Resources.Limits), "requests": treeSpec(c.Resources.Requests)}
	}
	return out
}

func treeSource(s *kuscia.ObjectSource) any {
	if s == nil {
		return nil
	}
	return tree{"name": s.Name}
}

func treeSpec(s *kuscia.ResourceSpec) any {
	if s == nil {
		return nil
	}
	return tree{"cpu": s.CPU, "memory": s.Memory}
}

func treeProbe(p *kuscia.Probe) any {
	if p == nil {
		return nil
	}
	out := tree{
		"initial_delay_seconds":            int64(p.InitialDelaySeconds),
		"timeout_seconds":                  int64(p.TimeoutSeconds),
		"period_seconds":                   int64(p.PeriodSeconds),
		"success_threshold":                int64(p.SuccessThreshold),
		"failure_threshold":                int64(p.FailureThreshold),
		"termination_grace_period_seconds": int64(p.TerminationGracePeriodSeconds),
	}
	if p.Exec != nil {
		out["exec"] = tree{"command": p.Exec.Command}
	}
	if p.HTTPGet != nil {
		out["http_get"] = tree{
			"path": p.HTTPGet.Path, "port": p.HTTPGet.Port, "host": p.HTTPGet.Host, "scheme": p.HTTPGet.Scheme,
			"http_headers": each(p.HTTPGet.HTTPHeaders, func(h kuscia.HTTPHeader) tree {
				return tree{"name": h.Name, "value": h.Value}
			}),
		}
	}
	if p.TCPSocket != nil {
		out["tcp_socket"] = tree{"port": p.TCPSocket.Port, "host": p.TCPSocket.Host}
	}
	if p.GRPC != nil {
		out["grpc"] = tree{"port": int64(p.GRPC.Port), "service": p.GRPC.Service}
	}
	return out
}

func each[T any](items []T, convert func(T) tree) []any {
	out := make([]any, len(items))
	for i, item := range items {
		out[i] = convert(item)
	}
	return out
}

// encode makes a value of the attribute's type. A Go value of another type
// than the attribute's is null, as is one that is missing.
func (m meaning) encode(in any) tftypes.Value {
	switch v := in.(type) {
	case string:
		return tftypes.NewValue(tftypes.String, v)
	case int64:
		return numberValue(v)
	case []string:
		values := make([]tftypes.Value, len(v))
		for i, s := range v {
			values[i] = tftypes.NewValue(tftypes.String, s)
		}
		return tftypes.NewValue(m.tfType, values)
	case map[string]string:
		values := make(map[string]tftypes.Value, len(v))
		for key, s := range v {
			values[key] = tftypes.NewValue(tftypes.String, s)
		}
		return tftypes.NewValue(m.tfType, values)
	case tree:
		values := make(map[string]tftypes.Value, len(m.fields))
		for name, field := range m.fields {
			values[name] = field.encode(v[name])
		}
		return tftypes.NewValue(m.tfType, values)
	case []any:
		values := make([]tftypes.Value, len(v))
		for i, element := range v {
			values[i] = m.element.encode(element)
		}
		return tftypes.NewValue(m.tfType, values)
	default:
		return tftypes.NewValue(m.tfType, nil)
	}
}
