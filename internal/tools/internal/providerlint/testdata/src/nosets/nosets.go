package nosets

import (
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/function"
	resource "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

var attributes = map[string]resource.Attribute{
	"list": resource.ListNestedAttribute{},
	"set":  resource.SetAttribute{}, // want "SetAttribute: sets make plans slow"
	"nested": resource.ListNestedAttribute{NestedObject: resource.NestedAttributeObject{
		Attributes: map[string]resource.Attribute{
			"set": resource.SetNestedAttribute{}, // want "SetNestedAttribute: sets make plans slow"
		},
	}},
}

var blocks = map[string]schema.Block{
	"set": schema.SetNestedBlock{}, // want "SetNestedBlock: sets make plans slow"
}

var others = []any{
	types.SetType{}, // want "SetType: sets make plans slow"
	types.ListType{},
	function.SetParameter{}, // want "SetParameter: sets make plans slow"
	function.StringParameter{},
}

// A set of our own is no set of a schema.
type SetAttribute struct{}

var own = SetAttribute{}
