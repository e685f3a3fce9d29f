package model

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// The attribute names that the shortcut knows.
var (
	ServingFields = NameSet("id", "serving_id", "initiator", AttrConfig, AttrConfigWO, AttrConfigVersion, "affinity_mode", "parties",
		"redeploy_triggers", "replace_triggers", "follow_app_image", "wait_for_rollout", AttrProgressDeadline, "rollout_complete", "create_time", "endpoints", "timeouts")
	PartyFields    = NameSet("domain_id", "role", "app_image", "image", "replicas", "service_name_prefix", "update_strategy", AttrResources, AttrContainerResources)
	StrategyFields = NameSet("type", "max_surge", "max_unavailable")
)

// NameSet is a set of names.
func NameSet(list ...string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, name := range list {
		set[name] = true
	}
	return set
}

// HasOnly reports whether an object has the known attributes and no other.
func HasOnly(object map[string]any, known map[string]bool) bool {
	for name := range object {
		if !known[name] {
			return false
		}
	}
	return len(object) == len(known)
}

// PrivateFromProtocol reports whether the private state has nothing that changes
// the rules. Containers, ports and baselines do not: they matter only if
// something differs.
func PrivateFromProtocol(private map[string][]byte) (data Private, plain bool) {
	raw, ok := private[string(PrivateKey)]
	if !ok || len(private) != 1 {
		return data, false
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if decoder.Decode(&data) != nil {
		return data, false
	}
	special := data
	special.Containers, special.Ports, special.Baselines, special.Deployed, special.Rollout = nil, nil, nil, nil, nil
	special.ConfigEnding, special.RefreshDigest = "", ""
	return data, reflect.DeepEqual(special, Private{})
}

// FromProtocol converts a complete state from its form in the protocol. ok is
// false for anything that a state after an apply does not have.
func FromProtocol(state map[string]any) (m Serving, ok bool) {
	p := protocolValues{OK: true}
	m.Attributes = Attributes{
		ID:                 p.text(state["id"]),
		ServingID:          p.text(state["serving_id"]),
		Initiator:          p.text(state["initiator"]),
		ServingInputConfig: tfvalue.ConfigText{StringValue: p.text(state[AttrConfig])},
		AffinityMode:       p.text(state["affinity_mode"]),
		CreateTime:         p.text(state["create_time"]),
		Timeouts:           p.timeouts(state["timeouts"]),
		ProgressDeadline:   p.text(state[AttrProgressDeadline]),
		FollowAppImage:     p.truth(state["follow_app_image"]),
		RolloutComplete:    p.truth(state["rollout_complete"]),
		RedeployTriggers:   p.texts(state["redeploy_triggers"]),
		ReplaceTriggers:    p.texts(state["replace_triggers"]),

		ServingInputConfigVersion: p.number(state[AttrConfigVersion]),
	}
	p.OK = p.OK && state[AttrConfigWO] == nil
	wait, isBool := state["wait_for_rollout"].(bool)
	p.OK = p.OK && isBool
	m.WaitForRollout = types.BoolValue(wait)

	m.Parties = p.parties(state["parties"])

	endpoints := map[string]attr.Value{}
	for name, value := range p.object(state["endpoints"], nil) {
		fields := map[string]attr.Value{}
		object := p.object(value, nil)
		for name := range EndpointType.AttrTypes {
			fields[name] = p.text(object[name])
		}
		endpoints[name] = types.ObjectValueMust(EndpointType.AttrTypes, fields)
	}
	m.Endpoints = types.MapValueMust(EndpointType, endpoints)
	return m, p.OK
}

// protocolValues reads values in the form of the protocol; OK becomes false at
// the first unexpected one.
type protocolValues struct{ OK bool }

func (p *protocolValues) text(value any) types.String {
	if value == nil {
		return types.StringNull()
	}
	text, ok := value.(string)
	p.OK = p.OK && ok
	return types.StringValue(text)
}

func (p *protocolValues) number(value any) types.Int64 {
	if value == nil {
		return types.Int64Null()
	}
	number, ok := value.(int64)
	p.OK = p.OK && ok
	return types.Int64Value(number)
}

func (p *protocolValues) truth(value any) types.Bool {
	if value == nil {
		return types.BoolNull()
	}
	is, ok := value.(bool)
	p.OK = p.OK && ok
	return types.BoolValue(is)
}

func (p *protocolValues) texts(value any) types.Map {
	if value == nil {
		return types.MapNull(types.StringType)
	}
	texts := map[string]attr.Value{}
	for name, element := range p.object(value, nil) {
		texts[name] = p.text(element)
	}
	return types.MapValueMust(types.StringType, texts)
}

// object reads an object with exactly the known attributes, or a map.
func (p *protocolValues) object(value any, known map[string]bool) map[string]any {
	object, ok := value.(map[string]any)
	p.OK = p.OK && ok && (known == nil || HasOnly(object, known))
	return object
}

// PartiesFromProtocol converts the parties of a state from their form in the
// protocol. ok is false if one of them is not complete.
func PartiesFromProtocol(value any) (parties Parties, ok bool) {
	p := protocolValues{OK: true}
	parties = p.parties(value)
	return parties, p.OK
}

func (p *protocolValues) parties(value any) Parties {
	var parties []Party
	for name, element := range p.object(value, nil) {
		parties = append(parties, p.party(name, p.object(element, PartyFields)))
	}
	return PartiesOf(parties...)
}

func (p *protocolValues) party(name string, object map[string]any) Party {
	strategy := p.object(object["update_strategy"], StrategyFields)
	replicas, ok := object["replicas"].(int64)
	p.OK = p.OK && ok && replicas >= 0 && replicas <= math.MaxInt32
	resources := Resources{Common: p.resources(object[AttrResources])}
	if named := object[AttrContainerResources]; named != nil {
		resources.Named = map[string]ContainerResources{}
		for container, values := range p.object(named, nil) {
			resources.Named[container] = p.resources(values)
		}
	}
	return Party{
		Name: name, DomainID: p.text(object["domain_id"]), Role: p.text(object["role"]),
		AppImage: p.text(object["app_image"]), Image: p.text(object["image"]), Replicas: types.Int32Value(int32(replicas)), /* #nosec G115 -- in range, or p is not ok */
		ServiceNamePrefix: p.text(object["service_name_prefix"]),
		Strategy: Strategy{
			Type: p.text(strategy["type"]), MaxSurge: p.text(strategy["max_surge"]), MaxUnavailable: p.text(strategy["max_unavailable"]),
		},
		Resources: resources,
	}
}

var resourceFields = NameSet("min_cpu", "max_cpu", "min_memory", "max_memory")

func (p *protocolValues) resources(value any) ContainerResources {
	if value == nil {
		return ContainerResources{}
	}
	fields := p.object(value, resourceFields)
	quantity := func(name string) tfvalue.Quantity { return tfvalue.Quantity{StringValue: p.text(fields[name])} }
	return ContainerResources{
		State:  attr.ValueStateKnown,
		MinCPU: quantity("min_cpu"), MaxCPU: quantity("max_cpu"),
		MinMemory: quantity("min_memory"), MaxMemory: quantity("max_memory"),
	}
}

// timeoutsTypes are the attributes of timeouts.
var timeoutsTypes = map[string]attr.Type{"create": types.StringType, "update": types.StringType, "delete": types.StringType}

func (p *protocolValues) timeouts(value any) timeouts.Value {
	if value == nil {
		return timeouts.Value{Object: basetypes.NewObjectNull(timeoutsTypes)}
	}
	object := p.object(value, nil)
	fields := make(map[string]attr.Value, len(timeoutsTypes))
	for name := range timeoutsTypes {
		fields[name] = p.text(object[name])
	}
	p.OK = p.OK && len(object) == len(fields)
	return timeouts.Value{Object: types.ObjectValueMust(timeoutsTypes, fields)}
}
