package serving_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
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
	if err := e.Sandbox.PutAppImage(kuscia.AppImage{
		Name: "app", Image: kuscia.AppImageInfo{Name: "example.com/app", Tag: "1"},
		DeployTemplates: []kuscia.DeployTemplate{{Name: "t", Replicas: 1, Containers: []kuscia.Container{{Name: "main"}}}},
	}); err != nil {
		t.Fatal(err)
	}
	r := e.Server(nil).Resource(t, "kuscia_serving")
	config := func(model, replicas string, limits protocol.Object) protocol.Object {
		o := protocol.Object{
			"serving_id": "s", "initiator": "alice", "serving_input_config": `{"model": ` + model + `}`,
			"parties": protocol.Object{"alice": protocol.Object{"app_image": "app", "replicas": len(replicas)}},
		}
		for name, value := range limits {
			o[name] = value
		}
		return o
	}
	state := r.Create(t, protocol.Value(r.Kind, config("1", "1", nil)))
	short := protocol.Object{"timeouts": protocol.Object{"update": "2s"}, "progress_deadline": "1m"}
	for name, test := range map[string]struct {
		config protocol.Object
		warns  int
	}{
		"short limits":              {config("2", "1", short), 2},
		"limits that are enough":    {config("2", "1", protocol.Object{"timeouts": protocol.Object{"update": "2m"}, "progress_deadline": "90s"}), 0},
		"no limits":                 {config("2", "1", nil), 0},
		"pods that stay":            {config("1", "11", short), 0},
		"short limits without wait": {config("2", "1", protocol.Object{"wait_for_rollout": false, "timeouts": protocol.Object{"update": "2s"}}), 0},
	} {
		response, _ := r.Plan(t, protocol.Value(r.Kind, test.config), state)
		if said := protocol.Messages(response.Diagnostics); strings.Count(said, "Time limit shorter than an update may need") != test.warns {
			t.Errorf("%s: %s", name, said)
		}
	}
	newRun, warned := e.Server(nil).Resource(t, "kuscia_serving"), 0
	for i := range 50 {
		id := fmt.Sprintf("many-%d", i/2) // an apply plans each a second time
		other := config("2", "1", nil)
		other["serving_id"] = id
		response, _ := newRun.Plan(t, protocol.Value(r.Kind, other), state.With(map[string]string{"serving_id": id, "id": id}))
		said := protocol.Messages(response.Diagnostics)
		if warned += strings.Count(said, "Many updates without kubernetes"); warned > 0 && i < 38 {
			t.Errorf("at %s: %s", id, said)
		}
	}
	if warned != 1 {
		t.Errorf("%d warnings of many updates", warned)
	}
	e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultLag, Path: "serving/update", Delay: time.Minute})
	_, said := r.Apply(t, protocol.Value(r.Kind, config("2", "1", short)), state)
	for _, part := range []string{"Serving was updated but no rollout was observed", "With kubernetes in the provider block", "1m30s"} {
		if !strings.Contains(said, part) {
			t.Errorf("it does not say %q: %s", part, said)
		}
	}
	if strings.Contains(said, "does not run") && !strings.Contains(said, "As long as the serving does not run") {
		t.Errorf("it says that the serving does not run: %s", said)
	}
}
