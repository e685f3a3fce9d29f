package serving_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccServing_lostCreateWithoutRefresh: without a refresh, a destroy and a
// replacement delete a serving whose create has lost its response only if it is as
// configured.
func TestAccServing_lostCreateWithoutRefresh(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	requireAcc(t)
	t.Parallel()
	for name, ours := range map[string]bool{"ours": true, "somebody else's": false} {
		for _, command := range []string{"destroy", "apply"} {
			t.Run(name+", "+command, func(t *testing.T) {
				e := acctest.NewSandbox(t, sandbox.Options{})
				serving := alone(e, "test", e.AppImage()).with(func(s *servingHCL) { s.timeouts = `{ create = "2s" }` })
				w := e.Initialized(t, acctest.ProviderBlock(map[string]any{"max_retries": 0})+serving.String())
				e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultReset, Path: "serving/create", AfterEffect: true, Times: 1})
				e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultReset, Path: "serving/query", Times: sandbox.Always})
				w.Run(1, "apply", "-auto-approve", "-input=false")
				e.Sandbox.ClearFaults()
				if !ours {
					if err := e.Sandbox.MutateServing(serving.servingID(), func(s *sandbox.ServingSpec) { s.InputConfig = "theirs" }); err != nil {
						t.Fatal(err)
					}
				}
				requests := e.CountRequests()
				output, code := w.Try(command, "-no-color", "-auto-approve", "-input=false", "-refresh=false")
				if refused := !ours && command == "apply"; (code != 0) != refused {
					t.Errorf("exit code %d", code)
				}
				if output := acctest.Plain(output); strings.Contains(output, "was not deleted") == ours {
					t.Errorf("it says %s", output)
				}
				if deleted := requests.ExpectNone(acctest.PathServingDelete)(nil) != nil; deleted != ours {
					t.Errorf("the serving was deleted: %t", deleted)
				}
			})
		}
	}
}
