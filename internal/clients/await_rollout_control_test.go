package clients

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// TestControlReport: what an update reports if its Rollout does not get control in time.
// Only the end of a release does not stop it: the update may be what ends it.
func TestControlReport(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		now     control
		stopped bool
		error   string
		warns   string
	}{
		"in control":                      {controlled, false, "", ""},
		"not bound":                       {control{state: "disabled"}, false, "is disabled, so the change would not be released step by step: all pods would get the new version at once. Nothing was sent", ""},
		"not bound, time limit":           {control{state: "disabled"}, true, "Nothing was sent", ""},
		"a release is ending":             {control{state: "rolling back", ending: true}, false, "", "still rolling back after 30s, and the update was sent nevertheless"},
		"a release is ending, time limit": {control{state: "rolling back", ending: true}, true, "is rolling back, and the time limit of the update has passed. Nothing was sent", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var diags diag.Diagnostics
			test.now.report(&diags, path.Root("parties"), "alice/app", test.stopped)
			text := ""
			for _, d := range diags {
				text += d.Detail()
			}
			if want := test.error + test.warns; diags.HasError() != (test.error != "") || (diags.WarningsCount() > 0) != (test.warns != "") || !strings.Contains(text, want) || (want == "") != (text == "") {
				t.Errorf("%v", diags)
			}
		})
	}
}
