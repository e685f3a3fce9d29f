package serving

import (
	"bytes"
	"context"
	"encoding/json"
	"math"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// ReadsNothing is a shortcut for the refresh that is made most often: it asks
// for the serving and reports whether the answer certainly leaves state and
// private state as they are, by the very rules of Read. When it is not certain
// the context carries the answer, so that Read does not ask again. identity is
// that of the serving.
func ReadsNothing(ctx context.Context, c *clients.Clients, state map[string]any, private map[string][]byte) (_ context.Context, identity map[string]string, unchanged bool) {
	var unused diag.Diagnostics
	data, plain := plainPrivate(private)
	if !plain || !hasOnly(state, servingFields) || !c.Ready(&unused) {
		return ctx, nil, false
	}
	prior, ok := plainModel(state)
	id := prior.ServingID.ValueString()
	if !ok || id == "" {
		return ctx, nil, false
	}
	answer, err := c.API.QueryServing(keepSecret(ctx, prior), id)
	asked := context.WithValue(ctx, askedKey{}, asked{id, answer, err})
	if err != nil {
		return asked, nil, false
	}
	next, nextData := readState(prior, answer, data, sourcesOf(ctx, c))
	raw, err := json.Marshal(nextData)
	if err != nil || !bytes.Equal(raw, private[privateKey]) || !next.equal(prior) {
		return asked, nil, false
	}
	return asked, map[string]string{"serving_id": id}, true
}

// asked is an answer on its way from ReadsNothing to Read.
type asked struct {
	id     string
	answer *kuscia.Serving
	err    error
}

type askedKey struct{}

// query asks for a serving, unless that was done for this request already.
func (r *servingResource) query(ctx context.Context, id string) (*kuscia.Serving, error) {
	if before, ok := ctx.Value(askedKey{}).(asked); ok && before.id == id {
		return before.answer, before.err
	}
	return r.clients.API.QueryServing(ctx, id)
}

// plainModel is a complete state from the form in which the protocol carries
// it. ok is false for anything that a state after an apply does not have.
func plainModel(state map[string]any) (m model, ok bool) {
	p := plain{ok: true}
	m.attributes = attributes{
		ID:                 p.text(state["id"]),
		ServingID:          p.text(state["serving_id"]),
		Initiator:          p.text(state["initiator"]),
		ServingInputConfig: tfvalue.ConfigText{StringValue: p.text(state[attrConfig])},
		AffinityMode:       p.text(state["affinity_mode"]),
		CreateTime:         p.text(state["create_time"]),
		Timeouts:           p.timeouts(state["timeouts"]),
		ProgressDeadline:   p.text(state[attrProgressDeadline]),
		RolloutComplete:    p.truth(state["rollout_complete"]),
		RedeployTriggers:   p.texts(state["redeploy_triggers"]),
		ReplaceTriggers:    p.texts(state["replace_triggers"]),

		ServingInputConfigVersion: p.number(state[attrConfigVersion]),
	}
	p.ok = p.ok && state[attrConfigWO] == nil
	wait, isBool := state["wait_for_rollout"].(bool)
	p.ok = p.ok && isBool
	m.WaitForRollout = types.BoolValue(wait)

	m.Parties = partiesOf(p.parties(state["parties"])...)

	endpoints := []attr.Value{}
	for _, value := range p.list(state["endpoints"]) {
		fields := map[string]attr.Value{}
		object := p.object(value, nil)
		for name := range endpointType.AttrTypes {
			fields[name] = p.text(object[name])
		}
		endpoints = append(endpoints, types.ObjectValueMust(endpointType.AttrTypes, fields))
	}
	m.Endpoints = types.ListValueMust(endpointType, endpoints)
	return m, p.ok
}

// plain reads values as the protocol carries them; ok turns false at the first
// one that is not as expected.
type plain struct{ ok bool }

func (p *plain) text(value any) types.String {
	if value == nil {
		return types.StringNull()
	}
	text, ok := value.(string)
	p.ok = p.ok && ok
	return types.StringValue(text)
}

func (p *plain) number(value any) types.Int64 {
	if value == nil {
		return types.Int64Null()
	}
	number, ok := value.(int64)
	p.ok = p.ok && ok
	return types.Int64Value(number)
}

func (p *plain) truth(value any) types.Bool {
	if value == nil {
		return types.BoolNull()
	}
	is, ok := value.(bool)
	p.ok = p.ok && ok
	return types.BoolValue(is)
}

func (p *plain) texts(value any) types.Map {
	texts := map[string]attr.Value{}
	for name, element := range p.object(value, nil) {
		texts[name] = p.text(element)
	}
	return types.MapValueMust(types.StringType, texts)
}

func (p *plain) list(value any) []any {
	list, ok := value.([]any)
	p.ok = p.ok && ok
	return list
}

// object reads an object with exactly the known attributes, or a map.
func (p *plain) object(value any, known map[string]bool) map[string]any {
	object, ok := value.(map[string]any)
	p.ok = p.ok && ok && (known == nil || hasOnly(object, known))
	return object
}

func (p *plain) parties(value any) (parties []party) {
	for _, element := range p.list(value) {
		parties = append(parties, p.party(p.object(element, partyFields)))
	}
	return parties
}

func (p *plain) party(object map[string]any) party {
	written := p.object(object["update_strategy"], strategyFields)
	replicas, ok := object["replicas"].(int64)
	p.ok = p.ok && ok && replicas >= 0 && replicas <= math.MaxInt32
	return party{
		domainID: p.text(object["domain_id"]), role: p.text(object["role"]),
		appImage: p.text(object["app_image"]), replicas: types.Int32Value(int32(replicas)), /* #nosec G115 -- in range, or p is not ok */
		serviceNamePrefix: p.text(object["service_name_prefix"]),
		strategy: strategy{
			kind: p.text(written["type"]), surge: p.text(written["max_surge"]), unavailable: p.text(written["max_unavailable"]),
		},
		resources: p.resources(object["resources"]),
	}
}

var resourceFields = names("container_name", "min_cpu", "max_cpu", "min_memory", "max_memory")

func (p *plain) resources(value any) resourceList {
	var list resourceList
	for _, element := range p.list(value) {
		entry := p.object(element, resourceFields)
		quantity := func(name string) tfvalue.Quantity { return tfvalue.Quantity{StringValue: p.text(entry[name])} }
		list.items = append(list.items, containerResources{
			container: p.text(entry["container_name"]),
			minCPU:    quantity("min_cpu"), maxCPU: quantity("max_cpu"),
			minMemory: quantity("min_memory"), maxMemory: quantity("max_memory"),
		})
	}
	return list
}

// timeoutsTypes are the attributes of timeouts.
var timeoutsTypes = map[string]attr.Type{"create": types.StringType, "update": types.StringType, "delete": types.StringType}

func (p *plain) timeouts(value any) timeouts.Value {
	if value == nil {
		return timeouts.Value{Object: basetypes.NewObjectNull(timeoutsTypes)}
	}
	object := p.object(value, nil)
	fields := make(map[string]attr.Value, len(timeoutsTypes))
	for name := range timeoutsTypes {
		fields[name] = p.text(object[name])
	}
	p.ok = p.ok && len(object) == len(fields)
	return timeouts.Value{Object: types.ObjectValueMust(timeoutsTypes, fields)}
}
