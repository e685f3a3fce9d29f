package rules_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestOfValue: the conversions from and to a value lose nothing, including unknown and null
// parts.
func TestOfValue(t *testing.T) {
	t.Parallel()
	for name, parties := range somePartyMaps() {
		serving := StateOf(TwoParties())
		serving.Parties = parties
		value := serving.Value()
		if again := rules.Of(value); !again.Equal(serving) || !definition.Equal(again.Value(), value) {
			t.Errorf("%s becomes %+v, was %+v", name, again, serving)
		}
	}
	for name, serving := range map[string]rules.Serving{"all null": NullModel(), "import": {}} {
		if again := rules.Of(serving.Value()); !definition.Equal(again.Value(), serving.Value()) || !again.Parties.IsNull() {
			t.Errorf("%s becomes %+v", name, again)
		}
	}
	unknown := NullModel()
	unknown.RedeployTriggers, unknown.Endpoints, unknown.WaitForRollout = types.MapUnknown(types.StringType), types.MapUnknown(rules.EndpointType), types.BoolUnknown()
	unknown.ServingInputConfigVersion, unknown.Timeouts = types.Int64Unknown(), types.ObjectUnknown(NullTimeouts().AttributeTypes(t.Context()))
	unknown.ReplaceTriggers = types.MapValueMust(types.StringType, map[string]attr.Value{"a": types.StringUnknown(), "b": types.StringValue("x")})
	if again := rules.Of(unknown.Value()); !again.Equal(unknown) {
		t.Errorf("unknown values become %+v", again)
	}
}

// TestOfNumbers: a number that is not whole, or too large, is unknown to every rule.
func TestOfNumbers(t *testing.T) {
	t.Parallel()
	for number, known := range map[float64]bool{1: true, 0: true, -1: true, 1.5: false, 3e9: false} {
		tree := ConfigOf(PartyOf("alice")).Tree()
		tree["parties"] = definition.Tree{"alice": definition.Tree{"app_image": "sf", "replicas": number}}
		if got := rules.Of(rules.Definition.Encode(tree)).Parties.Items[0].Replicas; got.IsUnknown() == known {
			t.Errorf("%v replicas are %s", number, got)
		}
	}
}

// TestEqualIsThatOfValues: two maps are equal if their values are.
func TestEqualIsThatOfValues(t *testing.T) {
	t.Parallel()
	value := func(p rules.Parties) definition.Value { return rules.Serving{Parties: p}.Value() }
	for name, a := range somePartyMaps() {
		for other, b := range somePartyMaps() {
			if got, want := a.Equal(b), definition.Equal(value(a), value(b)); got != want {
				t.Errorf("%s and %s: equal is %t, want %t", name, other, got, want)
			}
		}
	}
}

// somePartyMaps are maps that each differ in one value from another one.
func somePartyMaps() map[string]rules.Parties {
	all := map[string]rules.Parties{
		"two": TwoParties().Parties, "null": {}, "unknown": rules.UnknownParties(), "empty": rules.PartiesOf(),
		"whole":        rules.PartiesOf(wholeParty()),
		"twice":        rules.PartiesOf(wholeParty(), With(wholeParty(), Named("z"))),
		"unknown item": rules.PartiesOf(rules.Party{Name: "a", Unknown: true}),
	}
	for name, edit := range partyEdits {
		all[name] = rules.PartiesOf(With(wholeParty(), edit))
	}
	return all
}

// wholeParty has every value.
func wholeParty() rules.Party {
	return PartyOf("a", Role("r"), Replicas(2), Prefix("p"), RollingUpdate("1", "1"), Resources(ContainerResources("c", "1", "2", "3", "4")))
}

// partyEdits change one value each.
var partyEdits = map[string]func(*rules.Party){
	"all unknown":        func(p *rules.Party) { *p = rules.Party{Name: "z", Unknown: true} },
	"domain_id":          func(p *rules.Party) { p.DomainID = types.StringValue("b") },
	"domain_id unknown":  func(p *rules.Party) { p.DomainID = types.StringUnknown() },
	"role":               Role("s"),
	"role unknown":       func(p *rules.Party) { p.Role = types.StringUnknown() },
	"app_image":          Image("other"),
	"app_image unknown":  func(p *rules.Party) { p.AppImage = types.StringUnknown() },
	"replicas":           Replicas(3),
	"replicas unknown":   func(p *rules.Party) { p.Replicas = types.Int32Unknown() },
	"prefix":             Prefix("q"),
	"prefix unknown":     func(p *rules.Party) { p.ServiceNamePrefix = types.StringUnknown() },
	"strategy":           Recreate,
	"strategy unknown":   func(p *rules.Party) { p.Strategy = rules.Strategy{Unknown: true} },
	"type unknown":       func(p *rules.Party) { p.Strategy.Type = types.StringUnknown() },
	"max_surge":          RollingUpdate("2", "1"),
	"max_unav unknown":   func(p *rules.Party) { p.Strategy.MaxUnavailable = types.StringUnknown() },
	"resources null":     NoResources,
	"resources empty":    Resources(),
	"resources unknown":  func(p *rules.Party) { p.Resources = UnknownResources },
	"name":               Named("other"),
	"common unknown":     func(p *rules.Party) { p.Resources.Common.State = attr.ValueStateUnknown },
	"common empty":       func(p *rules.Party) { p.Resources.Common.State = attr.ValueStateKnown },
	"entry unknown":      InContainer("c", func(r *rules.ContainerResources) { *r = rules.ContainerResources{State: attr.ValueStateUnknown} }),
	"entry null":         InContainer("c", func(r *rules.ContainerResources) { *r = rules.ContainerResources{} }),
	"entry empty":        Resources(ContainerResources("c", "", "", "", "")),
	"spelling":           Resources(ContainerResources("c", "1000m", "2", "3", "4")),
	"min_cpu unknown":    InContainer("c", func(r *rules.ContainerResources) { r.MinCPU = types.StringUnknown() }),
	"max_cpu unknown":    InContainer("c", func(r *rules.ContainerResources) { r.MaxCPU = types.StringUnknown() }),
	"min_memory unknown": InContainer("c", func(r *rules.ContainerResources) { r.MinMemory = types.StringUnknown() }),
	"max_memory unknown": InContainer("c", func(r *rules.ContainerResources) { r.MaxMemory = types.StringUnknown() }),
}

// TestKnown: a party is known if all its values are.
func TestKnown(t *testing.T) {
	t.Parallel()
	for name, edit := range partyEdits {
		if got := With(wholeParty(), edit).Known(); got == strings.HasSuffix(name, "unknown") {
			t.Errorf("%s: known %t", name, got)
		}
	}
}
