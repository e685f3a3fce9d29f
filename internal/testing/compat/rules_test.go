package compat_test

import (
	"encoding/json"
	"slices"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
)

// before is a schema with every feature.
const before = `{
  "provider": {"version": 0, "block": {"attributes": {"endpoint": {"type": "string", "optional": true}}}},
  "resource_schemas": {"kuscia_serving": {"version": 1, "block": {
    "attributes": {
      "id": {"type": "string", "required": true},
      "size": {"type": "number", "optional": true, "computed": true},
      "mode": {"type": "string", "optional": true},
      "secret": {"type": "string", "optional": true, "sensitive": true},
      "secret_wo": {"type": "string", "optional": true, "write_only": true},
      "tags": {"type": ["map", "string"], "optional": true},
      "time": {"type": "string", "computed": true},
      "parties": {"required": true, "nested_type": {"nesting_mode": "list", "attributes": {
        "domain": {"type": "string", "required": true},
        "replicas": {"type": "number", "optional": true}
      }}}
    },
    "block_types": {"limits": {"nesting_mode": "list", "block": {"attributes": {"cpu": {"type": "string", "optional": true}}}}}
  }}},
  "data_source_schemas": {"kuscia_serving": {"version": 0, "block": {"attributes": {"state": {"type": "string", "computed": true}}}}},
  "list_resource_schemas": {"kuscia_app_image": {"version": 0, "block": {"attributes": {"prefix": {"type": "string", "optional": true}}}}},
  "action_schemas": {"kuscia_redeploy": {"block": {"attributes": {"timeout": {"type": "string", "optional": true}}}}},
  "functions": {"quantity": {"return_type": "string", "parameters": [{"name": "text", "type": "string", "is_nullable": true}]}},
  "resource_identity_schemas": {"kuscia_serving": {"version": 1, "attributes": {"id": {"type": "string", "required_for_import": true}, "zone": {"type": "string", "optional_for_import": true}}}}
}`

func TestBreaks(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	// in returns a part of a decoded schema.
	in := func(root object, keys ...string) object {
		for _, key := range keys {
			root = root[key].(object)
		}
		return root
	}
	attributes := func(root object) object {
		return in(root, "resource_schemas", "kuscia_serving", "block", "attributes")
	}
	parties := func(root object) object { return in(attributes(root), "parties", "nested_type") }
	block := func(root object) object {
		return in(root, "resource_schemas", "kuscia_serving", "block", "block_types")
	}
	quantity := func(root object) object { return in(root, "functions", "quantity") }
	parameter := func(root object) object { return quantity(root)["parameters"].([]any)[0].(object) }
	identity := func(root object) object { return in(root, "resource_identity_schemas", "kuscia_serving") }

	for name, test := range map[string]struct {
		change func(root object)
		want   []string
	}{
		"nothing": {func(object) {}, nil},
		"things are added": {func(root object) {
			attributes(root)["note"] = object{"type": "string", "optional": true}
			in(parties(root), "attributes")["role"] = object{"type": "string", "optional": true, "computed": true}
			in(root, "resource_schemas")["kuscia_domain"] = object{"version": 0, "block": object{"attributes": object{"id": object{"type": "string", "required": true}}}}
			in(root, "functions")["other"] = object{"return_type": "string"}
			block(root)["more"] = object{"nesting_mode": "list", "block": object{}}
			in(identity(root), "attributes")["more"] = object{"type": "string", "optional_for_import": true}
		}, nil},
		"what is easier": {func(root object) {
			attributes(root)["id"] = object{"type": "string", "optional": true, "computed": true}
			in(attributes(root), "mode")["computed"] = true
			in(attributes(root), "time")["optional"] = true
			in(root, "resource_schemas", "kuscia_serving")["version"] = 2
			in(attributes(root), "tags")["deprecated"] = true
			in(identity(root), "attributes", "id")["required_for_import"] = false
		}, nil},

		"resource removed":    {func(root object) { delete(in(root, "resource_schemas"), "kuscia_serving") }, []string{"kuscia_serving is gone (a resource)"}},
		"data source removed": {func(root object) { delete(in(root, "data_source_schemas"), "kuscia_serving") }, []string{"data.kuscia_serving is gone (a data source)"}},
		"list removed":        {func(root object) { delete(in(root, "list_resource_schemas"), "kuscia_app_image") }, []string{"list kuscia_app_image is gone (a list resource)"}},
		"action removed":      {func(root object) { delete(in(root, "action_schemas"), "kuscia_redeploy") }, []string{"action kuscia_redeploy is gone (a action)"}},
		"function removed":    {func(root object) { delete(in(root, "functions"), "quantity") }, []string{"function quantity is gone (a function)"}},
		"identity removed":    {func(root object) { delete(in(root, "resource_identity_schemas"), "kuscia_serving") }, []string{"identity of kuscia_serving is gone (a resource identity)"}},
		"version goes back":   {func(root object) { in(root, "resource_schemas", "kuscia_serving")["version"] = 0 }, []string{"kuscia_serving has schema version 0 instead of 1: states cannot be read"}},

		"attribute removed":          {func(root object) { delete(attributes(root), "mode") }, []string{"kuscia_serving.mode is gone"}},
		"nested attribute removed":   {func(root object) { delete(in(parties(root), "attributes"), "replicas") }, []string{"kuscia_serving.parties.replicas is gone"}},
		"provider attribute removed": {func(root object) { delete(in(root, "provider", "block", "attributes"), "endpoint") }, []string{"provider.endpoint is gone"}},
		"list attribute removed": {func(root object) {
			delete(in(root, "list_resource_schemas", "kuscia_app_image", "block", "attributes"), "prefix")
		}, []string{"list kuscia_app_image.prefix is gone"}},
		"action attribute required": {func(root object) {
			in(root, "action_schemas", "kuscia_redeploy", "block", "attributes")["timeout"] = object{"type": "string", "required": true}
		}, []string{"action kuscia_redeploy.timeout is required"}},
		"type changed":         {func(root object) { in(attributes(root), "size")["type"] = "string" }, []string{`kuscia_serving.size has type "string" instead of "number"`}},
		"element type changed": {func(root object) { in(attributes(root), "tags")["type"] = []any{"map", "number"} }, []string{`kuscia_serving.tags has type ["map","number"] instead of ["map","string"]`}},
		"nesting changed":      {func(root object) { parties(root)["nesting_mode"] = "map" }, []string{"kuscia_serving.parties is a map of objects instead of a list"}},
		"nested to plain": {func(root object) {
			attributes(root)["parties"] = object{"type": []any{"list", "string"}, "required": true}
		},
			[]string{"kuscia_serving.parties has another type: attributes of its own or none"}},
		"optional to required":  {func(root object) { attributes(root)["mode"] = object{"type": "string", "required": true} }, []string{"kuscia_serving.mode is required"}},
		"optional to read only": {func(root object) { attributes(root)["mode"] = object{"type": "string", "computed": true} }, []string{"kuscia_serving.mode can no longer be set"}},
		"computed removed":      {func(root object) { in(attributes(root), "size")["computed"] = false }, []string{"kuscia_serving.size gets no value from the provider when it is left out"}},
		"new required":          {func(root object) { attributes(root)["zone"] = object{"type": "string", "required": true} }, []string{"kuscia_serving.zone is new and required"}},
		"new required nested": {func(root object) {
			in(parties(root), "attributes")["zone"] = object{"type": "string", "required": true}
		}, []string{"kuscia_serving.parties.zone is new and required"}},
		"sensitive removed":  {func(root object) { in(attributes(root), "secret")["sensitive"] = false }, []string{"kuscia_serving.secret is no longer sensitive"}},
		"sensitive added":    {func(root object) { in(attributes(root), "time")["sensitive"] = true }, []string{"kuscia_serving.time is sensitive: outputs of it fail"}},
		"write-only removed": {func(root object) { in(attributes(root), "secret_wo")["write_only"] = false }, []string{"kuscia_serving.secret_wo is no longer write-only: it comes into the state"}},
		"write-only added":   {func(root object) { in(attributes(root), "mode")["write_only"] = true }, []string{"kuscia_serving.mode is write-only: nothing can refer to it"}},
		"block removed":      {func(root object) { delete(block(root), "limits") }, []string{"kuscia_serving.limits is gone (a block)"}},
		"block nesting":      {func(root object) { in(block(root), "limits")["nesting_mode"] = "single" }, []string{"kuscia_serving.limits is a single of blocks instead of a list"}},
		"block required":     {func(root object) { in(block(root), "limits")["min_items"] = 1 }, []string{"kuscia_serving.limits has to be there 1 times instead of 0"}},
		"block limited":      {func(root object) { in(block(root), "limits")["max_items"] = 2 }, []string{"kuscia_serving.limits may be there only 2 times"}},
		"new block required": {func(root object) {
			block(root)["more"] = object{"nesting_mode": "list", "min_items": 1, "block": object{}}
		}, []string{"kuscia_serving.more is new and required"}},
		"in a block":       {func(root object) { delete(in(block(root), "limits", "block", "attributes"), "cpu") }, []string{"kuscia_serving.limits.cpu is gone"}},
		"function returns": {func(root object) { quantity(root)["return_type"] = "number" }, []string{`function quantity returns "number" instead of "string"`}},
		"function takes more": {func(root object) {
			quantity(root)["parameters"] = []any{parameter(root), object{"name": "b", "type": "string"}}
		}, []string{"function quantity takes 2 parameters instead of 1"}},
		"parameter type":          {func(root object) { parameter(root)["type"] = "number" }, []string{`function quantity.text has type "number" instead of "string"`}},
		"parameter not null":      {func(root object) { parameter(root)["is_nullable"] = false }, []string{"function quantity.text may no longer be null"}},
		"identity attribute gone": {func(root object) { delete(in(identity(root), "attributes"), "zone") }, []string{"identity of kuscia_serving.zone is gone"}},
		"identity type":           {func(root object) { in(identity(root), "attributes", "id")["type"] = "number" }, []string{`identity of kuscia_serving.id has type "number" instead of "string"`}},
		"identity asks for more":  {func(root object) { in(identity(root), "attributes", "zone")["required_for_import"] = true }, []string{"identity of kuscia_serving.zone is required for import"}},
		"identity new required": {func(root object) {
			in(identity(root), "attributes")["x"] = object{"type": "string", "required_for_import": true}
		}, []string{"identity of kuscia_serving.x is new and required for import"}},
		"identity version is back": {func(root object) { identity(root)["version"] = 0 }, []string{"identity of kuscia_serving has version 0 instead of 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var root object
			must(json.Unmarshal([]byte(before), &root))
			test.change(root)
			changed, err := json.Marshal(root)
			must(err)
			var got []string
			for _, change := range breaks(decode(before), decode(string(changed))) {
				got = append(got, change.String())
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func decode(text string) *tfjson.ProviderSchema {
	var schema tfjson.ProviderSchema
	must(json.Unmarshal([]byte(text), &schema))
	return &schema
}

func TestAnnounced(t *testing.T) {
	t.Parallel()
	mode := breakage{object: "kuscia_serving", path: "spec.mode", what: "is gone"}
	const head, tail = "# Changelog\n\n## [Unreleased]\n\n### Changed\n\n", "\n## [0.1.0] - 2026-01-01\n\n- **BREAKING**: `kuscia_serving` has no `mode`.\n"
	for name, test := range map[string]struct {
		entries string
		change  breakage
		want    bool
	}{
		"said":                  {"- Other.\n- **BREAKING**: `mode` of `kuscia_serving` is gone.\n", mode, true},
		"over two lines":        {"- **BREAKING**: the attribute `mode`\n  of `kuscia_serving` is gone.\n", mode, true},
		"not said":              {"- Other.\n", mode, false},
		"said of a release":     {"", mode, false},
		"not called breaking":   {"- `mode` of `kuscia_serving` is gone.\n", mode, false},
		"of another attribute":  {"- **BREAKING**: `mode_of` of `kuscia_serving` is gone.\n", mode, false},
		"of another resource":   {"- **BREAKING**: `mode` of `kuscia_serving_status` is gone.\n", mode, false},
		"in two entries":        {"- **BREAKING**: `kuscia_serving`.\n- `mode`.\n", mode, false},
		"of a whole object":     {"- **BREAKING**: `kuscia_serving` is gone.\n", breakage{object: "data.kuscia_serving"}, true},
		"of a function":         {"- **BREAKING**: `quantity` is gone.\n", breakage{object: "function quantity"}, true},
		"of the provider block": {"- **BREAKING**: `token` of the provider is gone.\n", breakage{object: "provider", path: "token"}, true},
	} {
		if got := announced(head+test.entries+tail, test.change); got != test.want {
			t.Errorf("%s: %t, want %t", name, got, test.want)
		}
	}
}
