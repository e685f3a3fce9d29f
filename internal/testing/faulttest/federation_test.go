package faulttest_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// ofNode is the alias of the provider block of the node of alice; the default one is that of the
// master.
const ofNode = "node"

// federation is a master and the node of alice, with a Terraform that has a provider block for
// each.
type federation struct {
	master, node *sandbox.Sandbox
	terraform    *terraform
}

// newFederation starts a federation, which the caller closes.
func newFederation(t protocol.Failer) *federation {
	t.Helper()
	master, err := sandbox.Start(context.Background(), sandbox.Options{Protocol: sandbox.ProtocolNOTLS, StaleConfig: -1})
	protocol.NoError(t, err)
	node, err := sandbox.Start(context.Background(), sandbox.Options{Protocol: sandbox.ProtocolNOTLS, StaleConfig: -1, Lite: "alice", Master: master})
	protocol.NoError(t, err)
	f := &federation{master: master, node: node, terraform: newTerraform(attrs{"endpoint": master.Endpoint()})}
	f.terraform.aliases = map[string]attrs{ofNode: {"endpoint": node.Endpoint()}}
	return f
}

func (f *federation) close() {
	_ = f.node.Close()
	_ = f.master.Close()
}

// of is the server of a provider block.
func (f *federation) of(provider string) *sandbox.Sandbox {
	if provider == ofNode {
		return f.node
	}
	return f.master
}

// The types of the objects of a federation.
const (
	domainType  = "kuscia_domain"
	routeType   = "kuscia_domain_route"
	configType  = "kuscia_config"
	sourceType  = "kuscia_domain_data_source"
	dataType    = "kuscia_domain_data"
	grantType   = "kuscia_domain_data_grant"
	imageType   = "kuscia_app_image"
	servingType = "kuscia_serving"
)

// keys of configuration entries, and the domains that may be made.
var (
	nodeKeys    = []string{"db", "other-db"}
	masterKeys  = []string{"plain"}
	madeDomains = []string{"carol", "dave"}
)

// objects are the objects of the servers that a configuration can have made, as type and import ID.
func (f *federation) objects() (found []string) {
	add := func(typeName string, names ...string) {
		for _, name := range names {
			found = append(found, typeName+" "+name)
		}
	}
	domains := f.master.DomainIDs()
	for _, id := range madeDomains {
		if slices.Contains(domains, id) {
			add(domainType, id)
		}
	}
	for _, source := range append([]string{"alice", "bob"}, madeDomains...) {
		for _, destination := range append([]string{"alice", "bob"}, madeDomains...) {
			if _, err := f.master.RouteToken(source, destination); err == nil {
				add(routeType, source+"/"+destination)
			}
		}
	}
	for server, keys := range map[*sandbox.Sandbox][]string{f.master: masterKeys, f.node: nodeKeys} {
		for _, key := range keys {
			if _, ok := server.ConfigValue(key); ok {
				add(configType, key)
			}
		}
	}
	for id := range f.node.DataSourceNames("alice") {
		if id != "default-data-source" {
			add(sourceType, "alice/"+id)
		}
	}
	for id := range f.node.DomainDataNames("alice") {
		add(dataType, "alice/"+id)
	}
	for id := range f.node.GrantFlows("alice") {
		add(grantType, "alice/"+id)
	}
	add(imageType, f.master.AppImageNames()...)
	add(servingType, f.master.ServingIDs()...)
	slices.Sort(found)
	return found
}

// exists reports whether the servers have what a reference refers to.
func (f *federation) exists(r reference) bool {
	name := r.id
	switch r.typeName {
	case domainType:
		return slices.Contains(f.master.DomainIDs(), name)
	case sourceType, dataType:
		name = "alice/" + name
	}
	return name == "alice/default-data-source" || slices.Contains(f.objects(), r.typeName+" "+name)
}

// known are the objects in the state, as objects returns them.
func (t *terraform) known() (found []string) {
	for _, o := range t.state {
		found = append(found, o.typeName+" "+o.Text("id"))
	}
	slices.Sort(found)
	return found
}

// reference is a value of a configuration that is the ID of another object.
type reference struct {
	typeName, id string
	// address and attribute are those of a resource; "" for a literal text, of which the CLI does
	// not know the resource.
	address, attribute string
	// accepted: Kuscia accepts the reference to an object that does not exist.
	accepted bool
}

// references are those in a configuration.
func references(value any) (found []reference) {
	switch value := value.(type) {
	case reference:
		return []reference{value}
	case attrs:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			found = append(found, references(value[name])...)
		}
	case []any:
		for _, element := range value {
			found = append(found, references(element)...)
		}
	}
	return found
}

// resolved is a configuration with the values of its references.
func resolved(value any, look func(address, attribute string) any) any {
	switch value := value.(type) {
	case reference:
		if value.address == "" {
			return value.id
		}
		return look(value.address, value.attribute)
	case attrs:
		out := attrs{}
		for name := range value {
			out[name] = resolved(value[name], look)
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i := range value {
			out[i] = resolved(value[i], look)
		}
		return out
	}
	return value
}

// drawing draws the configuration of a federation.
type drawing struct {
	t *rapid.T
	// providers are the blocks of the objects that both servers manage, by their address.
	providers map[string]string
	resources []resource
	// configs are the configurations of the resources, with their references, by the address.
	configs map[string]attrs
}

func (d *drawing) bool(label string) bool { return rapid.Bool().Draw(d.t, label) }

// add may add a resource.
func (d *drawing) add(typeName, name, provider string, config func() attrs) {
	if rapid.IntRange(0, 3).Draw(d.t, "without "+name) == 0 {
		return
	}
	r, made := resource{address: typeName + "." + name, typeName: typeName, provider: provider}, config()
	for _, reference := range references(made) {
		if reference.address != "" && !slices.Contains(r.after, reference.address) {
			r.after = append(r.after, reference.address)
		}
	}
	r.config = func(value func(string, string) any) attrs { return resolved(made, value).(attrs) }
	d.resources, d.configs[r.address] = append(d.resources, r), made
}

// refer is a reference to the resource of a name, if there is one, or the literal ID.
func (d *drawing) refer(typeName, name, attribute, literal string) reference {
	r := reference{typeName: typeName, id: literal}
	if made, ok := d.configs[typeName+"."+name]; ok && rapid.IntRange(0, 3).Draw(d.t, "literal "+name) > 0 {
		r.address, r.attribute, r.id = typeName+"."+name, attribute, fmt.Sprint(made[attribute])
	}
	return r
}

// image is a reference to an app image. One that is configured is never a literal name: a serving
// plans to show the image that is planned before it, and needs the order of a reference for that.
func (d *drawing) image(name string) reference {
	r := reference{typeName: imageType, id: name}
	if _, made := d.configs[imageType+"."+name]; made {
		r.address, r.attribute = imageType+"."+name, "name"
	}
	return r
}

// key is a reference to a configuration entry, or to one that never exists: of a data source whose
// entry is deleted Kuscia returns nothing, so that no plan could read it.
func (d *drawing) key(name string) reference {
	r := reference{typeName: configType, id: "no-entry"}
	if made, ok := d.configs[configType+"."+name]; ok {
		r.address, r.attribute, r.id = configType+"."+name, "key", fmt.Sprint(made["key"])
	}
	return r
}

// domain is a reference to a domain.
func (d *drawing) domain(ids ...string) reference {
	id := rapid.SampledFrom(ids).Draw(d.t, "domain")
	return d.refer(domainType, id, "domain_id", id)
}

// blocks of the objects that both servers manage.
func (d *drawing) block(name string) string {
	if _, drawn := d.providers[name]; !drawn {
		d.providers[name] = rapid.SampledFrom([]string{"", ofNode}).Draw(d.t, "block of "+name)
	}
	return d.providers[name]
}

// one draws one of several values; nil is left out.
func one(d *drawing, label string, values ...any) any {
	return values[rapid.IntRange(0, len(values)-1).Draw(d.t, label)]
}

// drawFederation draws a configuration in which some objects refer to others, by a reference or by a
// literal ID, also of an object that is not in it. providers remembers which block makes what.
func drawFederation(t *rapid.T, providers map[string]string) *drawing {
	d := &drawing{t: t, providers: providers, configs: map[string]attrs{}}
	d.add(domainType, "dave", "", func() attrs {
		return attrs{"domain_id": "dave", "auth_center": one(d, "auth", nil, attrs{"authentication_type": "Token", "token_gen_method": "UID-RSA-GEN"})}
	})
	d.add(domainType, "carol", "", func() attrs {
		config := attrs{"domain_id": "carol"}
		if d.bool("master") {
			config["master_domain_id"] = d.domain("dave", "bob")
		}
		return config
	})
	endpoint := func() attrs {
		return attrs{"host": one(d, "host", "gateway", "other"), "ports": []any{attrs{"name": "http", "port": 1080, "protocol": "HTTP"}}}
	}
	d.add(routeType, "out", "", func() attrs {
		return attrs{"source": d.domain("carol", "alice"), "destination": d.domain("dave", "bob"), "authentication_type": one(d, "authentication", "Token", "None"), "endpoint": endpoint()}
	})
	d.add(routeType, "back", "", func() attrs {
		return attrs{"source": "bob", "destination": d.domain("carol", "alice"), "authentication_type": "None", "endpoint": endpoint()}
	})
	d.add(configType, "plain", "", func() attrs { return attrs{"key": "plain", "value": one(d, "value", "one", "two")} })
	d.add(configType, "db", ofNode, func() attrs {
		return attrs{"key": one(d, "key", "db", "db", "other-db"), "value": one(d, "value", `{"endpoint":"db:1"}`, `{ "endpoint": "db:1" }`, `{"endpoint":"db:2"}`)}
	})
	d.add(sourceType, "files", ofNode, func() attrs {
		config := attrs{"domain_id": "alice", "datasource_id": one(d, "id", "files", "files", "other-files"), "name": one(d, "name", nil, "a")}
		if d.bool("behind a key") {
			config["type"], config["info_key"] = "mysql", d.key("db")
		} else {
			config["type"], config["localfs"] = "localfs", attrs{"path": one(d, "path", "/a", "/a/", "/b")}
		}
		return config
	})
	for _, name := range []string{"scores", "model"} {
		d.add(dataType, name, d.block("data "+name), func() attrs {
			config := attrs{
				"domain_id": "alice", "domaindata_id": one(d, "id", name, name, "other-"+name), "type": one(d, "type", "table", "model"),
				"relative_uri": one(d, "uri", "a.csv", "b.csv"), "file_format": one(d, "format", nil, "CSV", "BINARY"),
				"attributes": one(d, "attributes", nil, attrs{"a": `{"b":1,"c":2}`}, attrs{"a": `{"c": 2, "b": 1}`}),
			}
			if d.bool("data source") {
				config["datasource_id"] = d.refer(sourceType, "files", "datasource_id", "files")
			}
			return config
		})
	}
	d.add(grantType, "given", d.block("grant"), func() attrs {
		data := rapid.SampledFrom([]string{"scores", "model"}).Draw(t, "data")
		grantee := d.domain("bob", "carol", "later")
		grantee.accepted = true
		return attrs{
			"domain_id": "alice", "domaindatagrant_id": "given", "domaindata_id": d.refer(dataType, data, "domaindata_id", data), "grant_domain": grantee,
			"limit": one(d, "limit", nil, attrs{"use_count": 3}, attrs{"flow_id": "f", "expiration_time": "2040-01-31T00:00:00Z"}),
		}
	})
	for _, name := range []string{"app", "other"} {
		d.add(imageType, name, "", func() attrs {
			return attrs{
				"name": name, "image": attrs{"name": "example.com/app", "tag": one(d, "tag", "1", "2")},
				"deploy_templates": []any{attrs{"name": "app", "containers": []any{attrs{"name": "main", "env": one(d, "env", nil, []any{attrs{"name": "A", "value": "1"}})}}}},
			}
		})
	}
	d.add(servingType, "glm", "", func() attrs {
		party := func() attrs {
			name := rapid.SampledFrom([]string{"app", "other"}).Draw(t, "image")
			return attrs{"app_image": d.image(name), "replicas": one(d, "replicas", 1, 2)}
		}
		parties := attrs{"alice": party()}
		if d.bool("second party") {
			parties["second"] = with(party(), attrs{"role": "guest", "domain_id": d.domain("bob", "carol")})
			parties["alice"] = with(parties["alice"].(attrs), attrs{"role": "host", "domain_id": "alice"})
		}
		return attrs{"serving_id": "glm", "initiator": "alice", "parties": parties}
	})
	return d
}

// String lists the configurations.
func (d *drawing) String() string {
	var b strings.Builder
	for _, r := range d.resources {
		fmt.Fprintf(&b, "%s (%s) %v\n", r.address, r.provider, d.configs[r.address])
	}
	return b.String()
}
