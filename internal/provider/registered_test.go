package provider

import (
	"context"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

func checkResources(ctx context.Context, t *testing.T, p provider.Provider) {
	t.Helper()
	var names []string
	for _, factory := range p.Resources(ctx) {
		r := factory()
		var metadata resource.MetadataResponse
		r.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: "kuscia"}, &metadata)
		names = append(names, metadata.TypeName)

		var schema resource.SchemaResponse
		r.Schema(ctx, resource.SchemaRequest{}, &schema)
		schema.Diagnostics.Append(schema.Schema.ValidateImplementation(ctx)...)
		if schema.Diagnostics.HasError() {
			t.Errorf("%s: %v", metadata.TypeName, schema.Diagnostics)
		}
	}
	slices.Sort(names)
	if want := []string{"kuscia_app_image", "kuscia_config", "kuscia_deployment", "kuscia_domain", "kuscia_domain_data", "kuscia_domain_data_grant", "kuscia_domain_data_source", "kuscia_domain_route", "kuscia_edge_deployment", "kuscia_rollout", "kuscia_rollout_approval", "kuscia_serving", "kuscia_traffic_routing"}; !slices.Equal(names, want) {
		t.Errorf("resources %v, want %v", names, want)
	}
}

func checkListResources(ctx context.Context, t *testing.T, p provider.Provider) {
	t.Helper()
	listing, ok := p.(provider.ProviderWithListResources)
	if !ok {
		t.Fatal("the provider has no list resources")
	}
	var names []string
	for _, factory := range listing.ListResources(ctx) {
		l := factory()
		var metadata resource.MetadataResponse
		l.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: "kuscia"}, &metadata)
		names = append(names, metadata.TypeName)

		var schema list.ListResourceSchemaResponse
		l.ListResourceConfigSchema(ctx, list.ListResourceSchemaRequest{}, &schema)
		schema.Diagnostics.Append(schema.Schema.ValidateImplementation(ctx)...)
		if schema.Diagnostics.HasError() {
			t.Errorf("%s: %v", metadata.TypeName, schema.Diagnostics)
		}
	}
	slices.Sort(names)
	if want := []string{"kuscia_app_image", "kuscia_deployment", "kuscia_domain_data", "kuscia_domain_data_grant", "kuscia_domain_data_source", "kuscia_edge_deployment", "kuscia_serving"}; !slices.Equal(names, want) {
		t.Errorf("list resources %v, want %v", names, want)
	}
}

func checkDataSources(ctx context.Context, t *testing.T, p provider.Provider) {
	t.Helper()
	var names []string
	for _, factory := range p.DataSources(ctx) {
		d := factory()
		var metadata datasource.MetadataResponse
		d.Metadata(ctx, datasource.MetadataRequest{ProviderTypeName: "kuscia"}, &metadata)
		names = append(names, metadata.TypeName)

		var schema datasource.SchemaResponse
		d.Schema(ctx, datasource.SchemaRequest{}, &schema)
		schema.Diagnostics.Append(schema.Schema.ValidateImplementation(ctx)...)
		if schema.Diagnostics.HasError() {
			t.Errorf("%s: %v", metadata.TypeName, schema.Diagnostics)
		}
	}
	slices.Sort(names)
	if want := []string{"kuscia_app_image", "kuscia_app_images", "kuscia_config", "kuscia_deployment", "kuscia_deployments", "kuscia_domain", "kuscia_domain_data", "kuscia_domain_data_grant", "kuscia_domain_data_grants", "kuscia_domain_data_list", "kuscia_domain_data_source", "kuscia_domain_data_sources", "kuscia_domain_route", "kuscia_domains", "kuscia_edge_deployment", "kuscia_edge_deployments", "kuscia_rollout", "kuscia_serving", "kuscia_serving_status", "kuscia_traffic_routing"}; !slices.Equal(names, want) {
		t.Errorf("data sources %v, want %v", names, want)
	}
}

func checkEphemeralResources(ctx context.Context, t *testing.T, p provider.Provider) {
	t.Helper()
	opening, ok := p.(provider.ProviderWithEphemeralResources)
	if !ok {
		t.Fatal("the provider has no ephemeral resources")
	}
	var names []string
	for _, factory := range opening.EphemeralResources(ctx) {
		e := factory()
		var metadata ephemeral.MetadataResponse
		e.Metadata(ctx, ephemeral.MetadataRequest{ProviderTypeName: "kuscia"}, &metadata)
		names = append(names, metadata.TypeName)

		var schema ephemeral.SchemaResponse
		e.Schema(ctx, ephemeral.SchemaRequest{}, &schema)
		schema.Diagnostics.Append(schema.Schema.ValidateImplementation(ctx)...)
		if schema.Diagnostics.HasError() {
			t.Errorf("%s: %v", metadata.TypeName, schema.Diagnostics)
		}
	}
	if want := []string{"kuscia_certificate", "kuscia_domain_deploy_token"}; !slices.Equal(names, want) {
		t.Errorf("ephemeral resources %v, want %v", names, want)
	}
}

func checkActions(ctx context.Context, t *testing.T, p provider.ProviderWithActions) {
	t.Helper()
	var names []string
	for _, factory := range p.Actions(ctx) {
		a := factory()
		var metadata action.MetadataResponse
		a.Metadata(ctx, action.MetadataRequest{ProviderTypeName: "kuscia"}, &metadata)
		names = append(names, metadata.TypeName)

		var schema action.SchemaResponse
		a.Schema(ctx, action.SchemaRequest{}, &schema)
		schema.Diagnostics.Append(schema.Schema.ValidateImplementation(ctx)...)
		if schema.Diagnostics.HasError() {
			t.Errorf("%s: %v", metadata.TypeName, schema.Diagnostics)
		}
	}
	if want := []string{"kuscia_rollout_approve", "kuscia_serving_redeploy"}; !slices.Equal(names, want) {
		t.Errorf("actions %v, want %v", names, want)
	}
}
