package compat_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
)

// breakage is a change that breaks a working configuration, output or state.
type breakage struct {
	// object is named as users write it: kuscia_serving, data.kuscia_serving,
	// provider.
	object string
	// path is the path of an attribute, such as parties.replicas; empty for the
	// object.
	path string
	what string
}

func (b breakage) String() string {
	return strings.TrimSuffix(b.object+"."+b.path, ".") + " " + b.what
}

// names are the words that an announcement must contain.
func (b breakage) names() []string {
	names := []string{strings.TrimPrefix(b.object[strings.LastIndex(b.object, " ")+1:], "data.")}
	if b.path != "" {
		names = append(names, b.path[strings.LastIndex(b.path, ".")+1:])
	}
	return names
}

// breaks lists the breaking changes between two schemas, in order.
func breaks(was, is *tfjson.ProviderSchema) []breakage {
	c := &comparison{}
	c.schema("provider", was.ConfigSchema, is.ConfigSchema)
	compareAll(c, "", "resource", was.ResourceSchemas, is.ResourceSchemas, c.schema)
	compareAll(c, "data.", "data source", was.DataSourceSchemas, is.DataSourceSchemas, c.schema)
	compareAll(c, "ephemeral ", "ephemeral resource", was.EphemeralResourceSchemas, is.EphemeralResourceSchemas, c.schema)
	compareAll(c, "list ", "list resource", was.ListResourceSchemas, is.ListResourceSchemas, c.schema)
	compareAll(c, "action ", "action", was.ActionSchemas, is.ActionSchemas, func(object string, was, is *tfjson.ActionSchema) {
		c.at(object).block("", was.Block, is.Block)
	})
	compareAll(c, "function ", "function", was.Functions, is.Functions, c.function)
	compareAll(c, "identity of ", "resource identity", was.ResourceIdentitySchemas, is.ResourceIdentitySchemas, c.identity)
	return c.found
}

type comparison struct {
	object string
	found  []breakage
}

func (c *comparison) at(object string) *comparison {
	c.object = object
	return c
}

func (c *comparison) add(path, format string, args ...any) {
	c.found = append(c.found, breakage{c.object, path, fmt.Sprintf(format, args...)})
}

// compareAll compares the objects of one kind; a new one is not a breaking
// change.
func compareAll[S any](c *comparison, prefix, kind string, was, is map[string]*S, compare func(object string, was, is *S)) {
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if is[name] == nil {
			c.at(prefix+name).add("", "is gone (a %s)", kind)
			continue
		}
		compare(prefix+name, was[name], is[name])
	}
}

func (c *comparison) schema(object string, was, is *tfjson.Schema) {
	c.at(object)
	if is.Version < was.Version {
		c.add("", "has schema version %d instead of %d: states cannot be read", is.Version, was.Version)
	}
	c.block("", was.Block, is.Block)
}

func (c *comparison) block(path string, was, is *tfjson.SchemaBlock) {
	c.attributes(path, was.Attributes, is.Attributes)
	for _, name := range slices.Sorted(maps.Keys(was.NestedBlocks)) {
		here, old, fresh := below(path, name), was.NestedBlocks[name], is.NestedBlocks[name]
		if fresh == nil {
			c.add(here, "is gone (a block)")
			continue
		}
		if old.NestingMode != fresh.NestingMode {
			c.add(here, "is a %s of blocks instead of a %s", fresh.NestingMode, old.NestingMode)
		}
		if fresh.MinItems > old.MinItems {
			c.add(here, "has to be there %d times instead of %d", fresh.MinItems, old.MinItems)
		}
		if fresh.MaxItems > 0 && (old.MaxItems == 0 || fresh.MaxItems < old.MaxItems) {
			c.add(here, "may be there only %d times", fresh.MaxItems)
		}
		c.block(here, old.Block, fresh.Block)
	}
	for _, name := range slices.Sorted(maps.Keys(is.NestedBlocks)) {
		if was.NestedBlocks[name] == nil && is.NestedBlocks[name].MinItems > 0 {
			c.add(below(path, name), "is new and required")
		}
	}
}

func (c *comparison) attributes(path string, was, is map[string]*tfjson.SchemaAttribute) {
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if is[name] == nil {
			c.add(below(path, name), "is gone")
			continue
		}
		c.attribute(below(path, name), was[name], is[name])
	}
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if was[name] == nil && is[name].Required {
			c.add(below(path, name), "is new and required")
		}
	}
}

func (c *comparison) attribute(path string, was, is *tfjson.SchemaAttribute) {
	settable := func(a *tfjson.SchemaAttribute) bool { return a.Required || a.Optional }
	switch {
	case settable(was) && !settable(is):
		c.add(path, "can no longer be set")
	case !was.Required && is.Required:
		c.add(path, "is required")
	case was.Computed && !is.Computed:
		c.add(path, "gets no value from the provider when it is left out")
	}
	switch { // a secret is shown, or an output of the attribute fails
	case was.Sensitive && !is.Sensitive:
		c.add(path, "is no longer sensitive")
	case !was.Sensitive && is.Sensitive:
		c.add(path, "is sensitive: outputs of it fail")
	}
	switch {
	case was.WriteOnly && !is.WriteOnly:
		c.add(path, "is no longer write-only: it comes into the state")
	case !was.WriteOnly && is.WriteOnly:
		c.add(path, "is write-only: nothing can refer to it")
	}
	c.valueType(path, was, is)
}

func (c *comparison) valueType(path string, was, is *tfjson.SchemaAttribute) {
	old, fresh := was.AttributeNestedType, is.AttributeNestedType
	switch {
	case old != nil && fresh != nil:
		if old.NestingMode != fresh.NestingMode {
			c.add(path, "is a %s of objects instead of a %s", fresh.NestingMode, old.NestingMode)
		}
		c.attributes(path, old.Attributes, fresh.Attributes)
	case old != nil || fresh != nil:
		c.add(path, "has another type: attributes of its own or none")
	case text(was.AttributeType) != text(is.AttributeType):
		c.add(path, "has type %s instead of %s", text(is.AttributeType), text(was.AttributeType))
	}
}

func (c *comparison) function(object string, was, is *tfjson.FunctionSignature) {
	c.at(object)
	if text(was.ReturnType) != text(is.ReturnType) {
		c.add("", "returns %s instead of %s", text(is.ReturnType), text(was.ReturnType))
	}
	if len(was.Parameters) != len(is.Parameters) {
		c.add("", "takes %d parameters instead of %d", len(is.Parameters), len(was.Parameters))
		return
	}
	for i := range was.Parameters {
		c.parameter(was.Parameters[i], is.Parameters[i])
	}
	switch {
	case was.VariadicParameter != nil && is.VariadicParameter == nil:
		c.add("", "takes no further parameters")
	case was.VariadicParameter != nil:
		c.parameter(was.VariadicParameter, is.VariadicParameter)
	}
}

func (c *comparison) parameter(was, is *tfjson.FunctionParameter) {
	if text(was.Type) != text(is.Type) {
		c.add(was.Name, "has type %s instead of %s", text(is.Type), text(was.Type))
	}
	if was.IsNullable && !is.IsNullable {
		c.add(was.Name, "may no longer be null")
	}
}

func (c *comparison) identity(object string, was, is *tfjson.IdentitySchema) {
	c.at(object)
	if is.Version < was.Version {
		c.add("", "has version %d instead of %d", is.Version, was.Version)
	}
	for _, name := range slices.Sorted(maps.Keys(was.Attributes)) {
		old, fresh := was.Attributes[name], is.Attributes[name]
		switch {
		case fresh == nil:
			c.add(name, "is gone")
		case text(old.IdentityType) != text(fresh.IdentityType):
			c.add(name, "has type %s instead of %s", text(fresh.IdentityType), text(old.IdentityType))
		case !old.RequiredForImport && fresh.RequiredForImport:
			c.add(name, "is required for import")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(is.Attributes)) {
		if was.Attributes[name] == nil && is.Attributes[name].RequiredForImport {
			c.add(name, "is new and required for import")
		}
	}
}

func below(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

// text is the JSON form of a type.
func text(t any) string {
	encoded, err := json.Marshal(t)
	must(err)
	return string(encoded)
}
