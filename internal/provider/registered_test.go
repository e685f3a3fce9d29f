package provider

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// recordedTypes returns the types of one kind in the recorded schema, sorted.
// "make schema" records it, so that a new type needs no list here. A type that
// is lost is a difference to the record.
func recordedTypes(t *testing.T, kind string) []string {
	t.Helper()
	const file = "../testing/compat/testdata/schema.json"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var recorded map[string]map[string]any
	if err := json.Unmarshal(text, &recorded); err != nil {
		t.Fatal(err)
	}
	if len(recorded[kind]) == 0 {
		t.Fatalf("%s has no %s", file, kind)
	}
	return slices.Sorted(maps.Keys(recorded[kind]))
}

// checkTypes checks that there are exactly the recorded types of one kind, in
// any order, with valid schemas. typeOf returns the name of a type and the
// diagnostics of its schema.
func checkTypes[T any](t *testing.T, kind string, factories []func() T, typeOf func(T) (string, diag.Diagnostics)) {
	t.Helper()
	want := recordedTypes(t, kind)
	var names []string
	for _, factory := range factories {
		name, diags := typeOf(factory())
		names = append(names, name)
		if diags.HasError() {
			t.Errorf("%s: %v", name, diags)
		}
	}
	slices.Sort(names)
	if !slices.Equal(names, want) {
		t.Errorf("%s %v, recorded %v: run make schema if this is intended", kind, names, want)
	}
}

// validating is a schema with validation.
type validating interface {
	ValidateImplementation(ctx context.Context) diag.Diagnostics
}

// problems are the diagnostics of returning the schema and of its validation.
func problems(ctx context.Context, asked diag.Diagnostics, schema validating) diag.Diagnostics {
	return append(asked, schema.ValidateImplementation(ctx)...)
}

func checkResources(ctx context.Context, t *testing.T, p provider.Provider) {
	t.Helper()
	checkTypes(t, "resource_schemas", p.Resources(ctx), func(r resource.Resource) (string, diag.Diagnostics) {
		var metadata resource.MetadataResponse
		var schema resource.SchemaResponse
		r.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: "kuscia"}, &metadata)
		r.Schema(ctx, resource.SchemaRequest{}, &schema)
		return metadata.TypeName, problems(ctx, schema.Diagnostics, schema.Schema)
	})
}

func checkListResources(ctx context.Context, t *testing.T, p provider.Provider) {
	t.Helper()
	listing, ok := p.(provider.ProviderWithListResources)
	if !ok {
		t.Fatal("the provider has no list resources")
	}
	checkTypes(t, "list_resource_schemas", listing.ListResources(ctx), func(l list.ListResource) (string, diag.Diagnostics) {
		var metadata resource.MetadataResponse
		var schema list.ListResourceSchemaResponse
		l.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: "kuscia"}, &metadata)
		l.ListResourceConfigSchema(ctx, list.ListResourceSchemaRequest{}, &schema)
		return metadata.TypeName, problems(ctx, schema.Diagnostics, schema.Schema)
	})
}

func checkDataSources(ctx context.Context, t *testing.T, p provider.Provider) {
	t.Helper()
	checkTypes(t, "data_source_schemas", p.DataSources(ctx), func(d datasource.DataSource) (string, diag.Diagnostics) {
		var metadata datasource.MetadataResponse
		var schema datasource.SchemaResponse
		d.Metadata(ctx, datasource.MetadataRequest{ProviderTypeName: "kuscia"}, &metadata)
		d.Schema(ctx, datasource.SchemaRequest{}, &schema)
		return metadata.TypeName, problems(ctx, schema.Diagnostics, schema.Schema)
	})
}

func checkEphemeralResources(ctx context.Context, t *testing.T, p provider.Provider) {
	t.Helper()
	opening, ok := p.(provider.ProviderWithEphemeralResources)
	if !ok {
		t.Fatal("the provider has no ephemeral resources")
	}
	checkTypes(t, "ephemeral_resource_schemas", opening.EphemeralResources(ctx), func(e ephemeral.EphemeralResource) (string, diag.Diagnostics) {
		var metadata ephemeral.MetadataResponse
		var schema ephemeral.SchemaResponse
		e.Metadata(ctx, ephemeral.MetadataRequest{ProviderTypeName: "kuscia"}, &metadata)
		e.Schema(ctx, ephemeral.SchemaRequest{}, &schema)
		return metadata.TypeName, problems(ctx, schema.Diagnostics, schema.Schema)
	})
}

func checkActions(ctx context.Context, t *testing.T, p provider.ProviderWithActions) {
	t.Helper()
	checkTypes(t, "action_schemas", p.Actions(ctx), func(a action.Action) (string, diag.Diagnostics) {
		var metadata action.MetadataResponse
		var schema action.SchemaResponse
		a.Metadata(ctx, action.MetadataRequest{ProviderTypeName: "kuscia"}, &metadata)
		a.Schema(ctx, action.SchemaRequest{}, &schema)
		return metadata.TypeName, problems(ctx, schema.Diagnostics, schema.Schema)
	})
}
