package rules_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// withoutRevision is a state from before the attribute.
func withoutRevision(state rules.Serving) rules.Serving {
	return InParties(state, func(parties []rules.Party) []rules.Party {
		for i := range parties {
			parties[i] = parties[i].WithPartyAttribute(party.AttrPodRevision, types.Int64Null())
		}
		return parties
	})
}

// TestRevisionOfOldState: a state from before pod_revision plans nothing, a refresh gives its
// parties the first one, which is no change by another client, and the first new pods are the
// second.
func TestRevisionOfOldState(t *testing.T) {
	t.Parallel()
	config := TwoParties()
	state, private := withoutRevision(StateOf(config)), TwoPartiesPrivate()
	if outcome, planned, _ := Classify(t, config, state, private, AllImages); outcome != NoOp {
		t.Errorf("the plan is %s: %v", outcome, ChangedPaths(state, planned))
	}
	read, _ := rules.FromResponse(state, ResponseTo(config), private, AnyReplicas(1))
	if changed, _ := rules.ChangedElsewhere(state, read, private); changed {
		t.Errorf("the refresh counts as a change: %v", ChangedPaths(state, read))
	}
	scaled := InParty(config, 0, Replicas(3))
	other := scaled
	other = other.WithServingAttribute(rules.AttrConfig, types.StringValue(`{"model": 2}`))
	for name, test := range map[string]struct {
		state, config rules.Serving
		want          int64
	}{
		"read": {read, config, 1}, "scaled before a refresh": {state, scaled, 1}, "new text before a refresh": {state, other, 2}, "new text": {read, other, 2},
	} {
		planned, _ := rules.PlanUpdate(test.config, test.state, private, rules.KnownImages(AllImages))
		for _, p := range planned.Parties().Items {
			if p.PodRevision() != types.Int64Value(test.want) {
				t.Errorf("%s: the revision of %s is %s", name, p.Name, p.PodRevision())
			}
		}
	}
}

// TestRevisionOfResources: a request that is set to the limit is another template of the pods,
// although a pod without a request gets the limit. Another spelling, and what rounds to the same,
// is none.
func TestRevisionOfResources(t *testing.T) {
	t.Parallel()
	images := ImagesOf(AppImage("sf", Container("main")))
	of := func(minCPU, maxCPU string) rules.Serving {
		return ConfigOf(PartyOf("alice", Resources(ContainerResources("", minCPU, maxCPU, "1Mi", ""))))
	}
	for name, test := range map[string]struct {
		before, after rules.Serving
		want          int64
	}{
		"the limit":        {of("", "2"), of("2000m", "2"), 2},
		"another limit":    {of("", "2"), of("", "3"), 2},
		"another spelling": {of("", "2"), of("", "2000m"), 1},
		"rounded up":       {of("0.0001", "2"), of("0.0002", "2"), 1},
	} {
		state := test.before.WithDefaults()
		state = state.WithParties(WithImages(state.Parties(), images))
		private := rules.RecordCreate(rules.Private{Containers: map[string][]string{"alice/": {"main"}}}, state, images)
		planned, _ := rules.PlanUpdate(test.after, state, private, rules.KnownImages(images))
		if got := planned.Parties().Items[0].PodRevision(); got != types.Int64Value(test.want) {
			t.Errorf("%s: the revision is %s, want %d", name, got, test.want)
		}
	}
}

// TestFollowRequest: which percentage an update spells differently, and how.
func TestFollowRequest(t *testing.T) {
	t.Parallel()
	raised := func(p *rules.Party) { *p = p.WithPartyAttribute(party.AttrPodRevision, types.Int64Value(2)) }
	for name, test := range map[string]struct {
		alice, bob func(*rules.Party)
		// has is the strategy of the party in Kuscia; nil: as configured.
		has    *kuscia.UpdateStrategy
		domain string
		sent   kuscia.UpdateStrategy
	}{
		"of the party with new pods": {RollingUpdate("25%", "25%"), RollingUpdate("50%", "0"), nil, "bob", kuscia.UpdateStrategy{Type: "RollingUpdate", MaxSurge: "050%", MaxUnavailable: "0"}},
		"of another party":           {RollingUpdate("1", "10%"), Recreate, nil, "alice", kuscia.UpdateStrategy{Type: "RollingUpdate", MaxSurge: "1", MaxUnavailable: "010%"}},
		"and back":                   {Recreate, RollingUpdate("25%", "25%"), &kuscia.UpdateStrategy{Type: "RollingUpdate", MaxSurge: "025%", MaxUnavailable: "25%"}, "bob", kuscia.UpdateStrategy{Type: "RollingUpdate", MaxSurge: "25%", MaxUnavailable: "25%"}},
		"none":                       {Recreate, RollingUpdate("1", "0"), nil, "", kuscia.UpdateStrategy{}},
	} {
		config := ConfigOf(PartyOf("alice", test.alice), PartyOf("bob", test.bob))
		prior := config.WithDefaults()
		prior = prior.WithParties(WithImages(prior.Parties(), AllImages))
		planned := InParty(prior, 1, raised)
		found := &kuscia.Serving{Parties: []kuscia.ServingParty{
			{DomainID: "alice", UpdateStrategy: prior.Parties().Items[0].Strategy().Wire()}, {DomainID: "bob", UpdateStrategy: prior.Parties().Items[1].Strategy().Wire()},
		}}
		if test.has != nil {
			found.Parties[1].UpdateStrategy = test.has
		}
		request := rules.FollowRequest(planned, prior, found)
		if test.domain == "" {
			if request != nil {
				t.Errorf("%s: %+v is sent", name, request)
			}
			continue
		}
		if request == nil || len(request.Parties) != 1 || request.Parties[0].DomainID != test.domain || *request.Parties[0].UpdateStrategy != test.sent || request.ServingInputConfig != "" {
			t.Errorf("%s: %+v is sent", name, request)
		}
	}
}

// TestRevisionOfAnotherAppImage: another app image whose resources are known only in the plan that
// Terraform makes during the apply leaves the revision unknown, also if its image is known.
func TestRevisionOfAnotherAppImage(t *testing.T) {
	t.Parallel()
	before, config := ConfigOf(PartyOf("alice", Image("other"))), ConfigOf(PartyOf("alice", Image("sf")))
	state := before.WithDefaults()
	state = state.WithParties(WithImages(state.Parties(), AllImages))
	private := rules.RecordCreate(rules.Private{}, state, AllImages)
	for applied, want := range map[bool]types.Int64{false: types.Int64Unknown(), true: types.Int64Value(1)} {
		planned, _ := rules.PlanUpdate(config, state, private, rules.Images{
			Definition: AllImages, IsPartner: func(string) types.Bool { return types.BoolValue(false) },
			Changed: func(name, _ string, part rules.ImagePart) (string, bool) {
				if text := part(AllImages(name)); applied || text == AllImages(name).Reference() {
					return text, true
				}
				return "", false // the server has the planned resources already
			},
		})
		if got := planned.Parties().Items[0].PodRevision(); got != want {
			t.Errorf("applied %t: the revision is %s, want %s", applied, got, want)
		}
	}
}
