package crud

import (
	dsschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// schemas are built once; the framework requests them on every call.
type schemas struct {
	resource schema.Schema
	identity identityschema.Schema
	// lookup are the identity attributes of a data source.
	lookup map[string]dsschema.Attribute
}

// described has what the schemas are built from. Object implements it.
type described interface {
	resourceSchema() schema.Schema
	identityAttributes() []IdentityAttribute
	title() string
}

func (s *schemas) build(o described) {
	s.resource = o.resourceSchema()
	s.identity = identityschema.Schema{Attributes: map[string]identityschema.Attribute{}}
	s.lookup = map[string]dsschema.Attribute{}
	for _, a := range o.identityAttributes() {
		lookedUp := a
		if a.LookupProblem != nil {
			lookedUp.Problem = a.LookupProblem
		}
		s.identity.Attributes[a.Name] = identityschema.StringAttribute{RequiredForImport: true, Description: a.Description}
		s.lookup[a.Name] = dsschema.StringAttribute{
			Required: true, Validators: []validator.String{problemValidator{lookedUp}},
			MarkdownDescription: a.Description,
		}
	}
}

func (o *Object[W]) resourceSchema() schema.Schema           { return o.Definition.ResourceSchema() }
func (o *Object[W]) identityAttributes() []IdentityAttribute { return o.Identity }
func (o *Object[W]) title() string                           { return o.Title }
