package appimage

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// fromWire converts a response into attribute values.
func fromWire(image *kuscia.AppImage) definition.Tree {
	return tree{
		"name": image.Name,
		"image": tree{
			"name": image.Image.Name, "tag": image.Image.Tag, "id": image.Image.ID, "sign": image.Image.Sign,
		},
		"config_templates": image.ConfigTemplates,
		"deploy_templates": definition.Each(image.DeployTemplates, treeTemplate),
	}
}

type tree = definition.Tree

func treeTemplate(t kuscia.DeployTemplate) tree {
	return tree{
		"name": t.Name, "role": t.Role, "replicas": int64(t.Replicas), "restart_policy": t.RestartPolicy,
		"containers": definition.Each(t.Containers, treeContainer),
	}
}

func treeContainer(c kuscia.Container) tree {
	out := tree{
		"name": c.Name, "command": c.Command, "args": c.Args, "working_dir": c.WorkingDir,
		"image_pull_policy": c.ImagePullPolicy,
		"config_volume_mounts": definition.Each(c.ConfigVolumeMounts, func(m kuscia.ConfigVolumeMount) tree {
			return tree{"mount_path": m.MountPath, "sub_path": m.SubPath}
		}),
		"ports": definition.Each(c.Ports, func(p kuscia.ContainerPort) tree {
			return tree{"name": p.Name, "protocol": p.Protocol, "scope": p.Scope}
		}),
		"env": definition.Each(c.Env, func(e kuscia.EnvVar) tree {
			return tree{"name": e.Name, "value": e.Value}
		}),
		"env_from": definition.Each(c.EnvFrom, func(e kuscia.EnvFromSource) tree {
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
			"http_headers": definition.Each(p.HTTPGet.HTTPHeaders, func(h kuscia.HTTPHeader) tree {
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
