package kuscia

import (
	"errors"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// TestErrorRulesOrder: a rule for some operations comes before one for all of
// them, whichever object is added first. The rules of one object keep their
// order.
func TestErrorRulesOrder(t *testing.T) {
	t.Parallel()
	special := errorRule{code: 1, operations: "a/create", kind: ErrDomainMissing}
	group := errorRule{code: 1, operations: "a/", kind: ErrUnauthorized}
	first, second := errorRule{code: 1, fits: has("taken"), kind: ErrExists}, errorRule{code: 1, kind: ErrNotFound}
	for name, added := range map[string][][]errorRule{
		"special first": {{special, group}, {first, second}},
		"special last":  {{first, second}, {group, special}},
		"in between":    {{group}, {first, second}, {special}},
	} {
		table := errorRuleTable{}
		for _, rules := range added {
			table.add(rules...)
		}
		for _, test := range []struct {
			operation, message string
			code               int32
			want               error
		}{
			{"a/create", "taken", 1, ErrDomainMissing}, {"a/query", "taken", 1, ErrUnauthorized},
			{"b/create", "taken", 1, ErrExists}, {"b/create", "none", 1, ErrNotFound}, {"b/create", "none", 2, nil},
		} {
			if got := table.kindOf(httpapi.Operation{Name: test.operation}, nil, test.code, test.message); !errors.Is(got, test.want) {
				t.Errorf("%s: %s %d %q is %v, want %v", name, test.operation, test.code, test.message, got, test.want)
			}
		}
	}
}

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
