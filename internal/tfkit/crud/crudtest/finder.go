package crudtest

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Finder is a provider with data sources and list resources, whatever the CLI
// at hand can do.
type Finder struct {
	tfprotov6.ProviderServer
	schemas *tfprotov6.GetProviderSchemaResponse
}

// Finds are what a Finder serves. A list resource needs its resource.
type Finds struct {
	Resources     []func() resource.Resource
	DataSources   []func() datasource.DataSource
	ListResources []func() list.ListResource
}

// NewFinder serves data sources and list resources with the clients.
func NewFinder(t testing.TB, c *clients.Clients, finds Finds) *Finder {
	t.Helper()
	f := &Finder{ProviderServer: providerserver.NewProtocol6(&findingProvider{oneResource{clients: c}, finds})()}
	schemas, err := f.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil || len(schemas.Diagnostics) > 0 {
		t.Fatal(err, Messages(schemas.Diagnostics))
	}
	f.schemas = schemas
	empty, err := tfprotov6.NewDynamicValue(tftypes.Object{}, tftypes.NewValue(tftypes.Object{}, map[string]tftypes.Value{}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: &empty}); err != nil {
		t.Fatal(err)
	}
	return f
}

// encodeTexts makes an object of texts; what is not given is null.
func encodeTexts(t failer, of tftypes.Type, texts map[string]string) *tfprotov6.DynamicValue {
	t.Helper()
	object, _ := of.(tftypes.Object)
	values := map[string]tftypes.Value{}
	for name, attribute := range object.AttributeTypes {
		values[name] = tftypes.NewValue(attribute, nil)
	}
	for name, text := range texts {
		values[name] = definition.TextValue(text)
	}
	encoded, err := tfprotov6.NewDynamicValue(of, tftypes.NewValue(of, values))
	if err != nil {
		t.Fatal(err)
	}
	return &encoded
}

// ReadData validates and reads a data source.
func (f *Finder) ReadData(t failer, typeName string, config map[string]string) (value definition.Value, said string) {
	t.Helper()
	of := f.schemas.DataSourceSchemas[typeName].ValueType()
	encoded := encodeTexts(t, of, config)
	valid, err := f.ValidateDataResourceConfig(context.Background(), &tfprotov6.ValidateDataResourceConfigRequest{TypeName: typeName, Config: encoded})
	if err != nil {
		t.Fatal(err)
	}
	if len(valid.Diagnostics) > 0 {
		return tftypes.NewValue(of, nil), Messages(valid.Diagnostics)
	}
	answer, err := f.ReadDataSource(context.Background(), &tfprotov6.ReadDataSourceRequest{TypeName: typeName, Config: encoded})
	if err != nil {
		t.Fatal(err)
	}
	if answer.State == nil {
		return tftypes.NewValue(of, nil), Messages(answer.Diagnostics)
	}
	value, err = answer.State.Unmarshal(of)
	if err != nil {
		t.Fatal(err)
	}
	return value, Messages(answer.Diagnostics)
}

// Listed is an object that a list resource has found.
type Listed struct {
	Name string
	// Value is the whole resource.
	Value definition.Value
}

// List validates a list block and lists. limit 0 is no bound.
func (f *Finder) List(t failer, typeName string, config map[string]string, limit int64) (found []Listed, said string) {
	t.Helper()
	lister, ok := f.ProviderServer.(tfprotov6.ListResourceServer)
	if !ok {
		t.Fatal("the provider cannot list")
	}
	encoded := encodeTexts(t, f.schemas.ListResourceSchemas[typeName].ValueType(), config)
	valid, err := lister.ValidateListResourceConfig(context.Background(), &tfprotov6.ValidateListResourceConfigRequest{TypeName: typeName, Config: encoded})
	if err != nil {
		t.Fatal(err)
	}
	if len(valid.Diagnostics) > 0 {
		return nil, Messages(valid.Diagnostics)
	}
	stream, err := lister.ListResource(context.Background(), &tfprotov6.ListResourceRequest{TypeName: typeName, Config: encoded, Limit: limit, IncludeResource: true})
	if err != nil {
		t.Fatal(err)
	}
	of := f.schemas.ResourceSchemas[typeName].ValueType()
	for result := range stream.Results {
		said += Messages(result.Diagnostics)
		if result.Resource == nil {
			continue
		}
		one := Listed{Name: result.DisplayName}
		if one.Value, err = result.Resource.Unmarshal(of); err != nil {
			t.Fatal(err)
		}
		found = append(found, one)
	}
	return found, said
}

// findingProvider is a provider with what is found by it.
type findingProvider struct {
	oneResource
	finds Finds
}

func (p *findingProvider) Configure(_ context.Context, _ provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	resp.ResourceData, resp.DataSourceData, resp.ListResourceData = p.clients, p.clients, p.clients
}

func (p *findingProvider) Resources(context.Context) []func() resource.Resource {
	return p.finds.Resources
}

func (p *findingProvider) DataSources(context.Context) []func() datasource.DataSource {
	return p.finds.DataSources
}

func (p *findingProvider) ListResources(context.Context) []func() list.ListResource {
	return p.finds.ListResources
}
