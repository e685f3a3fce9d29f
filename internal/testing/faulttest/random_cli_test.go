package faulttest_test

import (
	"encoding/json"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccRandomConfigurations is TestRandomConfigurations with the built
// provider and the real CLI, with saved plans and import blocks.
func TestAccRandomConfigurations(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestRandomConfigurations"))
	t.Parallel()
	eachSeed(t, 1, 10, func(t *testing.T, seed uint64) {
		w := newCLI(t)
		w.environment = append(w.environment, "TF_LOG=off")
		g := generator{mathrand.New(mathrand.NewPCG(seed, 0))}
		b := newTestbed(t, sandbox.Options{Autonomy: "alice"})
		before := b.serverObjects()
		first := g.fullConfig(nil)
		w.checkApplySaved(t, b, first)
		// Null and an empty value are stored as they are written, and nothing is sent.
		w.write(b.terraform.providerBlock, g.respellAll(first).resources())
		b.server.ResetRequests()
		w.must(t, "apply", "-auto-approve")
		if sent := b.writes(); len(sent) > 0 {
			t.Errorf("an equivalent encoding is a change: %v", sent)
		}
		w.must(t, "plan", "-detailed-exitcode")
		second := g.fullConfig(first)
		w.checkApplySaved(t, b, second)

		other := newCLI(t)
		other.environment = append(other.environment, "TF_LOG=off")
		other.write(b.terraform.providerBlock, second.resources())
		other.importAll(t, w.states(t, "show", "-json"))
		unread := false
		for address, actions := range other.planned(t) {
			isUpdate := slices.Equal(actions, []string{"update"})
			if !isUpdate && !slices.Equal(actions, []string{"no-op"}) {
				t.Errorf("the plan of an import is to %v %s %v", actions, address, second[address].config)
			}
			unread = unread || isUpdate && hasUnreadAttributes(second[address].config)
		}
		b.server.ResetRequests()
		other.must(t, "apply", "saved.plan")
		if sent := b.writes(); len(sent) > 0 && !unread {
			t.Errorf("after an import the apply sends %v", sent)
		}
		other.must(t, "plan", "-detailed-exitcode")
		other.must(t, "destroy", "-auto-approve")
		if after := b.serverObjects(); after != before {
			t.Errorf("objects on the server after destroy: %s, want those of the start: %s", after, before)
		}
	})
}

// checkApplySaved applies a configuration by a saved plan, and requires the next plan
// to be empty.
func (c *cli) checkApplySaved(t *testing.T, b *testbed, config generatedConfig) {
	t.Helper()
	c.write(b.terraform.providerBlock, config.resources())
	c.must(t, "plan", "-out=saved.plan")
	c.must(t, "apply", "saved.plan")
	c.must(t, "plan", "-detailed-exitcode")
}

// stateOrPlan are the parts of a state or a plan in JSON that the test uses.
type stateOrPlan struct {
	Values struct {
		Root struct {
			Resources []struct {
				Address string
				Values  struct{ ID string }
			}
		} `json:"root_module"`
	}
	Changes []struct {
		Address string
		Change  struct{ Actions []string }
	} `json:"resource_changes"`
}

func (c *cli) states(t *testing.T, args ...string) (found stateOrPlan) {
	t.Helper()
	command := c.command(t, args...)
	output, err := command.Output() // without the warnings
	must(err)
	must(json.Unmarshal(output, &found))
	return found
}

// importAll writes import blocks for every object in a state.
func (c *cli) importAll(t *testing.T, from stateOrPlan) {
	t.Helper()
	var blocks []any
	for _, one := range from.Values.Root.Resources {
		blocks = append(blocks, attrs{"to": one.Address, "id": one.Values.ID})
	}
	if len(blocks) == 0 {
		t.Fatal("no object to import")
	}
	text, err := json.Marshal(attrs{"import": blocks})
	must(err)
	must(os.WriteFile(filepath.Join(c.dir, "import.tf.json"), text, 0o600))
}

// planned saves a plan and returns the actions by address.
func (c *cli) planned(t *testing.T) map[string][]string {
	t.Helper()
	c.must(t, "plan", "-out=saved.plan")
	actions := map[string][]string{}
	for _, one := range c.states(t, "show", "-json", "saved.plan").Changes {
		actions[one.Address] = one.Change.Actions
	}
	return actions
}
