package servingtest

import (
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Outcome is the planned effect of a difference.
type Outcome string

// The outcomes.
const (
	NoOp    Outcome = "nothing"
	Update  Outcome = "update"
	Replace Outcome = "replace"
)

// Classify plans an update and checks what holds for every plan: it is legal, no
// effect means a plan that is identical to prior, and attributes that cannot
// change stay known.
func Classify(t rapid.TB, config, prior rules.Serving, private rules.Private, images party.ImageLookup) (Outcome, rules.Serving, []definition.Replacement) {
	t.Helper()
	planned, reasons := rules.PlanUpdate(config, prior, private, rules.KnownImages(images))
	planned = WithRollout(planned, prior, len(reasons) > 0 || rules.ReachesPods(planned, prior, private))
	CheckLegal(t, prior, config, planned)
	switch {
	case len(reasons) > 0:
		return Replace, planned, reasons
	case len(ModelDifferences(planned, prior)) > 0:
		if prior.CreateTime().ValueString() != "" && !planned.CreateTime().Equal(prior.CreateTime()) {
			t.Errorf("create_time becomes %s in the plan of an update", planned.CreateTime())
		}
		if len(prior.Endpoints().Elements()) > 0 && !planned.Endpoints().Equal(prior.Endpoints()) {
			t.Errorf("endpoints become %s in the plan of an update", planned.Endpoints())
		}
		return Update, planned, nil
	default:
		return NoOp, planned, nil
	}
}

// WithRollout returns a plan with the rollout_complete that the engine plans. rollsOut is set if
// the plan reaches the pods.
func WithRollout(planned, prior rules.Serving, rollsOut bool) rules.Serving {
	complete := definition.PlannedRollout(prior.Value(), planned.Value(), rollsOut, func() definition.Value { return definition.BoolValue(true) })
	return rules.Of(definition.WithRollout(planned.Value(), complete))
}
