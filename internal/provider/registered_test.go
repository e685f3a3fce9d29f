package provider

import (
	"context"
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

// checkTypes checks that there are exactly these types of one kind, in any
// order, with valid schemas. typeOf returns the name of a type and the
// diagnostics of its schema.
func checkTypes[T any](t *testing.T, kind string, factories []func() T, typeOf func(T) (string, diag.Diagnostics), want ...string) {
	t.Helper()
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
		t.Errorf("%s %v, want %v", kind, names, want)
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
	checkTypes(t, "resources", p.Resources(ctx), func(r resource.Resource) (string, diag.Diagnostics) {
		var metadata resource.MetadataResponse
		var schema resource.SchemaResponse
		r.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: "kuscia"}, &metadata)
		r.Schema(ctx, resource.SchemaRequest{}, &schema)
		return metadata.TypeName, problems(ctx, schema.Diagnostics, schema.Schema)
	}, "kuscia_app_image", "kuscia_config", "kuscia_deployment", "kuscia_domain", "kuscia_domain_data", "kuscia_domain_data_grant", "kuscia_domain_data_source", "kuscia_domain_route", "kuscia_edge_deployment", "kuscia_rollout", "kuscia_rollout_approval", "kuscia_serving", "kuscia_traffic_routing")
}

func checkListResources(ctx context.Context, t *testing.T, p provider.Provider) {
	t.Helper()
	listing, ok := p.(provider.ProviderWithListResources)
	if !ok {
		t.Fatal("the provider has no list resources")
	}
	checkTypes(t, "list resources", listing.ListResources(ctx), func(l list.ListResource) (string, diag.Diagnostics) {
		var metadata resource.MetadataResponse
		var schema list.ListResourceSchemaResponse
		l.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: "kuscia"}, &metadata)
		l.ListResourceConfigSchema(ctx, list.ListResourceSchemaRequest{}, &schema)
		return metadata.TypeName, problems(ctx, schema.Diagnostics, schema.Schema)
	}, "kuscia_app_image", "kuscia_deployment", "kuscia_domain_data", "kuscia_domain_data_grant", "kuscia_domain_data_source", "kuscia_edge_deployment", "kuscia_serving")
}

func checkDataSources(ctx context.Context, t *testing.T, p provider.Provider) {
	t.Helper()
	checkTypes(t, "data sources", p.DataSources(ctx), func(d datasource.DataSource) (string, diag.Diagnostics) {
		var metadata datasource.MetadataResponse
		var schema datasource.SchemaResponse
		d.Metadata(ctx, datasource.MetadataRequest{ProviderTypeName: "kuscia"}, &metadata)
		d.Schema(ctx, datasource.SchemaRequest{}, &schema)
		return metadata.TypeName, problems(ctx, schema.Diagnostics, schema.Schema)
	}, "kuscia_app_image", "kuscia_app_images", "kuscia_config", "kuscia_deployment", "kuscia_deployments", "kuscia_domain", "kuscia_domain_data", "kuscia_domain_data_grant", "kuscia_domain_data_grants", "kuscia_domain_data_list", "kuscia_domain_data_source", "kuscia_domain_data_sources", "kuscia_domain_route", "kuscia_domains", "kuscia_edge_deployment", "kuscia_edge_deployments", "kuscia_rollout", "kuscia_serving", "kuscia_serving_status", "kuscia_traffic_routing")
}

func checkEphemeralResources(ctx context.Context, t *testing.T, p provider.Provider) {
	t.Helper()
	opening, ok := p.(provider.ProviderWithEphemeralResources)
	if !ok {
		t.Fatal("the provider has no ephemeral resources")
	}
	checkTypes(t, "ephemeral resources", opening.EphemeralResources(ctx), func(e ephemeral.EphemeralResource) (string, diag.Diagnostics) {
		var metadata ephemeral.MetadataResponse
		var schema ephemeral.SchemaResponse
		e.Metadata(ctx, ephemeral.MetadataRequest{ProviderTypeName: "kuscia"}, &metadata)
		e.Schema(ctx, ephemeral.SchemaRequest{}, &schema)
		return metadata.TypeName, problems(ctx, schema.Diagnostics, schema.Schema)
	}, "kuscia_certificate", "kuscia_domain_deploy_token")
}

func checkActions(ctx context.Context, t *testing.T, p provider.ProviderWithActions) {
	t.Helper()
	checkTypes(t, "actions", p.Actions(ctx), func(a action.Action) (string, diag.Diagnostics) {
		var metadata action.MetadataResponse
		var schema action.SchemaResponse
		a.Metadata(ctx, action.MetadataRequest{ProviderTypeName: "kuscia"}, &metadata)
		a.Schema(ctx, action.SchemaRequest{}, &schema)
		return metadata.TypeName, problems(ctx, schema.Diagnostics, schema.Schema)
	}, "kuscia_rollout_approve", "kuscia_serving_redeploy")
}
