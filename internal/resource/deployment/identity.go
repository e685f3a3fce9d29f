package deployment

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

const typeName = "kuscia_deployment"

var identitySchema = identityschema.Schema{
	Attributes: map[string]identityschema.Attribute{
		attrName: identityschema.StringAttribute{RequiredForImport: true, Description: "Name of the KusciaDeployment."},
	},
}

// identity is the resource identity of a deployment.
type identity struct {
	Name types.String `tfsdk:"name"`
}

// saveIdentity sets the identity if the CLI supports identities.
func saveIdentity(ctx context.Context, to *tfsdk.ResourceIdentity, name string) diag.Diagnostics {
	if to == nil {
		return nil
	}
	return to.Set(ctx, identity{Name: types.StringValue(name)})
}

// messageObject returns a deployment for use in messages.
func messageObject(name string) clients.Object {
	return clients.Object{Type: typeName, Title: "KusciaDeployment", Attribute: attrName, Name: name, ImportID: name}
}

// textAt returns a string attribute of a plan or state.
func textAt(value definition.Value, name string) string {
	return definition.TextOf(definition.FieldsOf(value)[name])
}
