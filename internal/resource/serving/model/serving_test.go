package model_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// TestDecodeEncode: decoding and encoding the parties loses nothing,
// including unknown and null parts.
func TestDecodeEncode(t *testing.T) {
	t.Parallel()
	lists := decodableParties()
	for name, list := range lists {
		if again := model.DecodeParties(list).Encode(); !again.Equal(list) {
			t.Errorf("%s becomes %s, was %s", name, again, list)
		}
	}
	if !model.DecodeParties(types.MapUnknown(model.PartyType)).IsUnknown() {
		t.Error("an unknown map is known")
	}
	if l := model.DecodeParties(types.MapNull(model.PartyType)); !l.IsNull() || len(l.Items) > 0 {
		t.Errorf("a null map has %d parties, null %t", len(l.Items), l.IsNull())
	}
}

// TestEqualIsThatOfTheFramework: two maps are equal if the framework's values are.
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

// decodableParties are maps that each differ in one value from another one.
func decodableParties() map[string]types.Map {
	whole := func() model.Party {
		return PartyOf("a", Role("r"), Replicas(2), Prefix("p"), RollingUpdate("1", "1"), Resources(ContainerResources("c", "1", "2", "3", "4")))
	}
	lists := map[string]types.Map{
		"two":          TwoParties().Parties.Encode(),
		"null":         types.MapNull(model.PartyType),
		"unknown":      types.MapUnknown(model.PartyType),
		"empty":        types.MapValueMust(model.PartyType, nil),
		"whole":        model.PartiesOf(whole()).Encode(),
		"twice":        model.PartiesOf(whole(), With(whole(), Named("z"))).Encode(),
		"unknown item": model.PartiesOf(model.Party{Name: "a", Unknown: true}).Encode(),
	}
	for name, edit := range partyEdits {
		lists[name] = model.PartiesOf(With(whole(), edit)).Encode()
	}
	return lists
}

// partyEdits change one value each.
var partyEdits = map[string]func(*model.Party){
	"all unknown":        func(p *model.Party) { *p = model.Party{Name: "z", Unknown: true} },
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
	"resources unknown":  func(p *model.Party) { p.Resources = UnknownResources },
	"name":               Named("other"),
	"common unknown":     func(p *model.Party) { p.Resources.Common.State = attr.ValueStateUnknown },
	"common empty":       func(p *model.Party) { p.Resources.Common.State = attr.ValueStateKnown },
	"common":             Resources(ContainerResources("", "1", "2", "3", "4")),
	"entry unknown":      InContainer("c", func(r *model.ContainerResources) { *r = model.ContainerResources{State: attr.ValueStateUnknown} }),
	"entry null":         InContainer("c", func(r *model.ContainerResources) { *r = model.ContainerResources{} }),
	"entry empty":        Resources(ContainerResources("c", "", "", "", "")),
	"container":          Resources(ContainerResources("d", "1", "2", "3", "4")),
	"spelling":           Resources(ContainerResources("c", "1000m", "2", "3", "4")),
	"min_cpu unknown":    InContainer("c", func(r *model.ContainerResources) { r.MinCPU = tfvalue.NewQuantityUnknown() }),
	"max_cpu unknown":    InContainer("c", func(r *model.ContainerResources) { r.MaxCPU = tfvalue.NewQuantityUnknown() }),
	"min_memory unknown": InContainer("c", func(r *model.ContainerResources) { r.MinMemory = tfvalue.NewQuantityUnknown() }),
	"max_memory unknown": InContainer("c", func(r *model.ContainerResources) { r.MaxMemory = tfvalue.NewQuantityUnknown() }),
}

func TestKnown(t *testing.T) {
	t.Parallel()
	known := PartyOf("a", Role(""), Replicas(1), Prefix(""), RollingUpdate("1", "1"), Resources(ContainerResources("c", "1", "", "", "")))
	if !known.Known() {
		t.Error("a known party is not known")
	}
	for name, edit := range map[string]func(*model.Party){
		"all":                 func(p *model.Party) { p.Unknown = true },
		"domain_id":           func(p *model.Party) { p.DomainID = types.StringUnknown() },
		"role":                func(p *model.Party) { p.Role = types.StringUnknown() },
		"app_image":           func(p *model.Party) { p.AppImage = types.StringUnknown() },
		"replicas":            func(p *model.Party) { p.Replicas = types.Int32Unknown() },
		"prefix":              func(p *model.Party) { p.ServiceNamePrefix = types.StringUnknown() },
		"strategy":            func(p *model.Party) { p.Strategy.Unknown = true },
		"type":                func(p *model.Party) { p.Strategy.Type = types.StringUnknown() },
		"max_surge":           func(p *model.Party) { p.Strategy.MaxSurge = types.StringUnknown() },
		"max_unav":            func(p *model.Party) { p.Strategy.MaxUnavailable = types.StringUnknown() },
		"resources":           func(p *model.Party) { p.Resources.Common.State = attr.ValueStateUnknown },
		"container_resources": func(p *model.Party) { p.Resources.NamedUnknown = true },
		"entry":               InContainer("c", func(r *model.ContainerResources) { r.State = attr.ValueStateUnknown }),
		"min_cpu":             InContainer("c", func(r *model.ContainerResources) { r.MinCPU = tfvalue.NewQuantityUnknown() }),
		"max_cpu":             InContainer("c", func(r *model.ContainerResources) { r.MaxCPU = tfvalue.NewQuantityUnknown() }),
		"min_memory":          InContainer("c", func(r *model.ContainerResources) { r.MinMemory = tfvalue.NewQuantityUnknown() }),
		"max_memory":          InContainer("c", func(r *model.ContainerResources) { r.MaxMemory = tfvalue.NewQuantityUnknown() }),
	} {
		if With(known, edit).Known() {
			t.Errorf("with an unknown %s it is known", name)
		}
	}
}
