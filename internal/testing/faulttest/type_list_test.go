package faulttest_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// testList: a list finds the objects, with what an import reads, and no more than its limit.
func (o typeObjects) testList(t *testing.T) {
	t.Helper()
	r := o.resource(t)
	schema := r.Schemas.ListResourceSchemas[o.name]
	config := attrs{} // the required filters, as in the first object
	for _, filter := range schema.Block.Attributes {
		if filter.Required {
			config[filter.Name] = o.states[0].Text(filter.Name)
		}
	}
	list := func(limit int64, include bool) []tfprotov6.ListResourceResult {
		results, diagnostics := o.resource(t).List(t.Context(), t, protocol.Query{Config: config, Limit: limit, IncludeResource: include})
		protocol.Check(t, nil, diagnostics)
		return results
	}
	for limit := range int64(len(o.states)) {
		if found := list(limit+1, false); len(found) != int(limit+1) {
			t.Errorf("%d results for a limit of %d", len(found), limit+1)
		}
	}
	for _, made := range o.states {
		for _, include := range []bool{false, true} {
			eventually(t, func() string { return o.differsInList(t, made, list(0, include), include) })
		}
	}
	o.testFilters(t, schema, config)
	o.testWrongFilters(t, schema, config)
}

// testFilters: a filter with the name of an attribute finds the objects with its value.
func (o typeObjects) testFilters(t *testing.T, schema *tfprotov6.Schema, config attrs) {
	t.Helper()
	made := o.states[1]
	for _, filter := range schema.Block.Attributes {
		value, ok := protocol.Fields(made.Value)[filter.Name]
		if !ok || !value.Type().Is(tftypes.String) || made.Text(filter.Name) == "" {
			continue
		}
		filtered := with(config, attrs{filter.Name: value})
		results, diagnostics := o.resource(t).List(t.Context(), t, protocol.Query{Config: filtered, IncludeResource: true})
		protocol.Check(t, nil, diagnostics)
		for _, result := range results {
			if found := protocol.Fields(protocol.Decode(o.resource(t).Kind, result.Resource))[filter.Name]; !found.Equal(value) {
				t.Errorf("the filter %s = %s finds %s", filter.Name, value, found)
			}
		}
		if wrong := o.differsInList(t, made, results, true); wrong != "" {
			t.Errorf("with the filter %s = %s: %s", filter.Name, value, wrong)
		}
	}
}

// differsInList returns what differs between a list and an import of an object.
func (o typeObjects) differsInList(t *testing.T, made protocol.State, results []tfprotov6.ListResourceResult, include bool) string {
	t.Helper()
	r := o.resource(t)
	identity := r.Identity(t, made.Identity)
	for _, result := range results {
		if !reflect.DeepEqual(r.Identity(t, result.Identity), identity) {
			continue
		}
		if result.DisplayName == "" || (result.Resource != nil) != include {
			return fmt.Sprintf("%v is listed as %q, with the resource %v", identity, result.DisplayName, result.Resource)
		}
		if !include {
			return ""
		}
		imported, _ := r.ImportIdentity(t, result.Identity)
		if listed := protocol.Decode(r.Kind, result.Resource); !listed.Equal(imported.Value) {
			return fmt.Sprintf("listed\n%s\nimported\n%s", listed, imported.Value)
		}
		return ""
	}
	return fmt.Sprintf("%v is not listed", identity)
}

// testWrongFilters: a filter that is empty or not known is an error at its attribute,
// before anything is sent: it would find too many.
func (o typeObjects) testWrongFilters(t *testing.T, schema *tfprotov6.Schema, config attrs) {
	t.Helper()
	r := o.bed.nowhere().Resource(t, o.name)
	for _, filter := range schema.Block.Attributes {
		for _, value := range []any{"", protocol.Unknown{}} {
			if value == "" && filter.Name == o.emptyFilter {
				continue
			}
			results, diagnostics := r.List(t.Context(), t, protocol.Query{Config: with(config, attrs{filter.Name: value})})
			refused(t, fmt.Sprintf("the filter %s = %#v", filter.Name, value), protocol.Messages(diagnostics), fmt.Sprintf("AttributeName(%q)", filter.Name))
			if len(results) > 0 {
				t.Errorf("%s = %#v finds %d objects", filter.Name, value, len(results))
			}
		}
	}
}
