package validation

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// container returns the problems of a container without its resources; the app image API
// accepts all of these.
func container(at *field.Path, c *objects.PodContainer) field.ErrorList {
	found := invalid(at.Child("name"), c.Name, validation.IsDNS1123Label(c.Name))
	for i, port := range c.Ports {
		if port.Name != "" {
			found = append(found, invalid(at.Child("ports").Index(i).Child("name"), port.Name, validation.IsValidPortName(port.Name))...)
		}
	}
	for i, env := range c.Env {
		here := at.Child("env").Index(i).Child("name")
		if env.Name == "" {
			found = append(found, field.Required(here, ""))
		} else {
			found = append(found, invalid(here, env.Name, validation.IsEnvVarName(env.Name))...)
		}
	}
	found = append(found, envFrom(at.Child("envFrom"), c.EnvFrom)...)
	switch c.ImagePullPolicy {
	case "", "Always", "IfNotPresent", "Never":
	default:
		found = append(found, field.NotSupported(at.Child("imagePullPolicy"), c.ImagePullPolicy, []string{"Always", "IfNotPresent", "Never"}))
	}
	found = append(found, mounts(at.Child("volumeMounts"), c.VolumeMounts)...)
	found = append(found, probe(at.Child("livenessProbe"), c.LivenessProbe, false)...)
	found = append(found, probe(at.Child("readinessProbe"), c.ReadinessProbe, true)...)
	found = append(found, probe(at.Child("startupProbe"), c.StartupProbe, false)...)
	if strings.TrimSpace(c.Image) != c.Image {
		found = append(found, field.Invalid(at.Child("image"), c.Image, "must not have leading or trailing whitespace"))
	}
	return found
}

func mounts(at *field.Path, all []objects.VolumeMount) (found field.ErrorList) {
	seen := map[string]bool{}
	for i, mount := range all {
		here := at.Index(i).Child("mountPath")
		switch {
		case mount.MountPath == "":
			found = append(found, field.Required(here, ""))
		case seen[mount.MountPath]:
			found = append(found, field.Invalid(here, mount.MountPath, "must be unique"))
		}
		seen[mount.MountPath] = true
	}
	return found
}

// envFrom does not check the name of an object, as Kubernetes.
func envFrom(at *field.Path, sources []objects.EnvFromSource) (found field.ErrorList) {
	for i, source := range sources {
		here := at.Index(i)
		if source.Prefix != "" {
			found = append(found, invalid(here.Child("prefix"), source.Prefix, validation.IsEnvVarName(source.Prefix))...)
		}
		switch {
		case source.ConfigMapRef == nil && source.SecretRef == nil:
			found = append(found, field.Invalid(here, "", "must specify one of: `configMapRef` or `secretRef`"))
		case source.ConfigMapRef != nil && source.SecretRef != nil:
			found = append(found, field.Invalid(here, "", "may not have more than one field specified at a time"))
		case source.ConfigMapRef != nil && source.ConfigMapRef.Name == "":
			found = append(found, field.Required(here.Child("configMapRef", "name"), ""))
		case source.SecretRef != nil && source.SecretRef.Name == "":
			found = append(found, field.Required(here.Child("secretRef", "name"), ""))
		}
	}
	return found
}

// probe depends on the kind of probe: only a readiness probe may require more than one
// success, and it may have no grace period.
func probe(at *field.Path, p *objects.Probe, readiness bool) field.ErrorList {
	if p == nil {
		return nil
	}
	found := handlers(at, p)
	for _, number := range []struct {
		name  string
		value int32
	}{
		{"initialDelaySeconds", p.InitialDelaySeconds}, {"timeoutSeconds", p.TimeoutSeconds}, {"periodSeconds", p.PeriodSeconds},
		{"successThreshold", p.SuccessThreshold}, {"failureThreshold", p.FailureThreshold},
	} {
		found = append(found, notNegative(at.Child(number.name), number.value)...)
	}
	grace := p.TerminationGracePeriodSeconds
	if grace != nil && *grace <= 0 {
		found = append(found, field.Invalid(at.Child("terminationGracePeriodSeconds"), *grace, "must be greater than 0"))
	}
	if !readiness && p.SuccessThreshold > 1 {
		found = append(found, field.Invalid(at.Child("successThreshold"), p.SuccessThreshold, "must be 1"))
	}
	if readiness && grace != nil {
		found = append(found, field.Invalid(at.Child("terminationGracePeriodSeconds"), *grace, "must not be set for readinessProbes"))
	}
	return found
}

// handlers checks each handler, and reports all but the first as too many.
func handlers(at *field.Path, p *objects.Probe) (found field.ErrorList) {
	given := 0
	handler := func(name string, is bool, problems func(at *field.Path) field.ErrorList) {
		switch {
		case !is:
		case given > 0:
			found = append(found, field.Forbidden(at.Child(name), "may not specify more than 1 handler type"))
		default:
			given++
			found = append(found, problems(at.Child(name))...)
		}
	}
	handler("exec", p.Exec != nil, func(at *field.Path) field.ErrorList {
		if len(p.Exec.Command) == 0 {
			return field.ErrorList{field.Required(at.Child("command"), "")}
		}
		return nil
	})
	handler("httpGet", p.HTTPGet != nil, func(at *field.Path) field.ErrorList { return httpGet(at, p.HTTPGet) })
	handler("tcpSocket", p.TCPSocket != nil, func(at *field.Path) field.ErrorList { return portName(at.Child("port"), p.TCPSocket.Port) })
	handler("grpc", p.GRPC != nil, func(at *field.Path) field.ErrorList {
		return invalid(at.Child("port"), p.GRPC.Port, validation.IsValidPortNum(int(p.GRPC.Port)))
	})
	if given == 0 {
		return field.ErrorList{field.Required(at, "must specify a handler type")}
	}
	return found
}

// httpGet accepts a missing path and scheme, for which Kubernetes has defaults.
func httpGet(at *field.Path, get *objects.HTTPGet) field.ErrorList {
	found := portName(at.Child("port"), get.Port)
	if get.Scheme != "" && get.Scheme != "HTTP" && get.Scheme != "HTTPS" {
		found = append(found, field.NotSupported(at.Child("scheme"), get.Scheme, []string{"HTTP", "HTTPS"}))
	}
	for i, header := range get.HTTPHeaders {
		found = append(found, invalid(at.Child("httpHeaders").Index(i).Child("name"), header.Name, validation.IsHTTPHeaderName(header.Name))...)
	}
	return found
}
