package described

import (
	"fmt"

	action "github.com/hashicorp/terraform-plugin-framework/action/schema"
	data "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/function"
	list "github.com/hashicorp/terraform-plugin-framework/list/schema"
	provider "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

const empty = " \n"

var good = schema.Schema{
	Description: "Something.",
	Attributes: map[string]schema.Attribute{
		"a": schema.StringAttribute{MarkdownDescription: "A."},
		"b": schema.StringAttribute{Description: fmt.Sprintf("B of %d.", 2)},
		"c": text("C."),
		"d": schema.ListNestedAttribute{
			Description: "D.",
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"e": schema.StringAttribute{}, // want "StringAttribute without a description"
			}},
		},
	},
}

func text(description string) schema.Attribute {
	return schema.StringAttribute{MarkdownDescription: description}
}

var bad = schema.Schema{ // want "Schema without a description"
	Attributes: map[string]schema.Attribute{
		"a": schema.StringAttribute{Required: true},             // want "StringAttribute without a description"
		"b": schema.StringAttribute{Description: ""},            // want "StringAttribute without a description"
		"c": schema.StringAttribute{MarkdownDescription: empty}, // want "StringAttribute without a description"
	},
}

var everywhere = []any{
	data.Schema{},                    // want "Schema without a description"
	list.StringAttribute{},           // want "StringAttribute without a description"
	action.Int64Attribute{},          // want "Int64Attribute without a description"
	provider.ListNestedAttribute{},   // want "ListNestedAttribute without a description"
	identityschema.StringAttribute{}, // want "StringAttribute without a description"
	identityschema.Schema{},
	function.Definition{Summary: "F."}, // want "Definition without a description"
	&function.StringParameter{},        // want "StringParameter without a description"
	action.Schema{MarkdownDescription: "An action."},
	list.Schema{Description: "A list."},
}

// Of somebody else's types nothing is wanted.
type StringAttribute struct{ Description string }

var other = StringAttribute{}
