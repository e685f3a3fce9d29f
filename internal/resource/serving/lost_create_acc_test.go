package serving_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccServing_lostCreateWithoutRefresh: a destroy without a refresh deletes a
// serving whose create has lost its response only if it is as configured.
func TestAccServing_lostCreateWithoutRefresh(t *testing.T) {
	requireAcc(t)
	t.Parallel()
	for name, ours := range map[string]bool{"ours": true, "somebody else's": false} {
		t.Run(name, func(t *testing.T) {
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
			output := acctest.Plain(w.Run(0, "destroy", "-no-color", "-auto-approve", "-input=false", "-refresh=false"))
			if strings.Contains(output, "was not deleted") == ours {
				t.Errorf("the destroy says %s", output)
			}
			if _, err := e.API.QueryServing(t.Context(), serving.servingID()); (err == nil) == ours {
				t.Errorf("after the destroy: %v", err)
			}
		})
	}
}
