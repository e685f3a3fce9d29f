package appimage

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	fwlist "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

func TestSchemaIsValid(t *testing.T) {
	var described resource.SchemaResponse
	NewResource().Schema(t.Context(), resource.SchemaRequest{}, &described)
	if diags := described.Schema.ValidateImplementation(t.Context()); diags.HasError() {
		t.Error(diags)
	}
	for _, source := range []datasource.DataSource{NewDataSource(), NewListDataSource()} {
		var resp datasource.SchemaResponse
		source.Schema(t.Context(), datasource.SchemaRequest{}, &resp)
		if diags := resp.Schema.ValidateImplementation(t.Context()); diags.HasError() {
			t.Error(diags)
		}
	}
	var listed fwlist.ListResourceSchemaResponse
	NewListResource().ListResourceConfigSchema(t.Context(), fwlist.ListResourceSchemaRequest{}, &listed)
	if diags := listed.Schema.ValidateImplementation(t.Context()); diags.HasError() {
		t.Error(diags)
	}
	var identified resource.IdentitySchemaResponse
	NewResource().(resource.ResourceWithIdentity).IdentitySchema(t.Context(), resource.IdentitySchemaRequest{}, &identified)
	if diags := identified.IdentitySchema.ValidateImplementation(t.Context()); diags.HasError() {
		t.Error(diags)
	}
}
