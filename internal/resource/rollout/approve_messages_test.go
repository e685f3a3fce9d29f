package rollout_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/rollout"
)

// TestMessageWithoutStatus: the progress of a wait in which no poll has succeeded says
// so.
func TestMessageWithoutStatus(t *testing.T) {
	t.Parallel()
	if message := rollout.MessageWithoutStatus(); message != "no status yet (10s)" {
		t.Errorf("the message is %q", message)
	}
}
