package rules_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestComparePartiesLostObserved: an imported serving whose empty resources
// were applied may have resources that are no longer in the state; no more are added
// to them in place. If none were read, they are the first ones.
func TestComparePartiesLostObserved(t *testing.T) {
	t.Parallel()
	empty := PartyOf("alice", NoResources)
	asking := With(empty, Resources(ContainerResources("", "", "1", "", "")))
	observed := rules.Private{ObservedResources: []string{"alice/"}}
	if got := rules.CompareParties(empty, asking, observed); len(got.Replace) != 1 || got.Replace[0].Attribute != "resources" || got.TouchesResources() {
		t.Errorf("%+v", got)
	}
	if got := rules.CompareParties(empty, asking, rules.Private{}); len(got.Replace) > 0 || !got.FirstResources {
		t.Errorf("nothing was read: %+v", got)
	}
	if got := rules.CompareParties(empty, empty, observed); got.Any() {
		t.Errorf("no resources configured: %+v", got)
	}
}
