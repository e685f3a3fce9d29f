package faulttest_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// objectSpec is an object of the domain alice without a rollout. note is what
// changes.
type objectSpec struct {
	kind     *objectKind
	id, note string
}

// objectKind is a kind of such objects.
type objectKind struct {
	typeName string
	// config is the configuration, and after the address that it needs.
	config func(id, note string) attrs
	after  string
	// stored are the notes by the ids.
	stored func(*sandbox.Sandbox) map[string]string
}

var (
	dataKind = &objectKind{
		typeName: "kuscia_domain_data",
		config: func(id, note string) attrs {
			return attrs{"domain_id": "alice", "domaindata_id": id, "type": "table", "relative_uri": id, "name": note}
		},
		stored: func(s *sandbox.Sandbox) map[string]string { return s.DomainDataNames("alice") },
	}
	sourceKind = &objectKind{
		typeName: "kuscia_domain_data_source",
		config: func(id, note string) attrs {
			return attrs{"domain_id": "alice", "datasource_id": id, "type": "mysql", "name": note, "database": attrs{"endpoint": "db", "password": plantedKey}}
		},
		stored: func(s *sandbox.Sandbox) map[string]string {
			names := s.DataSourceNames("alice")
			delete(names, kuscia.DefaultDataSource)
			return names
		},
	}
	grantKind = &objectKind{
		typeName: "kuscia_domain_data_grant", after: "kuscia_domain_data.granted",
		config: func(id, note string) attrs {
			return attrs{"domain_id": "alice", "domaindatagrant_id": id, "domaindata_id": "granted", "grant_domain": "bob", "limit": attrs{"flow_id": note}}
		},
		stored: func(s *sandbox.Sandbox) map[string]string { return s.GrantFlows("alice") },
	}
	objectKinds = []*objectKind{dataKind, sourceKind, grantKind}
)

func (o objectSpec) address() string { return o.kind.typeName + "." + o.id }

func (o objectSpec) resource() resource {
	r := resource{address: o.address(), typeName: o.kind.typeName, config: func(func(string, string) any) attrs { return o.kind.config(o.id, o.note) }}
	if o.kind.after != "" {
		r.after = []string{o.kind.after}
	}
	return r
}

func (o objectSpec) differences(server *sandbox.Sandbox) []string {
	if got, is := o.kind.stored(server)[o.id]; !is || got != o.note {
		return []string{fmt.Sprintf("%s is %q (there: %t), want %q", o.address(), got, is, o.note)}
	}
	return nil
}

// objectsDiffer lists where the objects of a server are not what is wanted.
func objectsDiffer(server *sandbox.Sandbox, wanted []objectSpec) (found []string) {
	for _, kind := range objectKinds {
		var ids []string
		for _, o := range wanted {
			if o.kind == kind {
				ids = append(ids, o.id)
				found = append(found, o.differences(server)...)
			}
		}
		slices.Sort(ids)
		if got := slices.Sorted(maps.Keys(kind.stored(server))); !slices.Equal(got, ids) {
			found = append(found, fmt.Sprintf("there are %s %v, want %v", kind.typeName, got, ids))
		}
	}
	return found
}

// kindOf is the kind of an object's address, nil for others, and its id.
func kindOf(address string) (kind *objectKind, id string) {
	typeName, id, _ := strings.Cut(address, ".")
	for _, kind := range objectKinds {
		if kind.typeName == typeName {
			return kind, id
		}
	}
	return nil, ""
}

// objects are so many of a kind, with the data that grants are of.
func objects(kind *objectKind, n int, note string) configuration {
	var c configuration
	if kind == grantKind {
		c.objects = append(c.objects, objectSpec{dataKind, "granted", "data"})
	}
	for _, id := range []string{"one", "two", "three"}[:n] {
		c.objects = append(c.objects, objectSpec{kind, id, note})
	}
	return c
}

// options are those of the sandbox: data sources are managed at the node.
func (s scenario) options() sandbox.Options {
	if len(s.has.objects)+len(s.wants.objects) > 0 {
		return sandbox.Options{Autonomy: "alice"}
	}
	return sandbox.Options{}
}

func init() {
	for name, kind := range map[string]*objectKind{"data": dataKind, "sources": sourceKind, "grants": grantKind} {
		scenarios["create "+name] = func(n int) scenario {
			return scenario{has: objects(kind, 0, ""), wants: objects(kind, n, "a")}
		}
		scenarios["update "+name] = func(n int) scenario {
			return scenario{has: objects(kind, n, "a"), wants: objects(kind, n, "b")}
		}
		scenarios["delete "+name] = func(n int) scenario {
			return scenario{has: objects(kind, n, "a"), wants: objects(kind, 0, "")}
		}
		path := map[string]string{"data": "domaindata", "sources": "domaindatasource", "grants": "domaindatagrant"}[name]
		targets = append(targets,
			target{path: path + "/create", scenario: "create " + name},
			target{path: path + "/update", scenario: "update " + name},
			target{path: path + "/delete", scenario: "delete " + name, long: true},
			target{path: path + "/query", scenario: "update " + name, long: true},
		)
	}
}

// whenObjectRefused says when the gate has to shut before a call for objects.
func whenObjectRefused(t target, nth int) rule {
	_, name, _ := strings.Cut(t.scenario, " ")
	prefix := map[string]string{"data": dataKind.typeName, "sources": sourceKind.typeName, "grants": grantKind.typeName}[name] + "."
	switch {
	case t.path == "domaindata/create": // it looks first
		return rule{path: "domaindata/query", nth: nth}
	case strings.HasSuffix(t.path, "/query"):
		return rule{rpc: "ReadResource", prefix: prefix, nth: nth}
	}
	return rule{rpc: "ApplyResourceChange", prefix: prefix, nth: nth}
}
