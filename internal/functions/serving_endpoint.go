package functions

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// NewServingEndpoint returns the function serving_endpoint.
func NewServingEndpoint() function.Function { return servingEndpoint{} }

type servingEndpoint struct{}

// endpointType is an element of endpoints of kuscia_serving, resource and data
// source.
var endpointType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"domain_id": types.StringType, "role": types.StringType, "port_name": types.StringType,
	"scope": types.StringType, "endpoint": types.StringType,
}}

func (servingEndpoint) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "serving_endpoint"
}

func (servingEndpoint) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Address of one port of a serving's party",
		MarkdownDescription: "Returns an address from `endpoints` of `kuscia_serving`, the resource or the data source. " +
			"It is `host:port` for a port of scope `Domain` and a host for one of scope `Cluster`. " +
			"The result is null if there is no such party or port, or if the party is not deployed yet; use `coalesce` or a `check` block for that case.",
		Parameters: []function.Parameter{
			function.ListParameter{
				Name:                "endpoints",
				MarkdownDescription: "The attribute `endpoints` of a `kuscia_serving`. Null counts as empty.",
				ElementType:         endpointType,
				AllowNullValue:      true,
				AllowUnknownValues:  true,
			},
			function.StringParameter{Name: "domain_id", MarkdownDescription: "Domain of the party."},
			function.StringParameter{
				Name:                "role",
				MarkdownDescription: "Role of the party; null and `\"\"` both stand for a party without a role.",
				AllowNullValue:      true,
			},
			function.StringParameter{Name: "port_name", MarkdownDescription: "Name of the port in the app image."},
		},
		Return: function.StringReturn{},
	}
}

// Run implements function.Function.
func (servingEndpoint) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var endpoints types.List
	var role types.String
	var domainID, portName string
	if resp.Error = req.Arguments.Get(ctx, &endpoints, &domainID, &role, &portName); resp.Error != nil {
		return
	}
	resp.Error = resp.Result.Set(ctx, pick(endpoints, domainID, role.ValueString(), portName))
}

// pick returns the address of the first matching endpoint. It is unknown while
// an earlier endpoint with unknown values might match.
func pick(endpoints types.List, domainID, role, portName string) types.String {
	if endpoints.IsUnknown() {
		return types.StringUnknown()
	}
	desired := map[string]string{"domain_id": domainID, "role": role, "port_name": portName}
	for _, element := range endpoints.Elements() {
		object, ok := element.(types.Object)
		if !ok || object.IsNull() {
			continue
		}
		if object.IsUnknown() {
			return types.StringUnknown()
		}
		differs, open := false, false
		for name, want := range desired {
			value := text(object, name)
			open = open || value.IsUnknown()
			differs = differs || !value.IsUnknown() && value.ValueString() != want
		}
		switch {
		case differs:
		case open:
			return types.StringUnknown()
		default:
			return text(object, "endpoint")
		}
	}
	return types.StringNull()
}

func text(object types.Object, name string) types.String {
	value, ok := object.Attributes()[name].(types.String)
	if !ok {
		return types.StringNull()
	}
	return value
}
