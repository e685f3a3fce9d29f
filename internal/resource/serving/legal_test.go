package serving

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"
)

// legal checks a planned state by Terraform's own rule: an attribute that the
// configuration sets is planned as configured or, as a whole, as it was; only
// a computed one that is left out may become anything else.
func legal(t rapid.TB, prior, config, planned model) {
	t.Helper()
	previous := attributePairs(prior, prior)
	for i, attribute := range attributePairs(config, planned) {
		legalValue(t, attribute.name, previous[i].a, attribute.a, attribute.b)
	}
}

// notComputed are the attributes that are not computed.
var notComputed = map[string]bool{
	"serving_id": true, "initiator": true, "parties": true, "domain_id": true, "app_image": true,
	"serving_input_config_wo_version": true,
	"container_name":                  true, "min_cpu": true, "max_cpu": true, "min_memory": true, "max_memory": true,
}

// computedOnly are the attributes that no configuration can set.
var computedOnly = map[string]bool{"id": true, "rollout_complete": true, "create_time": true, "endpoints": true}

func legalValue(t rapid.TB, name string, prior, config, planned attr.Value) {
	t.Helper()
	switch {
	case name == attrConfigWO:
		if !planned.IsNull() {
			t.Errorf("illegal plan: %s is write-only and planned as %s", name, planned)
		}
		return
	case computedOnly[name], planned.Equal(config):
		return
	case config.IsNull() && !notComputed[lastName(name)]:
		return
	case !config.IsNull() && !prior.IsNull() && planned.Equal(prior):
		return
	}
	switch planned := planned.(type) {
	case types.List:
		if config, ok := config.(types.List); ok && !config.IsNull() && !config.IsUnknown() && !planned.IsUnknown() && !planned.IsNull() && len(config.Elements()) == len(planned.Elements()) {
			for i, element := range planned.Elements() {
				legalValue(t, fmt.Sprintf("%s[%d]", name, i), elementOf(prior, i), config.Elements()[i], element)
			}
			return
		}
	case types.Object:
		if config, ok := config.(types.Object); ok && !config.IsNull() && !config.IsUnknown() && !planned.IsUnknown() && !planned.IsNull() {
			for attribute, value := range planned.Attributes() {
				legalValue(t, name+"."+attribute, attributeOf(prior, attribute), config.Attributes()[attribute], value)
			}
			return
		}
	}
	t.Errorf("illegal plan: %s is configured as %s, was %s and is planned as %s", name, config, prior, planned)
}

func lastName(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			return name[i+1:]
		}
	}
	return name
}

func elementOf(value attr.Value, i int) attr.Value {
	if list, ok := value.(types.List); ok && i < len(list.Elements()) {
		return list.Elements()[i]
	}
	return types.StringNull()
}

func attributeOf(value attr.Value, name string) attr.Value {
	if object, ok := value.(types.Object); ok && !object.IsNull() && !object.IsUnknown() {
		return object.Attributes()[name]
	}
	return types.StringNull()
}

// settles checks that a state is what a plan promised: everything that was
// known in the plan is in the state to the letter.
func settles(t rapid.TB, planned, state model) {
	t.Helper()
	for _, attribute := range attributePairs(planned, state) {
		settlesValue(t, attribute.name, attribute.a, attribute.b)
	}
}

func settlesValue(t rapid.TB, name string, planned, state attr.Value) {
	t.Helper()
	switch {
	case planned.IsUnknown(), planned.Equal(state):
		if state.IsUnknown() {
			t.Errorf("%s is still unknown in the state", name)
		}
		return
	}
	switch planned := planned.(type) {
	case types.List:
		if state, ok := state.(types.List); ok && len(state.Elements()) == len(planned.Elements()) && !planned.IsNull() && !state.IsNull() {
			for i, element := range planned.Elements() {
				settlesValue(t, fmt.Sprintf("%s[%d]", name, i), element, state.Elements()[i])
			}
			return
		}
	case types.Object:
		if state, ok := state.(types.Object); ok && !planned.IsNull() && !state.IsNull() {
			for attribute, value := range planned.Attributes() {
				settlesValue(t, name+"."+attribute, value, state.Attributes()[attribute])
			}
			return
		}
	}
	t.Errorf("%s was planned as %s and became %s", name, planned, state)
}
