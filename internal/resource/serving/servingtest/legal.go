package servingtest

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
)

// CheckLegal checks a planned state by Terraform's own rule: an attribute that the
// configuration sets is planned as configured or, as a whole, as it was; only
// a computed one that is left out may become anything else.
func CheckLegal(t rapid.TB, prior, config, planned model.Serving) {
	t.Helper()
	previous := AttributePairs(prior, prior)
	for i, attribute := range AttributePairs(config, planned) {
		checkLegalValue(t, attribute.Name, previous[i].A, attribute.A, attribute.b)
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

func checkLegalValue(t rapid.TB, name string, prior, config, planned attr.Value) {
	t.Helper()
	switch {
	case name == model.AttrConfigWO:
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
				checkLegalValue(t, fmt.Sprintf("%s[%d]", name, i), elementOf(prior, i), config.Elements()[i], element)
			}
			return
		}
	case types.Object:
		if config, ok := config.(types.Object); ok && !config.IsNull() && !config.IsUnknown() && !planned.IsUnknown() && !planned.IsNull() {
			for attribute, value := range planned.Attributes() {
				checkLegalValue(t, name+"."+attribute, attributeOf(prior, attribute), config.Attributes()[attribute], value)
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

// CheckSettles checks that a state is what a plan promised: everything that was
// known in the plan is in the state to the letter.
func CheckSettles(t rapid.TB, planned, state model.Serving) {
	t.Helper()
	for _, attribute := range AttributePairs(planned, state) {
		checkSettlesValue(t, attribute.Name, attribute.A, attribute.b)
	}
}

func checkSettlesValue(t rapid.TB, name string, planned, state attr.Value) {
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
				checkSettlesValue(t, fmt.Sprintf("%s[%d]", name, i), element, state.Elements()[i])
			}
			return
		}
	case types.Object:
		if state, ok := state.(types.Object); ok && !planned.IsNull() && !state.IsNull() {
			for attribute, value := range planned.Attributes() {
				checkSettlesValue(t, name+"."+attribute, value, state.Attributes()[attribute])
			}
			return
		}
	}
	t.Errorf("%s was planned as %s and became %s", name, planned, state)
}
