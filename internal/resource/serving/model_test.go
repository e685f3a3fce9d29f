package serving

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// TestDecodeEncode: taking a list of parties apart and putting it together
// again loses nothing, unknown and null parts included.
func TestDecodeEncode(t *testing.T) {
	t.Parallel()
	full := twoParties().Parties
	for name, list := range map[string]types.List{
		"full":       full,
		"empty":      types.ListValueMust(partyType, nil),
		"null parts": encodeParties([]party{partyOf("a"), partyOf("b", asks(), func(p *party) { p.strategy = strategy{} })}),
		"unknown parts": encodeParties([]party{
			{unknown: true},
			partyOf("a", func(p *party) { p.strategy, p.resources = strategy{unknown: true}, resourceList{unknown: true} }),
			partyOf("b", asks(containerResources{unknown: true}, of("c", "1", "", "", ""))),
			partyOf("c", func(p *party) { p.domainID, p.replicas = types.StringUnknown(), types.Int32Unknown() }),
		}),
	} {
		parties, ok := decodeParties(list)
		if !ok {
			t.Errorf("%s: not known", name)
		}
		if again := encodeParties(parties); !again.Equal(list) {
			t.Errorf("%s becomes %s, was %s", name, again, list)
		}
	}
	if _, ok := decodeParties(types.ListUnknown(partyType)); ok {
		t.Error("an unknown list is known")
	}
	if parties, ok := decodeParties(types.ListNull(partyType)); !ok || len(parties) > 0 {
		t.Errorf("a null list has %d parties, known %v", len(parties), ok)
	}
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
