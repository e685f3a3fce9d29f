package serving_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// waits returns a timeouts block with a time limit of an update.
func waits(update string) string { return fmt.Sprintf("{ update = %q }", update) }

// showsUnfinished checks that a plan waits for a rollout and changes nothing
// else.
func showsUnfinished(t *testing.T, e *acctest.Env, plan string) {
	t.Helper()
	if !strings.Contains(plan, "0 to add, 1 to change, 0 to destroy") {
		t.Errorf("the plan is more than one update:\n%s", plan)
	}
	var changed []string
	for _, found := range regexp.MustCompile(`(?m)^      [~+-] .*$`).FindAllString(plan, -1) {
		// OpenTofu lists a write-only attribute in every update.
		if line := strings.Join(strings.Fields(found), " "); !strings.HasSuffix(line, "= (write-only attribute)") {
			changed = append(changed, line)
		}
	}
	if want := "~ rollout_complete = " + unfinished(e); len(changed) != 1 || changed[0] != want {
		t.Errorf("the plan changes %q, want %q:\n%s", changed, want, plan)
	}
}

// unfinished is how a plan shows an unfinished rollout: in a cluster a Rollout
// can pause what the apply waits for.
func unfinished(e *acctest.Env) string {
	if e.Sandbox == nil && acctest.RealCluster() {
		return "false -> (known after apply)"
	}
	return "false -> true"
}

// TestAccServing_rolloutRetried: an apply that fails fails again as long as the
// serving does not run, sends nothing, and the plan in between shows the reason.
func TestAccServing_rolloutRetried(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	e := newEnv(t)
	image, bad := e.AppImage(), e.AppImage(broken)
	good := alone(e, "test", image).with(func(s *servingHCL) { s.timeouts = waits("30s") })
	stuck := good.with(func(s *servingHCL) {
		s.parties[0].image = quote(bad)
		s.timeouts = waits(short(e))
	})
	w := e.Applied(t, good.String())
	w.Plan(acctest.PlanEmpty)
	w.Write("main.tf", stuck.String())
	if output := w.Run(1, "apply", "-auto-approve", "-input=false"); !strings.Contains(acctest.Plain(output), "was updated but does not run") {
		t.Errorf("the failure is\n%s", output)
	}
	forgetRequests(e)()
	for range 2 {
		showsUnfinished(t, e, w.Plan(acctest.PlanDiffers))
		showsUnfinished(t, e, w.Run(acctest.PlanDiffers, "plan", "-detailed-exitcode", "-input=false", "-refresh=false"))
		output := acctest.Plain(w.Run(1, "apply", "-auto-approve", "-input=false"))
		if !strings.Contains(output, "does not run") || !strings.Contains(output, "Nothing was sent") {
			t.Errorf("the failure of the retry is\n%s", output)
		}
	}
	if err := expectSent(e, acctest.PathServingUpdate, good.servingID())(nil); err != nil {
		t.Error(err)
	}
	w.Write("main.tf", good.String())
	w.Apply()
	w.Plan(acctest.PlanEmpty)
}

// TestAccServing_rolloutHealed: a rollout that continues after its apply timed
// out is complete with the next refresh.
func TestAccServing_rolloutHealed(t *testing.T) {
	acctest.SkipShort(t, acctest.LongWait)
	e := newEnv(t)
	e.RequireSandbox(t, "the rollout is held")
	s := alone(e, "test", e.AppImage()).with(func(s *servingHCL) { s.timeouts = waits("3s"); s.parties[0].replicas = "2" })
	other := e.AppImage(func(i *kuscia.AppImage) { i.Image.Tag = "0.3.0b0" })
	w := e.Applied(t, s.String())
	hold := func(on bool) {
		if err := e.Sandbox.PauseRollout(s.servingID(), on); err != nil {
			t.Fatal(err)
		}
	}
	hold(true)
	w.Write("main.tf", s.with(func(s *servingHCL) { s.parties[0].image = quote(other) }).String())
	w.Run(1, "apply", "-auto-approve", "-input=false")
	showsUnfinished(t, e, w.Plan(acctest.PlanDiffers))
	hold(false)
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if err := e.Sandbox.PodsRun(s.servingID()); err == nil {
			break
		} else if time.Now().After(end) {
			t.Fatal(err)
		}
	}
	w.Plan(acctest.PlanEmpty)
	w.Run(0, "apply", "-refresh-only", "-auto-approve", "-input=false")
	w.Run(acctest.PlanEmpty, "plan", "-detailed-exitcode", "-input=false", "-refresh=false")
}

// TestAccServing_rolloutByOthers: an update by another client, or by an apply
// that was killed, is complete only after it was observed, although the status
// of the old pods is as specified.
func TestAccServing_rolloutByOthers(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	e := lagging(t, 8*time.Second)
	s := alone(e, "test", e.AppImage())
	other := e.AppImage(func(i *kuscia.AppImage) { i.Image.Tag = "0.3.0b0" })
	w := e.Applied(t, s.String())
	e.Do(func(ctx context.Context, api *kuscia.Client) error {
		return api.UpdateServing(ctx, &kuscia.UpdateServingRequest{ServingID: s.servingID(), Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: other}}})
	})()
	w.Write("main.tf", s.with(func(s *servingHCL) { s.parties[0].image = quote(other) }).String())
	showsUnfinished(t, e, w.Plan(acctest.PlanDiffers))
	w.Apply()
	if err := e.Sandbox.PodsRun(s.servingID()); err != nil {
		t.Error(err)
	}
	w.Plan(acctest.PlanEmpty)
}

// TestAccServing_waitTurnedOn: rollout_complete is null without a wait, and
// turning the wait on for a serving that does not run fails.
func TestAccServing_waitTurnedOn(t *testing.T) {
	acctest.SkipShort(t, acctest.LongWait)
	e := newEnv(t)
	s := alone(e, "test", e.AppImage(broken)).with(func(s *servingHCL) {
		s.wait, s.timeouts = "false", waits(short(e))
	})
	complete := func(value knownvalue.Check) []statecheck.StateCheck {
		return []statecheck.StateCheck{statecheck.ExpectKnownValue(testServing, tfjsonpath.New("rollout_complete"), value)}
	}
	waiting := s.with(func(s *servingHCL) { s.wait = "" }).String()
	runs := alone(e, "test", e.AppImage())
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             deleted(e, []servingHCL{s}),
		Steps: []resource.TestStep{
			{Config: s.String(), ConfigStateChecks: complete(knownvalue.Null())},
			{Config: waiting, ExpectError: regexp.MustCompile(wrapped("does not run"))},
			{Config: waiting, ExpectError: regexp.MustCompile(wrapped("does not run"))},
			{Config: runs.String(), ConfigStateChecks: complete(knownvalue.Bool(true))},
			{Config: runs.with(func(s *servingHCL) { s.wait = "false" }).String(), ConfigStateChecks: complete(knownvalue.Null())},
			{Config: runs.String(), ConfigStateChecks: complete(knownvalue.Bool(true)),
				ConfigPlanChecks: preApply(expectChanges(testServing, "wait_for_rollout", "rollout_complete"))},
		},
	})
}

// TestAccServing_changedSincePlan: a change by another client after the plan is
// reported before anything is sent or awaited, unless the plan overwrites it
// anyway.
func TestAccServing_changedSincePlan(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestChangedSincePlan"))
	e := newEnv(t)
	image := e.AppImage()
	s := alone(e, "test", image).with(func(s *servingHCL) {
		s.parties = append(s.parties, partyHCL{domain: `"bob"`, image: quote(image)})
	})
	scale := func(domain string, replicas int32) {
		e.Do(func(ctx context.Context, api *kuscia.Client) error {
			return api.UpdateServing(ctx, &kuscia.UpdateServingRequest{ServingID: s.servingID(), Parties: []kuscia.ServingParty{{DomainID: domain, Replicas: &replicas}}})
		})()
	}
	w := e.Applied(t, s.String())
	more := s.with(func(s *servingHCL) { s.parties[0].replicas = "2" })
	w.Write("main.tf", more.String())
	w.Run(0, "plan", "-out=saved", "-input=false")
	scale("bob", 3)
	forgetRequests(e)()
	output := acctest.Plain(w.Run(1, "apply", "-input=false", "saved"))
	if !strings.Contains(output, "was changed after the plan") || !strings.Contains(output, "replicas of party bob/ (3, planned: 1)") {
		t.Errorf("the error is\n%s", output)
	}
	if err := expectSent(e, acctest.PathServingUpdate, s.servingID())(nil); err != nil {
		t.Error(err)
	}
	w.Run(0, "plan", "-out=saved", "-input=false")
	scale("bob", 1)
	scale("alice", 3)
	w.Run(0, "apply", "-input=false", "saved")
	w.Plan(acctest.PlanEmpty)
}

// TestAccServing_changedSinceRetryWasPlanned: an apply that sends nothing and
// waits does not wait for a change by another client since the plan.
func TestAccServing_changedSinceRetryWasPlanned(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestChangedSincePlan"))
	e := newEnv(t)
	s := alone(e, "test", e.AppImage())
	w := e.Applied(t, s.String())
	bad := e.AppImage(broken)
	stuck := s.with(func(s *servingHCL) {
		s.parties[0].image = quote(bad)
		s.timeouts = waits(short(e))
	})
	w.Write("main.tf", stuck.String())
	w.Run(1, "apply", "-auto-approve", "-input=false")
	w.Run(0, "plan", "-out=saved", "-input=false")
	e.Do(func(ctx context.Context, api *kuscia.Client) error {
		replicas := int32(3)
		return api.UpdateServing(ctx, &kuscia.UpdateServingRequest{ServingID: s.servingID(), Parties: []kuscia.ServingParty{{DomainID: "alice", Replicas: &replicas}}})
	})()
	output := acctest.Plain(w.Run(1, "apply", "-input=false", "saved"))
	if !strings.Contains(output, "was changed after the plan") || !strings.Contains(output, "(3, planned: 1)") {
		t.Errorf("the error is\n%s", output)
	}
	if plan := w.Plan(acctest.PlanDiffers); !strings.Contains(plan, "3 -> 1") || !strings.Contains(plan, "= "+unfinished(e)) {
		t.Errorf("the next plan is\n%s", plan)
	}
}

// TestAccServing_progressDeadline: a rollout that makes no progress ends before
// its timeout.
func TestAccServing_progressDeadline(t *testing.T) {
	acctest.SkipShort(t, acctest.LongWait)
	e := newEnv(t)
	image, bad := e.AppImage(), e.AppImage(broken)
	s := alone(e, "test", image)
	stuck := s.with(func(s *servingHCL) { s.parties[0].image = quote(bad); s.deadline = `"4s"` })
	invalid := func(text string) resource.TestStep {
		return resource.TestStep{
			Config:      s.with(func(s *servingHCL) { s.deadline = quote(text) }).String(),
			ExpectError: regexp.MustCompile(wrapped("Invalid time limit")), PlanOnly: true,
		}
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             deleted(e, []servingHCL{s}),
		Steps: []resource.TestStep{
			invalid("20"), invalid("-5m"), invalid("0s"), invalid("soon"),
			{Config: s.String()},
			{Config: stuck.String(), ExpectError: regexp.MustCompile(`(?s)was\s+updated\s+but\s+does\s+not\s+run`)},
			{
				Config:           s.with(func(s *servingHCL) { s.deadline = `"1m"` }).String(),
				ConfigPlanChecks: preApply(expectChanges(testServing, "parties.alice.app_image", "parties.alice.image", "progress_deadline", "rollout_complete")),
			},
			{
				Config:           s.String(),
				ConfigPlanChecks: preApply(plancheck.ExpectResourceAction(testServing, plancheck.ResourceActionUpdate), expectChanges(testServing, "progress_deadline")),
			},
		},
	})
}

// TestAccServing_namedInOutput: the lines of the CLI name the serving.
func TestAccServing_namedInOutput(t *testing.T) {
	e := newEnv(t)
	s := alone(e, "test", e.AppImage())
	w := e.Applied(t, s.String())
	if output, line := w.Plan(acctest.PlanEmpty), fmt.Sprintf("Refreshing state... [id=%s]", s.servingID()); !strings.Contains(output, line) {
		t.Errorf("no %q in\n%s", line, output)
	}
}
