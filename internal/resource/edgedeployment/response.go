package edgedeployment

import (
	"maps"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// response returns a response as a tree, without the attributes that IEF does
// not return. It never fails: it shows any content of IEF, even if a
// configuration must not have it. A v2 response has no template as long as
// there is no instance; the known values are then kept.
func response(o *object, known definition.Value) definition.Tree {
	d, root := o.found, definition.Tree{}
	if d.Template != nil {
		root = treeTemplate(d.Template)
	}
	maps.Copy(root, definition.Tree{
		"id": d.ID, "instance_id": o.scope.InstanceID, "project_id": d.ProjectID, "created_at": d.CreatedAt, "source": d.Source,
		"api_version": string(o.scope.Version), "name": d.Name, "description": d.Description,
		"node_ids": d.NodeIDs, "group_id": d.GroupID, "replicas": int64(d.Replicas), "tags": treeTags(d.Tags),
	})
	if a := d.Annotations; a != nil && *a != (ief.Annotations{}) {
		root["annotations"] = definition.Tree{"ring_controller": a.RingController, "autonomy_edge_selector": a.AutonomyEdgeSelector}
	}
	before := definition.FieldsOf(known)
	for _, name := range notReturned(d) {
		if value, ok := before[name]; ok && value.IsKnown() && !value.IsNull() {
			root[name] = value
		}
	}
	return root
}

// refreshed returns a deployment as a data source has it.
func refreshed(scope ief.Scope, d *ief.Deployment) definition.Value {
	null := dataDefinition.Null()
	return dataDefinition.Refreshed(dataDefinition.FromServer(response(&object{found: d, scope: scope}, null)), null)
}

// notReturned returns the attributes that a response does not have.
func notReturned(d *ief.Deployment) []string {
	var names []string
	if d.Source == "" {
		names = append(names, "source")
	}
	if d.Template != nil {
		return names
	}
	for _, field := range templateFields {
		names = append(names, field.Name)
	}
	if len(d.NodeIDs) == 0 && d.GroupID == "" {
		names = append(names, "node_ids", "group_id")
	}
	return names
}

func treeTags(tags []ief.Tag) map[string]string {
	out := make(map[string]string, len(tags))
	for _, tag := range tags {
		out[tag.Key] = tag.Value
	}
	return out
}

func treeTemplate(t *ief.Template) definition.Tree {
	return definition.Tree{
		"host_network": t.Configs.HostNetwork, "host_pid": t.Configs.HostPID, "migration": t.Configs.Migration,
		"restart_policy": unlessEmpty(t.Configs.RestartPolicy), "toleration_seconds": optional(t.Configs.TolerationSeconds),
		"dns_policy": unlessEmpty(t.Configs.DNSPolicy), "affinity": affinityOf(string(t.Affinity)),
		"containers": definition.Each(t.Containers, treeContainer), "init_containers": definition.Each(t.InitContainers, treeContainer),
	}
}

// unlessEmpty returns nil for an empty string, which means that it is unset.
func unlessEmpty(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// optional returns an optional number.
func optional(n *int32) any {
	if n == nil {
		return nil
	}
	return int64(*n)
}

// unlessZero returns nil for 0, which means that the number is unset.
func unlessZero(n int32) any {
	if n == 0 {
		return nil
	}
	return int64(n)
}

func treeContainer(c ief.Container) definition.Tree {
	out := definition.Tree{
		"name": c.Name, "image_url": c.ImageURL, "version": c.Version, "command": c.Command, "args": c.Args,
		"envs": definition.Each(c.Envs, treeEnv), "volumes": definition.Each(c.Volumes, treeVolume), "ports": definition.Each(c.Ports, treePort),
		"privileged": c.Privileged, "run_as_user": optional(c.RunAsUser), "npu_type": c.NPUType,
		"liveness_probe": treeProbe(c.LivenessProbe), "readiness_probe": treeProbe(c.ReadinessProbe),
	}
	if c.Resources != nil {
		out["resources"] = definition.Tree{"limits": treeAmounts(c.Resources.Limits), "requests": treeAmounts(c.Resources.Requests)}
	}
	return out
}

func treeAmounts(values map[string]string) definition.Tree {
	out := definition.Tree{}
	for _, a := range resourceQuantities {
		if text, ok := values[a.key]; ok && text != "" {
			out[a.attribute] = a.fromWire(text)
		}
	}
	return out
}

func treeEnv(e ief.Env) definition.Tree {
	out := definition.Tree{"name": e.Name, "field_path": e.FieldPath}
	if e.ValueFrom != nil && (e.ValueFrom.Secret != nil || e.ValueFrom.ConfigMap != nil) {
		out["value_from"] = definition.Tree{"secret": treeKey(e.ValueFrom.Secret), "configmap": treeKey(e.ValueFrom.ConfigMap)}
	}
	// A response may have empty values for sources that are not used.
	if e.Value != nil && (*e.Value != "" || out["value_from"] == nil && e.FieldPath == "") {
		out["value"] = *e.Value
	}
	return out
}

func treeKey(k *ief.KeyRef) any {
	if k == nil {
		return nil
	}
	return definition.Tree{"name": k.Name, "key": k.Key}
}

func treeVolume(v ief.Volume) definition.Tree {
	out := definition.Tree{"name": v.Name, "type": v.Type, "source": v.Source, "destination": v.Destination}
	if v.ReadOnly != nil {
		out["read_only"] = *v.ReadOnly
	}
	if v.DefaultMode != nil {
		out["default_mode"] = unlessZero(*v.DefaultMode)
	}
	return out
}

func treePort(p ief.Port) definition.Tree {
	out := definition.Tree{"container_port": int64(p.ContainerPort), "host_port": int64(p.HostPort), "host_ip": p.HostIP}
	if r := p.HostPortRange; r != nil && *r != (ief.PortRange{}) {
		out["host_port_range"] = definition.Tree{"min_port": int64(r.MinPort), "max_port": int64(r.MaxPort)}
	}
	return out
}

func treeProbe(p *ief.Probe) any {
	if p == nil {
		return nil
	}
	out := definition.Tree{"initial_delay_seconds": unlessZero(p.InitialDelaySeconds), "timeout_seconds": unlessZero(p.TimeoutSeconds)}
	if p.Exec != nil {
		out["exec"] = definition.Tree{"command": p.Exec.Command}
	}
	if p.HTTPGet != nil {
		out["http_get"] = definition.Tree{
			"path": p.HTTPGet.Path, "port": int64(p.HTTPGet.Port), "host": p.HTTPGet.Host, "scheme": unlessEmpty(strings.ToUpper(p.HTTPGet.Scheme)),
		}
	}
	return out
}
