package servingstatus

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// The log has one line for each change.
func TestProgressLines(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		pulling := detail(progress, pods("bob", 1, 1, 0, 1), pods("alice", 2, 0, 2, 2))
		pulling.Reason, pulling.Message = "domainID: alice, reason: ImagePullBackOff", "Back-off"
		source := &fakeSource{status: func(string) (*kuscia.ServingStatusDetail, bool) {
			switch since := time.Since(began); {
			case since < 3*time.Second:
				return nil, true
			case since < 9*time.Second:
				return pulling, true
			}
			return runs, true
		}}
		var output bytes.Buffer
		ctx := tflogtest.RootLogger(t.Context(), &output)
		if _, err := NewPoller(source).WaitRunning(ctx, named("glm")); err != nil {
			t.Fatal(err)
		}
		lines, err := tflogtest.MultilineJSONDecode(&output)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, line := range lines {
			if line["@level"] != "info" || line["serving_id"] != "glm" {
				t.Errorf("%v", line)
			}
			got = append(got, fmt.Sprint(line["@message"]))
		}
		want := []string{
			"serving glm: waiting until it runs: no status yet",
			"serving glm: waiting until it runs: Progressing (domainID: alice, reason: ImagePullBackOff), alice: 2 pods, 2 updated, 0 available, bob: 1 pods, 1 updated, 1 available. " + wait.PodHint("ImagePullBackOff"),
			"serving glm: waiting until it runs: Available, alice: 2 pods, 2 updated, 2 available, bob: 1 pods, 1 updated, 1 available",
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
	})
}
