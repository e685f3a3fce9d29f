package sandbox

import (
	"encoding/json"
	"strings"
)

// object is a kind of thing that the sandbox plays. All that the rest of the
// sandbox knows of it is here, so that another one is new files and a line in
// objects.
type object struct {
	// name is that of its part of the state file.
	name string
	// kind is the plural under which the texts of the store have it.
	kind string
	// operations are what can be asked, by the path below apiPrefix.
	operations map[string]operation
	// named is the id of the object that a request is about; "" is unknown.
	named func(body []byte) string
	// seed makes what a new world has; nil makes nothing.
	seed func(w *world)
	// save is what the state file keeps; nil keeps nothing.
	save func(w *world) any
	// restore puts back what save gave, in place of what is there.
	restore func(w *world, saved json.RawMessage) error
}

// objects are all that the sandbox plays. They are seeded and restored in this
// order.
var objects = []*object{
	&domainObject, &routeObject, &dataSourceObject, &domainDataObject, &grantObject, &configObject, &certificateObject,
	&appImageObject, &servingObject,
}

// operations are all POST endpoints by path.
var operations = registeredOperations()

func registeredOperations() map[string]operation {
	all := map[string]operation{"/healthZ": handle(true, nil, (*Sandbox).health)}
	for _, o := range objects {
		for path, op := range o.operations {
			op.of = o
			all[apiPrefix+path] = op
		}
	}
	return all
}

// objectOperation makes an operation of a typed handler whose failures in the store have
// this code.
func objectOperation[T any](code int32, run func(s *Sandbox, from caller, request *T) answer) operation {
	op := handle(false, nil, run)
	op.code = code
	return op
}

// data marks an operation whose answers have data.
func (o operation) data() operation {
	o.withData = true
	return o
}

// forDomains marks an operation that the internal port offers to domains.
func (o operation) forDomains() operation {
	o.domains = true
	return o
}

// sinceVersion gives the versions that have an operation.
func (o operation) sinceVersion(since func(kusciaVersion) bool) operation {
	o.since = since
	return o
}

// onLite says what a lite node does with an operation.
func (o operation) onLite(rule liteRule) operation {
	o.lite = rule
	return o
}

// namedBy finds the id of an object in a field of the request, which may be
// below data.
func namedBy(fields ...string) func(body []byte) string {
	return func(body []byte) string {
		var request map[string]json.RawMessage
		if json.Unmarshal(body, &request) != nil {
			return ""
		}
		var data map[string]json.RawMessage
		_ = json.Unmarshal(request["data"], &data) // lists and nothing have no id
		parts := make([]string, 0, len(fields))
		for _, field := range fields {
			var text string
			for _, at := range []map[string]json.RawMessage{data, request} {
				if json.Unmarshal(at[field], &text) == nil && text != "" {
					parts = append(parts, text)
					break
				}
			}
		}
		return strings.Join(parts, "-")
	}
}

// seedObjects makes what a new world has.
func (w *world) seedObjects() {
	for _, o := range objects {
		if o.seed != nil {
			o.seed(w)
		}
	}
}

// saveObjects is the part of the state file that the objects keep.
func (w *world) saveObjects() (map[string]json.RawMessage, error) {
	saved := map[string]json.RawMessage{}
	for _, o := range objects {
		if o.save == nil {
			continue
		}
		text, err := json.Marshal(o.save(w))
		if err != nil {
			return nil, err
		}
		saved[o.name] = text
	}
	return saved, nil
}

// restoreObjects puts back what saveObjects gave; objects that it has nothing
// of are left as they are.
func (w *world) restoreObjects(saved map[string]json.RawMessage) error {
	for _, o := range objects {
		if text, ok := saved[o.name]; ok && o.restore != nil {
			if err := o.restore(w, text); err != nil {
				return err
			}
		}
	}
	return nil
}
