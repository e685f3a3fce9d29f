package edgedeployment

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// updateRequest builds a request with the changes: the description, and the
// whole template, as the API requires.
func updateRequest(desired *ief.CreateRequest, changed []path.Path) *ief.UpdateRequest {
	update := &ief.UpdateRequest{GroupID: desired.GroupID}
	for _, at := range changed {
		if at.Equal(path.Root("description")) {
			update.Description = &desired.Description
			continue
		}
		update.Deployment = &ief.UpdateSpec{Replicas: desired.Deployment.Replicas, Template: desired.Deployment.Template}
	}
	return update
}

// toWire converts a planned deployment.
func toWire(root definition.Reader) *object {
	root.String("api_version")
	request := &ief.CreateRequest{
		Name:        root.String("name"),
		Description: root.String("description"),
		Source:      sourceToSend(root),
		GroupID:     root.String("group_id"),
		NodeIDs:     append([]string{}, root.Strings("node_ids")...),
		Deployment: ief.Spec{
			Replicas: root.Int32("replicas"),
			Template: ief.Template{
				Configs: ief.PodConfigs{
					HostNetwork:       root.Bool("host_network"),
					HostPID:           root.Bool("host_pid"),
					Migration:         root.Bool("migration"),
					RestartPolicy:     cmp.Or(root.String("restart_policy"), defaultRestartPolicy),
					TolerationSeconds: optionalNumber(root, "toleration_seconds"),
					DNSPolicy:         unlessDefault(root.String("dns_policy"), defaultDNSPolicy),
				},
				Affinity:       json.RawMessage(affinityOf(root.String("affinity"))),
				Containers:     wireContainers(root, "containers"),
				InitContainers: wireContainers(root, "init_containers"),
			},
		},
	}
	if len(request.Deployment.Template.Affinity) == 0 {
		request.Deployment.Template.Affinity = nil
	}
	tags := root.StringMap("tags")
	for _, key := range sortedKeys(tags) {
		request.Tags = append(request.Tags, ief.Tag{Key: key, Value: tags[key]})
	}
	if annotations, ok := root.Object("annotations"); ok {
		wire := ief.Annotations{RingController: annotations.String("ring_controller"), AutonomyEdgeSelector: annotations.String("autonomy_edge_selector")}
		if wire != (ief.Annotations{}) {
			request.Deployment.Annotations = &wire
		}
	}
	return &object{planned: root, request: request}
}

// sourceToSend omits a source that IEF chooses, which is unknown before the
// create.
func sourceToSend(root definition.Reader) string {
	if !root.Configured("source") {
		return ""
	}
	return root.String("source")
}

func wireContainers(root definition.Reader, name string) []ief.Container {
	var out []ief.Container
	for _, r := range root.Objects(name) {
		container := ief.Container{
			Name:           r.String("name"),
			ImageURL:       r.String("image_url"),
			Version:        r.String("version"),
			Command:        r.Strings("command"),
			Args:           r.Strings("args"),
			Resources:      wireResources(r),
			Privileged:     r.Bool("privileged"),
			RunAsUser:      optionalNumber(r, "run_as_user"),
			LivenessProbe:  wireProbe(r, "liveness_probe"),
			ReadinessProbe: wireProbe(r, "readiness_probe"),
			NPUType:        r.String("npu_type"),
		}
		for _, env := range r.Objects("envs") {
			container.Envs = append(container.Envs, wireEnv(env))
		}
		for _, volume := range r.Objects("volumes") {
			container.Volumes = append(container.Volumes, wireVolume(volume))
		}
		for _, port := range r.Objects("ports") {
			container.Ports = append(container.Ports, wirePort(port))
		}
		out = append(out, container)
	}
	return out
}

func wireResources(r definition.Reader) *ief.Resources {
	resources, ok := r.Object("resources")
	if !ok {
		return nil
	}
	limits, requests := wireAmounts(resources, "limits"), wireAmounts(resources, "requests")
	if len(limits)+len(requests) == 0 {
		return nil
	}
	return &ief.Resources{Limits: limits, Requests: requests}
}

func wireAmounts(r definition.Reader, side string) map[string]string {
	values, _ := r.Object(side)
	out := map[string]string{}
	for _, a := range resourceQuantities {
		if text := values.String(a.attribute); text != "" {
			out[a.key] = a.toWire(text)
		}
	}
	return out
}

func wireEnv(r definition.Reader) ief.Env {
	env := ief.Env{Name: r.String("name"), Value: optionalText(r, "value"), FieldPath: r.String("field_path")}
	if from, ok := r.Object("value_from"); ok {
		env.ValueFrom = &ief.ValueFrom{Secret: wireKey(from, "secret"), ConfigMap: wireKey(from, "configmap")}
	}
	return env
}

func wireKey(r definition.Reader, name string) *ief.KeyRef {
	ref, ok := r.Object(name)
	if !ok {
		return nil
	}
	return &ief.KeyRef{Name: ref.String("name"), Key: ref.String("key")}
}

func wireVolume(r definition.Reader) ief.Volume {
	volume := ief.Volume{Name: r.String("name"), Type: r.String("type"), Source: r.String("source"), Destination: r.String("destination")}
	if readOnly := r.Bool("read_only"); readOnly {
		volume.ReadOnly = &readOnly
	}
	if mode := optionalNumber(r, "default_mode"); mode != nil && *mode != defaultFileMode {
		volume.DefaultMode = mode
	}
	return volume
}

func wirePort(r definition.Reader) ief.Port {
	port := ief.Port{ContainerPort: r.Int32("container_port"), HostPort: r.Int32("host_port"), HostIP: r.String("host_ip")}
	if ports, ok := r.Object("host_port_range"); ok {
		port.HostPortRange = &ief.PortRange{MinPort: ports.Int32("min_port"), MaxPort: ports.Int32("max_port")}
	}
	return port
}

func wireProbe(r definition.Reader, name string) *ief.Probe {
	p, ok := r.Object(name)
	if !ok {
		return nil
	}
	probe := &ief.Probe{InitialDelaySeconds: p.Int32("initial_delay_seconds"), TimeoutSeconds: p.Int32("timeout_seconds")}
	if exec, ok := p.Object("exec"); ok {
		probe.Exec = &ief.Exec{Command: exec.String("command")}
	}
	if get, ok := p.Object("http_get"); ok {
		probe.HTTPGet = &ief.HTTPGet{Path: get.String("path"), Port: get.Int32("port"), Host: get.String("host"), Scheme: cmp.Or(get.String("scheme"), defaultScheme)}
	}
	return probe
}

func unlessDefault(text, fallback string) string {
	if text == fallback {
		return ""
	}
	return text
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// optionalNumber returns an optional number.
func optionalNumber(r definition.Reader, name string) *int32 {
	if !r.Has(name) {
		return nil
	}
	n := r.Int32(name)
	return &n
}

// optionalText returns an optional string.
func optionalText(r definition.Reader, name string) *string {
	if !r.Has(name) {
		return nil
	}
	text := r.String(name)
	return &text
}
