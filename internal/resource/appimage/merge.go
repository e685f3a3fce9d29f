package appimage

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// fields are the fields of an object, or of each object in a list, that the
// KusciaAPI carries. nil is a value that it carries as a whole.
type fields map[string]fields

var carried = fields{
	"image":           {"name": nil, "tag": nil, "id": nil, "sign": nil},
	"configTemplates": nil,
	"deployTemplates": {"name": nil, "role": nil, "replicas": nil, "spec": {
		"restartPolicy": nil,
		"containers": {
			"name": nil, "command": nil, "args": nil, "workingDir": nil, "imagePullPolicy": nil, "configVolumeMounts": nil,
			"ports":   {"name": nil, "protocol": nil, "scope": nil},
			"env":     {"name": nil, "value": nil},
			"envFrom": {"prefix": nil, "configMapRef": {"name": nil}, "secretRef": {"name": nil}},
			"resources": {
				"limits":   {"cpu": nil, "memory": nil},
				"requests": {"cpu": nil, "memory": nil},
			},
			"livenessProbe": carriedProbe, "readinessProbe": carriedProbe, "startupProbe": carriedProbe,
		},
	}},
}

var carriedProbe = fields{
	"exec": {"command": nil}, "grpc": {"port": nil, "service": nil},
	"httpGet":   {"path": nil, "port": nil, "host": nil, "scheme": nil, "httpHeaders": nil},
	"tcpSocket": {"port": nil, "host": nil},

	"initialDelaySeconds": nil, "timeoutSeconds": nil, "periodSeconds": nil, "successThreshold": nil,
	"failureThreshold": nil, "terminationGracePeriodSeconds": nil,
}

// merged is the specification of an AppImage with the desired values and all that
// the KusciaAPI does not carry.
type merged struct {
	spec object
	// kept are the fields that the KusciaAPI would remove; lost are those whose
	// container or other owner the desired values no longer have.
	kept, lost []string
}

// merge combines the current specification in the cluster with the desired one.
func merge(current, desired object) *merged {
	m := &merged{}
	m.spec = m.object(current, desired, carried, "spec")
	slices.Sort(m.kept)
	slices.Sort(m.lost)
	return m
}

func (m *merged) value(current, desired any, of fields, at string) any {
	if of == nil {
		if _, number := current.(int64); number && desired == "" {
			m.kept = append(m.kept, at)
			return current // a probe's port: the KusciaAPI returns a number as ""
		}
		return desired
	}
	switch desired := desired.(type) {
	case object:
		before, _ := current.(object)
		return m.object(before, desired, of, at)
	case []any:
		before, _ := current.([]any)
		return m.list(before, desired, of, at)
	}
	return desired
}

func (m *merged) object(current, desired object, of fields, at string) object {
	out := maps.Clone(desired)
	for name, value := range current {
		inner, isCarried := of[name]
		at := at + "." + name
		wanted, given := desired[name]
		switch {
		case !isCarried && setsValue(desired) && name == "valueFrom":
			m.lost = append(m.lost, at) // a variable has one source
		case !isCarried:
			out[name] = value
			m.kept = append(m.kept, at)
		case given:
			out[name] = m.value(value, wanted, inner, at)
		case inner != nil:
			m.removed(value, inner, at, out, name)
		}
	}
	return out
}

// removed handles a field that the desired values leave out: an object stays for
// what else it has, the elements of a list go.
func (m *merged) removed(value any, of fields, at string, out object, name string) {
	switch value := value.(type) {
	case object:
		if rest := m.object(value, object{}, of, at); len(rest) > 0 {
			out[name] = rest
		}
	case []any:
		m.list(value, nil, of, at)
	}
}

// list pairs elements by their keys, those of the same index first.
func (m *merged) list(current, desired []any, of fields, at string) []any {
	out := slices.Clone(desired)
	taken := make([]bool, len(current))
	pair := func(i, j int) bool {
		if j >= len(current) || taken[j] || !reflect.DeepEqual(keyOf(current[j]), keyOf(desired[i])) {
			return false
		}
		taken[j] = true
		out[i] = m.value(current[j], desired[i], of, fmt.Sprintf("%s[%d]", at, i))
		return true
	}
	paired := make([]bool, len(desired))
	for i := range desired {
		paired[i] = pair(i, i)
	}
	for i := range desired {
		for j := 0; j < len(current) && !paired[i]; j++ {
			paired[i] = pair(i, j)
		}
	}
	for j, element := range current {
		if !taken[j] {
			gone := &merged{}
			gone.value(element, object{}, of, fmt.Sprintf("%s[%d]", at, j))
			m.lost = append(m.lost, slices.Concat(gone.kept, gone.lost)...)
		}
	}
	return out
}

// keyOf identifies an element of a list: by its name, or by the object from which
// variables come.
func keyOf(element any) any {
	fields, _ := element.(object)
	if name, named := fields["name"]; named {
		return name
	}
	key := []any{fields["prefix"]}
	for _, source := range []string{"configMapRef", "secretRef"} {
		reference, _ := fields[source].(object)
		key = append(key, reference["name"])
	}
	return key
}

// setsValue reports whether a variable of the environment has a value.
func setsValue(variable object) bool { return variable["value"] != nil }
