package edgedeployment

import (
	"encoding/json"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

var (
	envName    = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	volumeName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]{1,63}$`) })
	hostPath   = regexp.MustCompile(`^/[-\\_.A-Za-z0-9/]*$`)
)

const (
	maxImageURL     = 2083
	maxVersion      = 64
	maxCommand      = 65536
	maxEnvName      = 2048
	maxEnvValue     = 20480
	maxPort         = 65535
	maxUser         = 65534
	maxMode         = 511
	maxProbeCommand = 10240
	maxSeconds      = 3600
	hostIPField     = "status.hostIP"
)

func (c *checker) template(t ief.Template) {
	c.oneOf(path.Root("restart_policy"), t.Configs.RestartPolicy, "Always", "OnFailure", "Never")
	c.dnsPolicy(t.Configs)
	if n := t.Configs.TolerationSeconds; n != nil && *n < 0 {
		c.add(path.Root("toleration_seconds"), "Invalid number of seconds", fmt.Sprintf("%d is below 0.", *n))
	}
	if at := path.Root("affinity"); len(t.Affinity) > 0 {
		c.v3Only(at, true)
		var object map[string]any
		if json.Unmarshal(t.Affinity, &object) != nil {
			c.add(at, "Invalid JSON object", "The affinity must be a JSON object; write it with jsonencode.")
		}
	}
	containers, inits := path.Root("containers"), path.Root("init_containers")
	c.v3Only(inits, len(t.InitContainers) > 0)
	switch {
	case len(t.Containers) == 0:
		c.add(containers, "Missing container", "A deployment needs at least one container.")
	case len(t.Containers) > 1 && c.version == ief.V2:
		c.add(containers, "Not in version v2 of the API", "A deployment of version v2 has exactly one container. Set api_version = \"v3\" for more.", versionPath)
	}
	names := map[string]bool{}
	for i, container := range t.Containers {
		c.container(containers.AtListIndex(i), container, names)
	}
	for i, container := range t.InitContainers {
		c.container(inits.AtListIndex(i), container, names)
	}
}

func (c *checker) dnsPolicy(configs ief.PodConfigs) {
	at, needs := path.Root("dns_policy"), path.Root("host_network")
	switch policy := configs.DNSPolicy; {
	case policy == "", configs.HostNetwork && policy == "ClusterFirstWithHostNet", !configs.HostNetwork && policy == "ClusterFirst":
	case configs.HostNetwork:
		c.add(at, "Invalid DNS policy", fmt.Sprintf("%q is not allowed with host_network = true; use \"Default\" or \"ClusterFirstWithHostNet\".", shortened(httpapi.Text(policy))), needs)
	default:
		c.add(at, "Invalid DNS policy", fmt.Sprintf("%q is not allowed without host_network; use \"Default\" or \"ClusterFirst\".", shortened(httpapi.Text(policy))), needs)
	}
}

func (c *checker) container(at path.Path, container ief.Container, names map[string]bool) {
	c.name(at.AtName("name"), container.Name)
	if names[container.Name] {
		c.add(at.AtName("name"), "Duplicate container name", fmt.Sprintf("There are two containers named %q; names are unique in an instance.", shortened(httpapi.Text(container.Name))))
	}
	names[container.Name] = true
	c.image(at, container)
	for name, words := range map[string][]string{"command": container.Command, "args": container.Args} {
		if n := utf8.RuneCountInString(strings.Join(words, "")); n > maxCommand {
			c.add(at.AtName(name), "Value too long", fmt.Sprintf("It has %d characters in total; IEF allows at most %d.", n, maxCommand))
		}
		if secret := party.DescribeSecretArguments(name, words, "Set it as value_wo or value of a variable in envs, which plans do not show, and refer to it by $(NAME)."); secret != "" {
			c.Add(check.Doubtful, at.AtName(name), at.String(), party.ContainerSecretsSummary, secret)
		}
	}
	if n := container.RunAsUser; n != nil && (*n < 0 || *n > maxUser) {
		c.add(at.AtName("run_as_user"), "Invalid user ID", fmt.Sprintf("%d is outside 0 to %d.", *n, maxUser))
	}
	if t := container.NPUType; t != "" {
		c.v3Only(at.AtName("npu_type"), true)
		c.oneOf(at.AtName("npu_type"), t, "D310", "D310B")
	}
	c.resources(at.AtName("resources"))
	c.envs(at.AtName("envs"), container.Envs)
	for i, volume := range container.Volumes {
		c.volume(at.AtName("volumes").AtListIndex(i), volume)
	}
	for i, port := range container.Ports {
		c.port(at.AtName("ports").AtListIndex(i), port)
	}
	c.probe(at.AtName("liveness_probe"), container.LivenessProbe)
	c.probe(at.AtName("readiness_probe"), container.ReadinessProbe)
}

func (c *checker) image(at path.Path, container ief.Container) {
	switch n := len(container.ImageURL); {
	case n == 0:
		c.add(at.AtName("image_url"), "Missing image", "The reference of the container image must not be empty.")
	case n > maxImageURL && c.version == ief.V2:
		c.add(at.AtName("image_url"), "Image reference too long", fmt.Sprintf("It has %d characters; version v2 of the API allows at most %d.", n, maxImageURL), versionPath)
	case strings.ContainsAny(container.ImageURL, " \t\r\n"):
		c.add(at.AtName("image_url"), "Invalid image reference", "The reference of a container image has no white space.")
	}
	if v := container.Version; v != "" && c.version == ief.V2 && (!appVersion.MatchString(v) || len(v) > maxVersion) {
		c.add(at.AtName("version"), "Invalid version", fmt.Sprintf("Version v2 of the API does not accept the version %q: at most %d lower-case letters, digits, hyphens and dots, beginning with a letter or digit.", shortened(httpapi.Text(v)), maxVersion), versionPath)
	}
}

// resources checks amounts in the spelling of the configuration. In the API
// they are numbers.
func (c *checker) resources(at path.Path) {
	for _, side := range []string{"limits", "requests"} {
		for _, a := range resourceQuantities {
			where := at.AtName(side).AtName(a.attribute)
			if text := c.planned.TextAt(where); text != "" {
				c.amount(where, a, text, side == "limits")
			}
		}
	}
}

func (c *checker) amount(at path.Path, a resourceQuantity, text string, limit bool) {
	if a.v3Only {
		c.v3Only(at, true)
	}
	n, ok := a.number(text)
	if !ok {
		c.add(at, "Invalid quantity", tfvalue.InvalidQuantity(text)+"; to leave it unset, omit the attribute.")
		return
	}
	least := a.minimum
	if limit && a.attribute == "memory" {
		least = minMemoryLimit
	}
	if !a.outOf(n, least) {
		return
	}
	unit, note := "", ""
	if a.mebibytes {
		unit = "Mi"
		note = fmt.Sprintf(" IEF's own requests use numbers in MiB; here %q is %s bytes. Write the unit, such as \"512Mi\".", shortened(text), shortened(text))
		if strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' }) {
			note = ""
		}
	}
	if a.whole {
		note = " It must be a whole number."
	}
	c.add(at, "Quantity out of range", fmt.Sprintf("%q is outside %s%s to %s%s.%s", shortened(text), least, unit, a.maximum, unit, note))
}

func (c *checker) envs(at path.Path, envs []ief.Env) {
	seen := map[string]bool{}
	for i, env := range envs {
		where := at.AtListIndex(i)
		if !envName.MatchString(env.Name) || len(env.Name) > maxEnvName {
			c.add(where.AtName("name"), "Invalid variable name", fmt.Sprintf("%q must have letters, digits and _, not begin with a digit, and have at most %d characters.", shortened(httpapi.Text(env.Name)), maxEnvName))
		}
		if seen[env.Name] {
			c.add(where.AtName("name"), "Duplicate variable name", fmt.Sprintf("The variable %q is set twice; names are unique in a container.", shortened(httpapi.Text(env.Name))))
		}
		seen[env.Name] = true
		c.envSource(where, env)
	}
}

func (c *checker) envSource(at path.Path, env ief.Env) {
	sources := 0
	for _, is := range []bool{env.Value != nil, env.ValueFrom != nil, env.FieldPath != ""} {
		if is {
			sources++
		}
	}
	if sources != 1 {
		c.add(at, "Variable needs exactly one source", fmt.Sprintf("The variable %q needs exactly one of value, value_from and field_path, and has %d.", shortened(httpapi.Text(env.Name)), sources),
			at.AtName("value"), at.AtName("value_from"), at.AtName("field_path"))
	}
	if env.Value != nil && utf8.RuneCountInString(*env.Value) > maxEnvValue {
		c.add(at.AtName("value"), "Value too long", fmt.Sprintf("It has %d characters; IEF allows at most %d.", utf8.RuneCountInString(*env.Value), maxEnvValue))
	}
	if env.FieldPath != "" {
		c.oneOf(at.AtName("field_path"), env.FieldPath, hostIPField)
	}
	from := env.ValueFrom
	if from == nil {
		return
	}
	if (from.Secret == nil) == (from.ConfigMap == nil) {
		c.add(at.AtName("value_from"), "Variable needs exactly one source", "value_from needs exactly one of secret and configmap.",
			at.AtName("value_from").AtName("secret"), at.AtName("value_from").AtName("configmap"))
	}
	for name, ref := range map[string]*ief.KeyRef{"secret": from.Secret, "configmap": from.ConfigMap} {
		if ref == nil {
			continue
		}
		for field, text := range map[string]string{"name": ref.Name, "key": ref.Key} {
			if text == "" {
				c.add(at.AtName("value_from").AtName(name).AtName(field), "Empty value", "It must not be empty.")
			}
		}
	}
}

func (c *checker) volume(at path.Path, v ief.Volume) {
	if !volumeName().MatchString(v.Name) {
		c.add(at.AtName("name"), "Invalid volume name", fmt.Sprintf("%q must have 1 to 63 lower-case letters and digits.", shortened(httpapi.Text(v.Name))))
	}
	c.oneOf(at.AtName("type"), v.Type, volumeHostPath, volumeEmptyDir, volumeConfigMap, volumeSecret)
	source := at.AtName("source")
	switch {
	case v.Type == volumeHostPath && !hostPath.MatchString(v.Source):
		c.add(source, "Invalid path", fmt.Sprintf("%q must begin with / and have letters, digits, - _ . \\ and / only.", shortened(httpapi.Text(v.Source))), at.AtName("type"))
	case v.Type == volumeEmptyDir:
		if v.Source != "disk" && v.Source != "memory" {
			c.add(source, "Value not allowed", fmt.Sprintf("%q is not allowed for an emptyDir; use \"disk\" or \"memory\".", shortened(httpapi.Text(v.Source))), at.AtName("type"))
		}
	case v.Source == "":
		c.add(source, "Empty value", "The source of a volume must not be empty.")
	}
	if !strings.HasPrefix(v.Destination, "/") || strings.ContainsAny(v.Destination, ":\x00") {
		c.add(at.AtName("destination"), "Invalid path", fmt.Sprintf("%q is not a valid path in a container: it must begin with / and contain no colon.", shortened(httpapi.Text(v.Destination))))
	}
	readOnly := v.ReadOnly != nil && *v.ReadOnly
	if holdsFiles(v.Type) && !readOnly {
		c.add(at.AtName("read_only"), "Always read-only", fmt.Sprintf("A %s volume is read-only. Omit read_only, or set it to true.", httpapi.Text(v.Type)), at.AtName("type"))
	}
	if mode := v.DefaultMode; mode != nil {
		switch {
		case !holdsFiles(v.Type):
			c.add(at.AtName("default_mode"), "File mode not supported", fmt.Sprintf("default_mode does not apply to a %s volume; omit it.", shortened(httpapi.Text(v.Type))), at.AtName("type"))
		case *mode < 1 || *mode > maxMode:
			c.add(at.AtName("default_mode"), "Invalid file mode", fmt.Sprintf("%d is outside 1 to %d. It is a decimal number: 0644 is 420.", *mode, maxMode))
		}
	}
}

func (c *checker) port(at path.Path, p ief.Port) {
	c.portNumber(at.AtName("container_port"), p.ContainerPort)
	if p.HostPort != 0 {
		c.portNumber(at.AtName("host_port"), p.HostPort)
	}
	if p.HostIP != "" && net.ParseIP(p.HostIP) == nil {
		c.add(at.AtName("host_ip"), "Invalid address", fmt.Sprintf("%q is not an IP address.", shortened(httpapi.Text(p.HostIP))))
	}
	ports := p.HostPortRange
	if ports == nil {
		return
	}
	where := at.AtName("host_port_range")
	c.v3Only(where, true)
	c.portNumber(where.AtName("min_port"), ports.MinPort)
	c.portNumber(where.AtName("max_port"), ports.MaxPort)
	if ports.MaxPort <= ports.MinPort {
		c.add(where.AtName("max_port"), "Empty range", fmt.Sprintf("max_port (%d) must be above min_port (%d).", ports.MaxPort, ports.MinPort), where.AtName("min_port"))
	}
	if p.HostPort != 0 {
		c.add(where, "Conflicting host ports", "host_port_range replaces host_port; keep one of the two.", at.AtName("host_port"))
	}
}

func (c *checker) portNumber(at path.Path, port int32) {
	if port < 1 || port > maxPort {
		c.add(at, "Invalid port", fmt.Sprintf("%d is outside 1 to %d.", port, maxPort))
	}
}

func (c *checker) probe(at path.Path, p *ief.Probe) {
	if p == nil {
		return
	}
	if (p.Exec == nil) == (p.HTTPGet == nil) {
		c.add(at, "Probe needs exactly one handler", "A probe needs exactly one of exec and http_get.", at.AtName("exec"), at.AtName("http_get"))
	}
	for name, seconds := range map[string]int32{"initial_delay_seconds": p.InitialDelaySeconds, "timeout_seconds": p.TimeoutSeconds} {
		if seconds < 1 || seconds > maxSeconds {
			c.add(at.AtName(name), "Invalid number of seconds", fmt.Sprintf("%d is outside 1 to %d.", seconds, maxSeconds))
		}
	}
	if exec := p.Exec; exec != nil {
		if n := utf8.RuneCountInString(exec.Command); n < 1 || n > maxProbeCommand {
			c.add(at.AtName("exec").AtName("command"), "Invalid command", fmt.Sprintf("It has %d characters; IEF allows 1 to %d.", n, maxProbeCommand))
		}
	}
	if get := p.HTTPGet; get != nil {
		where := at.AtName("http_get")
		if !strings.HasPrefix(get.Path, "/") {
			c.add(where.AtName("path"), "Invalid path", fmt.Sprintf("%q does not begin with /.", shortened(httpapi.Text(get.Path))))
		}
		c.portNumber(where.AtName("port"), get.Port)
		if !slices.Contains([]string{"HTTP", "HTTPS"}, strings.ToUpper(get.Scheme)) {
			c.add(where.AtName("scheme"), "Value not allowed", fmt.Sprintf("%q is not allowed here; use \"HTTP\" or \"HTTPS\".", shortened(httpapi.Text(get.Scheme))))
		}
	}
}
