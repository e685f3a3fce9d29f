package serving_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

func (l *live) scale(domain string, replicas int32) {
	l.t.Helper()
	err := l.env.API.UpdateServing(l.t.Context(), &kuscia.UpdateServingRequest{ServingID: l.id(), Parties: []kuscia.ServingParty{{DomainID: domain, Replicas: &replicas}}})
	if err != nil {
		l.t.Fatal(err)
	}
}

// TestChangedSincePlan: a change by another client after the plan is reported before anything is
// sent or awaited, unless the plan overwrites it anyway.
func TestChangedSincePlan(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	image := e.AppImage()
	l := newLive(t, e, image)
	l.of["parties"] = attrs{"alice": attrs{"app_image": image}, "bob": attrs{"app_image": image}}
	l.mustApply()
	plan := l.alice(attrs{"replicas": 2}).save()
	l.scale("bob", 3)
	requests := e.CountRequests()
	says(t, "the apply", l.change(plan), "ERROR", "was changed after the plan", "replicas of party bob/ (3, planned: 1)")
	acctest.CheckNoWrites(t, "the refused apply", requests)
	l.mustRead()
	plan = l.save()
	l.scale("bob", 1)
	l.scale("alice", 3)
	if said := l.change(plan); strings.Contains(said, "ERROR") {
		t.Error(said)
	}
	if said, differs := l.plan(); differs {
		t.Errorf("the next plan is not empty: %s", said)
	}
}

// TestChangedSinceRetryWasPlanned: an apply that sends nothing and waits does not wait for a change
// by another client since the plan.
func TestChangedSinceRetryWasPlanned(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	l := newLive(t, e, e.AppImage())
	l.mustApply()
	l.alice(attrs{"app_image": e.AppImage(broken)}).set(attrs{"timeouts": attrs{"update": short(e)}})
	says(t, "the update", l.try(), "ERROR", "was updated but does not run")
	l.mustRead()
	plan := l.save()
	l.scale("alice", 3)
	says(t, "the apply", l.change(plan), "ERROR", "was changed after the plan", "(3, planned: 1)")
	l.mustRead()
	planned, _ := l.planned(l.run())
	if !planned.At("parties", "alice", "replicas").Equal(tftypes.NewValue(tftypes.Number, 1)) || l.complete(l.state) != "false" || planned.At("rollout_complete").Equal(l.state.At("rollout_complete")) {
		t.Errorf("the next plan is\n%s", planned.Value)
	}
}

func (l *live) complete(state interface {
	At(names ...string) tftypes.Value
}) string {
	value, complete := state.At("rollout_complete"), false
	if value.IsNull() {
		return "null"
	}
	if err := value.As(&complete); err != nil {
		l.t.Fatal(err)
	}
	return fmt.Sprint(complete)
}

// TestWaitTurnedOn: rollout_complete is null without a wait, whose applies return at once and do
// not query the status; turning the wait on for a serving that does not run fails, again and again.
func TestWaitTurnedOn(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	l := newLive(t, e, e.AppImage(broken)).set(attrs{"wait_for_rollout": false, "timeouts": attrs{"update": short(e)}})
	requests := e.CountRequests()
	if said := l.try(); said != "" || l.complete(l.state) != "null" {
		t.Fatalf("%s, %s", l.complete(l.state), said)
	}
	sandboxtest.Eventually(t, "the endpoints", func() bool { // a controller that lags sets them only later
		l.mustRead()
		return l.state.Text("create_time") != "" && len(protocol.Fields(l.state.At("endpoints"))) == 2
	})
	if said := l.alice(attrs{"replicas": 2}).mustApply(); said != "" || l.complete(l.state) != "null" {
		t.Errorf("%s, %s", l.complete(l.state), said)
	}
	if err := requests.ExpectNone(acctest.PathServingStatus)(nil); err != nil {
		t.Error(err)
	}
	l.set(attrs{"wait_for_rollout": nil})
	for range 2 {
		says(t, "the apply", l.try(), "ERROR", "does not run")
		l.mustRead()
	}
	l.alice(attrs{"app_image": e.AppImage()}).set(attrs{"timeouts": nil}).mustApply()
	for wait, complete := range map[any]string{false: "null", nil: "true"} {
		if l.set(attrs{"wait_for_rollout": wait}).mustApply(); l.complete(l.state) != complete {
			t.Errorf("wait %v: rollout_complete is %s", wait, l.complete(l.state))
		}
	}
}

// TestDeleteTimesOut: a serving that remains listed is an error and stays in the state.
func TestDeleteTimesOut(t *testing.T) {
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{})
	l := newLive(t, e, e.AppImage()).set(attrs{"timeouts": attrs{"delete": "1s"}})
	l.mustApply()
	e.Sandbox.Inject(sandbox.Fault{
		Kind: sandbox.FaultBody, Path: acctest.PathServingStatus, Times: sandbox.Always,
		Body: fmt.Sprintf(`{"status": {"code": 0, "message": "success"}, "data": {"servings": [{"serving_id": %q, "status": null}]}}`, l.id()),
	})
	kept, said := l.run().Delete(t, l.state)
	if says(t, "the delete", said, "ERROR", "is still listed after its deletion"); kept.Value.IsNull() {
		t.Error("it is not in the state")
	}
}

// TestProgressDeadline: a rollout that makes no progress ends before its timeout.
func TestProgressDeadline(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	l := newLive(t, e, e.AppImage()).set(attrs{"progress_deadline": "4s"})
	l.mustApply()
	says(t, "the update", l.alice(attrs{"app_image": e.AppImage(broken)}).try(), "ERROR", "was updated but does not run")
}

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
