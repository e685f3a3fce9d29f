package rollout_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/rollout"
)

// TestStepFor covers the step in which the controller continues after a change of the
// steps, as its function recalculateCanaryStep: the current one, or else the first other
// one with enough pods, or else the last other one.
func TestStepFor(t *testing.T) {
	t.Parallel()
	steps := func(shares ...kruise.IntOrPercent) (out []kruise.Step) {
		for _, share := range shares {
			out = append(out, kruise.Step{Replicas: &share})
		}
		return out
	}
	for name, test := range map[string]struct {
		before, after []kruise.Step
		current, want int
	}{
		"more pods":                 {steps("25%", "100%"), steps("50%", "100%"), 1, 1},
		"fewer pods":                {steps("50%", "75%", "100%"), steps("25%", "75%", "100%"), 1, 2},
		"fewer pods everywhere":     {steps("75%", "100%"), steps("25%", "50%"), 1, 2},
		"fewer in the last step":    {steps("25%", "100%"), steps("25%", "50%"), 2, 1},
		"fewer, an earlier is more": {steps("25%", "50%", "75%"), steps("75%", "50%", "50%"), 3, 1},
		"the same number":           {steps("50%", "100%"), steps("2", "100%"), 1, 1},
	} {
		if got, certain := rollout.StepFor(test.before, test.after, test.current, 4, true); got != test.want || !certain {
			t.Errorf("%s: step %d, certain %t, want %d", name, got, certain, test.want)
		}
	}
}
