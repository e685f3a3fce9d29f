package rules_test

import (
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestExpected: where it is not known whether an update replaces the pods of a party, it is no
// surprise if it does not.
func TestExpected(t *testing.T) {
	t.Parallel()
	private := rules.Private{Deployed: map[string]rules.DeployedParty{"alice/": {NotCounted: true}, "bob/client": {}}}
	state := ConfigOf(PartyOf("alice"), PartyOf("bob", Role("client")))
	if got := rules.Expected([]string{"alice", "bob (role client)"}, state, private); !slices.Equal(got, []string{"bob (role client)"}) {
		t.Errorf("expected are %q", got)
	}
}
