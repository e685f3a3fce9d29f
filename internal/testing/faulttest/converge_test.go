package faulttest_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// applyChecked applies resources, and checks the errors.
func (t *terraform) applyChecked(test *testing.T, resources []resource) *outcome {
	test.Helper()
	o := t.apply(resources...)
	o.checkErrors(test)
	return o
}

// checkErrors fails the test for a defect of the provider, and for an error without a useful detail.
func (o *outcome) checkErrors(test *testing.T) {
	test.Helper()
	for _, p := range o.errors {
		if p.summary == providerFault || len(p.detail) < 20 {
			test.Errorf("%s: %s: %s", p.address, p.summary, p.detail)
		}
	}
}

// applyAfterFault is applyChecked, and again as long as only deletes have run out of
// time. A delete has the time limit of the previous apply, which is short if that had a
// fault: on a busy machine it can pass without one too, and the next apply continues.
func (t *terraform) applyAfterFault(test *testing.T, resources []resource) *outcome {
	test.Helper()
	outOfTime := func(p problem) bool {
		remains := slices.ContainsFunc(resources, func(r resource) bool { return r.address == p.address })
		return !remains && (strings.Contains(p.detail, "the timeout has passed") || strings.Contains(p.detail, "stopped: context deadline exceeded"))
	}
	o := t.applyChecked(test, resources)
	for range 2 {
		if o.ok() || slices.ContainsFunc(o.errors, func(p problem) bool { return !outOfTime(p) }) {
			break
		}
		test.Logf("a delete has run out of time, and is continued:\n%s", o.text())
		o = t.applyChecked(test, resources)
	}
	return o
}

// checkConverges applies without faults, then checks the server, an empty plan, a refresh and the state.
func (t *terraform) checkConverges(test *testing.T, resources []resource, differences func() []string) {
	test.Helper()
	if o := t.applyAfterFault(test, resources); !o.ok() {
		test.Errorf("the next apply failed (%s):\n%s", o.changes(), o.text())
		return
	}
	for _, difference := range differences() {
		test.Errorf("after the next apply: %s", difference)
	}
	o, _ := t.plan(resources...)
	if !o.ok() || o.changes() != "" || len(o.drifted) > 0 {
		test.Errorf("the plan after it is not empty: changes [%s], drift in %v\n%s", o.changes(), o.drifted, o.text())
	}
	var want []string
	for _, r := range resources {
		want = append(want, r.address)
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(t.state)); !slices.Equal(got, want) {
		test.Errorf("addresses in the state: %v, want %v", got, want)
	}
	for address, object := range t.state {
		if object.tainted {
			test.Errorf("%s is still tainted", address)
		}
	}
}
