package kubetest_test

import (
	"maps"
	"strings"
)

// kdRequest is the request of a recorded case. The recordings contain only the
// result.
type kdRequest struct {
	name      string
	namespace string
	spec      func() any
	// prepare creates an app image first.
	prepare func(w *client)
}

func party(domain string, more object) object {
	made := object{"domainID": domain, "appImageRef": "kr-img-v1"}
	maps.Copy(made, more)
	return made
}

func specOf(parties ...any) object {
	return object{"initiator": "alice", "inputConfig": `{"a":1}`, "parties": parties}
}

func with(more object) func() any {
	return func() any { return specOf(party("alice", more)) }
}

func template(more object) func() any { return with(object{"template": more}) }

func containers(container object) func() any {
	return template(object{"spec": object{"containers": []any{container}}})
}

func resourcesOf(resources object) func() any {
	return containers(object{"name": "main", "workingDir": "/work", "resources": resources})
}

func without(field string) func() any {
	return func() any {
		spec := specOf(party("alice", nil))
		delete(spec, field)
		return spec
	}
}

func changed(field string, value any) func() any {
	return func() any {
		spec := specOf(party("alice", nil))
		spec[field] = value
		return spec
	}
}

func rolling(surge, unavailable any) object {
	return object{"type": "RollingUpdate", "rollingUpdate": object{"maxSurge": surge, "maxUnavailable": unavailable}}
}

// ownImage is for cases with an app image of their own.
func ownImage(name string, change func(container object)) kdRequest {
	return kdRequest{
		name: name, spec: with(object{"appImageRef": name}),
		prepare: func(w *client) { w.appImage(name, "example/kr", "v1", 1, change) },
	}
}

func portOf(name, scope string) object {
	return object{"name": name, "protocol": "HTTP", "scope": scope}
}

var kdRequests = map[string]kdRequest{
	"missing app image": {spec: with(object{"appImageRef": "kr-nope"})},
	"missing domain": {spec: func() any {
		return object{"initiator": "nope", "inputConfig": "", "parties": []any{party("nope", nil)}}
	}},
	"second party domain missing":    {spec: func() any { return specOf(party("alice", nil), party("nope", nil)) }},
	"second party missing app image": {spec: func() any { return specOf(party("alice", nil), party("bob", object{"appImageRef": "kr-nope"})) }},
	"minimal ok":                     {spec: with(nil)},
	"initiator missing":              {spec: without("initiator")},
	"unknown role":                   {spec: with(object{"role": "xx"})},
	"roles-image server":             {spec: with(object{"role": "server", "appImageRef": "roles-image"})},
	"initiator not a party":          {spec: changed("initiator", "bob")},
	"roles-image without role":       {spec: with(object{"appImageRef": "roles-image"})},
	"inputConfig missing":            {spec: without("inputConfig")},
	"strategy type Foo":              {spec: template(object{"strategy": object{"type": "Foo"}})},
	"strategy {}":                    {spec: template(object{"strategy": object{}})},
	"maxSurge abc":                   {spec: template(object{"strategy": object{"type": "RollingUpdate", "rollingUpdate": object{"maxSurge": "abc"}}})},
	"replicas -1":                    {spec: template(object{"replicas": -1})},
	"replicas 0":                     {spec: template(object{"replicas": 0})},
	"serviceNamePrefix bad":          {spec: with(object{"serviceNamePrefix": "1_X"})},
	"name with a dot":                {name: "kr-k-a.dot", spec: with(nil)},
	"image never ready":              {spec: with(object{"appImageRef": "kr-img-broken"})},
	"KD in namespace alice":          {namespace: "alice", spec: with(nil)},
	"two parties ok":                 {spec: func() any { return specOf(party("alice", nil), party("bob", nil)) }},
	"name kr-aaaaa.. len 64":         {name: "kr-" + strings.Repeat("a", 61), spec: with(nil)},
	"name kr-bbbbb.. len 61":         {name: "kr-" + strings.Repeat("b", 58), spec: with(nil)},
	"container without name":         {spec: containers(object{})},
	"requests 0.1/1000m limits 1.50/2048Mi": {
		spec: resourcesOf(object{"requests": object{"cpu": "0.1", "memory": "1024Mi"}, "limits": object{"cpu": "1.50", "memory": "2048Mi"}}),
	},
	`app image {"ports": null}`: ownImage("kr-wd5", func(c object) { delete(c, "ports") }),
	`app image {"ports": [{"name": "service", "protocol": "HTTP", "scope": "Local"}]}`: ownImage("kr-wd6", func(c object) {
		c["ports"] = []any{portOf("service", "Local")}
	}),
	`app image {"ports": [{"name": "Bad_Name", "protocol": "HTTP", "scope": "Domain"}]}`: ownImage("kr-wd8", func(c object) {
		c["ports"] = []any{portOf("Bad_Name", "Domain")}
	}),
}
