package servingstatus

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// The text of a status is shown without the serving's secrets in the error, in
// the log and as progress.
func TestStatusIsMaskedForItsServing(t *testing.T) {
	inTime(t, func(t *testing.T) {
		const secret = "pl4nted-storage-key"
		status := detail(failed, pods("bob", 1, 1, 0, 1), pods(secret, 1, 1, 0, 1))
		status.Reason, status.Message = "Failed: "+secret, "cannot use "+secret
		var log bytes.Buffer
		var progress strings.Builder
		target := named("glm")
		target.Progress = func(text string) { progress.WriteString(text) }
		ctx := kuscia.WithMaskedText(tflogtest.RootLogger(t.Context(), &log), `{"key":"`+secret+`"}`)
		_, err := NewPoller(&fakeSource{status: always(status)}).WaitRunning(ctx, target)
		if err == nil || !strings.Contains(err.Error(), "message: cannot use ***") || !strings.Contains(progress.String(), "***") || !strings.Contains(log.String(), "***") {
			t.Errorf("%v\n%s\n%s", err, progress.String(), log.String())
		}
		if text := err.Error() + log.String() + progress.String(); strings.Contains(text, secret) {
			t.Error(text)
		}
	})
}
