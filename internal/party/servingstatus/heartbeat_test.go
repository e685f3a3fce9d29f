package servingstatus

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// unlisted is the status of a serving that is not listed.
var unlisted = &kuscia.ServingStatusDetail{}

type step struct {
	until  time.Duration
	status *kuscia.ServingStatusDetail
}

func play(began time.Time, steps ...step) func(string) (*kuscia.ServingStatusDetail, bool) {
	return func(string) (*kuscia.ServingStatusDetail, bool) {
		for _, s := range steps[:len(steps)-1] {
			if time.Since(began) < s.until {
				return s.status, s.status != unlisted
			}
		}
		last := steps[len(steps)-1].status
		return last, last != unlisted
	}
}

// TestHeartbeat: while nothing changes, also while a request hangs, the log has a line with the
// missing condition at least every 30 s.
func TestHeartbeat(t *testing.T) {
	waiting := withReason("Unschedulable", 0)
	for name, test := range map[string]struct {
		source *fakeSource
		says   []string
	}{
		"unschedulable": {&fakeSource{status: always(waiting)}, []string{"serving glm: waiting until it runs: for ", "party alice has pods that are not available for ", "Unschedulable", "No node of that party"}},
		"no response":   {&fakeSource{status: always(nil), takes: time.Hour}, []string{"no response yet"}},
	} {
		inTime(t, func(t *testing.T) {
			var output bytes.Buffer
			ctx, cancel := context.WithTimeout(tflogtest.RootLogger(t.Context(), &output), 5*time.Minute)
			defer cancel()
			_, _ = NewPoller(test.source).WaitRunning(ctx, named("glm"))
			lines, err := tflogtest.MultilineJSONDecode(&output)
			if err != nil || len(lines) < 8 || len(lines) > 12 {
				t.Fatalf("%s: %d lines in 5 minutes, %v", name, len(lines), err)
			}
			last := fmt.Sprint(lines[len(lines)-1]["@message"])
			protocol.Says(t, name, last, test.says...)
		})
	}
}
