package faulttest_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// eight is a serving with eight parties.
func eight() servingSpec {
	s := servingSpec{id: "contested", model: "a"}
	for i := range 8 {
		s.parties = append(s.parties, partySpec{domain: []string{"alice", "bob"}[i%2], role: fmt.Sprintf("r%d", i), image: "app", replicas: 1})
	}
	return s
}

func newClient(t *testing.T, server *sandbox.Sandbox) *kuscia.Client {
	t.Helper()
	client, err := kuscia.New(kuscia.Config{Endpoint: server.Endpoint(), MaxRetries: 5})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// TestEightWriters: eight clients write to one serving at the same time, on a
// server where that causes conflicts. Every update is applied.
func TestEightWriters(t *testing.T) {
	t.Parallel()
	b := newTestbed(t, sandbox.Options{WriteWindow: 3 * time.Millisecond})
	c := configuration{images: []imageSpec{{name: "app", tag: "1"}}, servings: []servingSpec{eight()}}
	b.checkConverges(t, c)
	var all sync.WaitGroup
	for _, p := range c.servings[0].parties {
		client := newClient(t, b.server)
		all.Go(func() {
			for replicas := int32(2); replicas <= 6; replicas++ {
				err := client.UpdateServing(t.Context(), &kuscia.UpdateServingRequest{
					ServingID: "contested", Parties: []kuscia.ServingParty{{DomainID: p.domain, Role: p.role, Replicas: &replicas}},
				})
				if err != nil {
					t.Errorf("%s: %v", p.role, err)
				}
			}
		})
	}
	all.Wait()
	want := eight().with(func(s *servingSpec) {
		for i := range s.parties {
			s.parties[i].replicas = 6
		}
	})
	for _, difference := range want.differences(b.server) {
		t.Error(difference)
	}
	conflicts := 0
	for _, request := range b.server.Requests() {
		if request.Op == "/api/v1/serving/update" && request.Code != 0 {
			conflicts++
		}
	}
	t.Logf("40 updates met %d conflicts", conflicts)
	if conflicts == 0 {
		t.Error("there was no conflict, so this proves nothing")
	}
}

// TestUpdateAmongWriters updates a serving through the provider while seven
// other clients keep writing to it: the same configuration with other white
// space, which is a change for Kuscia and none for Terraform.
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
		client := newClient(t, b.server)
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
	b.checkConverges(t, of(6))
}
