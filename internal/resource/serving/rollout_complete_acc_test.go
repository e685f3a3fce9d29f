package serving_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

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
	if err := expectSent(e, good.servingID())(nil); err != nil {
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

// TestAccServing_namedInOutput: the lines of the CLI name the serving.
func TestAccServing_namedInOutput(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	e := newEnv(t)
	s := alone(e, "test", e.AppImage())
	w := e.Applied(t, s.String())
	if output, line := w.Plan(acctest.PlanEmpty), fmt.Sprintf("Refreshing state... [id=%s]", s.servingID()); !strings.Contains(output, line) {
		t.Errorf("no %q in\n%s", line, output)
	}
}
