package sandbox

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// checkContainer returns what Kubernetes has against a container of a deploy
// template; the app image API takes all of this.
func checkContainer(path string, c kuscia.Container) []string {
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
	switch c.ImagePullPolicy {
	case "", "Always", "IfNotPresent", "Never":
	default:
		complaints = append(complaints, fmt.Sprintf(`%s.imagePullPolicy: Unsupported value: %q: supported values: "Always", "IfNotPresent", "Never"`, path, c.ImagePullPolicy))
	}
	complaints = append(complaints, checkMounts(path, c.ConfigVolumeMounts)...)
	for _, probe := range []struct {
		name  string
		probe *kuscia.Probe
	}{{"livenessProbe", c.LivenessProbe}, {"readinessProbe", c.ReadinessProbe}, {"startupProbe", c.StartupProbe}} {
		complaints = append(complaints, checkProbe(path+"."+probe.name, probe.probe)...)
	}
	return complaints
}

func checkMounts(path string, mounts []kuscia.ConfigVolumeMount) []string {
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

func checkProbe(path string, p *kuscia.Probe) []string {
	if p == nil {
		return nil
	}
	port := func(path, name string) []string {
		if problems := validation.IsValidPortName(name); len(problems) > 0 {
			return []string{fmt.Sprintf("%s: Invalid value: %q: %s", path, name, problems[0])}
		}
		return nil
	}
	switch {
	case p.Exec != nil:
		if len(p.Exec.Command) == 0 {
			return []string{path + ".exec.command: Required value"}
		}
	case p.HTTPGet != nil:
		var complaints []string
		if p.HTTPGet.Path == "" {
			complaints = append(complaints, path+".httpGet.path: Required value")
		}
		return append(complaints, port(path+".httpGet.port", p.HTTPGet.Port)...)
	case p.TCPSocket != nil:
		return port(path+".tcpSocket.port", p.TCPSocket.Port)
	case p.GRPC != nil:
		if problems := validation.IsValidPortNum(int(p.GRPC.Port)); len(problems) > 0 {
			return []string{fmt.Sprintf("%s.grpc.port: Invalid value: %d: %s", path, p.GRPC.Port, problems[0])}
		}
	default:
		return []string{path + ": Required value: must specify a handler type"}
	}
	return nil
}
