package faulttest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// configuration is a user's configuration: it provides the resources for
// Terraform and the expected objects on the server.
type configuration struct {
	images   []imageSpec
	servings []servingSpec
	objects  []objectSpec
	// timeout is the time limit of each create, update and delete of a serving.
	timeout string
}

type imageSpec struct {
	name, tag string
	// ports are ports in addition to the default one.
	ports []string
}

type servingSpec struct {
	id      string
	model   string // the variable part of serving_input_config
	parties []partySpec
	// redeploys makes the serving roll when the app image of its first party
	// changes.
	redeploys bool
	noWait    bool
}

type partySpec struct {
	domain, role, image string
	prefix              string // of the names of Services; a change is a replacement
	replicas            int
	cpu                 string
}

// plantedKey is a secret in every serving_input_config.
const plantedKey = "planted-storage-key-3f9a"

func (s servingSpec) inputConfig() string {
	text, err := json.Marshal(map[string]string{"model": s.model, "key": plantedKey})
	must(err)
	return string(text)
}

func imageAddress(name string) string { return "kuscia_app_image." + name }

func servingAddress(id string) string { return "kuscia_serving." + id }

func (c configuration) resources() []resource {
	var list []resource
	for _, image := range c.images {
		list = append(list, resource{address: imageAddress(image.name), typeName: "kuscia_app_image", config: func(func(string, string) any) attrs { return image.config() }})
	}
	for _, serving := range c.servings {
		r := resource{address: servingAddress(serving.id), typeName: "kuscia_serving"}
		for _, p := range serving.parties {
			if address := imageAddress(p.image); c.hasImage(p.image) && !slices.Contains(r.after, address) {
				r.after = append(r.after, address)
			}
		}
		r.config = func(value func(string, string) any) attrs { return c.servingConfig(serving, value) }
		list = append(list, r)
	}
	for _, o := range c.objects {
		r := resource{address: o.address(), typeName: o.kind.typeName, config: func(func(string, string) any) attrs { return o.kind.config(o, c.timeout) }}
		for _, needed := range o.kind.needs {
			r.after = append(r.after, needed.address())
		}
		list = append(list, r)
	}
	return list
}

func (c configuration) hasImage(name string) bool {
	return slices.ContainsFunc(c.images, func(i imageSpec) bool { return i.name == name })
}

func (i imageSpec) config() attrs {
	ports := []any{attrs{"name": "service", "scope": "Domain"}}
	for _, port := range i.ports {
		ports = append(ports, attrs{"name": port, "scope": "Cluster"})
	}
	return attrs{
		"name": i.name, "image": attrs{"name": "example/app", "tag": i.tag},
		"deploy_templates": []any{attrs{"name": "app", "containers": []any{attrs{"name": "main", "ports": ports}}}},
	}
}

func (c configuration) servingConfig(s servingSpec, value func(string, string) any) attrs {
	parties := attrs{}
	for _, p := range s.parties {
		party := attrs{"app_image": p.image, "replicas": p.replicas}
		if c.hasImage(p.image) {
			party["app_image"] = value(imageAddress(p.image), "name")
		}
		if p.role != "" {
			party["role"], party["domain_id"] = p.role, p.domain
		}
		if p.prefix != "" {
			party["service_name_prefix"] = p.prefix
		}
		if p.cpu != "" {
			party["resources"] = attrs{"min_cpu": p.cpu}
		}
		parties[strings.TrimSuffix(p.domain+"/"+p.role, "/")] = party
	}
	out := attrs{
		"serving_id": s.id, "initiator": s.parties[0].domain, "serving_input_config": s.inputConfig(), "parties": parties,
		// A serving is deleted with the time limit of the previous apply, which
		// may have been short because of a fault.
		"timeouts": attrs{"create": c.timeout, "update": c.timeout, "delete": "30s"},
	}
	if s.redeploys {
		out["redeploy_triggers"] = attrs{"image": value(imageAddress(s.parties[0].image), "rollout_revision")}
	}
	if s.noWait {
		out["wait_for_rollout"] = false
	}
	return out
}

// differences lists where the server differs from the configuration; it is
// empty if the server has exactly the configured objects.
func (c configuration) differences(server *sandbox.Sandbox) []string {
	var found, ids, names []string
	for _, serving := range c.servings {
		ids = append(ids, serving.id)
		found = append(found, serving.differences(server)...)
	}
	for _, image := range c.images {
		names = append(names, image.name)
		found = append(found, image.differences(server)...)
	}
	slices.Sort(ids)
	slices.Sort(names)
	if got := server.ServingIDs(); !slices.Equal(got, ids) {
		found = append(found, fmt.Sprintf("the servings are %v, want %v", got, ids))
	}
	if got := server.AppImageNames(); !slices.Equal(got, names) {
		found = append(found, fmt.Sprintf("the app images are %v, want %v", got, names))
	}
	return append(found, c.otherDifferences(server)...)
}

func (i imageSpec) differences(server *sandbox.Sandbox) []string {
	stored, err := server.AppImage(i.name)
	if err != nil {
		return []string{err.Error()}
	}
	var ports []string
	for _, port := range stored.DeployTemplates[0].Containers[0].Ports {
		ports = append(ports, port.Name)
	}
	got := fmt.Sprint(stored.Image.Name, stored.Image.Tag, ports)
	if want := fmt.Sprint("example/app", i.tag, append([]string{"service"}, i.ports...)); got != want {
		return []string{fmt.Sprintf("app image %s is %s, want %s", i.name, got, want)}
	}
	return nil
}

func (s servingSpec) differences(server *sandbox.Sandbox) []string {
	stored, err := server.Serving(s.id)
	if err != nil {
		return []string{err.Error()}
	}
	var found []string
	differ := func(what string, got, want any) {
		if fmt.Sprint(got) != fmt.Sprint(want) {
			found = append(found, fmt.Sprintf("serving %s: %s is %v, want %v", s.id, what, got, want))
		}
	}
	differ("initiator", stored.Initiator, s.parties[0].domain)
	differ("affinity_mode", stored.AffinityMode, kuscia.AntiAffinity)
	// A restart sends the same JSON with other white space.
	differ("serving_input_config", compact(stored.InputConfig), compact(s.inputConfig()))
	differ("number of parties", len(stored.Parties), len(s.parties))
	if len(found) > 0 {
		return found
	}
	for _, want := range s.parties {
		var got sandbox.PartySpec
		for _, p := range stored.Parties {
			if p.DomainID == want.domain && p.Role == want.role {
				got = p
			}
		}
		replicas := int32(0)
		if got.Replicas != nil {
			replicas = *got.Replicas
		}
		differ("party", fmt.Sprint(got.DomainID, "/", got.Role, got.AppImage, replicas), fmt.Sprint(want.domain, "/", want.role, want.image, int32(want.replicas)))
		cpu := ""
		for _, container := range got.Containers {
			cpu += container.MinCPU
		}
		differ("cpu", cpu, want.cpu)
		differ("service_name_prefix", got.ServiceNamePrefix, want.prefix)
	}
	return found
}

func compact(text string) string {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	encoded, err := json.Marshal(value)
	must(err)
	return string(encoded)
}

// objectDifferences is differences for one resource, whose change was reported
// as done.
func (c configuration) objectDifferences(server *sandbox.Sandbox, address string) []string {
	for _, serving := range c.servings {
		if servingAddress(serving.id) == address {
			return serving.differences(server)
		}
	}
	for _, image := range c.images {
		if imageAddress(image.name) == address {
			return image.differences(server)
		}
	}
	for _, o := range c.objects {
		if got := o.kind.stored(server, o); o.address() == address && got != o.kind.desired(o) {
			return []string{fmt.Sprintf("the server has %q", got)}
		} else if o.address() == address {
			return nil
		}
	}
	return []string{address + " is not in the configuration"}
}

// exists reports whether the object of a resource exists on the server.
func exists(server *sandbox.Sandbox, address string) bool {
	if name, found := strings.CutPrefix(address, imageAddress("")); found {
		return slices.Contains(server.AppImageNames(), name)
	}
	if o, found := objectAt(address); found {
		return o.kind.stored(server, o) != ""
	}
	return server.ServingExists(strings.TrimPrefix(address, servingAddress("")))
}

// duo is a serving of alice and bob with the app image app.
func duo(id string) servingSpec {
	return servingSpec{id: id, model: "a", parties: []partySpec{{domain: "alice", image: "app", replicas: 1}, {domain: "bob", image: "app", replicas: 1}}}
}

// solo is a serving of alice alone.
func solo(id, image string) servingSpec {
	return servingSpec{id: id, model: "a", parties: []partySpec{{domain: "alice", image: image, replicas: 1}}}
}

// with returns a modified copy of a serving.
func (s servingSpec) with(change func(*servingSpec)) servingSpec {
	s.parties = slices.Clone(s.parties)
	change(&s)
	return s
}
