package domain_test

import (
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccDomain_refusedForAWhile: a gateway that rejects queries for some
// seconds ends neither the wait for the token of a new domain, which is not
// tainted, nor that of the ephemeral resource.
func TestAccDomain_refusedForAWhile(t *testing.T) {
	t.Parallel()
	acctest.RequireWriteOnly(t) // OpenTofu supports ephemeral values since the same version
	e := acctest.New(t)
	e.RequireSandbox(t, "the server is made to refuse")
	id := newID(e, "refused")
	refuse := func() {
		for _, status := range []int{401, 401, 403, 404} {
			e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultStatus, Path: pathQuery, Status: status})
		}
	}
	w := e.Initialized(t, config(id))
	w.DestroyAtEnd()
	refuse()
	w.Apply()
	w.Write("main.tf", config(id)+ephemeralToken(createdDomain, nil)+handOver)
	w.Run(0, "plan", "-input=false", "-out=plan.bin")
	refuse()
	w.Run(0, "apply", "-input=false", "plan.bin")
	if got := w.Read("token"); !slices.Contains(tokensOf(t, e, id), got) {
		t.Errorf("passed token %q", got)
	}
	w.Plan(acctest.PlanEmpty)
}
