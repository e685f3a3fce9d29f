package rollout_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// The resource types of a workspace.
const (
	deploymentType, routingType   = "kuscia_deployment", "kuscia_traffic_routing"
	rolloutType, approvalTypeName = "kuscia_rollout", "kuscia_rollout_approval"
)

// applyOrder is the order in which a workspace creates its resources, as with depends_on; it
// destroys them in the reverse order.
var applyOrder = []string{deploymentType, routingType, rolloutType, approvalTypeName}

// configuration has the resources of a workspace, at most one of a type.
type configuration map[string]protocol.Object

// with returns the configuration with another resource; nil removes it.
func (c configuration) with(typeName string, of protocol.Object) configuration {
	out := maps.Clone(c)
	if out[typeName] = of; of == nil {
		delete(out, typeName)
	}
	return out
}

// workspace does over the plugin protocol what the CLI does in a directory: each plan and
// each apply has a provider of its own.
type workspace struct {
	t crudtest.TB
	k *acctest.Kube
	// config was applied last.
	config  configuration
	states  map[string]protocol.State
	tainted map[string]bool
	// killAfter is the time after which the next apply is interrupted, 0 for never.
	killAfter time.Duration
}

// plannedChange is a change of a plan.
type plannedChange struct {
	config   tftypes.Value
	prior    protocol.State
	planned  tftypes.Value
	replaces bool
}

// outcome is what a plan or an apply has said, by resource type.
type outcome struct {
	said map[string]string
	// planFailed is set if nothing was applied.
	planFailed bool
	// skipped are the changes that an interrupted apply has not begun.
	skipped []string
}

func (o outcome) add(typeName string, diagnostics []*tfprotov6.Diagnostic) (failed bool) {
	if text := protocol.Messages(diagnostics); text != "" {
		o.said[typeName] += text + "\n"
	}
	return protocol.Failed(diagnostics)
}

// failed returns the resource types that were not applied without an error.
func (o outcome) failed() (types []string) {
	for _, name := range applyOrder {
		if strings.Contains(o.said[name], "ERROR") || slices.Contains(o.skipped, name) {
			types = append(types, name)
		}
	}
	return types
}

// run is a new process of the provider.
func (w *workspace) run() map[string]*protocol.Resource {
	w.t.Helper()
	served, err := acctest.Factories(w.k.Variables())["kuscia"]()
	if err != nil {
		w.t.Fatal(err)
	}
	server, types := protocol.NewServer(w.t, served).Configure(w.t, nil), map[string]*protocol.Resource{}
	for _, name := range applyOrder {
		types[name] = server.Resource(w.t, name)
	}
	return types
}

func (w *workspace) state(r *protocol.Resource) protocol.State {
	if state, has := w.states[r.Type]; has {
		return state
	}
	return r.None()
}

// plan refreshes and plans a configuration.
func (w *workspace) plan(config configuration) (map[string]plannedChange, outcome) {
	w.t.Helper()
	types, changes, out := w.run(), map[string]plannedChange{}, outcome{said: map[string]string{}}
	for _, name := range applyOrder {
		r := types[name]
		value := r.None().Value
		if of, has := config[name]; has {
			value = protocol.Value(r.Kind, of)
			out.planFailed = out.add(name, r.Validate(w.t, value).Diagnostics) || out.planFailed
		}
		prior := w.state(r)
		if !prior.Value.IsNull() {
			var read *tfprotov6.ReadResourceResponse
			read, prior = r.Read(w.t, prior)
			out.planFailed = out.add(name, read.Diagnostics) || out.planFailed
		}
		if out.planFailed || value.IsNull() && prior.Value.IsNull() {
			changes[name] = plannedChange{value, prior, value, false}
			continue
		}
		change, diagnostics := w.planOne(r, value, prior)
		out.planFailed = out.add(name, diagnostics) || out.planFailed
		changes[name] = change
	}
	return changes, out
}

// planOne plans the change of one resource, with the create of a replacement.
func (w *workspace) planOne(r *protocol.Resource, config tftypes.Value, prior protocol.State) (plannedChange, []*tfprotov6.Diagnostic) {
	w.t.Helper()
	if w.tainted[r.Type] && !prior.Value.IsNull() && !config.IsNull() {
		response, planned := r.Plan(w.t, config, r.None())
		return plannedChange{config, prior, planned, true}, response.Diagnostics
	}
	response, planned := r.Plan(w.t, config, prior)
	if config.IsNull() || !r.Replaces(response, prior) {
		return plannedChange{config, prior, planned, false}, response.Diagnostics
	}
	second, planned := r.PlanReplacement(w.t, config, response)
	return plannedChange{config, prior, planned, true}, append(response.Diagnostics, second.Diagnostics...)
}

// apply plans and applies a configuration.
func (w *workspace) apply(config configuration) outcome {
	w.t.Helper()
	changes, out := w.plan(config)
	if out.planFailed {
		return out
	}
	types := w.run()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if w.killAfter > 0 {
		defer time.AfterFunc(w.killAfter, cancel).Stop()
	}
	types[deploymentType].Server.Context = ctx // of all types
	begins := func(name string) bool {
		if ctx.Err() != nil {
			out.skipped = append(out.skipped, name)
		}
		return ctx.Err() == nil
	}
	for name, change := range changes {
		w.keep(name, change.prior)
	}
	backwards := slices.Clone(applyOrder)
	slices.Reverse(backwards)
	for _, name := range backwards {
		if change, has := changes[name]; has && change.config.IsNull() && !change.prior.Value.IsNull() && begins(name) {
			w.destroy(types[name], change.prior, out)
		}
	}
	for _, name := range applyOrder {
		if change, has := changes[name]; has && !change.config.IsNull() && (change.replaces || !change.planned.Equal(change.prior.Value)) && begins(name) {
			w.change(types[name], change, out)
		}
	}
	return out
}

// keep stores a state.
func (w *workspace) keep(typeName string, state protocol.State) {
	if w.states[typeName] = state; state.Value.IsNull() {
		delete(w.states, typeName)
		delete(w.tainted, typeName)
	}
}

func (w *workspace) destroy(r *protocol.Resource, prior protocol.State, out outcome) (gone bool) {
	w.t.Helper()
	made := r.Destroy(w.t, prior)
	out.add(r.Type, made.Diagnostics)
	after := protocol.State{Value: protocol.Decode(r.Kind, made.NewState), Private: made.Private, Identity: made.NewIdentity}
	if !protocol.Failed(made.Diagnostics) && !after.Value.IsNull() {
		w.t.Errorf("%s: a destroy without an error keeps the state", r.Type)
	}
	w.keep(r.Type, after)
	return after.Value.IsNull()
}

// change creates, updates or replaces one resource, and checks what the CLI checks.
func (w *workspace) change(r *protocol.Resource, change plannedChange, out outcome) {
	w.t.Helper()
	prior := change.prior
	if change.replaces {
		if !w.destroy(r, prior, out) {
			return
		}
		prior = r.None()
	}
	final, planned := r.Plan(w.t, change.config, prior)
	if out.add(r.Type, final.Diagnostics) {
		return
	}
	if at, ok := definitiontest.Conforms(change.planned, planned, r.Type); !ok {
		w.t.Errorf("inconsistent final plan at %s:\n%s\n%s", at, change.planned, planned)
	}
	made := r.Change(w.t, change.config, prior, final)
	failed := out.add(r.Type, made.Diagnostics)
	after := protocol.State{Value: protocol.Decode(r.Kind, made.NewState), Private: made.Private, Identity: made.NewIdentity}
	if at, ok := definitiontest.Conforms(planned, after.Value, r.Type); !ok && !failed {
		w.t.Errorf("inconsistent result after apply at %s:\n%s\n%s", at, planned, after.Value)
	}
	if !failed && !after.Value.IsFullyKnown() {
		w.t.Errorf("%s: unknown values after apply: %s", r.Type, after.Value)
	}
	w.keep(r.Type, after)
	if failed && prior.Value.IsNull() && !after.Value.IsNull() {
		w.tainted[r.Type] = true
	}
}

// differences returns the attributes that the plan of a configuration changes, by resource
// type; nil if it is empty. A rollout that is not complete, of which every plan shows that
// it is awaited, is none.
func (w *workspace) differences(config configuration) (changed map[string][]string, out outcome) {
	w.t.Helper()
	changes, out := w.plan(config)
	for name, change := range changes {
		before := protocol.Fields(change.prior.Value)
		var names []string
		switch {
		case change.replaces:
			names = []string{"replaced"}
		case change.prior.Value.IsNull() != change.planned.IsNull():
			names = []string{fmt.Sprintf("exists: %t", !change.planned.IsNull())}
		case !change.planned.IsNull():
			for attribute, value := range protocol.Fields(change.planned) {
				if !value.Equal(before[attribute]) && (attribute != "rollout_complete" || boolAt(change.prior, attribute)) {
					names = append(names, attribute)
				}
			}
		}
		if slices.Sort(names); len(names) > 0 {
			if changed == nil {
				changed = map[string][]string{}
			}
			changed[name] = names
		}
	}
	return changed, out
}

// imports replaces the state of a resource by the imported one.
func (w *workspace) imports(typeName, id string) {
	w.t.Helper()
	state, said := w.run()[typeName].Import(w.t, id)
	if state.Value.IsNull() {
		w.t.Errorf("the import of %s says %s", typeName, said)
	}
	w.keep(typeName, state)
}
