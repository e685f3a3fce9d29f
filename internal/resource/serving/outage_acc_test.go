package serving_test

import (
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccServing_outageInTheMiddle: the control plane is unreachable from the
// middle of an update until long after its apply has timed out. When it responds
// again, its controllers have done nothing yet, and the plan shows that the
// rollout is not complete, however long ago the update was.
func TestAccServing_outageInTheMiddle(t *testing.T) {
	acctest.SkipShort(t, acctest.LongWait)
	e := lagging(t, 0)
	s := alone(e, "test", e.AppImage()).with(func(s *servingHCL) {
		s.config, s.timeouts = `jsonencode({ model = 1 })`, waits("8s")
	})
	w := e.Applied(t, s.String())
	e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultLag, Path: acctest.PathServingUpdate, Delay: time.Hour})
	w.Write("main.tf", s.with(func(s *servingHCL) { s.config = `jsonencode({ model = 2 })` }).String())
	before := e.Sandbox.Count(acctest.PathServingUpdate)
	away := make(chan error, 1)
	go func() {
		for e.Sandbox.Count(acctest.PathServingUpdate) == before && t.Context().Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Second)
		away <- e.Sandbox.Pause()
	}()
	w.Run(1, "apply", "-auto-approve", "-input=false")
	if err := <-away; err != nil {
		t.Fatal(err)
	}
	time.Sleep(servingstatus.StartTimeout)
	if err := e.Sandbox.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	showsUnfinished(t, e, w.Plan(acctest.PlanDiffers))
}
