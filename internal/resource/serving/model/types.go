package model

import (
	"math"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// The object types are created once and given to the schema as custom types:
// otherwise the framework creates them again for every step of every attribute
// path.
var (
	ReplicasType  = tfvalue.Int32Type{Min: 1, Max: math.MaxInt32}
	ResourcesType = types.ObjectType{AttrTypes: map[string]attr.Type{
		"min_cpu": tfvalue.QuantityType{}, "max_cpu": tfvalue.QuantityType{},
		"min_memory": tfvalue.QuantityType{}, "max_memory": tfvalue.QuantityType{},
	}}
	ContainerResourcesType = types.MapType{ElemType: ResourcesType}
	PartyType              = types.ObjectType{AttrTypes: map[string]attr.Type{
		"domain_id": types.StringType, "role": types.StringType, "app_image": types.StringType, "image": types.StringType,
		"replicas": ReplicasType, "service_name_prefix": types.StringType,
		"update_strategy": StrategyType, AttrResources: ResourcesType, AttrContainerResources: ContainerResourcesType,
	}}
	PartiesType  = types.MapType{ElemType: PartyType}
	EndpointType = types.ObjectType{AttrTypes: map[string]attr.Type{
		"domain_id": types.StringType, "role": types.StringType, "port_name": types.StringType,
		"scope": types.StringType, "endpoint": types.StringType,
	}}
	EndpointsType = types.MapType{ElemType: EndpointType}
)
