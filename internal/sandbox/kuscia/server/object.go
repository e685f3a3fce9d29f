package server

import (
	"encoding/json"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// Object is a simulated kind of object. The rest of the sandbox only uses these
// fields, so that a new object is new files and a line in the registry.
type Object struct {
	// Name is the name of its part of the state file.
	Name string
	// Kind is the kind in error texts of the store.
	Kind objects.Kind
	// Operations are its API operations, by the path below APIPrefix.
	Operations map[string]Operation
	// IDFields are the fields of a request, or of its data, with the id of the
	// object in error texts of the store. Several are joined by "-".
	IDFields []string
	// Seed creates the initial objects of a new control plane; may be nil.
	Seed func(w *ControlPlane)
	// Table has its objects, which the state file keeps; nil for none.
	Table func(w *ControlPlane) AnyTable
	// Save is what the state file keeps without a Table; nil keeps nothing.
	Save func(w *ControlPlane) any
	// Restore puts back what Save gave, in place of what is there; nil for a Table.
	Restore func(w *ControlPlane, saved json.RawMessage) error
	// Snapshot returns the current state for Caller.Stale; may be nil.
	Snapshot func(w *ControlPlane) any
	// Started is called when a master starts, with its certificates folder; may
	// be nil.
	Started func(w *ControlPlane, certsDir string)
}

// named returns the id of the object in a request, "" if unknown.
func (o *Object) named(body []byte) string {
	var request map[string]json.RawMessage
	if json.Unmarshal(body, &request) != nil {
		return ""
	}
	var data map[string]json.RawMessage
	_ = json.Unmarshal(request["data"], &data) // lists and null have no id
	parts := make([]string, 0, len(o.IDFields))
	for _, field := range o.IDFields {
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
