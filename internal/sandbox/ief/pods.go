package ief

import (
	"encoding/json"
	"maps"
	"strings"
	"time"
)

// pod is an instance at a point in time.
type pod struct {
	podID
	template               object
	state, reason, message string
}

// pods are the current instances: those of the previous revision until the edge
// node has received the last one.
func (s *Server) pods(d *deployment) []pod {
	now, timing := time.Now(), s.options.Timing
	current := d.revisions[len(d.revisions)-1]
	if before := len(d.revisions) - 2; before >= 0 && now.Sub(current.since) < timing.Lag {
		current = d.revisions[before]
	}
	var out []pod
	for _, id := range current.pods {
		p := pod{podID: id, template: current.template}
		p.state, p.reason, p.message = stateAt(now.Sub(id.since), timing, imagesOf(d.version, current.template))
		if !d.deletedAt.IsZero() {
			p.state, p.reason, p.message = "TERMINATING", "", ""
		}
		out = append(out, p)
	}
	return out
}

func stateAt(age time.Duration, timing Timing, images string) (state, reason, message string) {
	switch started := age - timing.Lag - timing.Start; {
	case started < 0:
		return "PENDING", "", ""
	case strings.Contains(images, "broken"):
		return "CREATE_FAIL", "ImagePullBackOff", "Back-off pulling image"
	case strings.Contains(images, "slow") && started < timing.ClearFaults:
		return "CREATE_FAIL", "ErrImagePull", "image pull timed out"
	default:
		return "RUNNING", "", ""
	}
}

func imagesOf(version string, template object) string {
	if version == "v2" {
		return text(template, "image_url")
	}
	images := ""
	for _, container := range objects(template["containers"]) {
		images += text(container, "image_url") + " "
	}
	return images
}

func stamp(t time.Time) string { return t.Format("2006-01-02T15:04:05.000Z") }

// show is a deployment in the format of its version.
func (s *Server) show(d *deployment) object {
	if d.version == "v2" {
		return object{"deployment": s.showV2(d)}
	}
	inner := objectIn(d.content, "deployment")
	ready := 0
	for _, p := range s.pods(d) {
		if p.state == "RUNNING" {
			ready++
		}
	}
	source := text(d.content, "source")
	if source == "" || source == "userdefined" {
		source = "userdefine" // as in the examples
	}
	out := object{
		"id": d.id, "name": d.name, "description": text(d.content, "description"), "group_id": text(d.content, "group_id"),
		"node_ids": d.content["node_ids"], "tags": d.content["tags"], "api_version": "v3", "source": source,
		"project_id": d.project, "created_at": stamp(d.createdAt), "updated_at": stamp(d.updatedAt),
		"replicas": inner["replicas"], "ready_replicas": ready, "template": shownTemplate(objectIn(inner, "template")), "state": "",
	}
	if annotations, ok := inner["annotations"]; ok {
		out["annotations"] = annotations
	}
	if !d.deletedAt.IsZero() {
		out["state"] = "PENDING_DELETE"
	}
	return out
}

// shownTemplate has the format of the documented examples: schemes in lower
// case, the defaults of probes, an empty NPU type.
func shownTemplate(template object) object {
	out := cloneObject(template)
	if out["init_containers"] == nil {
		out["init_containers"] = []any{}
	}
	for _, name := range []string{"containers", "init_containers"} {
		list := []any{}
		for _, container := range objects(out[name]) {
			list = append(list, shownContainer(container))
		}
		out[name] = list
	}
	return out
}

func shownContainer(container object) object {
	out := cloneObject(container)
	if out["npu_type"] == nil {
		out["npu_type"] = ""
	}
	for _, name := range []string{"liveness_probe", "readiness_probe"} {
		if probe := objectIn(out, name); probe != nil {
			out[name] = shownProbe(probe)
		}
	}
	return out
}

func shownProbe(probe object) object {
	out := cloneObject(probe)
	for name, fallback := range map[string]int{"initial_delay_seconds": 10, "timeout_seconds": 1} {
		if out[name] == nil {
			out[name] = fallback
		}
	}
	if get := objectIn(out, "http_get"); get != nil {
		get = cloneObject(get)
		scheme := text(get, "scheme")
		if scheme == "" {
			scheme = "HTTP"
		}
		get["scheme"] = strings.ToLower(scheme)
		out["http_get"] = get
	}
	return out
}

func (p pod) show(d *deployment) object {
	node := ""
	if nodes := texts(d.content["node_ids"]); len(nodes) > 0 {
		node = nodes[0]
	}
	shown := shownTemplate(p.template)
	var containers []any
	for _, container := range objects(shown["containers"]) {
		container["state"], container["restarts"], container["reason"], container["message"] = p.state, 0, p.reason, p.message
		containers = append(containers, container)
	}
	return object{
		"id": p.id, "name": d.name + "-" + p.id[:8], "configs": shown["configs"], "containers": containers,
		"node_id": node, "deployment_id": d.id, "reason": p.reason, "message": p.message, "state": p.state, "created_at": stamp(p.since),
	}
}

// showV2 is a deployment of v2: the fields of the app are in each instance.
func (s *Server) showV2(d *deployment) object {
	instances := []any{}
	for _, p := range s.pods(d) {
		instance := shownApp(p.template)
		maps.Copy(instance, instanceOf(d, p))
		instances = append(instances, instance)
	}
	return object{
		"id": d.id, "name": d.name, "description": text(d.content, "description"), "project_id": d.project,
		"created_at": d.createdAt.Format("2006-01-02T15:04:05.000000"), "updated_at": nil, "visibility": nil, "instances": instances,
	}
}

// showUpgradeV2 is the response to an update of v2, which has another format.
func (s *Server) showUpgradeV2(d *deployment) object {
	shown := shownApp(objectIn(d.content, "app"))
	shown["name"], shown["id"] = d.name, d.id
	instances := []any{}
	for _, p := range s.pods(d) {
		instances = append(instances, instanceOf(d, p))
	}
	shown["instances"] = instances
	return object{"reason": nil, "upgrade_ret": "success", "deployment": shown}
}

func instanceOf(d *deployment, p pod) object {
	node, group := any(nil), any(nil)
	if nodes := texts(d.content["node_ids"]); len(nodes) > 0 {
		node = nodes[0]
	}
	if id := text(d.content, "group_id"); id != "" {
		group = id
	}
	state := p.state
	if state == "PENDING" && len(d.revisions) == 1 {
		state = "PENDING_CREATE" // as in the example of a create
	}
	return object{
		"id": p.id, "name": text(objectIn(d.content, "app"), "name"), "node_id": node, "group_id": group, "group_name": nil,
		"state": state, "reason": orNil(p.reason), "message": orNil(p.message), "is_ready": nil, "restarts": 0,
	}
}

func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// shownApp has amounts with a fraction and null for missing probes, as in the
// examples.
func shownApp(app object) object {
	out := cloneObject(app)
	for _, name := range []string{"liveness_probe", "readiness_probe"} {
		if _, ok := out[name]; !ok {
			out[name] = nil
		} else if probe := objectIn(out, name); probe != nil {
			out[name] = shownProbe(probe)
		}
	}
	if resources := objectIn(out, "resources"); resources != nil {
		resources = cloneObject(resources)
		for _, side := range []string{"limits", "requests"} {
			if amounts := objectIn(resources, side); amounts != nil {
				resources[side] = withFraction(amounts)
			}
		}
		out["resources"] = resources
	}
	return out
}

func withFraction(amounts object) object {
	out := cloneObject(amounts)
	for name, amount := range out {
		if n, ok := amount.(json.Number); ok && name != "npu" && !strings.ContainsAny(n.String(), ".eE") {
			out[name] = json.Number(n.String() + ".0")
		}
	}
	return out
}
