package model_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestDecodeEncode: decoding and encoding a list of parties loses nothing,
// including unknown and null parts.
func TestDecodeEncode(t *testing.T) {
	t.Parallel()
	lists := decodableParties()
	for name, list := range lists {
		if again := model.DecodeParties(list).Encode(); !again.Equal(list) {
			t.Errorf("%s becomes %s, was %s", name, again, list)
		}
	}
	if !model.DecodeParties(types.ListUnknown(model.PartyType)).IsUnknown() {
		t.Error("an unknown list is known")
	}
	if l := model.DecodeParties(types.ListNull(model.PartyType)); !l.IsNull() || len(l.Items) > 0 {
		t.Errorf("a null list has %d parties, null %t", len(l.Items), l.IsNull())
	}
}

// TestEqualIsThatOfTheFramework: two lists are equal if the framework's values are.
func TestEqualIsThatOfTheFramework(t *testing.T) {
	t.Parallel()
	for name, a := range decodableParties() {
		for other, b := range decodableParties() {
			if got, want := model.DecodeParties(a).Equal(model.DecodeParties(b)), a.Equal(b); got != want {
				t.Errorf("%s and %s: equal is %t, want %t", name, other, got, want)
			}
		}
	}
}

// decodableParties are lists that each differ in one value from another one.
func decodableParties() map[string]types.List {
	whole := func() model.Party {
		return PartyOf("a", Role("r"), Replicas(2), Prefix("p"), RollingUpdate("1", "1"), Resources(ContainerResources("c", "1", "2", "3", "4")))
	}
	lists := map[string]types.List{
		"two":          TwoParties().Parties.Encode(),
		"null":         types.ListNull(model.PartyType),
		"unknown":      types.ListUnknown(model.PartyType),
		"empty":        types.ListValueMust(model.PartyType, nil),
		"whole":        model.PartiesOf(whole()).Encode(),
		"twice":        model.PartiesOf(whole(), whole()).Encode(),
		"unknown item": model.PartiesOf(model.Party{Unknown: true}).Encode(),
	}
	for name, edit := range partyEdits {
		lists[name] = model.PartiesOf(With(whole(), edit)).Encode()
	}
	return lists
}

// partyEdits change one value each.
var partyEdits = map[string]func(*model.Party){
	"all unknown":        func(p *model.Party) { p.Unknown = true },
	"domain_id":          func(p *model.Party) { p.DomainID = types.StringValue("b") },
	"domain_id unknown":  func(p *model.Party) { p.DomainID = types.StringUnknown() },
	"role":               Role("s"),
	"role null":          func(p *model.Party) { p.Role = types.StringNull() },
	"role unknown":       func(p *model.Party) { p.Role = types.StringUnknown() },
	"app_image":          Image("other"),
	"app_image unknown":  func(p *model.Party) { p.AppImage = types.StringUnknown() },
	"replicas":           Replicas(3),
	"replicas unknown":   func(p *model.Party) { p.Replicas = types.Int32Unknown() },
	"prefix":             Prefix("q"),
	"prefix unknown":     func(p *model.Party) { p.ServiceNamePrefix = types.StringUnknown() },
	"strategy":           Recreate,
	"strategy null":      func(p *model.Party) { p.Strategy = model.Strategy{Null: true} },
	"strategy unknown":   func(p *model.Party) { p.Strategy = model.Strategy{Unknown: true} },
	"type unknown":       func(p *model.Party) { p.Strategy.Type = types.StringUnknown() },
	"max_surge":          RollingUpdate("2", "1"),
	"max_surge unknown":  func(p *model.Party) { p.Strategy.MaxSurge = types.StringUnknown() },
	"max_unav unknown":   func(p *model.Party) { p.Strategy.MaxUnavailable = types.StringUnknown() },
	"resources null":     NoResources,
	"resources empty":    Resources(),
	"resources unknown":  func(p *model.Party) { p.Resources = model.ResourceList{Unknown: true} },
	"entry unknown":      Resources(model.ContainerResources{Unknown: true}),
	"entry null":         Resources(model.ContainerResources{}),
	"container":          Resources(ContainerResources("d", "1", "2", "3", "4")),
	"container unknown":  func(p *model.Party) { p.Resources.Items[0].Container = types.StringUnknown() },
	"spelling":           Resources(ContainerResources("c", "1000m", "2", "3", "4")),
	"min_cpu unknown":    func(p *model.Party) { p.Resources.Items[0].MinCPU.StringValue = types.StringUnknown() },
	"max_cpu unknown":    func(p *model.Party) { p.Resources.Items[0].MaxCPU.StringValue = types.StringUnknown() },
	"min_memory unknown": func(p *model.Party) { p.Resources.Items[0].MinMemory.StringValue = types.StringUnknown() },
	"max_memory unknown": func(p *model.Party) { p.Resources.Items[0].MaxMemory.StringValue = types.StringUnknown() },
}

func TestKnown(t *testing.T) {
	t.Parallel()
	known := PartyOf("a", Role(""), Replicas(1), Prefix(""), RollingUpdate("1", "1"), Resources(ContainerResources("c", "1", "", "", "")))
	if !known.Known() {
		t.Error("a known party is not known")
	}
	for name, edit := range map[string]func(*model.Party){
		"all":        func(p *model.Party) { p.Unknown = true },
		"domain_id":  func(p *model.Party) { p.DomainID = types.StringUnknown() },
		"role":       func(p *model.Party) { p.Role = types.StringUnknown() },
		"app_image":  func(p *model.Party) { p.AppImage = types.StringUnknown() },
		"replicas":   func(p *model.Party) { p.Replicas = types.Int32Unknown() },
		"prefix":     func(p *model.Party) { p.ServiceNamePrefix = types.StringUnknown() },
		"strategy":   func(p *model.Party) { p.Strategy.Unknown = true },
		"type":       func(p *model.Party) { p.Strategy.Type = types.StringUnknown() },
		"max_surge":  func(p *model.Party) { p.Strategy.MaxSurge = types.StringUnknown() },
		"max_unav":   func(p *model.Party) { p.Strategy.MaxUnavailable = types.StringUnknown() },
		"resources":  func(p *model.Party) { p.Resources.Unknown = true },
		"entry":      func(p *model.Party) { p.Resources.Items[0].Unknown = true },
		"container":  func(p *model.Party) { p.Resources.Items[0].Container = types.StringUnknown() },
		"min_cpu":    func(p *model.Party) { p.Resources.Items[0].MinCPU.StringValue = types.StringUnknown() },
		"max_cpu":    func(p *model.Party) { p.Resources.Items[0].MaxCPU.StringValue = types.StringUnknown() },
		"min_memory": func(p *model.Party) { p.Resources.Items[0].MinMemory.StringValue = types.StringUnknown() },
		"max_memory": func(p *model.Party) { p.Resources.Items[0].MaxMemory.StringValue = types.StringUnknown() },
	} {
		if With(known, edit).Known() {
			t.Errorf("with an unknown %s it is known", name)
		}
	}
}
