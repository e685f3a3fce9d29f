package serving_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestRedeployActionRefused: a text that is not JSON is rejected and not shown.
func TestRedeployActionRefused(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	const secret = "plain text with a key"
	l := newLive(t, e, e.AppImage()).set(attrs{"serving_input_config": secret})
	l.mustApply()
	_, diagnostics := e.Server(nil).Invoke(t, "kuscia_serving_redeploy", attrs{"serving_id": l.id()})
	said := protocol.Messages(diagnostics)
	if says(t, "the action", said, "ERROR", "Configuration text is not JSON"); strings.Contains(said, secret) {
		t.Error(said)
	}
	if said, differs := l.plan(); differs {
		t.Errorf("the plan is not empty: %s", said)
	}
}
