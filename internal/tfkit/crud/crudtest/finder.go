package crudtest

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Finder tests data sources and list resources over the plugin protocol,
// independent of the CLI version.
type Finder struct{ server *protocol.Server }

// NewFinder serves the data sources and list resources among the types. A list
// resource needs its resource.
func NewFinder(t testing.TB, c *run.Run, types crud.Types) *Finder {
	t.Helper()
	return &Finder{protocol.NewServer(t, providerserver.NewProtocol6(&findingProvider{oneResource{run: c}, types})()).Configure(t, nil)}
}

// block returns a block of strings; missing attributes are null.
func block(texts map[string]string) protocol.Object {
	block := protocol.Object{}
	for name, text := range texts {
		block[name] = text
	}
	return block
}

// ReadData validates and reads a data source.
func (f *Finder) ReadData(t protocol.Failer, typeName string, config map[string]string) (value definition.Value, said string) {
	t.Helper()
	value, diagnostics := f.server.DataSource(t, typeName, block(config))
	return value, protocol.Messages(diagnostics)
}

// Listed is a result of a list resource.
type Listed struct {
	Name string
	// Value is the whole resource.
	Value definition.Value
}

// List validates a list block and lists. limit 0 means no limit.
func (f *Finder) List(t protocol.Failer, typeName string, config map[string]string, limit int64) (found []Listed, said string) {
	t.Helper()
	resource := f.server.Resource(t, typeName)
	results, diagnostics := resource.List(context.Background(), t, protocol.Query{Config: block(config), Limit: limit, IncludeResource: true})
	for _, result := range results {
		found = append(found, Listed{Name: result.DisplayName, Value: protocol.Decode(resource.Kind, result.Resource)})
	}
	return found, protocol.Messages(diagnostics)
}

// findingProvider is a provider that has data sources and list resources only.
type findingProvider struct {
	oneResource
	types crud.Types
}

func (p *findingProvider) Configure(_ context.Context, _ provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	resp.ResourceData, resp.DataSourceData, resp.ListResourceData = p.run, p.run, p.run
}

func (p *findingProvider) Resources(context.Context) []func() resource.Resource {
	return p.types.Resources
}

func (p *findingProvider) DataSources(context.Context) []func() datasource.DataSource {
	return p.types.DataSources
}

func (p *findingProvider) ListResources(context.Context) []func() list.ListResource {
	return p.types.ListResources
}
