package rollout_test

import (
	"encoding/json"
	"fmt"
	mathrand "math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestAccRandomSequences is TestRandomSequences with the real CLI, three sequences of it: each
// resource depends on those before it, so that a target has no effect.
func TestAccRandomSequences(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestRandomSequences"))
	acctest.CLI(t)
	t.Parallel()
	for range 3 {
		seed := mathrand.Int()
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			newSequences(t, func(w *workspace) commands {
				variables := w.k.Variables()
				variables["KUSCIA_ENDPOINT"], variables["KUSCIA_CERTS_DIR"] = w.e.Sandbox.Endpoint(), w.e.Sandbox.CertsDir()
				d := &directory{workspace: w, cli: acctest.NewWorkspace(t, acctest.Factories(variables))}
				d.cli.Write("main.tf", "\n")
				d.cli.Init()
				return d
			})(t, sequences.Example(seed))
		})
	}
}

// directory is a workspace of the real CLI.
type directory struct {
	*workspace

	cli *acctest.Workspace
}

const label = "it"

func (d *directory) write(config configuration) {
	d.t.Helper()
	text, after := "\n", []any{}
	for _, name := range applyOrder {
		if of, has := config[name]; has {
			text += acctest.Block(name, label, merge(of, protocol.Object{"depends_on": slices.Clone(after)}))
			after = append(after, acctest.Reference(name+"."+label))
		}
	}
	d.cli.Write("main.tf", text)
}

// try runs a command with JSON lines, and adds its diagnostics.
func (d *directory) try(out outcome, arguments ...string) (failed bool) {
	d.t.Helper()
	output, code := d.cli.Try(slices.Insert(arguments, 1, "-json", "-input=false")...)
	for line := range strings.Lines(output) {
		var message struct {
			Diagnostic struct{ Severity, Summary, Detail, Address string }
		}
		if json.Unmarshal([]byte(line), &message) != nil || message.Diagnostic.Summary == "" {
			continue
		}
		of := message.Diagnostic
		name, _, _ := strings.Cut(of.Address, ".")
		out.said[name] += strings.ToUpper(of.Severity) + ": " + of.Summary + ": " + of.Detail + "\n"
	}
	return code == 1
}

// show reads a state or a plan.
func (d *directory) show(into any, arguments ...string) {
	d.t.Helper()
	decoder := json.NewDecoder(strings.NewReader(d.cli.Run(0, append([]string{"show", "-json"}, arguments...)...)))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		d.t.Fatal(err)
	}
}

// targets implements commands: a target brings all that it depends on.
func (d *directory) targets([]string) []string { return nil }

// apply implements commands.
func (d *directory) apply(config configuration, _ ...string) outcome {
	d.t.Helper()
	d.write(config)
	out := outcome{said: map[string]string{}}
	if out.planFailed = d.try(out, "plan", "-out=saved"); out.planFailed {
		return out
	}
	d.try(out, "apply", "saved")
	d.read()
	if failed := out.failed(); len(failed) > 0 { // what depends on it is not changed
		for _, name := range applyOrder[slices.Index(applyOrder, failed[0])+1:] {
			if fmt.Sprint(config[name]) != fmt.Sprint(d.config[name]) {
				out.skipped = append(out.skipped, name)
			}
		}
	}
	return out
}

// read reads the state.
func (d *directory) read() {
	d.t.Helper()
	var state struct {
		Values struct {
			Root struct {
				Resources []struct {
					Type    string
					Values  protocol.Object
					Tainted bool
				}
			} `json:"root_module"`
		}
	}
	d.show(&state)
	clear(d.states)
	clear(d.tainted)
	types := d.run()
	for _, of := range state.Values.Root.Resources {
		d.states[of.Type] = protocol.State{Value: protocol.Value(types[of.Type].Kind, of.Values)}
		d.tainted[of.Type] = of.Tainted
	}
}

// differences implements commands.
func (d *directory) differences(config configuration) (changed map[string][]string, out outcome) {
	d.t.Helper()
	d.write(config)
	out = outcome{said: map[string]string{}}
	if out.planFailed = d.try(out, "plan", "-out=saved"); out.planFailed {
		return nil, out
	}
	var plan struct {
		Changes []struct {
			Type   string
			Change struct {
				Actions       []string
				Before, After protocol.Object
				Unknown       any `json:"after_unknown"`
			}
		} `json:"resource_changes"`
	}
	d.show(&plan, "saved")
	changed = map[string][]string{}
	for _, of := range plan.Changes {
		change := of.Change
		unknown, _ := change.Unknown.(protocol.Object)
		var names []string
		switch {
		case len(change.Actions) > 1:
			names = []string{"replaced"}
		case change.Before == nil || change.After == nil:
			names = []string{fmt.Sprintf("exists: %t", change.After != nil)}
		default:
			for name, before := range change.Before {
				isUnknown := unknown[name] == true
				if (isUnknown || !reflect.DeepEqual(before, change.After[name])) && (name != "rollout_complete" || before == true) {
					names = append(names, name)
				}
			}
		}
		if slices.Sort(names); len(names) > 0 {
			changed[of.Type] = names
		}
	}
	return changed, out
}

// imports implements commands.
func (d *directory) imports(typeName, id string) {
	d.t.Helper()
	address := typeName + "." + label
	d.write(d.config)
	d.cli.Run(0, "state", "rm", address)
	d.cli.Run(0, "import", "-input=false", address, id)
	d.read()
}
