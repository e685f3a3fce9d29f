package helpertest

import "github.com/hashicorp/terraform-plugin-framework/resource/schema"

var _ = schema.Schema{Attributes: map[string]schema.Attribute{"a": schema.StringAttribute{}}}
