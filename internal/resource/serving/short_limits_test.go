package serving_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestShortLimits: the plan of an update that replaces pods warns of limits after which
// an update whose start was not observed fails, and the error of such an update does not
// say that the serving does not run.
func TestShortLimits(t *testing.T) {
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{Timing: sandbox.QuickTiming()})
	l := newLive(t, e, e.AppImage()).set(attrs{"serving_input_config": "{}"})
	l.mustApply()
	first, next := l.of, attrs{"serving_input_config": `{"model":2}`}
	short := with(next, attrs{"timeouts": attrs{"update": "2s"}, "progress_deadline": "1m"})
	for name, test := range map[string]struct {
		changes attrs
		warns   int
	}{
		"short limits":              {short, 2},
		"limits that are enough":    {with(next, attrs{"timeouts": attrs{"update": "2m"}, "progress_deadline": "90s"}), 0},
		"no limits":                 {next, 0},
		"pods that stay":            {with(short, attrs{"serving_input_config": "{}"}), 0},
		"short limits without wait": {with(short, attrs{"wait_for_rollout": false}), 0},
	} {
		l.of = first
		if said, _ := l.set(test.changes).plan(); strings.Count(said, "Time limit shorter than an update may need") != test.warns {
			t.Errorf("%s: %s", name, said)
		}
	}
	l.of = first
	many, warned := l.run(), 0
	for i := range 50 {
		id := fmt.Sprintf("many-%d", i/2) // an apply plans each a second time
		config := protocol.Value(many.Kind, with(l.of, with(next, attrs{"serving_id": id})))
		response, _ := many.Plan(t, config, l.state.With(map[string]string{"serving_id": id, "id": id}))
		said := protocol.Messages(response.Diagnostics)
		if warned += strings.Count(said, "Many updates without kubernetes"); warned > 0 && i < 38 {
			t.Errorf("at %s: %s", id, said)
		}
	}
	if warned != 1 {
		t.Errorf("%d warnings of many updates", warned)
	}
	e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultLag, Path: "serving/update", Delay: time.Minute})
	said := l.set(short).try()
	says(t, "the update", said, "Serving was updated but no rollout was observed", "With kubernetes in the provider block", "1m30s")
	if strings.Contains(said, "does not run") && !strings.Contains(said, "As long as the serving does not run") {
		t.Errorf("it says that the serving does not run: %s", said)
	}
}
