package kuscia

import (
	"testing"
)

// TestErrorRulesApply: no rule of an object is hidden by another one, which
// would depend on the order of the files.
func TestErrorRulesApply(t *testing.T) {
	t.Parallel()
	count := 0
	for code, rules := range errorRules {
		for i, rule := range rules {
			count++
			if rule.code != code || rule.kind == nil {
				t.Errorf("%d: %+v", code, rule)
			}
			if i > 0 && rules[i-1].fits == nil && rules[i-1].operations == rule.operations {
				t.Errorf("code %d of %q has a rule after the one for any message", code, rule.operations)
			}
		}
	}
	if count < 38 {
		t.Errorf("%d rules", count)
	}
}
