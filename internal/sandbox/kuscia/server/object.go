package server

import (
	"encoding/json"
	"strings"
)

// Object is a kind of object that is simulated. All that the rest of the sandbox
// knows of it is here, so that another one is new files and a line in the
// registry.
type Object struct {
	// Name is that of its part of the state file.
	Name string
	// Kind is the plural under which the texts of the store have it.
	Kind string
	// Operations are its API operations, by the path below APIPrefix.
	Operations map[string]Operation
	// Named is the id of the object that a request is about; "" is unknown.
	Named func(body []byte) string
	// Seed makes what a new control plane has; nil makes nothing.
	Seed func(w *ControlPlane)
	// Save is what the state file keeps; nil keeps nothing.
	Save func(w *ControlPlane) any
	// Restore puts back what Save gave, in place of what is there.
	Restore func(w *ControlPlane, saved json.RawMessage) error
	// RestoreEarlier adds what files of earlier releases have elsewhere, by the
	// names of their parts.
	RestoreEarlier func(w *ControlPlane, file map[string]json.RawMessage) error
	// Snapshot is what caller.Stale later has of now; nil is nothing.
	Snapshot func(w *ControlPlane) any
	// Started takes what it needs of the folder of certificates of a master.
	Started func(w *ControlPlane, certsDir string)
}

// NamedBy finds the id of an object in a field of the request, which may be
// below data.
func NamedBy(fields ...string) func(body []byte) string {
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
