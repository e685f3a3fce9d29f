package rules_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// FuzzRefresh: for any response of a server, a refresh neither panics nor leaves
// anything unknown, a second refresh changes nothing, and a plan on the result
// is legal.
func FuzzRefresh(f *testing.F) {
	config := TwoParties()
	for _, response := range []*kuscia.Serving{ResponseTo(config), ResponseTo(ConfigOf(PartyOf("alice"))), {}} {
		f.Add([]byte(testjson.Encode(f, response)))
	}
	f.Add([]byte(`{"parties":[{"domain_id":"alice","replicas":-1,"resources":[{"container_name":"","min_cpu":"abc"},{"container_name":"","min_cpu":"-1"}]},{"domain_id":"alice"}]}`))
	f.Add([]byte(`{"initiator":"x","parties":[{"domain_id":"alice","update_strategy":{"type":"Odd","max_surge":"x"}}],"status":{"create_time":"","party_statuses":[{"endpoints":[{},{}]},{}]}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var response kuscia.Serving
		if json.Unmarshal(raw, &response) != nil {
			t.Skip("not an answer")
		}
		for name, prior := range map[string]rules.Serving{"state": StateOf(config), "import": rules.ByID("glm")} {
			from := rules.Sources{Cached: ImagesOf(), Now: time.Now()}
			state, private := rules.Refresh(prior, &response, rules.Private{}, from)
			for _, a := range AttributePairs(state, state) {
				if !a.A.IsKnown() {
					t.Fatalf("%s: %s is unknown", name, a.Name)
				}
			}
			_ = testjson.Encode(t, private)
			if duplicates(response.Parties) {
				continue // two parties with one key are ambiguous
			}
			again, _ := rules.Refresh(state, &response, private, from)
			SameModel(t, again, state)
			rules.Differences(state, &response, private)
			Classify(t, config, state, private, AllImages)
			state = state.WithServingAttribute(definition.AttrRolloutComplete, types.BoolValue(true)) // else it is awaited
			if is, _, reasons := Classify(t, state, state, private, AllImages); is != NoOp {
				t.Fatalf("%s: the state as configuration is %s %v", name, is, reasons)
			}
			var diags diag.Diagnostics
			rules.UpdateRequest(state, state, private, &diags)
			NoDiags(t, diags)
		}
	})
}

func duplicates(parties []kuscia.ServingParty) bool {
	seen := map[party.Key]bool{}
	for _, p := range parties {
		seen[party.Key{DomainID: p.DomainID, Role: p.Role}] = true
	}
	return len(seen) < len(parties)
}
