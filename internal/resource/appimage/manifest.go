package appimage

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

type object = map[string]any

// toManifest returns the specification of the AppImage in the cluster that the
// KusciaAPI writes for an app image. Empty optional fields are left out.
func toManifest(image *kuscia.AppImage) object {
	spec := object{
		"image":           optional(object{"name": image.Image.Name, "tag": image.Image.Tag}, "id", image.Image.ID, "sign", image.Image.Sign),
		"deployTemplates": each(image.DeployTemplates, manifestTemplate),
	}
	if len(image.ConfigTemplates) > 0 {
		texts := object{}
		for name, text := range image.ConfigTemplates {
			texts[name] = text
		}
		spec["configTemplates"] = texts
	}
	return spec
}

func manifestTemplate(t kuscia.DeployTemplate) object {
	return optional(object{
		"name": t.Name, "replicas": int64(t.Replicas),
		"spec": optional(object{"containers": each(t.Containers, manifestContainer)}, "restartPolicy", t.RestartPolicy),
	}, "role", t.Role)
}

func manifestContainer(c kuscia.Container) object {
	out := optional(object{"name": c.Name, "workingDir": c.WorkingDir},
		"command", each(c.Command, text), "args", each(c.Args, text), "imagePullPolicy", c.ImagePullPolicy,
		"configVolumeMounts", each(c.ConfigVolumeMounts, func(m kuscia.ConfigVolumeMount) object {
			return object{"mountPath": m.MountPath, "subPath": m.SubPath}
		}),
		"ports", each(c.Ports, func(p kuscia.ContainerPort) object {
			return object{"name": p.Name, "protocol": p.Protocol, "scope": p.Scope}
		}),
		"env", each(c.Env, func(e kuscia.EnvVar) object { return optional(object{"name": e.Name}, "value", e.Value) }),
		"envFrom", each(c.EnvFrom, func(e kuscia.EnvFromSource) object {
			return optional(object{}, "prefix", e.Prefix, "configMapRef", manifestSource(e.ConfigMapRef), "secretRef", manifestSource(e.SecretRef))
		}),
	)
	for name, probe := range map[string]*kuscia.Probe{"livenessProbe": c.LivenessProbe, "readinessProbe": c.ReadinessProbe, "startupProbe": c.StartupProbe} {
		if probe != nil { // an empty one is a probe too
			out[name] = manifestProbe(probe)
		}
	}
	if r := c.Resources; r != nil {
		optional(out, "resources", optional(object{}, "limits", manifestAmounts(r.Limits), "requests", manifestAmounts(r.Requests)))
	}
	return out
}

func manifestSource(s *kuscia.ObjectSource) object {
	if s == nil {
		return nil
	}
	return object{"name": s.Name}
}

func manifestAmounts(s *kuscia.ResourceSpec) object {
	if s == nil {
		return nil
	}
	return optional(object{}, "cpu", s.CPU, "memory", s.Memory)
}

func manifestProbe(p *kuscia.Probe) object {
	out := optional(object{},
		"initialDelaySeconds", int64(p.InitialDelaySeconds), "timeoutSeconds", int64(p.TimeoutSeconds), "periodSeconds", int64(p.PeriodSeconds),
		"successThreshold", int64(p.SuccessThreshold), "failureThreshold", int64(p.FailureThreshold), "terminationGracePeriodSeconds", int64(p.TerminationGracePeriodSeconds))
	if p.Exec != nil {
		out["exec"] = optional(object{}, "command", each(p.Exec.Command, text))
	}
	if p.HTTPGet != nil {
		out["httpGet"] = optional(object{"port": p.HTTPGet.Port}, "path", p.HTTPGet.Path, "host", p.HTTPGet.Host, "scheme", p.HTTPGet.Scheme,
			"httpHeaders", each(p.HTTPGet.HTTPHeaders, func(h kuscia.HTTPHeader) object { return object{"name": h.Name, "value": h.Value} }))
	}
	if p.TCPSocket != nil {
		out["tcpSocket"] = optional(object{"port": p.TCPSocket.Port}, "host", p.TCPSocket.Host)
	}
	if p.GRPC != nil {
		out["grpc"] = optional(object{"port": int64(p.GRPC.Port)}, "service", p.GRPC.Service)
	}
	return out
}

// optional adds the fields that are not empty, given by name and value.
func optional(to object, pairs ...any) object {
	for i := 0; i+1 < len(pairs); i += 2 {
		name, _ := pairs[i].(string)
		switch value := pairs[i+1].(type) {
		case string:
			if value == "" {
				continue
			}
		case int64:
			if value == 0 {
				continue
			}
		case []any:
			if len(value) == 0 {
				continue
			}
		case object:
			if len(value) == 0 {
				continue
			}
		}
		to[name] = pairs[i+1]
	}
	return to
}

func each[T, V any](list []T, convert func(T) V) []any {
	out := make([]any, len(list))
	for i, element := range list {
		out[i] = convert(element)
	}
	return out
}

func text(s string) string { return s }
