package appimage

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	fwlist "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

func TestSchemaIsValid(t *testing.T) {
	var described resource.SchemaResponse
	appImage.NewResource().Schema(t.Context(), resource.SchemaRequest{}, &described)
	if diags := described.Schema.ValidateImplementation(t.Context()); diags.HasError() {
		t.Error(diags)
	}
	for _, source := range []datasource.DataSource{lookup(), all()} {
		var resp datasource.SchemaResponse
		source.Schema(t.Context(), datasource.SchemaRequest{}, &resp)
		if diags := resp.Schema.ValidateImplementation(t.Context()); diags.HasError() {
			t.Error(diags)
		}
	}
	var queried fwlist.ListResourceSchemaResponse
	listed().ListResourceConfigSchema(t.Context(), fwlist.ListResourceSchemaRequest{}, &queried)
	if diags := queried.Schema.ValidateImplementation(t.Context()); diags.HasError() {
		t.Error(diags)
	}
	var identified resource.IdentitySchemaResponse
	appImage.NewResource().(resource.ResourceWithIdentity).IdentitySchema(t.Context(), resource.IdentitySchemaRequest{}, &identified)
	if diags := identified.IdentitySchema.ValidateImplementation(t.Context()); diags.HasError() {
		t.Error(diags)
	}
}
