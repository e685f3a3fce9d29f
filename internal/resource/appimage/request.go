package appimage

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// createRequest turns a planned definition into what is sent. An unknown that
// is left in it is an error with its path, never a zero value.
func createRequest(planned tftypes.Value) (*kuscia.AppImage, diag.Diagnostics) {
	var diags diag.Diagnostics
	image, gaps := toWire(planned)
	for _, at := range gaps.unknown {
		diags.AddAttributeError(at, "Value not known at apply",
			fmt.Sprintf("%s is still unknown although everything has to be known now. Nothing was sent. This is a bug in the provider; please report it.", at))
	}
	for _, at := range slices.Concat(gaps.null, gaps.odd) {
		diags.AddAttributeError(at, "Value that cannot be sent",
			fmt.Sprintf("%s has a value that Kuscia cannot store, and that should have been refused before. Nothing was sent. This is a bug in the provider; please report it.", at))
	}
	return image, diags
}

// updateRequest is the whole definition once more: Kuscia replaces what it
// gets, keeps what is absent, and clears config templates only when it gets an
// empty map.
func updateRequest(planned tftypes.Value) (*kuscia.UpdateAppImageRequest, diag.Diagnostics) {
	image, diags := createRequest(planned)
	templates := image.ConfigTemplates
	if templates == nil {
		templates = map[string]string{}
	}
	return &kuscia.UpdateAppImageRequest{
		Name:            image.Name,
		Image:           image.Image,
		ConfigTemplates: &templates,
		DeployTemplates: image.DeployTemplates,
	}, diags
}

// gaps are the places of a tree that have no value on the wire.
type gaps struct {
	// unknown are values that are not known yet.
	unknown []path.Path
	// null are elements of lists and maps that are null.
	null []path.Path
	// odd are numbers that are not whole or too big.
	odd []path.Path
}

// toWire reads a tree. What is unknown or null becomes the zero value on the
// wire; the gaps say where.
func toWire(value tftypes.Value) (*kuscia.AppImage, gaps) {
	var found gaps
	root := reader{fields: fieldsOf(value), at: path.Empty(), gaps: &found}
	base, _ := root.object("image")
	image := &kuscia.AppImage{
		Name: root.text("name"),
		Image: kuscia.AppImageInfo{
			Name: base.text("name"),
			Tag:  base.text("tag"),
			ID:   base.text("id"),
			Sign: base.text("sign"),
		},
		ConfigTemplates: root.textMap("config_templates"),
	}
	for _, template := range root.objects("deploy_templates") {
		image.DeployTemplates = append(image.DeployTemplates, wireTemplate(template))
	}
	return image, found
}

func wireTemplate(r reader) kuscia.DeployTemplate {
	template := kuscia.DeployTemplate{
		Name:          r.text("name"),
		Role:          r.text("role"),
		Replicas:      r.int32("replicas"),
		RestartPolicy: r.text("restart_policy"),
	}
	for _, c := range r.objects("containers") {
		template.Containers = append(template.Containers, wireContainer(c))
	}
	return template
}

func wireContainer(r reader) kuscia.Container {
	container := kuscia.Container{
		Name:            r.text("name"),
		Command:         r.texts("command"),
		Args:            r.texts("args"),
		WorkingDir:      r.text("working_dir"),
		Resources:       wireResources(r),
		LivenessProbe:   wireProbe(r, "liveness_probe"),
		ReadinessProbe:  wireProbe(r, "readiness_probe"),
		StartupProbe:    wireProbe(r, "startup_probe"),
		ImagePullPolicy: r.text("image_pull_policy"),
	}
	for _, mount := range r.objects("config_volume_mounts") {
		container.ConfigVolumeMounts = append(container.ConfigVolumeMounts, kuscia.ConfigVolumeMount{
			MountPath: mount.text("mount_path"), SubPath: mount.text("sub_path"),
		})
	}
	for _, port := range r.objects("ports") {
		container.Ports = append(container.Ports, kuscia.ContainerPort{
			Name:     port.text("name"),
			Protocol: cmp.Or(port.text("protocol"), defaultProtocol),
			Scope:    cmp.Or(port.text("scope"), defaultScope),
		})
	}
	for _, source := range r.objects("env_from") {
		container.EnvFrom = append(container.EnvFrom, kuscia.EnvFromSource{
			Prefix:       source.text("prefix"),
			ConfigMapRef: wireSource(source, "config_map_ref"),
			SecretRef:    wireSource(source, "secret_ref"),
		})
	}
	for _, env := range r.objects("env") {
		container.Env = append(container.Env, kuscia.EnvVar{Name: env.text("name"), Value: env.text("value")})
	}
	return container
}

func wireSource(r reader, name string) *kuscia.ObjectSource {
	source, ok := r.object(name)
	if !ok {
		return nil
	}
	return &kuscia.ObjectSource{Name: source.text("name")}
}

// wireResources leaves out empty sides: the server's answer has null for them.
func wireResources(r reader) *kuscia.ResourceRequirements {
	resources, ok := r.object("resources")
	if !ok {
		return nil
	}
	limits, requests := wireSpec(resources, "limits"), wireSpec(resources, "requests")
	if limits == nil && requests == nil {
		return nil
	}
	return &kuscia.ResourceRequirements{Limits: limits, Requests: requests}
}

func wireSpec(r reader, name string) *kuscia.ResourceSpec {
	spec, _ := r.object(name)
	cpu, memory := spec.text("cpu"), spec.text("memory")
	if cpu == "" && memory == "" {
		return nil
	}
	return &kuscia.ResourceSpec{CPU: cpu, Memory: memory}
}

func wireProbe(r reader, name string) *kuscia.Probe {
	p, ok := r.object(name)
	if !ok {
		return nil
	}
	probe := &kuscia.Probe{
		InitialDelaySeconds:           p.int32("initial_delay_seconds"),
		TimeoutSeconds:                p.int32("timeout_seconds"),
		PeriodSeconds:                 p.int32("period_seconds"),
		SuccessThreshold:              p.int32("success_threshold"),
		FailureThreshold:              p.int32("failure_threshold"),
		TerminationGracePeriodSeconds: kuscia.Int64(p.int64("termination_grace_period_seconds")),
	}
	if exec, ok := p.object("exec"); ok {
		probe.Exec = &kuscia.ExecAction{Command: exec.texts("command")}
	}
	if get, ok := p.object("http_get"); ok {
		probe.HTTPGet = &kuscia.HTTPGetAction{
			Path: get.text("path"), Port: get.text("port"), Host: get.text("host"), Scheme: get.text("scheme"),
		}
		for _, header := range get.objects("http_headers") {
			probe.HTTPGet.HTTPHeaders = append(probe.HTTPGet.HTTPHeaders,
				kuscia.HTTPHeader{Name: header.text("name"), Value: header.text("value")})
		}
	}
	if socket, ok := p.object("tcp_socket"); ok {
		probe.TCPSocket = &kuscia.TCPSocketAction{Port: socket.text("port"), Host: socket.text("host")}
	}
	if grpc, ok := p.object("grpc"); ok {
		probe.GRPC = &kuscia.GRPCAction{Port: grpc.int32("port"), Service: grpc.text("service")}
	}
	return probe
}

// reader reads the attributes of one object and remembers the gaps. The zero
// reader, of an object that is absent or unknown, reads zero values.
type reader struct {
	fields map[string]tftypes.Value
	at     path.Path
	gaps   *gaps
}

// known returns an attribute that has a value.
func (r reader) known(name string) (tftypes.Value, bool) {
	value, ok := r.fields[name]
	if !ok {
		return tftypes.Value{}, false
	}
	if !value.IsKnown() {
		r.gaps.unknown = append(r.gaps.unknown, r.at.AtName(name))
		return tftypes.Value{}, false
	}
	return value, !value.IsNull()
}

func (r reader) text(name string) string {
	value, ok := r.known(name)
	if !ok {
		return ""
	}
	return stringOf(value)
}

// int64 is a whole number; anything else is noted and 0.
func (r reader) int64(name string) int64 {
	return r.number(name, math.MinInt64, math.MaxInt64)
}

func (r reader) int32(name string) int32 {
	return int32(r.number(name, math.MinInt32, math.MaxInt32)) //nolint:gosec // number keeps it in range
}

func (r reader) number(name string, least, most int64) int64 {
	value, ok := r.known(name)
	if !ok {
		return 0
	}
	n, whole := numberOf(value)
	if !whole || n < least || n > most {
		r.gaps.odd = append(r.gaps.odd, r.at.AtName(name))
		return 0
	}
	return n
}

func (r reader) texts(name string) []string {
	value, ok := r.known(name)
	if !ok {
		return nil
	}
	var out []string
	for i, element := range elementsOf(value) {
		r.note(element, r.at.AtName(name).AtListIndex(i))
		out = append(out, stringOf(element))
	}
	return out
}

func (r reader) textMap(name string) map[string]string {
	value, ok := r.known(name)
	if !ok {
		return nil
	}
	var out map[string]string
	elements := fieldsOf(value)
	for _, key := range slices.Sorted(maps.Keys(elements)) {
		if out == nil {
			out = make(map[string]string, len(elements))
		}
		r.note(elements[key], r.at.AtName(name).AtMapKey(key))
		out[key] = stringOf(elements[key])
	}
	return out
}

func (r reader) object(name string) (reader, bool) {
	value, ok := r.known(name)
	if !ok {
		return reader{gaps: r.gaps}, false
	}
	return reader{fields: fieldsOf(value), at: r.at.AtName(name), gaps: r.gaps}, true
}

func (r reader) objects(name string) []reader {
	value, ok := r.known(name)
	if !ok {
		return nil
	}
	var out []reader
	for i, element := range elementsOf(value) {
		at := r.at.AtName(name).AtListIndex(i)
		r.note(element, at)
		out = append(out, reader{fields: fieldsOf(element), at: at, gaps: r.gaps})
	}
	return out
}

// note remembers an element of a list or map that has no value.
func (r reader) note(element tftypes.Value, at path.Path) {
	switch {
	case !element.IsKnown():
		r.gaps.unknown = append(r.gaps.unknown, at)
	case element.IsNull():
		r.gaps.null = append(r.gaps.null, at)
	}
}
