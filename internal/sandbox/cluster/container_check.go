package cluster

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// checkContainer returns the validation errors of Kubernetes for a container; the app
// image API accepts all of these.
func checkContainer(path string, c *objects.PodContainer) []string {
	var complaints []string
	quoted := func(path, value string, problems []string) {
		if len(problems) > 0 {
			complaints = append(complaints, fmt.Sprintf("%s: Invalid value: %q: %s", path, value, problems[0]))
		}
	}
	quoted(path+".name", c.Name, validation.IsDNS1123Label(c.Name))
	for i, port := range c.Ports {
		if port.Name != "" {
			quoted(fmt.Sprintf("%s.ports[%d].name", path, i), port.Name, validation.IsValidPortName(port.Name))
		}
	}
	for i, env := range c.Env {
		envPath := fmt.Sprintf("%s.env[%d].name", path, i)
		if env.Name == "" {
			complaints = append(complaints, envPath+": Required value")
		} else {
			quoted(envPath, env.Name, validation.IsEnvVarName(env.Name))
		}
	}
	complaints = append(complaints, checkEnvFrom(path, c.EnvFrom)...)
	switch c.ImagePullPolicy {
	case "", "Always", "IfNotPresent", "Never":
	default:
		complaints = append(complaints, fmt.Sprintf(`%s.imagePullPolicy: Unsupported value: %q: supported values: "Always", "IfNotPresent", "Never"`, path, c.ImagePullPolicy))
	}
	complaints = append(complaints, checkMounts(path, c.VolumeMounts)...)
	for _, probe := range []struct {
		name  string
		probe *objects.Probe
	}{{"livenessProbe", c.LivenessProbe}, {readinessProbe, c.ReadinessProbe}, {"startupProbe", c.StartupProbe}} {
		complaints = append(complaints, checkProbe(path, probe.name, probe.probe)...)
	}
	if strings.TrimSpace(c.Image) != c.Image {
		complaints = append(complaints, fmt.Sprintf("%s.image: Invalid value: %q: must not have leading or trailing whitespace", path, c.Image))
	}
	return complaints
}

func checkMounts(path string, mounts []objects.VolumeMount) []string {
	var complaints []string
	seen := map[string]bool{}
	for i, mount := range mounts {
		mountPath := fmt.Sprintf("%s.volumeMounts[%d].mountPath", path, i)
		switch {
		case mount.MountPath == "":
			complaints = append(complaints, mountPath+": Required value")
		case seen[mount.MountPath]:
			complaints = append(complaints, fmt.Sprintf("%s: Invalid value: %q: must be unique", mountPath, mount.MountPath))
		}
		seen[mount.MountPath] = true
	}
	return complaints
}

// checkEnvFrom does not check the name of an object, as Kubernetes.
func checkEnvFrom(path string, sources []objects.EnvFromSource) []string {
	var complaints []string
	for i, source := range sources {
		at := fmt.Sprintf("%s.envFrom[%d]", path, i)
		if source.Prefix != "" {
			if problems := validation.IsEnvVarName(source.Prefix); len(problems) > 0 {
				complaints = append(complaints, fmt.Sprintf("%s.prefix: Invalid value: %q: %s", at, source.Prefix, problems[0]))
			}
		}
		switch {
		case source.ConfigMapRef == nil && source.SecretRef == nil:
			complaints = append(complaints, at+`: Invalid value: "": must specify one of: `+"`configMapRef` or `secretRef`")
		case source.ConfigMapRef != nil && source.SecretRef != nil:
			complaints = append(complaints, at+`: Invalid value: "": may not have more than one field specified at a time`)
		case source.ConfigMapRef != nil && source.ConfigMapRef.Name == "":
			complaints = append(complaints, at+".configMapRef.name: Required value")
		case source.SecretRef != nil && source.SecretRef.Name == "":
			complaints = append(complaints, at+".secretRef.name: Required value")
		}
	}
	return complaints
}

// checkProbe depends on the kind of probe: only a readiness probe may require
// more than one success, and it may have no grace period.
func checkProbe(path, kind string, p *objects.Probe) []string {
	if p == nil {
		return nil
	}
	path += "." + kind
	complaints := append(checkHandlers(path, p), checkProbeNumbers(path, p)...)
	if kind != readinessProbe && p.SuccessThreshold > 1 {
		complaints = append(complaints, fmt.Sprintf("%s.successThreshold: Invalid value: %d: must be 1", path, p.SuccessThreshold))
	}
	if kind == readinessProbe && p.TerminationGracePeriodSeconds != nil {
		complaints = append(complaints, fmt.Sprintf("%s.terminationGracePeriodSeconds: Invalid value: %d: must not be set for readinessProbes", path, *p.TerminationGracePeriodSeconds))
	}
	return complaints
}

const readinessProbe = "readinessProbe"

func checkProbeNumbers(path string, p *objects.Probe) []string {
	var complaints []string
	for _, number := range []struct {
		name  string
		value int32
	}{
		{"initialDelaySeconds", p.InitialDelaySeconds}, {"timeoutSeconds", p.TimeoutSeconds}, {"periodSeconds", p.PeriodSeconds},
		{"successThreshold", p.SuccessThreshold}, {"failureThreshold", p.FailureThreshold},
	} {
		if number.value < 0 {
			complaints = append(complaints, fmt.Sprintf("%s.%s: Invalid value: %d: must be greater than or equal to 0", path, number.name, number.value))
		}
	}
	if grace := p.TerminationGracePeriodSeconds; grace != nil && *grace <= 0 {
		complaints = append(complaints, fmt.Sprintf("%s.terminationGracePeriodSeconds: Invalid value: %d: must be greater than 0", path, *grace))
	}
	return complaints
}

// checkHandlers checks each handler, and reports all but the first as too many.
func checkHandlers(path string, p *objects.Probe) []string {
	var complaints []string
	handlers := 0
	handler := func(name string, given bool, check func() []string) {
		switch {
		case !given:
		case handlers > 0:
			complaints = append(complaints, fmt.Sprintf("%s.%s: Forbidden: may not specify more than 1 handler type", path, name))
		default:
			handlers++
			complaints = append(complaints, check()...)
		}
	}
	handler("exec", p.Exec != nil, func() []string {
		if len(p.Exec.Command) == 0 {
			return []string{path + ".exec.command: Required value"}
		}
		return nil
	})
	handler("httpGet", p.HTTPGet != nil, func() []string { return checkHTTPGet(path+".httpGet", p.HTTPGet) })
	handler("tcpSocket", p.TCPSocket != nil, func() []string { return checkProbePort(path+".tcpSocket.port", p.TCPSocket.Port) })
	handler("grpc", p.GRPC != nil, func() []string {
		if problems := validation.IsValidPortNum(int(p.GRPC.Port)); len(problems) > 0 {
			return []string{fmt.Sprintf("%s.grpc.port: Invalid value: %d: %s", path, p.GRPC.Port, problems[0])}
		}
		return nil
	})
	if handlers == 0 {
		return []string{path + ": Required value: must specify a handler type"}
	}
	return complaints
}

// checkHTTPGet accepts a missing path and scheme, for which Kubernetes has
// defaults.
func checkHTTPGet(path string, get *objects.HTTPGet) []string {
	complaints := checkProbePort(path+".port", get.Port)
	if get.Scheme != "" && get.Scheme != "HTTP" && get.Scheme != "HTTPS" {
		complaints = append(complaints, fmt.Sprintf(`%s.scheme: Unsupported value: %q: supported values: "HTTP", "HTTPS"`, path, get.Scheme))
	}
	for i, header := range get.HTTPHeaders {
		if problems := validation.IsHTTPHeaderName(header.Name); len(problems) > 0 {
			complaints = append(complaints, fmt.Sprintf("%s.httpHeaders[%d].name: Invalid value: %q: %s", path, i, header.Name, problems[0]))
		}
	}
	return complaints
}

func checkProbePort(path string, port intstr.IntOrString) []string {
	if problems := validation.IsValidPortName(port.StrVal); port.Type == intstr.String && len(problems) > 0 {
		return []string{fmt.Sprintf("%s: Invalid value: %q: %s", path, port.StrVal, problems[0])}
	}
	return nil
}
