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

// putServing creates a serving outside of Terraform.
func putServing(t *testing.T, server *sandbox.Sandbox, s servingSpec) {
	t.Helper()
	request := kuscia.CreateServingRequest{
		ServingID: s.id, Initiator: s.parties[0].domain, ServingInputConfig: s.inputConfig(), AffinityMode: kuscia.AntiAffinity,
	}
	for _, p := range s.parties {
		replicas := int32(p.replicas)
		request.Parties = append(request.Parties, kuscia.ServingParty{DomainID: p.domain, Role: p.role, AppImage: p.image, Replicas: &replicas})
	}
	if err := server.PutServing(request); err != nil {
		t.Fatal(err)
	}
}

// TestTakenID creates a serving and an app image whose ids exist, with the same
// and with other content, with an error response and with a lost response, with
// and without adopt_existing. Objects of other clients are not changed, and the
// error explains how to import them. An object with the same content counts as
// created after a lost response, and is adopted with adopt_existing.
func TestTakenID(t *testing.T) {
	t.Parallel()
	ours := configuration{images: []imageSpec{{name: "app", tag: "1"}}, servings: []servingSpec{duo("taken")}}
	theirs := map[string]configuration{
		"same content": ours,
		"other content": {
			images:   []imageSpec{{name: "app", tag: "2"}},
			servings: []servingSpec{duo("taken").with(func(s *servingSpec) { s.model = "b" })},
		},
	}
	for content, there := range theirs {
		for answer, fault := range map[string]sandbox.Fault{
			"clean answer": {Kind: sandbox.FaultLatency},
			"lost answer":  {Kind: sandbox.FaultReset},
		} {
			for _, adopt := range []bool{false, true} {
				adopted := content == "same content" && (adopt || answer == "lost answer")
				name := fmt.Sprintf("%s/%s/adopt_existing=%t", content, answer, adopt)
				t.Run("serving/"+name, func(t *testing.T) {
					t.Parallel()
					b := newTestbed(t, sandbox.Options{})
					b.terraform.providerBlock["adopt_existing"] = adopt
					image := configuration{images: ours.images}
					b.checkConverges(t, image)
					putServing(t, b.server, there.servings[0])
					fault := fault // a copy for this test
					fault.Path, fault.Times = "serving/create", sandbox.Always
					b.server.Inject(fault)
					b.outcomeOfTaken(t, ours, servingAddress("taken"), adopted, "terraform import kuscia_serving.NAME taken")
					for _, difference := range there.servings[0].differences(b.server) {
						t.Errorf("the serving of another client was changed: %s", difference)
					}
				})
				t.Run("app image/"+name, func(t *testing.T) {
					t.Parallel()
					b := newTestbed(t, sandbox.Options{})
					b.terraform.providerBlock["adopt_existing"] = adopt
					maker := newTerraform(b.terraform.providerBlock)
					image := configuration{images: there.images}
					if o := maker.apply(image.resources()...); !o.ok() {
						t.Fatal(o.text())
					}
					fault := fault // a copy for this test
					fault.Path, fault.Times = "appimage/create", sandbox.Always
					b.server.Inject(fault)
					b.outcomeOfTaken(t, configuration{images: ours.images}, imageAddress("app"), adopted, "terraform import kuscia_app_image.NAME app")
					for _, difference := range there.images[0].differences(b.server) {
						t.Errorf("the app image of another client was changed: %s", difference)
					}
				})
			}
		}
	}
}

// outcomeOfTaken applies a configuration with an id that exists.
func (b *testbed) outcomeOfTaken(t *testing.T, c configuration, address string, adopted bool, help string) {
	t.Helper()
	o := b.apply(t, c.within("10s"))
	switch {
	case adopted && (!o.ok() || b.terraform.state[address] == nil):
		t.Errorf("not adopted: %s", o.text())
	case adopted:
		b.server.ClearFaults()
		b.checkConverges(t, c)
	case o.ok() || b.terraform.state[address] != nil:
		t.Errorf("%s is in the state although it belongs to another client", address)
	case !strings.Contains(o.text(), help):
		t.Errorf("the error does not contain %q:\n%s", help, o.text())
	}
	b.checkNoSecrets(t, o.text())
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
			image := configuration{images: []imageSpec{{name: "app", tag: "1"}}}
			b.checkConverges(t, image)

			const runs = 8
			var outcomes [runs]*outcome
			var terraforms [runs]*terraform
			desired := func(run int) configuration {
				s := duo("contested")
				if differs {
					s.model = string(rune('a' + run))
				}
				return configuration{servings: []servingSpec{s}, timeout: "1m"}
			}
			var all sync.WaitGroup
			for run := range runs {
				terraforms[run] = newTerraform(b.terraform.providerBlock)
				all.Go(func() { outcomes[run] = terraforms[run].apply(desired(run).resources()...) })
			}
			all.Wait()

			won := -1
			for run, o := range outcomes {
				switch {
				case o.ok() && won >= 0:
					t.Errorf("runs %d and %d both succeeded", won, run)
				case o.ok():
					won = run
				case len(terraforms[run].state) > 0:
					t.Errorf("run %d failed and has the serving in its state", run)
				case !strings.Contains(o.text(), "terraform import kuscia_serving.NAME contested"):
					t.Errorf("the error of run %d does not explain the import: %s", run, o.text())
				}
			}
			if won < 0 {
				t.Fatalf("all runs failed: %s", outcomes[0].text())
			}
			for _, difference := range desired(won).servings[0].differences(b.server) {
				t.Errorf("the serving differs from that of run %d: %s", won, difference)
			}
			if o, _ := terraforms[won].plan(desired(won).resources()...); !o.ok() || o.changes() != "" {
				t.Errorf("the next plan of the successful run: %s %s", o.changes(), o.text())
			}
		})
	}
}
