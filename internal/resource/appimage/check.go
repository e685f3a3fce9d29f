package appimage

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/distribution/reference"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secrets"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Severities of the problems found here.
const (
	refused  = check.Refused
	unusable = check.Unusable
	doubtful = check.Doubtful
)

// checker collects the problems of an app image.
type checker struct{ *check.Checker }

// checkImage reports problems of an app image.
func checkImage(found *check.Checker, image *kuscia.AppImage) { checker{found}.image(image) }

const maxNameLength = 63

// maxConfigMap is the maximum size of the data of a ConfigMap in bytes.
const maxConfigMap = 1 << 20

// maxObjectName is the maximum length of the name of a ConfigMap or Secret.
const maxObjectName = 253

// checkName returns the problem with the name of an app image, "" for none.
// Kuscia's rule also accepts "a..b" and "a.-b", which Kubernetes rejects. Dots
// are allowed: unlike a serving ID, the name of an app image never becomes part
// of the name of a Service, and versioned names such as "secretflow-1.2.0" are
// common.
func checkName(name string) string {
	if len(name) <= maxNameLength && len(validation.IsDNS1123Subdomain(name)) == 0 {
		return ""
	}
	return fmt.Sprintf("%q is not a name of an app image. Use lower-case letters, digits, hyphens and dots, at most %d characters, "+
		"with a letter or digit at the start, at the end and on both sides of a dot, for example \"secretflow-1.2.0\".", name, maxNameLength)
}

func (c checker) image(image *kuscia.AppImage) {
	base := path.Root("image")
	if image.Image.Name == "" {
		c.Add(refused, base.AtName("name"), "", "Missing image name", "The name of the container image must not be empty: set it without the tag, for example \"secretflow/serving-anolis8\".")
	}
	if image.Image.Tag == "" {
		c.Add(unusable, base.AtName("tag"), "", "Missing image tag",
			"The tag must not be empty. Kuscia would store it and then start pods with the image reference \"name:\", which no registry serves. Set the tag, for example \"0.2.0b0\".")
	}
	c.reference(image.Image.Name, image.Image.Tag, base)
	size := 0
	for _, key := range slices.Sorted(maps.Keys(image.ConfigTemplates)) {
		size += len(image.ConfigTemplates[key])
		if !configKey.MatchString(key) || len(key) > 253 || key == "." || strings.HasPrefix(key, "..") {
			c.Add(unusable, path.Root("config_templates").AtMapKey(key), key, "Invalid file name",
				fmt.Sprintf("%q cannot be the name of a config template: it becomes a key of a ConfigMap, and Kuscia could not start a serving. Use letters, digits, \"-\", \"_\" and \".\".", key))
		}
	}
	if size > maxConfigMap {
		c.Add(unusable, path.Root("config_templates"), fmt.Sprint(size), "Config templates too large", fmt.Sprintf(
			"The texts have %d bytes together. Kuscia puts them into one ConfigMap, which holds at most %d, and could not start a serving. Keep large files in the container image or in storage.", size, maxConfigMap))
	}
	for _, key := range slices.Sorted(maps.Keys(image.ConfigTemplates)) {
		at := path.Root("config_templates").AtMapKey(key)
		c.secret(at, key, party.DescribeSecretNames(at.String(), secrets.Names(image.ConfigTemplates[key]), keepInSecret))
	}
	c.templates(image)
}

// keepInSecret is what to do with the secrets of a container.
const keepInSecret = "Keep them in a Secret in the namespace of the domain, from which env_from (secret_ref) makes variables of the container." //nolint:gosec // a text

// secret warns of what describes a secret, unless it is "".
func (c checker) secret(at path.Path, subject, description string) {
	if description != "" {
		c.Add(doubtful, at, subject, party.ContainerSecretsSummary, description)
	}
}

// secrets warns of secrets in the definition of a container.
func (c checker) secrets(container kuscia.Container, at path.Path, subject string) {
	var names []string
	for _, env := range container.Env {
		if secrets.Is(env.Name, env.Value) || secrets.Has(env.Value) {
			names = append(names, env.Name)
		}
	}
	c.secret(at.AtName("env"), subject, party.DescribeSecretNames("env", names, keepInSecret))
	c.secret(at.AtName("command"), subject, party.DescribeSecretArguments("command", container.Command, keepInSecret))
	c.secret(at.AtName("args"), subject, party.DescribeSecretArguments("args", container.Args, keepInSecret+" $(NAME) refers to one."))
}

// reference checks name and tag, which Kuscia joins to the image reference
// "name:tag" without validation. An image is pinned to its digest with a name
// that ends in "@sha256" and the digest as the tag.
func (c checker) reference(name, tag string, base path.Path) {
	nameAt, tagAt := base.AtName("name"), base.AtName("tag")
	subject := name + ":" + tag
	if name == "" || strings.Contains(name, "@") && tag == "" { // reported elsewhere, or unknown
		return
	}
	if _, err := reference.ParseNormalizedNamed(subject); err == nil && tag != "" {
		return
	}
	if strings.Contains(name, "@") {
		c.Add(unusable, base, subject, "Invalid image reference", fmt.Sprintf(
			"%q is not an image reference, and no pod could start. To pin an image by its digest, end name in \"@sha256\" and set tag to the 64 hexadecimal digits.", subject), nameAt, tagAt)
		return
	}
	named, err := reference.ParseNormalizedNamed(name)
	switch {
	case err != nil:
		c.Add(unusable, nameAt, subject, "Invalid image name", fmt.Sprintf(
			"%q is not the name of a container image, and no pod could start: %s. Use lower-case letters, digits and single separators (\".\", \"_\", \"-\"), with \"/\" between the parts, for example \"registry.example.com:5000/secretflow/serving-anolis8\".", name, err))
	case !reference.IsNameOnly(named):
		c.Add(unusable, nameAt, subject, "Tag in the image name", fmt.Sprintf(
			"%q has a tag already, and Kuscia appends tag to it, so no pod could start. Remove the tag from name.", name))
	case tag != "":
		c.Add(unusable, tagAt, subject, "Invalid image tag", fmt.Sprintf(
			"%q is not a tag of a container image, and no pod could start. Use at most 128 letters, digits, \"_\", \".\" and \"-\", with a letter, digit or \"_\" at the start.", tag))
	}
}

var configKey = regexp.MustCompile(`^[-._a-zA-Z0-9]+$`)

func (c checker) templates(image *kuscia.AppImage) {
	at := path.Root("deploy_templates")
	if len(image.DeployTemplates) == 0 {
		c.Add(refused, at, "", "Missing deploy template", "At least one deploy template is needed: it defines the containers of the pods.")
	}
	served := map[string]int{}
	for i, template := range image.DeployTemplates {
		c.template(image, template, at.AtListIndex(i))
		for _, role := range roles(template.Role) {
			first, twice := served[role]
			switch {
			case twice && first != i:
				c.Add(unusable, at.AtListIndex(i).AtName("role"), role, "Duplicate role",
					fmt.Sprintf("deploy_templates[%d] serves %s already. Kuscia would use only one of the two. The roles of the templates must differ.", first, roleText(role)))
			case strings.TrimSpace(role) != role:
				c.Add(unusable, at.AtListIndex(i).AtName("role"), role, "Invalid role",
					fmt.Sprintf("The role %q has space around it, and no party's role would match it. Write roles separated by commas alone, for example \"client,server\".", role))
			}
			if !twice {
				served[role] = i
			}
		}
	}
}

func roleText(role string) string {
	if role == "" {
		return "all roles that no other template names (its own role is empty)"
	}
	return strconv.Quote(role)
}

var (
	restartPolicies = []string{"Always", "OnFailure", "Never"}
	pullPolicies    = []string{"Always", "IfNotPresent", "Never"}
	protocols       = []string{"HTTP", "GRPC"}
	scopes          = []string{"Cluster", "Domain", "Local"}
	schemes         = []string{"HTTP", "HTTPS"}
)

func (c checker) template(image *kuscia.AppImage, template kuscia.DeployTemplate, at path.Path) {
	subject := template.Name + "/" + template.Role
	if template.Name == "" {
		c.Add(refused, at.AtName("name"), subject, "Missing template name", "The name of a deploy template must not be empty.")
	}
	switch {
	case template.Replicas < 0:
		c.Add(refused, at.AtName("replicas"), subject, "Invalid number of replicas", fmt.Sprintf("replicas is %d; it must be at least 1.", template.Replicas))
	case template.Replicas == 0:
		c.Add(unusable, at.AtName("replicas"), subject, "Zero replicas",
			"replicas is 0; it must be at least 1. A serving that leaves the number to the app image would run no pods and stay Progressing. Omit it for 1.")
	}
	c.OneOf(unusable, at.AtName("restart_policy"), subject, template.RestartPolicy, restartPolicies, "Kuscia would store it, but a job could not create pods with it.")
	if len(template.Containers) == 0 {
		c.Add(refused, at.AtName("containers"), subject, "Missing container", "A deploy template needs at least one container.")
	}
	containers, ports := map[string]bool{}, map[string]bool{}
	for i, container := range template.Containers {
		at := at.AtName("containers").AtListIndex(i)
		c.container(image, container, at, subject+"/"+container.Name)
		c.Unique(containers, container.Name, at.AtName("name"), "Duplicate container name",
			"The container names of a template must be unique, otherwise no pod could be created.")
		for j, port := range container.Ports {
			c.Unique(ports, port.Name, at.AtName("ports").AtListIndex(j).AtName("name"), "Duplicate port name",
				"A port name may appear only once in all containers of a template: Kuscia creates a Service for each.")
		}
	}
}

func (c checker) container(image *kuscia.AppImage, container kuscia.Container, at path.Path, subject string) {
	switch {
	case container.Name == "":
		c.Add(refused, at.AtName("name"), subject, "Missing container name", "The name of a container must not be empty.")
	case len(validation.IsDNS1123Label(container.Name)) > 0:
		c.Add(unusable, at.AtName("name"), subject, "Invalid container name",
			fmt.Sprintf("%q is not a container name, and no pod could be created. Use lower-case letters, digits and hyphens, at most 63 characters, with a letter or digit at both ends.", httpapi.Text(container.Name)))
	}
	c.OneOf(unusable, at.AtName("image_pull_policy"), subject, container.ImagePullPolicy, pullPolicies, "Kuscia would store it, but no pod could be created.")
	c.mounts(image, container, at.AtName("config_volume_mounts"), subject)
	for i, port := range container.Ports {
		c.port(port, at.AtName("ports").AtListIndex(i), subject)
	}
	c.env(container, at, subject)
	c.secrets(container, at, subject)
	c.resources(container.Resources, at.AtName("resources"), subject)
	c.probe(container.LivenessProbe, container, at, "liveness_probe", subject)
	c.probe(container.ReadinessProbe, container, at, "readiness_probe", subject)
	c.probe(container.StartupProbe, container, at, "startup_probe", subject)
}

func (c checker) mounts(image *kuscia.AppImage, container kuscia.Container, at path.Path, subject string) {
	seen := map[string]bool{}
	for i, mount := range container.ConfigVolumeMounts {
		at := at.AtListIndex(i)
		if mount.MountPath == "" {
			c.Add(unusable, at.AtName("mount_path"), subject, "Missing mount path", "mount_path must not be empty: set the full path of the file in the container.")
		}
		c.Unique(seen, mount.MountPath, at.AtName("mount_path"), "Duplicate mount path", "The mount paths of a container must be unique, otherwise no pod could be created.")
		if _, ok := image.ConfigTemplates[mount.SubPath]; !ok {
			c.Add(unusable, at.AtName("sub_path"), subject+"="+mount.SubPath, "Config template does not exist",
				fmt.Sprintf("%q is not a key of config_templates%s. Kuscia would store it, and the file would be missing in the container. Correct sub_path, or add the file to config_templates.", httpapi.Text(mount.SubPath), choices(slices.Sorted(maps.Keys(image.ConfigTemplates)))),
				path.Root("config_templates"))
		}
	}
}

func choices(allowed []string) string {
	if len(allowed) == 0 {
		return " (it is empty)"
	}
	return " (\"" + strings.Join(allowed, "\", \"") + "\")"
}

func (c checker) port(port kuscia.ContainerPort, at path.Path, subject string) {
	if problem := party.DescribePortName(port.Name); problem != "" {
		c.Add(unusable, at.AtName("name"), subject+"="+port.Name, "Invalid port name", problem)
	}
	c.OneOf(refused, at.AtName("protocol"), subject, port.Protocol, protocols, "If omitted, it is \""+defaultProtocol+"\".")
	c.OneOf(refused, at.AtName("scope"), subject, port.Scope, scopes, "If omitted, it is \""+defaultScope+"\".")
}

func (c checker) env(container kuscia.Container, at path.Path, subject string) {
	seen := map[string]bool{}
	for i, env := range container.Env {
		at := at.AtName("env").AtListIndex(i).AtName("name")
		if env.Name == "" || strings.ContainsAny(env.Name, "=\x00") {
			c.Add(unusable, at, subject+"="+env.Name, "Invalid variable name",
				fmt.Sprintf("%q is not the name of an environment variable, and no pod could be created. It must not be empty nor contain \"=\".", httpapi.Text(env.Name)))
		}
		c.Unique(seen, env.Name, at, "Duplicate variable name", "Only the last value would take effect. Remove the others.")
	}
	for i, source := range container.EnvFrom {
		at := at.AtName("env_from").AtListIndex(i)
		configMap, secret := at.AtName("config_map_ref"), at.AtName("secret_ref")
		switch {
		case source.ConfigMapRef == nil && source.SecretRef == nil:
			c.Add(unusable, at, subject, "Missing source of variables", "Set config_map_ref or secret_ref.", configMap, secret)
		case source.ConfigMapRef != nil && source.SecretRef != nil:
			c.Add(unusable, at, subject, "Conflicting sources of variables",
				"An element of env_from has either config_map_ref or secret_ref. With both, no pod could be created: use two elements.", configMap, secret)
		}
		if source.ConfigMapRef != nil {
			c.sourceName(source.ConfigMapRef.Name, "ConfigMap", configMap.AtName("name"), subject)
		}
		if source.SecretRef != nil {
			c.sourceName(source.SecretRef.Name, "Secret", secret.AtName("name"), subject)
		}
	}
}

// sourceName checks the name of a ConfigMap or Secret. Kubernetes accepts any
// name in a reference, but never finds an object with an invalid name.
func (c checker) sourceName(name, kind string, at path.Path, subject string) {
	switch {
	case name == "":
		c.Add(unusable, at, subject, "Missing name", "The name of the "+kind+" must not be empty.")
	case len(name) > maxObjectName || len(validation.IsDNS1123Subdomain(name)) > 0:
		c.Add(unusable, at, subject+"="+name, "Invalid name", fmt.Sprintf(
			"A %s cannot be named %q, and the container would never start. Use lower-case letters, digits, hyphens and dots, at most %d characters, with a letter or digit at the start, at the end and on both sides of a dot.", kind, name, maxObjectName))
	}
}

func (c checker) resources(resources *kuscia.ResourceRequirements, at path.Path, subject string) {
	if resources == nil {
		return
	}
	limits, requests := kuscia.ResourceSpec{}, kuscia.ResourceSpec{}
	if resources.Limits != nil {
		limits = *resources.Limits
	}
	if resources.Requests != nil {
		requests = *resources.Requests
	}
	c.quantities(at, tfvalue.CPU, requests.CPU, limits.CPU, subject)
	c.quantities(at, tfvalue.Memory, requests.Memory, limits.Memory, subject)
}

func (c checker) quantities(at path.Path, name, request, limit, subject string) {
	requestAt, limitAt := at.AtName("requests").AtName(name), at.AtName("limits").AtName(name)
	if c.quantity(requestAt, name, request, subject) && c.quantity(limitAt, name, limit, subject) && request != "" && limit != "" {
		// Both have been parsed above.
		least, _ := tfvalue.ParseQuantity(request)
		most, _ := tfvalue.ParseQuantity(limit)
		if least.Cmp(most) > 0 {
			c.Add(unusable, requestAt, subject+"/"+name, "Request above limit",
				fmt.Sprintf("The requested %s, %s, is more than the limit, %s. Kuscia would store it, but no pod could be created.", name, request, limit), limitAt)
		}
	}
}

// quantity reports text that is not a resource quantity, or an implausible one,
// and returns whether it can be compared.
func (c checker) quantity(at path.Path, of, text, subject string) bool {
	if text == "" {
		return true
	}
	amount, err := tfvalue.ParseQuantity(text)
	switch {
	case err != nil:
		c.Add(refused, at, subject, "Invalid quantity", tfvalue.InvalidQuantity(text)+".")
	case amount.Sign() < 0:
		c.Add(unusable, at, subject, "Negative quantity", fmt.Sprintf("%q is below 0. Kuscia would store it, but no pod could be created.", text))
	default:
		if problem, impossible := tfvalue.QuantityOutOfRange(of, text); impossible {
			c.Add(unusable, at, subject+"="+text, "Quantity too large", problem)
		} else if problem != "" {
			c.Add(doubtful, at, subject+"="+text, "Quantity too small", problem)
		}
		return true
	}
	return false
}

func (c checker) probe(probe *kuscia.Probe, container kuscia.Container, at path.Path, name, subject string) {
	if probe == nil {
		return
	}
	portsAt := at.AtName("ports")
	at, subject = at.AtName(name), subject+"/"+name
	handlers := []path.Path{at.AtName("exec"), at.AtName("http_get"), at.AtName("tcp_socket"), at.AtName("grpc")}
	count := 0
	for _, has := range []bool{probe.Exec != nil, probe.HTTPGet != nil, probe.TCPSocket != nil, probe.GRPC != nil} {
		if has {
			count++
		}
	}
	if count != 1 {
		c.Add(unusable, at, subject, "Probe needs exactly one handler",
			fmt.Sprintf("Set exactly one of exec, http_get, tcp_socket and grpc; there are %d. Kuscia would store it, but no pod could be created.", count), handlers...)
	}
	if probe.Exec != nil && len(probe.Exec.Command) == 0 {
		c.Add(unusable, handlers[0].AtName("command"), subject, "Missing command", "The command of an exec probe must not be empty.")
	}
	if probe.HTTPGet != nil {
		c.probePort(probe.HTTPGet.Port, container, handlers[1].AtName("port"), portsAt, subject)
		c.OneOf(unusable, handlers[1].AtName("scheme"), subject, probe.HTTPGet.Scheme, schemes, "If omitted, Kubernetes uses \"HTTP\".")
		for i, header := range probe.HTTPGet.HTTPHeaders {
			if header.Name == "" {
				c.Add(unusable, handlers[1].AtName("http_headers").AtListIndex(i).AtName("name"), subject, "Missing header name", "The name of a header must not be empty.")
			}
		}
	}
	if probe.TCPSocket != nil {
		c.probePort(probe.TCPSocket.Port, container, handlers[2].AtName("port"), portsAt, subject)
	}
	if probe.GRPC != nil && (probe.GRPC.Port < 1 || probe.GRPC.Port > 65535) {
		c.Add(unusable, handlers[3].AtName("port"), subject, "Invalid port number", fmt.Sprintf("The port of a grpc probe is a number from 1 to 65535, not %d.", probe.GRPC.Port))
	}
	c.probeNumbers(probe, at, name, subject)
}

func (c checker) probeNumbers(probe *kuscia.Probe, at path.Path, name, subject string) {
	for _, n := range []struct {
		name  string
		value int64
	}{
		{"initial_delay_seconds", int64(probe.InitialDelaySeconds)},
		{"timeout_seconds", int64(probe.TimeoutSeconds)},
		{"period_seconds", int64(probe.PeriodSeconds)},
		{"success_threshold", int64(probe.SuccessThreshold)},
		{"failure_threshold", int64(probe.FailureThreshold)},
		{"termination_grace_period_seconds", int64(probe.TerminationGracePeriodSeconds)},
	} {
		if n.value < 0 {
			c.Add(unusable, at.AtName(n.name), subject, "Negative number", fmt.Sprintf("%s is %d; it must not be below 0. 0 uses the default of Kubernetes.", n.name, n.value))
		}
	}
	if name != "readiness_probe" && probe.SuccessThreshold > 1 {
		c.Add(unusable, at.AtName("success_threshold"), subject, "Success threshold above 1",
			fmt.Sprintf("success_threshold is %d. Kubernetes allows more than 1 only in a readiness_probe and refuses the pod otherwise: Kuscia would store it, and a serving would fail. Omit it for 1.", probe.SuccessThreshold))
	}
	if name == "readiness_probe" && probe.TerminationGracePeriodSeconds > 0 {
		c.Add(unusable, at.AtName("termination_grace_period_seconds"), subject, "Grace period of a readiness probe",
			"Kubernetes allows it only in a liveness_probe and a startup_probe and refuses the pod otherwise: Kuscia would store it, and a serving would fail. Omit it.")
	}
}

// probePort checks the port of an http_get or tcp_socket probe, which Kuscia
// always treats as a name.
func (c checker) probePort(port string, container kuscia.Container, at, portsAt path.Path, subject string) {
	subject += "=" + port
	switch {
	case port != "" && strings.Trim(port, "0123456789") == "":
		c.Add(unusable, at, subject, "Numeric probe port",
			fmt.Sprintf("%q is a number, but Kuscia stores the port of an http_get or tcp_socket probe as a port name, and Kubernetes then refuses the pod. Use the name of one of the container's ports.", port))
	case party.DescribePortName(port) != "":
		c.Add(unusable, at, subject, "Invalid probe port",
			fmt.Sprintf("%q is not the name of a port. Use the name of one of the container's ports.", port))
	case !slices.ContainsFunc(container.Ports, func(p kuscia.ContainerPort) bool { return p.Name == port }):
		needs, portNames := []path.Path{portsAt}, []string(nil)
		for i, p := range container.Ports {
			needs, portNames = append(needs, portsAt.AtListIndex(i).AtName("name")), append(portNames, httpapi.Text(p.Name))
		}
		c.Add(doubtful, at, subject, "Probe of an unknown port",
			fmt.Sprintf("The container has no port named %q%s, so the probe can never succeed. Correct it, or add the port.", port, choices(portNames)), needs...)
	}
}
