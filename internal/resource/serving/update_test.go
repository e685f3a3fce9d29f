package serving

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// A rollout that was not observed is a warning that names the parties.
func TestWarnNotSeen(t *testing.T) {
	var diags diag.Diagnostics
	warnStartNotObserved(&diags, "glm", nil)
	if len(diags) != 0 {
		t.Error(diags)
	}
	warnStartNotObserved(&diags, "glm", []string{"alice", "bob (role server)"})
	if diags.HasError() || diags.WarningsCount() != 1 {
		t.Error(diags)
	}
}
