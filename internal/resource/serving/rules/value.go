package rules

import (
	"maps"
	"math"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Of returns the serving of a configuration, a plan or a state.
func Of(value definition.Value) Serving {
	fields := definition.FieldsOf(value)
	return Serving{
		Attributes: Attributes{
			ID: text(fields["id"]), ServingID: text(fields["serving_id"]), Initiator: text(fields["initiator"]),
			ServingInputConfig: text(fields[AttrConfig]), ServingInputConfigWO: text(fields[AttrConfigWO]), ServingInputConfigVersion: definition.Int64Of(fields[AttrConfigVersion]),
			AffinityMode:     text(fields["affinity_mode"]),
			RedeployTriggers: texts(fields["redeploy_triggers"]), ReplaceTriggers: texts(fields["replace_triggers"]),
			FollowAppImage: truth(fields["follow_app_image"]), CheckApplication: truth(fields[party.AttrCheckApplication]), WaitForRollout: truth(fields[definition.AttrWaitForRollout]),
			AllowRemovalOf:   listOf(fields[crud.AttrAllowRemovalOf]),
			ProgressDeadline: text(fields[AttrProgressDeadline]), RolloutComplete: truth(fields[definition.AttrRolloutComplete]),
			CreateTime: text(fields["create_time"]), Endpoints: texts(fields["endpoints"]), Timeouts: object(fields[definition.AttrTimeouts], timeoutsTypes),
		},
		Parties: partiesOf(fields["parties"]),
	}
}

// Value is the opposite of Of.
func (m Serving) Value() definition.Value { return Definition.Encode(m.Tree()) }

// Tree is the serving by attribute name.
func (m Serving) Tree() definition.Tree {
	return definition.Tree{
		"id": plain(m.ID), "serving_id": plain(m.ServingID), "initiator": plain(m.Initiator),
		AttrConfig: plain(m.ServingInputConfig), AttrConfigWO: plain(m.ServingInputConfigWO), AttrConfigVersion: plain(m.ServingInputConfigVersion),
		"affinity_mode": plain(m.AffinityMode), "redeploy_triggers": plain(m.RedeployTriggers), "replace_triggers": plain(m.ReplaceTriggers),
		"follow_app_image": plain(m.FollowAppImage), party.AttrCheckApplication: plain(m.CheckApplication), crud.AttrAllowRemovalOf: plain(m.AllowRemovalOf), definition.AttrWaitForRollout: plain(m.WaitForRollout),
		AttrProgressDeadline: plain(m.ProgressDeadline), definition.AttrRolloutComplete: plain(m.RolloutComplete),
		"create_time": plain(m.CreateTime), "endpoints": plain(m.Endpoints), definition.AttrTimeouts: plain(m.Timeouts),
		"parties": m.Parties.tree(),
	}
}

func partiesOf(value definition.Value) Parties {
	switch {
	case !value.IsKnown():
		return UnknownParties()
	case value.IsNull():
		return Parties{}
	}
	elements := definition.FieldsOf(value)
	items := make([]Party, 0, len(elements))
	for _, name := range slices.Sorted(maps.Keys(elements)) {
		items = append(items, partyOf(name, elements[name]))
	}
	return PartiesOf(items...)
}

func partyOf(name string, value definition.Value) Party {
	if !value.IsKnown() {
		return Party{Name: name, Unknown: true}
	}
	fields := definition.FieldsOf(value)
	return Party{
		Name: name, Null: value.IsNull(), DomainID: text(fields["domain_id"]), Role: text(fields["role"]),
		AppImage: text(fields["app_image"]), Image: text(fields[AttrImage]), PodRevision: definition.Int64Of(fields[party.AttrPodRevision]), Replicas: wholeNumber(fields["replicas"]),
		ServiceNamePrefix: text(fields["service_name_prefix"]), Strategy: strategyOf(fields["update_strategy"]),
		Resources: resourcesOf(fields[AttrResources], fields[AttrContainerResources]),
	}
}

// tree returns null, unknown, or the parties by name.
func (l Parties) tree() any {
	switch {
	case l.IsUnknown():
		return definition.Unknown
	case l.IsNull():
		return nil
	}
	all := make(definition.Tree, len(l.Items))
	for _, p := range l.Items {
		all[p.Name] = p.tree()
	}
	return all
}

func (p Party) tree() any {
	switch {
	case p.Unknown:
		return definition.Unknown
	case p.Null:
		return nil
	}
	return definition.Tree{
		"domain_id": plain(p.DomainID), "role": plain(p.Role), "app_image": plain(p.AppImage), AttrImage: plain(p.Image), party.AttrPodRevision: plain(p.PodRevision),
		"replicas": plain(p.Replicas), "service_name_prefix": plain(p.ServiceNamePrefix),
		"update_strategy": p.Strategy.tree(), AttrResources: p.Resources.Common.tree(), AttrContainerResources: p.Resources.namedTree(),
	}
}

func strategyOf(value definition.Value) Strategy {
	fields := definition.FieldsOf(value)
	return Strategy{
		Unknown: !value.IsKnown(), Null: value.IsNull(),
		Type: text(fields["type"]), MaxSurge: text(fields["max_surge"]), MaxUnavailable: text(fields["max_unavailable"]),
	}
}

func (s Strategy) tree() any {
	switch {
	case s.Unknown:
		return definition.Unknown
	case s.Null:
		return nil
	}
	return definition.Tree{"type": plain(s.Type), "max_surge": plain(s.MaxSurge), "max_unavailable": plain(s.MaxUnavailable)}
}

func resourcesOf(common, named definition.Value) Resources {
	resources := Resources{Common: containerResourcesOf(common), NamedUnknown: !named.IsKnown()}
	if named.IsNull() {
		return resources
	}
	resources.Named = map[string]ContainerResources{}
	for name, values := range definition.FieldsOf(named) {
		resources.Named[name] = containerResourcesOf(values)
	}
	return resources
}

func (r Resources) namedTree() any {
	switch {
	case r.NamedUnknown:
		return definition.Unknown
	case r.Named == nil:
		return nil
	}
	named := make(definition.Tree, len(r.Named))
	for name, values := range r.Named {
		named[name] = values.tree()
	}
	return named
}

func containerResourcesOf(value definition.Value) ContainerResources {
	fields := definition.FieldsOf(value)
	return ContainerResources{
		State: stateOf(value), MinCPU: text(fields["min_cpu"]), MaxCPU: text(fields["max_cpu"]),
		MinMemory: text(fields["min_memory"]), MaxMemory: text(fields["max_memory"]),
	}
}

func (r ContainerResources) tree() any {
	switch r.State {
	case attr.ValueStateUnknown:
		return definition.Unknown
	case attr.ValueStateNull:
		return nil
	}
	return definition.Tree{"min_cpu": plain(r.MinCPU), "max_cpu": plain(r.MaxCPU), "min_memory": plain(r.MinMemory), "max_memory": plain(r.MaxMemory)}
}

// timeoutsTypes are the types of values that the rules do not look into.
var timeoutsTypes = map[string]attr.Type{"create": types.StringType, "update": types.StringType, "delete": types.StringType}

// object returns an object of texts.
func object(value definition.Value, kinds map[string]attr.Type) types.Object {
	switch stateOf(value) {
	case attr.ValueStateUnknown:
		return types.ObjectUnknown(kinds)
	case attr.ValueStateNull:
		return types.ObjectNull(kinds)
	}
	fields, attributes := definition.FieldsOf(value), make(map[string]attr.Value, len(kinds))
	for name := range kinds {
		attributes[name] = text(fields[name])
	}
	return types.ObjectValueMust(kinds, attributes)
}

// texts returns a map of texts.
func texts(value definition.Value) types.Map {
	switch stateOf(value) {
	case attr.ValueStateUnknown:
		return types.MapUnknown(types.StringType)
	case attr.ValueStateNull:
		return types.MapNull(types.StringType)
	}
	elements := map[string]attr.Value{}
	for name, element := range definition.FieldsOf(value) {
		elements[name] = text(element)
	}
	return types.MapValueMust(types.StringType, elements)
}

// listOf returns a list of texts.
func listOf(value definition.Value) types.List {
	switch stateOf(value) {
	case attr.ValueStateUnknown:
		return types.ListUnknown(types.StringType)
	case attr.ValueStateNull:
		return types.ListNull(types.StringType)
	}
	elements := []attr.Value{}
	for _, element := range definition.ElementsOf(value) {
		elements = append(elements, text(element))
	}
	return types.ListValueMust(types.StringType, elements)
}

func stateOf(value definition.Value) attr.ValueState {
	switch {
	case !value.IsKnown():
		return attr.ValueStateUnknown
	case value.IsNull():
		return attr.ValueStateNull
	}
	return attr.ValueStateKnown
}

func text(value definition.Value) types.String {
	switch stateOf(value) {
	case attr.ValueStateUnknown:
		return types.StringUnknown()
	case attr.ValueStateNull:
		return types.StringNull()
	}
	return types.StringValue(definition.StringOf(value))
}

func truth(value definition.Value) types.Bool {
	switch stateOf(value) {
	case attr.ValueStateUnknown:
		return types.BoolUnknown()
	case attr.ValueStateNull:
		return types.BoolNull()
	}
	return types.BoolValue(definition.BoolOf(value))
}

// wholeNumber is definition.Int64Of for 32 bits.
func wholeNumber(value definition.Value) types.Int32 {
	n := definition.Int64Of(value)
	switch {
	case n.IsNull():
		return types.Int32Null()
	case n.IsUnknown() || n.ValueInt64() < math.MinInt32 || n.ValueInt64() > math.MaxInt32:
		return types.Int32Unknown()
	}
	return types.Int32Value(int32(n.ValueInt64())) //nolint:gosec // it is in range
}

// plain converts a value of the framework to one of a definition.Tree.
func plain(value attr.Value) any {
	switch {
	case value.IsUnknown():
		return definition.Unknown
	case value.IsNull():
		return nil
	}
	switch v := value.(type) {
	case types.String:
		return v.ValueString()
	case types.Bool:
		return v.ValueBool()
	case types.Int32:
		return int64(v.ValueInt32())
	case types.Int64:
		return v.ValueInt64()
	case types.List:
		elements := []any{}
		for _, element := range v.Elements() {
			elements = append(elements, plain(element))
		}
		return elements
	case types.Map:
		return plainAll(v.Elements())
	case types.Object:
		return plainAll(v.Attributes())
	}
	return nil
}

func plainAll(values map[string]attr.Value) definition.Tree {
	tree := make(definition.Tree, len(values))
	for name, value := range values {
		tree[name] = plain(value)
	}
	return tree
}
