package serving_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// podsRun checks the pods themselves, right after an apply.
func podsRun(e *acctest.Env, id string) resource.TestCheckFunc {
	return func(*terraform.State) error { return e.Sandbox.PodsRun(id) }
}

// lagging is a sandbox whose controllers do nothing for a while after each
// request that changes a serving.
func lagging(t *testing.T, lag time.Duration) *acctest.Env {
	t.Helper()
	requireAcc(t)
	t.Parallel()
	timing := sandbox.QuickTiming()
	timing.Start, timing.Lag = 500*time.Millisecond, lag
	return acctest.NewSandbox(t, sandbox.Options{Timing: timing})
}

// TestAccServing_laggingControlPlane: an apply ends when the new pods run, not
// while the status of the old ones is as specified.
func TestAccServing_laggingControlPlane(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestLaggingControlPlane"))
	e := lagging(t, 6*time.Second)
	first, second := e.AppImage(), e.AppImage(func(i *kuscia.AppImage) { i.Image.Tag = "0.3.0b0" })
	s := alone(e, "test", first).with(func(s *servingHCL) {
		s.config, s.triggers = `jsonencode({ model = 1 })`, `{ again = "0" }`
		s.parties[0].replicas = "2"
		s.parties = append(s.parties, partyHCL{domain: `"bob"`, image: quote(first), strategy: `{ type = "Recreate" }`, resources: full})
	})
	id := s.servingID()
	steps := []resource.TestStep{{Config: s.String(), Check: podsRun(e, id)}}
	for _, change := range []func(*servingHCL){
		func(s *servingHCL) { s.parties[0].image = quote(second) },
		func(s *servingHCL) { s.config = `jsonencode({ model = 2 })` },
		func(s *servingHCL) { s.triggers = `{ again = "1" }` },
		func(s *servingHCL) { s.parties[0].replicas = "1" },
	} {
		s = s.with(change)
		steps = append(steps, resource.TestStep{Config: s.String(), Check: podsRun(e, id)})
	}
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(), Steps: steps})
}

// TestAccServing_restartedControlPlane: the API server behind Kuscia is
// unreachable during an update of several servings, and requests that were
// accepted before are carried out later.
func TestAccServing_restartedControlPlane(t *testing.T) {
	acctest.SkipShort(t, acctest.LongWait)
	e := lagging(t, 12*time.Second)
	image := e.AppImage()
	var servings []servingHCL
	for i := range 8 {
		servings = append(servings, alone(e, fmt.Sprintf("test%d", i), image).with(func(s *servingHCL) { s.config = `jsonencode({ model = 1 })` }))
	}
	config := func() string {
		var parts []string
		for _, s := range servings {
			parts = append(parts, s.String())
		}
		return strings.Join(parts, "\n")
	}
	running := func() resource.TestCheckFunc {
		return func(*terraform.State) error {
			var problems []error
			for _, s := range servings {
				problems = append(problems, e.Sandbox.PodsRun(s.servingID()))
			}
			return errors.Join(problems...)
		}
	}
	first := config()
	for i := range servings {
		servings[i] = servings[i].with(func(s *servingHCL) { s.config = `jsonencode({ model = 2 })` })
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		Steps: []resource.TestStep{
			{Config: first, Check: running()},
			{
				PreConfig: func() {
					e.Sandbox.Inject(sandbox.Fault{
						Kind: sandbox.FaultCode, Path: acctest.PathServingStatus, Nth: 12, Times: 12,
						Message: "Get \"https://127.0.0.1:6443/apis\": dial tcp 127.0.0.1:6443: connect: connection refused",
					})
				},
				Config: config(), Check: running(),
			},
		},
	})
}

// TestAccServing_secondUpdateDuringTheLag: if the wait for an update ended
// before its rollout started, the next update, which replaces no pods itself,
// still waits for it.
func TestAccServing_secondUpdateDuringTheLag(t *testing.T) {
	acctest.SkipShort(t, acctest.LongWait)
	e := lagging(t, 12*time.Second)
	first, second := e.AppImage(), e.AppImage(func(i *kuscia.AppImage) { i.Image.Tag = "0.3.0b0" })
	s := alone(e, "test", first)
	given := s.with(func(s *servingHCL) { s.parties[0].image, s.timeouts = quote(second), `{ update = "2s" }` })
	next := given.with(func(s *servingHCL) {
		s.parties[0].strategy, s.timeouts = `{ type = "RollingUpdate", max_surge = "1", max_unavailable = "0" }`, ""
	})
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		Steps: []resource.TestStep{
			{Config: s.String(), Check: podsRun(e, s.servingID())},
			{Config: given.String(), ExpectError: regexp.MustCompile(`(?s)was updated but no rollout was observed.*` + wrapped("the start of the rollout of party alice was not observed"))},
			{Config: next.String(), Check: podsRun(e, s.servingID())},
		},
	})
}

// TestAccServing_refusedForAWhile: a gateway that refuses the status for some
// seconds ends no wait, and a new serving is not tainted.
func TestAccServing_refusedForAWhile(t *testing.T) {
	acctest.SkipShort(t, acctest.LongWait)
	e := newEnv(t)
	e.RequireSandbox(t, "the server is made to refuse")
	s := alone(e, "test", e.AppImage())
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             deleted(e, []servingHCL{s}),
		Steps: []resource.TestStep{{
			PreConfig: func() {
				for _, status := range []int{401, 403, 404} {
					e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultStatus, Path: acctest.PathServingStatus, Status: status})
				}
			},
			Config: s.String(),
		}},
	})
}

// TestAccServing_rolloutNotObserved: an update without a visible effect in Kuscia is
// awaited until even a lagging control plane would have started. Here the server
// keeps it from the Deployment, and the wait times out before that.
func TestAccServing_rolloutNotObserved(t *testing.T) {
	acctest.SkipShort(t, acctest.LongWait)
	e := lagging(t, 0)
	image := e.AppImage()
	s := alone(e, "test", image).with(func(s *servingHCL) { s.config = `jsonencode({ model = 1 })` })
	stuck := s.with(func(s *servingHCL) {
		s.config = `jsonencode({ model = 2 })`
		s.timeouts = `{ update = "5s" }`
	})
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		Steps: []resource.TestStep{
			{Config: s.String()},
			{
				PreConfig: func() {
					e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultLag, Path: acctest.PathServingUpdate, Delay: time.Minute})
				},
				Config:      stuck.String(),
				ExpectError: regexp.MustCompile(`(?s)was updated but no rollout was observed.*` + wrapped("the start of the rollout of party alice was not observed")),
			},
		},
	})
}

// TestAccServing_rolloutNotObservedWarns: an update without a visible effect in Kuscia for
// longer than any control plane lags ends with a warning that names the party.
func TestAccServing_rolloutNotObservedWarns(t *testing.T) {
	acctest.SkipShort(t, acctest.LongWait)
	e := lagging(t, 0)
	s := alone(e, "test", e.AppImage()).with(func(s *servingHCL) { s.config = `jsonencode({ model = 1 })` })
	w := e.Applied(t, s.String())
	e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultLag, Path: acctest.PathServingUpdate, Delay: time.Hour})
	w.Write("main.tf", s.with(func(s *servingHCL) { s.config = `jsonencode({ model = 2 })` }).String())
	began := time.Now()
	output := w.Run(0, "apply", "-auto-approve", "-input=false")
	if took := time.Since(began); took < 90*time.Second {
		t.Errorf("done after %s", took)
	}
	for _, text := range []string{"Warning: Rollout of serving was not observed to start", fmt.Sprintf("The update of serving %q replaces the pods of party alice", s.servingID())} {
		if !regexp.MustCompile(wrapped(text)).MatchString(output) {
			t.Errorf("%q is not in\n%s", text, output)
		}
	}
}
