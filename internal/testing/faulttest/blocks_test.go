package faulttest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
)

// blocks does a sequence of applies with a provider block for the master and one for a node.
type blocks struct {
	*federation

	t *rapid.T
	// desired is the configuration that is applied, and missing are the references of each resource
	// to what did not exist when it was applied.
	desired *drawing
	missing map[string][]reference
	// protections are fields that protect imported objects and that the KusciaAPI does not carry: a
	// plan refuses to lose them, unless the configuration allows it. They report whether the object is
	// there, and has its field.
	protections map[string]func() (there, has bool)
	// log tells the steps in a failure.
	log []string
}

// TestRandomBlocks does random sequences of applies, of all or of targets, and of destroys that end
// in the middle, with a provider block for the master and one for a node of alice, whose objects
// refer to each other. A plan fails only where it would replace an object by one whose reference is
// missing, an apply only where a reference is missing then, and that sends nothing. Otherwise the
// next plan is empty, and the states and the servers always have the same objects.
func TestRandomBlocks(t *testing.T) {
	t.Parallel()
	someOf(t, short.Count(4, 40), func(t *rapid.T) {
		b := &blocks{federation: newFederation(t), t: t}
		defer b.close()
		b.terraform.next = func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "next") }
		b.terraform.applying = func(r *resource) { b.missing[r.address] = b.missingIn(r.address) }
		providers := map[string]string{}
		for range rapid.IntRange(2, 5).Draw(t, "steps") {
			b.change(drawFederation(t, providers))
			if rapid.IntRange(0, 3).Draw(t, "destroy") == 0 {
				b.interruptedDestroy()
			}
		}
		b.destroy()
	})
}

// someOf checks a property in some of rapid's cases: each takes seconds. Once one has failed all are
// checked, since rapid then looks for a smaller one.
func someOf(t *testing.T, n int, property func(t *rapid.T)) {
	t.Helper()
	cases, failed := 0, false
	rapid.Check(t, func(t *rapid.T) {
		if cases++; cases > n && !failed {
			return
		}
		defer func() { failed = failed || t.Failed() }()
		property(t)
	})
}

// fatal ends the test, with the steps so far.
func (b *blocks) fatal(format string, args ...any) {
	b.t.Helper()
	b.t.Fatalf("%s\n\nsteps:\n%s", fmt.Sprintf(format, args...), strings.Join(b.log, "\n"))
}

// missingIn are the references of a resource to what the servers do not have, without those that
// Kuscia accepts.
func (b *blocks) missingIn(address string) []reference {
	return slices.DeleteFunc(references(b.desired.configs[address]), func(r reference) bool { return r.accepted || b.exists(r) })
}

// plan plans the configuration, or what is targeted of it if targets are not nil, and checks what is said about missing
// references. ok is false if a replacement is refused.
func (b *blocks) plan(targets map[string]bool) (o *outcome, changes map[string]*change, ok bool) {
	b.t.Helper()
	prior := b.terraform.known()
	o, changes = b.terraform.planTargets(func(address string) bool { return targets == nil || targets[address] }, b.desired.resources...)
	for _, p := range o.errors {
		if b.refusesLoss(p) {
			continue
		}
		if b.terraform.state[p.address] == nil || !strings.Contains(p.detail, "The apply would destroy the old object") || !b.names(p, b.missingIn(p.address)) {
			b.fatal("the plan says of %s: %s: %s", p.address, p.summary, p.detail)
		}
	}
	if !o.ok() {
		if now := b.terraform.known(); !slices.Equal(now, prior) {
			b.fatal("a plan that failed changed the state from %v to %v", prior, now)
		}
		return o, nil, false
	}
	for _, r := range b.desired.resources {
		for _, missing := range b.missingIn(r.address) {
			if o.actions[r.address] == actionCreate && b.isOfOtherBlock(missing, r) && !slices.ContainsFunc(o.warnings, func(p problem) bool {
				return p.address == r.address && b.names(p, []reference{missing})
			}) {
				b.fatal("the plan does not warn that %s needs %s %q:\n%s", r.address, missing.typeName, missing.id, o.text())
			}
		}
	}
	b.sameObjects("plan", targets == nil)
	return o, changes, true
}

// allowRemovalOf is the attribute that lists the fields which may be lost.
const allowRemovalOf = "allow_removal_of"

// refusesLoss reports whether a plan refuses to lose fields of an imported object.
func (b *blocks) refusesLoss(p problem) bool {
	return b.protections != nil && strings.Contains(p.detail, allowRemovalOf) && b.desired.configs[p.address][allowRemovalOf] == nil
}

// isOfOtherBlock reports whether only another block makes what a resource refers to.
func (b *blocks) isOfOtherBlock(to reference, from resource) bool {
	return slices.ContainsFunc(b.desired.resources, func(r resource) bool { return r.address == to.address && r.provider != from.provider })
}

// names reports whether a problem names one of the references.
func (b *blocks) names(p problem, missing []reference) bool {
	return strings.Contains(p.summary, "does not exist") && slices.ContainsFunc(missing, func(r reference) bool { return strings.Contains(p.detail, fmt.Sprintf("%q", r.id)) })
}

// sameObjects checks that the servers have the objects of the state. One that is not refreshed can
// have a grant that Kuscia has deleted with its data.
func (b *blocks) sameObjects(after string, refreshed bool) {
	b.t.Helper()
	stored, known := b.objects(), b.terraform.known()
	if !refreshed {
		known = slices.DeleteFunc(known, func(o string) bool { return strings.HasPrefix(o, grantType+" ") && !slices.Contains(stored, o) })
	}
	if !slices.Equal(stored, known) {
		b.fatal("after the %s the servers have %v, and the state has %v", after, stored, known)
	}
}

// applyPlan applies what is planned, and lets the time pass until Kuscia has deleted what belongs to
// deleted objects.
func (b *blocks) applyPlan(o *outcome, changes map[string]*change) {
	b.t.Helper()
	b.terraform.applyPlan(o, changes)
	b.master.Advance(time.Minute)
	for address, protection := range b.protections {
		there, has := protection()
		if !there || o.actions[address] == actionDelete || b.desired.configs[address][allowRemovalOf] != nil {
			delete(b.protections, address)
		} else if !has {
			b.fatal("%s has lost what protects it, which the configuration does not allow", address)
		}
	}
}

// apply applies what is planned, and checks each error. failed reports whether there is one.
func (b *blocks) apply(o *outcome, changes map[string]*change) (failed bool) {
	b.t.Helper()
	b.missing = map[string][]reference{}
	b.applyPlan(o, changes)
	b.log = append(b.log, "applied: "+o.changes())
	for _, p := range o.errors {
		if b.isLostGrant(o, p) {
			continue
		}
		if !b.names(p, b.missing[p.address]) || !strings.Contains(p.detail, "Nothing was sent.") {
			b.fatal("the apply says of %s: %s: %s", p.address, p.summary, p.detail)
		}
	}
	for address, missing := range b.missing {
		isNew := o.actions[address] == actionCreate || o.actions[address] == actionReplace
		if isNew && len(missing) > 0 && !slices.ContainsFunc(o.errors, func(p problem) bool { return p.address == address }) {
			b.fatal("%s was made without %v", address, missing)
		}
	}
	return !o.ok()
}

// change applies a configuration.
func (b *blocks) change(desired *drawing) {
	b.t.Helper()
	b.desired = desired
	b.log = append(b.log, "desired:\n"+desired.String())
	if rapid.IntRange(0, 3).Draw(b.t, "targets") == 0 {
		b.applyTargets(b.drawTargets())
	}
	const tries = 3
	for range tries {
		o, changes, ok := b.plan(nil)
		if !ok {
			b.log = append(b.log, "refused: "+o.text())
			// As the message says: what the replacements need is applied first.
			b.applyTargets(b.without(o.errors))
			if slices.ContainsFunc(o.errors, b.refusesLoss) {
				return
			}
			continue
		}
		if b.apply(o, changes) {
			continue // a literal ID: the next apply may find the object
		}
		next, changes, ok := b.plan(nil)
		if ok && o.deletesData() && strings.HasPrefix(next.changes(), actionCreate+" "+grantType) {
			if b.apply(next, changes) {
				continue
			}
			next, _, ok = b.plan(nil)
		}
		if !ok || next.changes() != "" {
			b.fatal("the next plan is to %s\n%s", next.changes(), next.text())
		}
		return
	}
	// What is missing still is missing for good.
	if o, _, ok := b.plan(nil); ok && o.changes() == "" {
		return
	}
	if !slices.ContainsFunc(desired.resources, func(r resource) bool { return len(b.missingIn(r.address)) > 0 }) {
		b.fatal("%d applies do not make the configuration, in which nothing is missing", tries)
	}
}

// deletesData reports whether a plan deletes domain data, also to replace them: Kuscia then deletes
// their grants, which another block does not know.
func (o *outcome) deletesData() bool {
	for address, action := range o.actions {
		if strings.HasPrefix(address, dataType+".") && (action == actionDelete || action == actionReplace) {
			return true
		}
	}
	return false
}

// isLostGrant reports whether a grant could not be updated since the same apply has deleted its
// data: the next one creates it.
func (b *blocks) isLostGrant(o *outcome, p problem) bool {
	return strings.HasPrefix(p.address, grantType+".") && o.deletesData() && strings.Contains(p.detail, "The next apply creates the grant.") && !b.exists(reference{typeName: grantType, id: "alice/given"})
}

// drawTargets draws targets; what they refer to is targeted too.
func (b *blocks) drawTargets() map[string]bool {
	targets := map[string]bool{}
	for _, r := range b.desired.resources {
		if b.desired.bool("target " + r.address) {
			b.target(targets, r.address)
		}
	}
	return targets
}

func (b *blocks) target(targets map[string]bool, address string) {
	targets[address] = true
	for _, r := range b.desired.resources {
		if r.address == address {
			for _, needed := range r.after {
				b.target(targets, needed)
			}
		}
	}
}

// without targets all but what a plan has refused, and what refers to that.
func (b *blocks) without(refused []problem) map[string]bool {
	isRefused := func(address string) bool {
		return slices.ContainsFunc(refused, func(p problem) bool { return p.address == address })
	}
	targets := map[string]bool{}
	for _, r := range b.desired.resources {
		of := map[string]bool{}
		b.target(of, r.address)
		usable := true
		for address := range of {
			usable = usable && !isRefused(address)
		}
		if usable {
			targets[r.address] = true
		}
	}
	return targets
}

// applyTargets applies a part of the configuration.
func (b *blocks) applyTargets(targets map[string]bool) {
	b.t.Helper()
	if o, changes, ok := b.plan(targets); ok {
		b.apply(o, changes)
		b.sameObjects("apply of targets", false)
	}
}

// interruptedDestroy deletes some objects: it is stopped after some of them, or one of the servers
// refuses to delete.
func (b *blocks) interruptedDestroy() {
	b.t.Helper()
	b.desired = &drawing{t: b.t}
	_, changes, ok := b.plan(nil)
	if !ok {
		return
	}
	o, refuses := &outcome{}, ""
	if rapid.Bool().Draw(b.t, "one server refuses") {
		refuses = b.desired.refusing()
		b.of(refuses).Inject(sandbox.Fault{Kind: sandbox.FaultStatus, Status: http.StatusForbidden, Path: "/delete", Times: sandbox.Always})
		defer b.of(refuses).ClearFaults()
	} else {
		deletes := rapid.IntRange(0, len(b.terraform.state)).Draw(b.t, "deletes")
		b.terraform.done = func(string, *object, bool) {
			if deletes--; deletes <= 0 {
				b.terraform.stop()
			}
		}
		defer func() { b.terraform.done = nil }()
	}
	before := b.terraform.providers()
	b.applyPlan(o, changes)
	b.log = append(b.log, fmt.Sprintf("a destroy ended in the middle, with %v", b.terraform.known()))
	for _, p := range o.errors {
		if before[p.address] != refuses || !strings.Contains(p.detail, "403") {
			b.fatal("the destroy says of %s: %s: %s", p.address, p.summary, p.detail)
		}
	}
	b.sameObjects("interrupted destroy", false)
}

// refusing is the block whose server refuses.
func (d *drawing) refusing() string {
	return rapid.SampledFrom([]string{"", ofNode}).Draw(d.t, "refuses")
}

// providers are the blocks of the objects in the state, by address.
func (t *terraform) providers() map[string]string {
	of := map[string]string{}
	for address, o := range t.state {
		of[address] = o.provider
	}
	return of
}

// destroy deletes everything.
func (b *blocks) destroy() {
	b.t.Helper()
	b.desired = &drawing{t: b.t}
	o, changes, _ := b.plan(nil)
	b.applyPlan(o, changes)
	if left := b.objects(); !o.ok() || len(left) > 0 || len(b.terraform.state) > 0 {
		b.fatal("after the destroy the servers have %v, and the state has %v\n%s", left, b.terraform.known(), o.text())
	}
}
