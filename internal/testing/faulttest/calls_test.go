package faulttest_test

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

func typeOf(typeName string) tftypes.Type { return schema().ResourceSchemas[typeName].ValueType() }

func null(of tftypes.Type) tftypes.Value { return tftypes.NewValue(of, nil) }

// upgrade upgrades the stored state of an object.
func (w *walk) upgrade(address string, from *object) (tftypes.Value, bool) {
	upgraded, err := w.server.UpgradeResourceState(w.ctx, &tfprotov6.UpgradeResourceStateRequest{
		TypeName: from.typeName, Version: schema().ResourceSchemas[from.typeName].Version, RawState: &tfprotov6.RawState{JSON: protocol.JSON(from.value)},
	})
	must(err)
	if !w.report(address, upgraded.Diagnostics) {
		return tftypes.Value{}, false
	}
	return protocol.Decode(typeOf(from.typeName), upgraded.UpgradedState), true
}

// refresh reads a resource; nil means that it does not exist.
func (w *walk) refresh(address string) (*object, bool) {
	old := w.state[address]
	if old == nil {
		return nil, true
	}
	value, ok := w.upgrade(address, old)
	if !ok {
		return old, false
	}
	w.beforeCall("ReadResource", address)
	of := typeOf(old.typeName)
	read, err := w.server.ReadResource(w.ctx, &tfprotov6.ReadResourceRequest{
		TypeName: old.typeName, CurrentState: protocol.Encode(value), Private: old.private, CurrentIdentity: old.identity,
	})
	must(err)
	if !w.report(address, read.Diagnostics) {
		return old, false
	}
	fresh := *old
	fresh.value, fresh.private, fresh.identity = protocol.Decode(of, read.NewState), read.Private, read.NewIdentity
	switch {
	case fresh.value.IsNull():
		return nil, true
	case !fresh.value.IsFullyKnown():
		w.reportProviderFault(address, "the refreshed state has unknown values")
		return old, false
	}
	return &fresh, true
}

// planOne validates and plans a resource of the configuration.
func (w *walk) planOne(r *resource, prior *object) (*change, bool) {
	of := typeOf(r.typeName)
	config := w.config(r)
	validated, err := w.server.ValidateResourceConfig(w.ctx, &tfprotov6.ValidateResourceConfigRequest{
		TypeName: r.typeName, Config: protocol.Encode(config), ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
	})
	must(err)
	if !w.report(r.address, validated.Diagnostics) {
		return nil, false
	}
	c := &change{action: actionCreate, resource: r}
	before := null(of)
	var private []byte
	var identity *tfprotov6.ResourceIdentityData
	switch {
	case prior != nil && prior.tainted:
		// Terraform plans a tainted object as a create, and then as a
		// replacement.
		c.action = actionReplace
	case prior != nil:
		c.action, before, private, identity = actionUpdate, prior.value, prior.private, prior.identity
	}
	replaces, ok := w.planChange(c, config, before, private, identity)
	if !ok {
		return nil, false
	}
	if prior == nil || prior.tainted {
		return c, true
	}
	for _, path := range replaces {
		if !samePart(path, before, c.planned) {
			c.action = actionReplace
			_, ok = w.planChange(c, config, null(of), nil, nil)
			return c, ok
		}
	}
	if c.planned.Equal(before) {
		c.action = actionNone
	}
	return c, true
}

func (w *walk) planChange(c *change, config, before tftypes.Value, private []byte, identity *tfprotov6.ResourceIdentityData) ([]*tftypes.AttributePath, bool) {
	of := config.Type()
	planned, err := w.server.PlanResourceChange(w.ctx, &tfprotov6.PlanResourceChangeRequest{
		TypeName: c.resource.typeName, PriorState: protocol.Encode(before), Config: protocol.Encode(config),
		ProposedNewState: protocol.Encode(protocol.Proposed(schema().ResourceSchemas[c.resource.typeName].Block.Attributes, before, config)),
		PriorPrivate:     private, PriorIdentity: identity,
	})
	must(err)
	if !w.report(c.resource.address, planned.Diagnostics) {
		return nil, false
	}
	c.planned, c.private = protocol.Decode(of, planned.PlannedState), planned.PlannedPrivate
	return planned.RequiresReplace, true
}

func (w *walk) planDelete(address string, prior *object) (*change, bool) {
	of := typeOf(prior.typeName)
	planned, err := w.server.PlanResourceChange(w.ctx, &tfprotov6.PlanResourceChangeRequest{
		TypeName: prior.typeName, PriorState: protocol.Encode(prior.value), Config: protocol.Encode(null(of)), ProposedNewState: protocol.Encode(null(of)),
		PriorPrivate: prior.private, PriorIdentity: prior.identity,
	})
	must(err)
	return &change{action: actionDelete, planned: null(of)}, w.report(address, planned.Diagnostics)
}

// config is the configuration of a resource, with the values of other resources
// that are known by now.
func (w *walk) config(r *resource) tftypes.Value {
	w.mu.Lock()
	defer w.mu.Unlock()
	return protocol.Value(typeOf(r.typeName), r.config(func(address, attribute string) any {
		value, found := protocol.Fields(w.known[address])[attribute]
		if !found {
			return protocol.Unknown{}
		}
		return value
	}))
}

func samePart(path *tftypes.AttributePath, a, b tftypes.Value) bool {
	x, _, errX := tftypes.WalkAttributePath(a, path)
	y, _, errY := tftypes.WalkAttributePath(b, path)
	if errX != nil || errY != nil {
		return errX != nil && errY != nil
	}
	left, ok := x.(tftypes.Value)
	right, alike := y.(tftypes.Value)
	return ok && alike && left.Equal(right)
}

// applyOne creates or updates a resource, after another plan with the values
// that are known by now.
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
	of := typeOf(c.resource.typeName)
	before := null(of)
	if prior != nil {
		before = prior.value
	}
	w.beforeCall("ApplyResourceChange", address)
	applied, err := w.server.ApplyResourceChange(w.ctx, &tfprotov6.ApplyResourceChangeRequest{
		TypeName: c.resource.typeName, PriorState: protocol.Encode(before), PlannedState: protocol.Encode(c.planned), Config: protocol.Encode(w.config(c.resource)),
		PlannedPrivate: c.private, PlannedIdentity: identityOf(prior),
	})
	must(err)
	ok := w.report(address, applied.Diagnostics)
	next := &object{
		typeName: c.resource.typeName, after: c.resource.after, private: applied.Private, identity: applied.NewIdentity,
		value: protocol.Decode(of, applied.NewState),
	}
	if !next.value.IsFullyKnown() {
		w.reportProviderFault(address, "the new state has unknown values")
		return false
	}
	switch {
	case !ok && next.value.IsNull():
		return false // the prior state is kept, if any
	case !ok:
		next.tainted = prior == nil
	case next.value.IsNull():
		w.reportProviderFault(address, "no state after a successful apply")
		return false
	default:
		var where string
		if where, ok = definitiontest.Conforms(c.planned, next.value, address); !ok {
			w.reportProviderFault(address, "%s differs from the plan", where)
		}
	}
	w.terraform.mu.Lock()
	w.state[address] = next
	w.terraform.mu.Unlock()
	w.learn(address, next.value)
	if ok && w.done != nil {
		w.done(address, next, false)
	}
	return ok
}

func identityOf(prior *object) *tfprotov6.ResourceIdentityData {
	if prior == nil {
		return nil
	}
	return prior.identity
}

func (w *walk) applyDelete(address string) bool {
	if w.isStopped() {
		return false
	}
	w.terraform.mu.Lock()
	prior := w.state[address]
	w.terraform.mu.Unlock()
	value, ok := w.upgrade(address, prior)
	if !ok {
		return false
	}
	of := typeOf(prior.typeName)
	w.beforeCall("ApplyResourceChange", address)
	applied, err := w.server.ApplyResourceChange(w.ctx, &tfprotov6.ApplyResourceChangeRequest{
		TypeName: prior.typeName, PriorState: protocol.Encode(value), PlannedState: protocol.Encode(null(of)), Config: protocol.Encode(null(of)),
		PlannedPrivate: prior.private, PlannedIdentity: prior.identity,
	})
	must(err)
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
