package faulttest_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// TestUpdateAmongWriters updates a serving through the provider while seven
// other clients keep writing to it, on a server where that causes conflicts: the same
// configuration with other white space, which is a change for Kuscia and none for
// Terraform. Every update succeeds.
func TestUpdateAmongWriters(t *testing.T) {
	t.Parallel()
	b := newTestbed(t, sandbox.Options{WriteWindow: 3 * time.Millisecond})
	b.terraform.providerBlock["max_retries"] = 10 // on a busy machine an update loses often against seven others
	of := func(replicas int) configuration {
		return configuration{images: []imageSpec{{name: "app", tag: "1"}}, servings: []servingSpec{
			// With the other writers, a rollout never completes.
			duo("contested").with(func(s *servingSpec) { s.parties[0].replicas, s.noWait = replicas, replicas > 1 }),
		}, timeout: "1m"}
	}
	b.checkConverges(t, of(1))
	stop := make(chan struct{})
	var others sync.WaitGroup
	config := of(1).servings[0].inputConfig()
	for writer := range 7 {
		client, err := kuscia.New(kuscia.Config{Endpoint: b.endpoint, MaxRetries: 5})
		must(err)
		others.Go(func() {
			took := time.Duration(0)
			for round := 0; ; round++ {
				select {
				case <-stop:
					return
				// On a busy machine a write takes longer, and would leave the provider no gap.
				case <-time.After(max(10*time.Millisecond, 4*took)):
				}
				began := time.Now()
				spaces := strings.Repeat(" ", 1+writer+7*(round%5))
				if err := client.UpdateServing(t.Context(), &kuscia.UpdateServingRequest{ServingID: "contested", ServingInputConfig: config + spaces}); err != nil {
					t.Errorf("writer %d: %v", writer, err)
				}
				took = time.Since(began)
			}
		})
	}
	for replicas := 2; replicas <= 6; replicas++ {
		if o := b.apply(t, of(replicas)); !o.ok() || o.changes() != "update kuscia_serving.contested" {
			t.Errorf("to %d replicas: %s: %s", replicas, o.changes(), o.text())
		}
	}
	close(stop)
	others.Wait()
	if !slices.ContainsFunc(b.server.Requests(), func(r sandbox.Request) bool { return operationOf(r) == "serving/update" && r.Code != 0 }) {
		t.Error("there was no conflict, so this proves nothing")
	}
	b.checkConverges(t, of(6))
}

// TestParallelCreates runs eight applies that create the same serving, all with
// the same content or each with its own: exactly one succeeds and the errors of
// the others explain how to import it.
func TestParallelCreates(t *testing.T) {
	t.Parallel()
	for content, differs := range map[string]bool{"same content": false, "other content": true} {
		t.Run(content, func(t *testing.T) {
			t.Parallel()
			b := newTestbed(t, sandbox.Options{WriteWindow: 5 * time.Millisecond})
			b.checkConverges(t, configuration{images: []imageSpec{{name: "app", tag: "1"}}})
			var outcomes [8]*outcome
			var terraforms [8]*terraform
			desired := func(run int) configuration {
				s := duo("contested")
				if differs {
					s.model = string(rune('a' + run))
				}
				return configuration{servings: []servingSpec{s}, timeout: "1m"}
			}
			var all sync.WaitGroup
			for run := range outcomes {
				terraforms[run] = newTerraform(b.terraform.providerBlock)
				all.Go(func() { outcomes[run] = terraforms[run].apply(desired(run).resources()...) })
			}
			all.Wait()
			var won []int
			for run, o := range outcomes {
				if o.ok() {
					won = append(won, run)
				} else if len(terraforms[run].state) > 0 || !strings.Contains(o.text(), "terraform import kuscia_serving.NAME contested") {
					t.Errorf("run %d failed with the state %v and the error %s", run, terraforms[run].state, o.text())
				}
			}
			if len(won) != 1 {
				t.Fatalf("the runs %v succeeded", won)
			}
			if difference := desired(won[0]).difference(b, servingAddress("contested")); difference != "" {
				t.Errorf("the serving differs from that of run %d: %s", won[0], difference)
			}
			if o, _ := terraforms[won[0]].plan(desired(won[0]).resources()...); !o.ok() || o.changes() != "" {
				t.Errorf("the next plan of the successful run: %s %s", o.changes(), o.text())
			}
		})
	}
}
