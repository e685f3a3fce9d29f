package serving

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// TestDecodeEncode: taking a list of parties apart and putting it together
// again loses nothing, unknown and null parts included.
func TestDecodeEncode(t *testing.T) {
	t.Parallel()
	lists := decodableParties()
	for name, list := range lists {
		if again := decodeParties(list).encode(); !again.Equal(list) {
			t.Errorf("%s becomes %s, was %s", name, again, list)
		}
	}
	if !decodeParties(types.ListUnknown(partyType)).isUnknown() {
		t.Error("an unknown list is known")
	}
	if l := decodeParties(types.ListNull(partyType)); !l.isNull() || len(l.items) > 0 {
		t.Errorf("a null list has %d parties, null %t", len(l.items), l.isNull())
	}
}

// TestEqualToTheLetter: two lists are equal when the framework's values are.
func TestEqualToTheLetter(t *testing.T) {
	t.Parallel()
	for name, a := range decodableParties() {
		for other, b := range decodableParties() {
			if got, want := decodeParties(a).equal(decodeParties(b)), a.Equal(b); got != want {
				t.Errorf("%s and %s: equal is %t, want %t", name, other, got, want)
			}
		}
	}
}

// decodableParties are lists that differ each in one thing from another one.
func decodableParties() map[string]types.List {
	whole := func() party {
		return partyOf("a", role("r"), replicas(2), prefix("p"), rolling("1", "1"), asks(of("c", "1", "2", "3", "4")))
	}
	lists := map[string]types.List{
		"two":          twoParties().Parties.encode(),
		"null":         types.ListNull(partyType),
		"unknown":      types.ListUnknown(partyType),
		"empty":        types.ListValueMust(partyType, nil),
		"whole":        partiesOf(whole()).encode(),
		"twice":        partiesOf(whole(), whole()).encode(),
		"unknown item": partiesOf(party{unknown: true}).encode(),
	}
	for name, edit := range partyEdits {
		lists[name] = partiesOf(with(whole(), edit)).encode()
	}
	return lists
}

// partyEdits change one thing each.
var partyEdits = map[string]func(*party){
	"all unknown":        func(p *party) { p.unknown = true },
	"domain_id":          func(p *party) { p.domainID = types.StringValue("b") },
	"domain_id unknown":  func(p *party) { p.domainID = types.StringUnknown() },
	"role":               role("s"),
	"role null":          func(p *party) { p.role = types.StringNull() },
	"role unknown":       func(p *party) { p.role = types.StringUnknown() },
	"app_image":          image("other"),
	"app_image unknown":  func(p *party) { p.appImage = types.StringUnknown() },
	"replicas":           replicas(3),
	"replicas unknown":   func(p *party) { p.replicas = types.Int32Unknown() },
	"prefix":             prefix("q"),
	"prefix unknown":     func(p *party) { p.serviceNamePrefix = types.StringUnknown() },
	"strategy":           recreate,
	"strategy null":      func(p *party) { p.strategy = strategy{null: true} },
	"strategy unknown":   func(p *party) { p.strategy = strategy{unknown: true} },
	"type unknown":       func(p *party) { p.strategy.kind = types.StringUnknown() },
	"max_surge":          rolling("2", "1"),
	"max_surge unknown":  func(p *party) { p.strategy.surge = types.StringUnknown() },
	"max_unav unknown":   func(p *party) { p.strategy.unavailable = types.StringUnknown() },
	"resources null":     noResources,
	"resources empty":    asks(),
	"resources unknown":  func(p *party) { p.resources = resourceList{unknown: true} },
	"entry unknown":      asks(containerResources{unknown: true}),
	"entry null":         asks(containerResources{}),
	"container":          asks(of("d", "1", "2", "3", "4")),
	"container unknown":  func(p *party) { p.resources.items[0].container = types.StringUnknown() },
	"spelling":           asks(of("c", "1000m", "2", "3", "4")),
	"min_cpu unknown":    func(p *party) { p.resources.items[0].minCPU.StringValue = types.StringUnknown() },
	"max_cpu unknown":    func(p *party) { p.resources.items[0].maxCPU.StringValue = types.StringUnknown() },
	"min_memory unknown": func(p *party) { p.resources.items[0].minMemory.StringValue = types.StringUnknown() },
	"max_memory unknown": func(p *party) { p.resources.items[0].maxMemory.StringValue = types.StringUnknown() },
}

func TestKnown(t *testing.T) {
	t.Parallel()
	known := partyOf("a", role(""), replicas(1), prefix(""), rolling("1", "1"), asks(of("c", "1", "", "", "")))
	if !known.known() {
		t.Error("a known party is not known")
	}
	for name, edit := range map[string]func(*party){
		"all":        func(p *party) { p.unknown = true },
		"domain_id":  func(p *party) { p.domainID = types.StringUnknown() },
		"role":       func(p *party) { p.role = types.StringUnknown() },
		"app_image":  func(p *party) { p.appImage = types.StringUnknown() },
		"replicas":   func(p *party) { p.replicas = types.Int32Unknown() },
		"prefix":     func(p *party) { p.serviceNamePrefix = types.StringUnknown() },
		"strategy":   func(p *party) { p.strategy.unknown = true },
		"type":       func(p *party) { p.strategy.kind = types.StringUnknown() },
		"max_surge":  func(p *party) { p.strategy.surge = types.StringUnknown() },
		"max_unav":   func(p *party) { p.strategy.unavailable = types.StringUnknown() },
		"resources":  func(p *party) { p.resources.unknown = true },
		"entry":      func(p *party) { p.resources.items[0].unknown = true },
		"container":  func(p *party) { p.resources.items[0].container = types.StringUnknown() },
		"min_cpu":    func(p *party) { p.resources.items[0].minCPU.StringValue = types.StringUnknown() },
		"max_cpu":    func(p *party) { p.resources.items[0].maxCPU.StringValue = types.StringUnknown() },
		"min_memory": func(p *party) { p.resources.items[0].minMemory.StringValue = types.StringUnknown() },
		"max_memory": func(p *party) { p.resources.items[0].maxMemory.StringValue = types.StringUnknown() },
	} {
		if with(known, edit).known() {
			t.Errorf("with an unknown %s it is known", name)
		}
	}
}
