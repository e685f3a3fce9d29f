package definitiontest

import (
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// CheckSpellings checks that the definition has the Spellings of a list as equal and those of
// different lists as different, so that a property does not fail for what was never promised.
func (g Generator) CheckSpellings(t *testing.T) {
	t.Helper()
	g.checkSpellings(t, g.Definition.Attributes())
}

func (g Generator) checkSpellings(t *testing.T, rows []definition.Attribute) {
	t.Helper()
	for _, row := range rows {
		g.checkSpellings(t, row.Attributes)
		if row.Type != definition.String {
			continue
		}
		texts := slices.Concat(g.Spellings[row.Name]...)
		for _, a := range texts {
			for _, b := range texts {
				equal := a == b || row.SemanticEquality != nil && row.SemanticEquality(a, b)
				if same := slices.Contains(g.sameAs(row.Name, a), b); equal != same {
					t.Errorf("%s: %q and %q mean the same: %t, and are equal: %t", row.Name, a, b, same, equal)
				}
			}
		}
	}
}
