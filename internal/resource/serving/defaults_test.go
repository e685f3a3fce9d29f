package serving

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// TestDefaults: left out becomes the default, and everything else stays.
func TestDefaults(t *testing.T) {
	t.Parallel()
	unknown, null := types.StringUnknown(), types.StringNull()
	text := types.StringValue
	for name, test := range map[string]struct{ given, want party }{
		"all left out": {partyOf("a"), partyOf("a", role(""), replicas(1), prefix(""), rolling("25%", "25%"), asks())},
		"all set": {
			partyOf("a", role("r"), replicas(3), prefix("p"), rolling("1", "2%"), asks(of("c", "1", "", "", ""))),
			partyOf("a", role("r"), replicas(3), prefix("p"), rolling("1", "2%"), asks(of("c", "1", "", "", ""))),
		},
		"recreate has no bounds": {
			partyOf("a", role(""), replicas(1), prefix(""), recreate, asks()),
			partyOf("a", role(""), replicas(1), prefix(""), recreate, asks()),
		},
		"unknown type, unknown bounds": {
			partyOf("a", role(""), replicas(1), prefix(""), asks(), func(p *party) { p.strategy = strategy{kind: unknown, surge: text("1")} }),
			partyOf("a", role(""), replicas(1), prefix(""), asks(), func(p *party) { p.strategy = strategy{kind: unknown, surge: text("1"), unavailable: unknown} }),
		},
		"unknown bound": {
			partyOf("a", role(""), replicas(1), prefix(""), asks(), func(p *party) { p.strategy = strategy{kind: null, surge: unknown} }),
			partyOf("a", role(""), replicas(1), prefix(""), asks(), func(p *party) {
				p.strategy = strategy{kind: text("RollingUpdate"), surge: unknown, unavailable: text("25%")}
			}),
		},
		"unknown parts": {
			partyOf("a", func(p *party) {
				p.role, p.replicas, p.serviceNamePrefix = unknown, types.Int32Unknown(), unknown
				p.strategy, p.resources = strategy{unknown: true}, resourceList{unknown: true}
			}),
			partyOf("a", func(p *party) {
				p.role, p.replicas, p.serviceNamePrefix = unknown, types.Int32Unknown(), unknown
				p.strategy, p.resources = strategy{unknown: true}, resourceList{unknown: true}
			}),
		},
		"unknown party": {party{unknown: true}, party{unknown: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := withDefaults(configOf(partyOf("x"), test.given)).Parties
			want := partiesOf(partyOf("x").withDefaults(), test.want)
			if !got.equal(want) {
				t.Errorf("got %s\nwant %s", got.encode(), want.encode())
			}
			if again := withDefaults(model{Parties: got}).Parties; !again.equal(got) {
				t.Errorf("a second time it becomes %s", again.encode())
			}
		})
	}
}

func TestDefaultsOfTheServing(t *testing.T) {
	t.Parallel()
	config := configOf(partyOf("a"))
	config.AffinityMode, config.WaitForRollout = types.StringUnknown(), types.BoolUnknown()
	config.RedeployTriggers, config.ReplaceTriggers = types.MapUnknown(types.StringType), types.MapUnknown(types.StringType)
	config.ServingInputConfig = tfvalue.NewConfigTextUnknown()
	config.Parties = unknownParties()
	sameModel(t, withDefaults(config), config)

	null := nullModel()
	null.Parties = parties{}
	got := withDefaults(null)
	if !got.Parties.isNull() {
		t.Errorf("no parties become %s", got.Parties.encode())
	}
	want := null
	want.AffinityMode = types.StringValue("anti-affinity")
	want.RedeployTriggers = types.MapValueMust(types.StringType, map[string]attr.Value{})
	want.ReplaceTriggers = want.RedeployTriggers
	want.WaitForRollout = types.BoolValue(true)
	sameModel(t, got, want)
}
