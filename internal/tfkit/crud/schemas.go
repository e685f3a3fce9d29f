package crud

import (
	dsschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// identitySchema is the schema of an identity.
func identitySchema(identity []IdentityAttribute) identityschema.Schema {
	attributes := map[string]identityschema.Attribute{}
	for _, a := range identity {
		attributes[a.Name] = identityschema.StringAttribute{RequiredForImport: !a.Optional, OptionalForImport: a.Optional, Description: a.Description}
	}
	return identityschema.Schema{Attributes: attributes}
}

// lookupAttributes are the attributes by which a data source looks an object up.
func lookupAttributes(identity []IdentityAttribute) map[string]dsschema.Attribute {
	attributes := map[string]dsschema.Attribute{}
	for _, a := range identity {
		lookedUp := a
		if a.LookupProblem != nil {
			lookedUp.Problem = a.LookupProblem
		}
		attributes[a.Name] = dsschema.StringAttribute{
			Required: true, Validators: []validator.String{problemValidator{lookedUp}},
			MarkdownDescription: a.Description,
		}
	}
	return attributes
}
