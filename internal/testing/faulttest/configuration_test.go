package faulttest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// configuration has the resources of a user, and the expected objects on the server.
type configuration struct {
	images   []imageSpec
	servings []servingSpec
	objects  []objectSpec
	// timeout is the time limit of each create, update and delete of a serving.
	timeout string
	// prefix is the name of the testbed.
	prefix string
}

// within returns a copy with this time limit.
func (c configuration) within(timeout string) configuration {
	c.timeout = timeout
	return c
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

// item is a resource of a configuration.
type item interface {
	resource(c configuration) resource
	// stored describes the object on the server, "" if it does not exist; desired is as it
	// has to be.
	stored(b *testbed) string
	desired() string
}

func (c configuration) items() (all []item) {
	for _, image := range c.images {
		all = append(all, image)
	}
	for _, serving := range c.servings {
		all = append(all, serving)
	}
	for _, o := range c.objects {
		all = append(all, o)
	}
	return all
}

func (c configuration) resources() (list []resource) {
	for _, one := range c.items() {
		list = append(list, one.resource(c))
	}
	return list
}

func (i imageSpec) resource(configuration) resource {
	return resource{address: imageAddress(i.name), typeName: "kuscia_app_image", config: func(func(string, string) any) attrs { return i.config() }}
}

func (s servingSpec) resource(c configuration) resource {
	r := resource{address: servingAddress(s.id), typeName: "kuscia_serving"}
	for _, p := range s.parties {
		if address := imageAddress(p.image); c.hasImage(p.image) && !slices.Contains(r.after, address) {
			r.after = append(r.after, address)
		}
	}
	r.config = func(value func(string, string) any) attrs { return c.servingConfig(s, value) }
	return r
}

func (o objectSpec) resource(c configuration) resource {
	r := resource{address: o.address(), typeName: o.kind.typeName, config: func(func(string, string) any) attrs { return o.kind.config(o, c) }}
	for _, needed := range o.kind.needs {
		r.after = append(r.after, needed.address())
	}
	return r
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

// differences lists where the server differs from exactly the configured objects.
func (c configuration) differences(b *testbed) (found []string) {
	desired := map[string]string{}
	stored := map[string]string{}
	for _, one := range c.items() {
		desired[one.resource(c).address] = one.desired()
	}
	add := func(one item) {
		if got := one.stored(b); got != "" {
			stored[one.resource(c).address] = got
		}
	}
	if b.server != nil {
		for _, name := range b.server.AppImageNames() {
			add(imageSpec{name: name})
		}
		for _, id := range b.server.ServingIDs() {
			add(servingSpec{id: id})
		}
	}
	for _, kind := range b.kinds {
		for _, name := range objectNames {
			add(objectSpec{kind: kind, name: name})
		}
	}
	for address := range desired {
		if stored[address] == "" {
			found = append(found, address+" does not exist")
		}
	}
	for address, got := range stored {
		if got != desired[address] {
			found = append(found, fmt.Sprintf("%s is %s, want %s", address, got, desired[address]))
		}
	}
	return found
}

// difference is that of one resource, whose change was reported as done; "" if there is none.
func (c configuration) difference(b *testbed, address string) string {
	for _, one := range c.items() {
		if one.resource(c).address != address {
			continue
		}
		if got := one.stored(b); got != one.desired() {
			return fmt.Sprintf("the server has %q, want %q", got, one.desired())
		}
	}
	return ""
}

func (i imageSpec) desired() string {
	return fmt.Sprint("example/app:", i.tag, append([]string{"service"}, i.ports...))
}

func (i imageSpec) stored(b *testbed) string {
	stored, err := b.server.AppImage(i.name)
	if err != nil {
		return ""
	}
	var ports []string
	for _, port := range stored.DeployTemplates[0].Containers[0].Ports {
		ports = append(ports, port.Name)
	}
	return fmt.Sprint(stored.Image.Name, ":", stored.Image.Tag, ports)
}

func (s servingSpec) desired() string {
	return servingText(s.parties[0].domain, kuscia.AntiAffinity, s.inputConfig(), s.parties)
}

func (s servingSpec) stored(b *testbed) string {
	stored, err := b.server.Serving(s.id)
	if err != nil {
		return ""
	}
	var parties []partySpec
	for _, p := range stored.Parties {
		party := partySpec{domain: p.DomainID, role: p.Role, image: p.AppImage, prefix: p.ServiceNamePrefix}
		if p.Replicas != nil {
			party.replicas = int(*p.Replicas)
		}
		for _, container := range p.Containers {
			party.cpu += container.MinCPU
		}
		parties = append(parties, party)
	}
	return servingText(stored.Initiator, stored.AffinityMode, stored.InputConfig, parties)
}

func servingText(initiator, affinity, config string, parties []partySpec) string {
	sorted := slices.SortedFunc(slices.Values(parties), func(a, b partySpec) int { return strings.Compare(a.domain+a.role, b.domain+b.role) })
	return fmt.Sprintf("of %s, %s, %s, %+v", initiator, affinity, compact(config), sorted)
}

func (o objectSpec) desired() string { return o.kind.desired(o) }

func (o objectSpec) stored(b *testbed) string { return o.kind.stored(b, o) }

// compact is JSON without white space: a restart sends the same with other white space.
func compact(text string) string {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	encoded, err := json.Marshal(value)
	must(err)
	return string(encoded)
}

// exists reports whether the object of a resource exists on the server.
func exists(b *testbed, address string) bool {
	typeName, name, _ := strings.Cut(address, ".")
	switch typeName {
	case "kuscia_app_image":
		return slices.Contains(b.server.AppImageNames(), name)
	case "kuscia_serving":
		return b.server.ServingExists(name)
	}
	return slices.ContainsFunc(b.kinds, func(k objectKind) bool {
		return k.typeName == typeName && objectSpec{kind: k, name: name}.stored(b) != ""
	})
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
