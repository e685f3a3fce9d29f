package servingtest

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// notComputed are the attributes that are not computed.
var notComputed = map[string]bool{
	"serving_id": true, "initiator": true, "parties": true, "app_image": true,
	"serving_input_config_wo_version": true,
	"min_cpu":                         true, "max_cpu": true, "min_memory": true, "max_memory": true,
}

// computedOnly are the attributes that no configuration can set.
var computedOnly = map[string]bool{"id": true, "rollout_complete": true, "create_time": true, "endpoints": true}

// CheckLegal checks a planned state by Terraform's own rule.
func CheckLegal(t rapid.TB, prior, config, planned rules.Serving) {
	t.Helper()
	plan := object(Fields(planned))
	definitiontest.LegalBy(t, rulesOf(plan.Type()), object(Fields(prior)), Configuration(config), plan)
}

// CheckStateAsPlanned checks that a state is what the plan promised: everything that
// was known in the plan is in the state unchanged, and nothing is unknown.
func CheckStateAsPlanned(t rapid.TB, planned, state rules.Serving) {
	t.Helper()
	CheckPlannedAgain(t, planned, state)
	if !object(Fields(state)).IsFullyKnown() {
		t.Errorf("the state has unknown values: %v", ModelDifferences(state, planned))
	}
}

// CheckPlannedAgain checks that everything that was known in a plan is the same in the plan
// that Terraform makes when it knows more.
func CheckPlannedAgain(t rapid.TB, first, second rules.Serving) {
	t.Helper()
	if at, ok := definitiontest.Conforms(object(Fields(first)), object(Fields(second)), "serving"); !ok {
		t.Errorf("%s was planned otherwise: %v", at, ModelDifferences(second, first))
	}
}

// Configuration is a configuration as Terraform has it: without the attributes that none can set.
func Configuration(config rules.Serving) definition.Value {
	written := Fields(config)
	for name := range computedOnly {
		written[name] = tftypes.NewValue(written[name].Type(), nil)
	}
	return object(written)
}

// Fields returns the attributes of a serving as Terraform has them.
func Fields(m rules.Serving) map[string]tftypes.Value {
	return maps.Clone(definition.FieldsOf(m.Value()))
}

func object(fields map[string]tftypes.Value) tftypes.Value {
	types := map[string]tftypes.Type{}
	for name, value := range fields {
		types[name] = value.Type()
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: types}, fields)
}

// rulesOf are the rules of the attributes of an object.
func rulesOf(kind tftypes.Type) map[string]definitiontest.Rule {
	if elements, ok := kind.(tftypes.Map); ok {
		kind = elements.ElementType
	}
	object, ok := kind.(tftypes.Object)
	if !ok {
		return nil
	}
	found := map[string]definitiontest.Rule{}
	for name, kind := range object.AttributeTypes {
		found[name] = definitiontest.Rule{Computed: !notComputed[name], WriteOnly: name == rules.AttrConfigWO, Attributes: rulesOf(kind)}
	}
	return found
}
