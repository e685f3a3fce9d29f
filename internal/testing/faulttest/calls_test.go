package faulttest_test

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// panics ends the program when a call of the protocol fails, which is a mistake in the test.
type panics struct{}

func (panics) Helper() {}

func (panics) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

// calls makes the calls for a resource type, to the provider of a block.
func (w *walk) calls(provider, typeName string) *protocol.Resource {
	return w.servers[provider].Resource(panics{}, typeName)
}

// upgrade upgrades the stored state of an object.
func (w *walk) upgrade(address string, from *object) (protocol.State, bool) {
	r := w.calls(from.provider, from.typeName)
	upgraded := r.Upgrade(panics{}, from.Value)
	if !w.report(address, upgraded.Diagnostics) {
		return protocol.State{}, false
	}
	return protocol.State{Value: protocol.Decode(r.Kind, upgraded.UpgradedState), Private: from.Private, Identity: from.Identity}, true
}

// refresh reads a resource; nil means that it does not exist.
func (w *walk) refresh(address string) (*object, bool) {
	old := w.state[address]
	if old == nil {
		return nil, true
	}
	upgraded, ok := w.upgrade(address, old)
	if !ok {
		return old, false
	}
	read, state := w.calls(old.provider, old.typeName).Read(panics{}, upgraded)
	if !w.report(address, read.Diagnostics) {
		return old, false
	}
	fresh := *old
	fresh.State = state
	switch {
	case fresh.Value.IsNull():
		return nil, true
	case !fresh.Value.IsFullyKnown():
		w.reportProviderFault(address, "the refreshed state has unknown values")
		return old, false
	}
	return &fresh, true
}

// planOne validates and plans a resource of the configuration.
func (w *walk) planOne(r *resource, prior *object) (*change, bool) {
	calls, config := w.calls(r.provider, r.typeName), w.config(r)
	if !w.report(r.address, calls.Validate(panics{}, config).Diagnostics) {
		return nil, false
	}
	c := &change{action: actionCreate, resource: r}
	before := calls.None()
	switch {
	case prior != nil && prior.tainted:
		// Terraform plans a tainted object as a create, and then as a
		// replacement.
		c.action = actionReplace
	case prior != nil:
		c.action, before = actionUpdate, prior.State
	}
	c.plan, c.planned = calls.Plan(panics{}, config, before)
	if !w.report(r.address, c.plan.Diagnostics) {
		return nil, false
	}
	switch {
	case before.Value.IsNull():
	case calls.Replaces(c.plan, before):
		c.action = actionReplace
		c.plan, c.planned = calls.PlanReplacement(panics{}, config, c.plan)
		return c, w.report(r.address, c.plan.Diagnostics)
	case c.planned.Equal(before.Value):
		c.action = actionNone
	}
	return c, true
}

func (w *walk) planDelete(address string, prior *object) (*change, bool) {
	if prior == nil {
		return &change{action: actionNone}, true
	}
	calls := w.calls(prior.provider, prior.typeName)
	none := calls.None().Value
	plan, _ := calls.Plan(panics{}, none, prior.State)
	return &change{action: actionDelete, planned: none}, w.report(address, plan.Diagnostics)
}

// config is the configuration of a resource, with the values that are known by now.
func (w *walk) config(r *resource) tftypes.Value {
	w.mu.Lock()
	defer w.mu.Unlock()
	return protocol.Value(w.calls(r.provider, r.typeName).Kind, r.config(func(address, attribute string) any {
		value, found := protocol.Fields(w.known[address])[attribute]
		if !found {
			return protocol.Unknown{}
		}
		return value
	}))
}

// applyOne creates or updates a resource, after another plan with the values that are known by now.
func (w *walk) applyOne(address string, planned *change) bool {
	if w.isStopped() {
		return false
	}
	w.terraform.mu.Lock()
	prior := w.state[address]
	w.terraform.mu.Unlock()
	if prior != nil {
		if _, ok := w.upgrade(address, prior); !ok {
			return false
		}
	}
	if w.applying != nil {
		w.applying(planned.resource)
	}
	c, ok := w.planOne(planned.resource, prior)
	if !ok {
		return false
	}
	want := planned.action
	if want == actionReplace {
		want = actionCreate // the delete is done
	}
	if c.action != want && (want != actionUpdate || c.action != actionNone) {
		w.reportProviderFault(address, "the planned action was %s and is now %s", planned.action, c.action)
		return false
	}
	if where, ok := definitiontest.Conforms(planned.planned, c.planned, address); !ok {
		w.reportProviderFault(address, "inconsistent final plan at %s", where)
		return false
	}
	if c.action == actionNone {
		w.learn(address, c.planned)
		return true
	}
	return w.applyChange(address, c, prior)
}

func (w *walk) applyChange(address string, c *change, prior *object) bool {
	calls := w.calls(c.resource.provider, c.resource.typeName)
	before := calls.None()
	if prior != nil {
		before = prior.State
	}
	applied := calls.Change(panics{}, w.config(c.resource), before, c.plan)
	ok := w.report(address, applied.Diagnostics)
	next := &object{
		typeName: c.resource.typeName, provider: c.resource.provider, after: c.resource.after,
		State: protocol.State{Value: protocol.Decode(calls.Kind, applied.NewState), Private: applied.Private, Identity: applied.NewIdentity},
	}
	if !next.Value.IsFullyKnown() {
		w.reportProviderFault(address, "the new state has unknown values")
		return false
	}
	switch {
	case !ok && next.Value.IsNull():
		return false // the prior state is kept, if any
	case !ok:
		next.tainted = prior == nil
	case next.Value.IsNull():
		w.reportProviderFault(address, "no state after a successful apply")
		return false
	default:
		var where string
		if where, ok = definitiontest.Conforms(c.planned, next.Value, address); !ok {
			w.reportProviderFault(address, "%s differs from the plan", where)
		}
	}
	w.terraform.mu.Lock()
	w.state[address] = next
	w.terraform.mu.Unlock()
	w.learn(address, next.Value)
	if ok && w.done != nil {
		w.done(address, next, false)
	}
	return ok
}

func (w *walk) applyDelete(address string) bool {
	if w.isStopped() {
		return false
	}
	w.terraform.mu.Lock()
	prior := w.state[address]
	w.terraform.mu.Unlock()
	upgraded, ok := w.upgrade(address, prior)
	if !ok {
		return false
	}
	applied := w.calls(prior.provider, prior.typeName).Destroy(panics{}, upgraded)
	if !w.report(address, applied.Diagnostics) {
		return false
	}
	w.terraform.mu.Lock()
	delete(w.state, address)
	w.terraform.mu.Unlock()
	if w.done != nil {
		w.done(address, prior, true)
	}
	return true
}

func (w *walk) learn(address string, value tftypes.Value) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known[address] = value
}
