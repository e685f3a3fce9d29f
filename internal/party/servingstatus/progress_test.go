package servingstatus

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
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

func TestTable(t *testing.T) {
	status := detail(partial, pods("carol", 1, 1, 0, 1), pods("bob-with-a-long-name", 12, 10, 2, 11))
	status.PartyStatuses[1].Role = "server"
	target := Target{Parties: []PartyTarget{{DomainID: "bob-with-a-long-name", Role: "server", Replicas: 12}, {DomainID: "alice", Replicas: 2}}}
	want := `  DOMAIN                ROLE    STATE             DESIRED  UPDATED  AVAILABLE  UNAVAILABLE
  bob-with-a-long-name  server  PartialAvailable  12       11       10         2
  carol                 -       Available         -        1        1          0
  alice                 -       no status         2        -        -          -
`
	if got := partyTable(status, target); got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
}

// Progress is called once for each change.
func TestProgress(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		source := &fakeSource{status: func(string) (*kuscia.ServingStatusDetail, bool) {
			if time.Since(began) < 3*time.Second {
				return nil, true
			}
			return runs, true
		}}
		target := named("glm")
		var mu sync.Mutex
		var told []string
		target.Progress = func(text string) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, text)
		}
		if _, err := NewPoller(source).WaitRunning(t.Context(), target); err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		defer mu.Unlock()
		if want := []string{"no status yet", summary(runs)}; !slices.Equal(told, want) {
			t.Errorf("%q, want %q", told, want)
		}
	})
}
