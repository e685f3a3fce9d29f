package rules_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestCompareAmounts covers each of the four values in each case of Kuscia's
// merge, on containers with one side, both, or one value.
func TestCompareAmounts(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before, after rules.Amounts
		changed       bool
		why           string
	}{
		"equal":                     {rules.Amounts{MinCPU: "1", MaxCPU: "2", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "1000m", MaxCPU: "2", MinMemory: "", MaxMemory: ""}, false, ""},
		"memory request":            {rules.Amounts{MinCPU: "", MaxCPU: "", MinMemory: "1Gi", MaxMemory: ""}, rules.Amounts{MinCPU: "", MaxCPU: "", MinMemory: "2Gi", MaxMemory: ""}, true, ""},
		"second request":            {rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "1Gi", MaxMemory: ""}, true, ""},
		"second limit":              {rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: "1Gi"}, true, ""},
		"first request":             {rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "1", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, true, "min_cpu would be its first request"},
		"first memory limit":        {rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "", MaxMemory: "1Gi"}, true, "max_memory would be its first limit"},
		"clear request":             {rules.Amounts{MinCPU: "1", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, true, "min_cpu is removed"},
		"clear memory limit":        {rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: "1"}, rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, true, "max_memory is removed"},
		"to zero":                   {rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "0", MaxCPU: "", MinMemory: "", MaxMemory: ""}, true, ""},
		"from zero":                 {rules.Amounts{MinCPU: "0", MaxCPU: "", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "", MaxMemory: ""}, true, ""},
		"zero beside":               {rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "0", MaxMemory: ""}, true, "min_memory is set to zero"},
		"zero beside, with unit":    {rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: "0Gi"}, true, "max_memory is set to zero"},
		"zero as the first request": {rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "0", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, true, "min_cpu would be its first request"},
		"change and clear":          {rules.Amounts{MinCPU: "1", MaxCPU: "1", MinMemory: "", MaxMemory: "1Gi"}, rules.Amounts{MinCPU: "2", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, true, "max_memory is removed"},
	} {
		changed, why := rules.CompareAmounts(test.before, test.after, nil)
		if changed != test.changed || (why == "") != (test.why == "") || !strings.Contains(why, test.why) {
			t.Errorf("%s: changed %v, why %q; want %v, %q", name, changed, why, test.changed, test.why)
		}
	}
}

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
