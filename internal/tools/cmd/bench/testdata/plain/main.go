// Command plain is a provider with one resource and nothing else. The start of
// the provider under test is compared with it.
package main

import (
	"context"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

func main() {
	options := providerserver.ServeOpts{Address: "registry.terraform.io/terraform-kuscia/plain", ProtocolVersion: 6}
	if err := providerserver.Serve(context.Background(), func() provider.Provider { return plain{} }, options); err != nil {
		log.Fatal(err)
	}
}

type plain struct{}

func (plain) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "plain"
}
func (plain) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}
func (plain) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}
func (plain) DataSources(context.Context) []func() datasource.DataSource { return nil }
func (plain) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return thing{} }}
}

type thing struct{}

func (thing) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "plain_thing"
}

func (thing) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{"name": schema.StringAttribute{Required: true}}}
}

func (thing) Create(_ context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.State.Raw = req.Plan.Raw
}
func (thing) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}
func (thing) Update(_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.State.Raw = req.Plan.Raw
}
func (thing) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}
