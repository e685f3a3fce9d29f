package serving

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
)

// recordParties records, for the objects that refer to them, what Kuscia creates for the parties
// of a planned serving.
func recordParties(c *run.Run, planned rules.Serving) {
	if c == nil {
		return
	}
	for _, p := range planned.Parties().Items {
		if !p.KeyKnown() {
			continue
		}
		deployment, services := p.Names(planned.ServingID())
		c.PlannedParties.Record(p.Key().DomainID, deployment, services)
	}
}

// warnOfNames warns of parties with another key than in the prior state.
func warnOfNames(planned, prior rules.Serving, diags *diag.Diagnostics) {
	if first, detail := party.DescribeRenamed(partyNames(prior), partyNames(planned)); detail != "" {
		diags.AddAttributeWarning(path.Root("parties").AtMapKey(first), party.RenamedSummary, detail)
	}
}

// partyNames returns what identifies the parties, as far as it is known, by their keys.
func partyNames(serving rules.Serving) map[string]party.Key {
	out := map[string]party.Key{}
	for _, p := range serving.Parties().Items {
		if p.KeyKnown() {
			out[p.Name] = p.Key()
		}
	}
	return out
}
