package rules_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestDefaults: left-out values become the default, and everything else stays.
func TestDefaults(t *testing.T) {
	t.Parallel()
	unknown, null := types.StringUnknown(), types.StringNull()
	text := types.StringValue
	for name, test := range map[string]struct{ given, want rules.Party }{
		"all left out": {PartyOf("a"), PartyOf("a", Replicas(1), RollingUpdate("25%", "25%"))},
		"all set": {
			PartyOf("a", Role("r"), Replicas(3), Prefix("p"), RollingUpdate("1", "2%"), Resources(ContainerResources("c", "1", "", "", ""))),
			PartyOf("a", Role("r"), Replicas(3), Prefix("p"), RollingUpdate("1", "2%"), Resources(ContainerResources("c", "1", "", "", ""))),
		},
		"another name": {PartyOf("a", Named("other"), Role(""), Replicas(1), Prefix(""), Recreate), PartyOf("a", Named("other"), Role(""), Replicas(1), Prefix(""), Recreate)},
		"recreate has no bounds": {
			PartyOf("a", Role(""), Replicas(1), Prefix(""), Recreate),
			PartyOf("a", Role(""), Replicas(1), Prefix(""), Recreate),
		},
		"unknown type, unknown bounds": {
			PartyOf("a", Role(""), Replicas(1), Prefix(""), func(p *rules.Party) { p.Strategy = rules.Strategy{Type: unknown, MaxSurge: text("1")} }),
			PartyOf("a", Role(""), Replicas(1), Prefix(""), func(p *rules.Party) {
				p.Strategy = rules.Strategy{Type: unknown, MaxSurge: text("1"), MaxUnavailable: unknown}
			}),
		},
		"unknown bound": {
			PartyOf("a", Role(""), Replicas(1), Prefix(""), func(p *rules.Party) { p.Strategy = rules.Strategy{Type: null, MaxSurge: unknown} }),
			PartyOf("a", Role(""), Replicas(1), Prefix(""), func(p *rules.Party) {
				p.Strategy = rules.Strategy{Type: text("RollingUpdate"), MaxSurge: unknown, MaxUnavailable: text("25%")}
			}),
		},
		"unknown parts": {
			PartyOf("a", func(p *rules.Party) {
				p.Role, p.Replicas, p.ServiceNamePrefix = unknown, types.Int32Unknown(), unknown
				p.Strategy, p.Resources = rules.Strategy{Unknown: true}, UnknownResources
			}),
			PartyOf("a", func(p *rules.Party) {
				p.Role, p.Replicas, p.ServiceNamePrefix = unknown, types.Int32Unknown(), unknown
				p.Strategy, p.Resources = rules.Strategy{Unknown: true}, UnknownResources
			}),
		},
		"unknown party": {rules.Party{Name: "a", Unknown: true}, rules.Party{Name: "a", Unknown: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := rules.WithDefaults(ConfigOf(PartyOf("x"), test.given)).Parties
			if !test.want.Unknown {
				test.want.DomainID = types.StringValue("a")
			}
			want := rules.PartiesOf(PartyOf("x").WithDefaults(), test.want)
			if !got.Equal(want) {
				t.Errorf("got %+v\nwant %+v", got, want)
			}
			if again := rules.WithDefaults(rules.Serving{Parties: got}).Parties; !again.Equal(got) {
				t.Errorf("a second time it becomes %+v", again)
			}
		})
	}
}

func TestDefaultsOfTheServing(t *testing.T) {
	t.Parallel()
	config := ConfigOf(PartyOf("a"))
	config.AffinityMode, config.WaitForRollout = types.StringUnknown(), types.BoolUnknown()
	config.FollowAppImage = types.BoolUnknown()
	config.RedeployTriggers, config.ReplaceTriggers = types.MapUnknown(types.StringType), types.MapUnknown(types.StringType)
	config.ServingInputConfig = types.StringUnknown()
	config.Parties = rules.UnknownParties()
	SameModel(t, rules.WithDefaults(config), config)

	null := NullModel()
	null.Parties = rules.Parties{}
	got := rules.WithDefaults(null)
	if !got.Parties.IsNull() {
		t.Errorf("no parties become %+v", got.Parties)
	}
	want := null
	want.AffinityMode = types.StringValue("anti-affinity")
	want.FollowAppImage = types.BoolValue(true)
	want.WaitForRollout = types.BoolValue(true)
	SameModel(t, got, want)
}
