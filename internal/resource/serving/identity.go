package serving

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// identity identifies a serving within a Kuscia.
type identity struct {
	ServingID types.String `tfsdk:"serving_id"`
}

// IdentitySchema describes the identity that Terraform 1.12 and later store with
// the state and accept in import blocks.
func (r *servingResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{
			"serving_id": identityschema.StringAttribute{
				Description:       "ID of the serving in Kuscia.",
				RequiredForImport: true,
			},
		},
	}
}
