package rules_test

import (
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestUpdateTarget: the parties of an update whose rollout start has to be
// observed.
func TestUpdateTarget(t *testing.T) {
	now := ImagesOf(
		Tagged("one", "1", nil), Tagged("same", "1", nil), Tagged("two", "2", nil),
		Tagged("small", "1", &kuscia.ResourceSpec{CPU: "1"}), Tagged("big", "1", &kuscia.ResourceSpec{CPU: "2"}), Tagged("moved", "2", nil),
	)
	replaced := ImagesOf(Tagged("gone", "1", nil), Tagged("moved", "1", nil))
	before := func(name string) *kuscia.AppImage {
		if image := replaced(name); image != nil {
			return image
		}
		return now(name)
	}
	text := func(text string) func(*rules.Serving) {
		return func(m *rules.Serving) { *m = m.WithServingAttribute(rules.AttrConfig, types.StringValue(text)) }
	}
	two := Resources(ContainerResources("", "1", "", "", ""))
	const none, gradual, atOnce = judge.NoReplacement, judge.RollingReplacement, judge.RecreateAll
	cases := []struct {
		name          string
		before, after func(*rules.Party)
		edit          func(*rules.Serving)
		alice, bob    judge.Replacement
		bobUntouched  bool
	}{
		{name: "the same image under another name", before: Image("one"), after: Image("same"), bobUntouched: true},
		{name: "the same under another name, the first deleted in this run", before: Image("gone"), after: Image("same"), bobUntouched: true},
		{name: "another, the first deleted in this run", before: Image("gone"), after: Image("two"), alice: gradual, bobUntouched: true},
		{name: "an app image that is gone", before: Image("lost"), after: Image("same"), alice: gradual, bobUntouched: true},
		{name: "app images with other resources", before: Image("small"), after: Image("big"), alice: gradual, bobUntouched: true},
		{name: "first resources", before: NoResources, after: two, alice: gradual, bobUntouched: true},
		{name: "a tag that this run has changed, with a strategy",
			before: func(p *rules.Party) { Image("moved")(p); RollingUpdate("1", "0")(p) }, after: func(p *rules.Party) { Image("moved")(p); RollingUpdate("2", "0")(p) }, alice: gradual, bobUntouched: true},
		{name: "configuration, with Recreate", before: Recreate, after: Recreate, edit: text(`{"model": 2}`), alice: atOnce, bob: gradual},
	}
	for _, c := range cases {
		if c.before == nil {
			c.before, c.after = func(*rules.Party) {}, func(*rules.Party) {}
		}
		serving := func(edit func(*rules.Party)) rules.Serving {
			return ConfigOf(PartyOf("alice", Image("one"), Replicas(2), edit), PartyOf("bob", Image("one"), Replicas(1)))
		}
		prior, config := serving(c.before).WithDefaults(), serving(c.after)
		prior = prior.WithParties(WithImages(prior.Parties(), before))
		if c.edit != nil {
			c.edit(&config)
		}
		private := rules.Private{}.WithContainers(party.Key{DomainID: "alice"}, []string{"main"})
		if c.name == "first resources" {
			private = rules.Private{}
		}
		private = rules.RecordCreate(private, prior, before)
		planned, _ := rules.PlanUpdate(config, prior, private, rules.KnownImages(now))
		snapshot := &servingstatus.Snapshot{}
		target := rules.UpdateTarget(planned, prior, private, snapshot)
		alice, bob := target.Parties[0], target.Parties[1]
		if !target.Updated || target.Before != snapshot || alice.Replacement != c.alice || bob.Replacement != c.bob || bob.Unchanged != c.bobUntouched {
			t.Errorf("%s: %+v", c.name, target.Parties)
		}
		var stop []string
		for _, p := range rules.StopsAll(planned, prior) {
			stop = append(stop, p.Name)
		}
		if (c.alice == atOnce) != slices.Contains(stop, "alice") || (c.bob == atOnce) != slices.Contains(stop, "bob") {
			t.Errorf("%s: %q stop all pods first", c.name, stop)
		}
	}
}

// TestUpdateTargetAfterEarlierRuns: an update of replicas alone also applies the
// changes of the app image by an earlier run or another client, and the rollout
// start of that party has to be observed. This run has not changed the app
// image.
func TestUpdateTargetAfterEarlierRuns(t *testing.T) {
	t.Parallel()
	two := &kuscia.ResourceSpec{CPU: "2"}
	for name, test := range map[string]struct {
		// seen is the app image at a refresh since the last rollout, now is the
		// current one.
		seen           *kuscia.AppImage
		now            *kuscia.AppImage
		PendingRollout judge.Replacement
	}{
		"resources":            {nil, Tagged("sf", "1", two), judge.RollingReplacement},
		"tag, reverted":        {Tagged("sf", "2", nil), Tagged("sf", "1", nil), judge.RollingReplacement},
		"only of new servings": {nil, definedAnew(), judge.NoReplacement},
		"unknown image":        {nil, nil, judge.NoReplacement},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			prior := ConfigOf(PartyOf("alice", Image("sf"), Replicas(2)), PartyOf("bob", Image("sf"), Replicas(2))).WithDefaults()
			config := ConfigOf(PartyOf("alice", Image("sf"), Replicas(3)), PartyOf("bob", Image("sf"), Replicas(2)))
			first := ImagesOf(Tagged("sf", "1", nil))
			prior = prior.WithParties(WithImages(prior.Parties(), first))
			private := rules.RecordCreate(rules.Private{}, prior, first)
			if test.seen != nil {
				_, private = rules.Refresh(prior, ResponseTo(prior), private, rules.Sources{Cached: ImagesOf(test.seen), Now: time.Now()})
			}
			now := ImagesOf()
			if test.now != nil {
				now = ImagesOf(test.now)
			}
			planned, _ := rules.PlanUpdate(config, prior, private, rules.KnownImages(now))
			if test.now == nil { // which the apply cannot know either
				planned = planned.WithParties(InParty(planned, 1, func(p *rules.Party) { *p = p.WithPartyAttribute(party.AttrPodRevision, types.Int64Value(1)) }).Parties())
				planned = planned.WithParties(InParty(planned, 0, func(p *rules.Party) { *p = p.WithPartyAttribute(party.AttrPodRevision, types.Int64Value(1)) }).Parties())
			}
			target := rules.UpdateTarget(planned, prior, private, &servingstatus.Snapshot{})
			parties := rules.AddMaybeApplied(private, target, planned).Parties
			alice, bob := parties[0], parties[1]
			if alice.Replacement != test.PendingRollout || alice.Unchanged || bob.Replacement != test.PendingRollout || bob.Unchanged != (test.PendingRollout == judge.NoReplacement) {
				t.Errorf("the target is %+v, want the replacement %v", parties, test.PendingRollout)
			}
		})
	}
}

// definedAnew differs from tagged in what no live serving gets.
func definedAnew() *kuscia.AppImage {
	image := Tagged("sf", "1", nil)
	image.DeployTemplates[0].Containers[0].Command = []string{"other"}
	return image
}

// TestRedeployTarget: a redeploy waits for the replicas that Kuscia stores, or else for those of
// the app image.
func TestRedeployTarget(t *testing.T) {
	t.Parallel()
	three := int32(3)
	current := &kuscia.Serving{Parties: []kuscia.ServingParty{{DomainID: "alice", Replicas: &three}, {DomainID: "bob", Role: "client"}}}
	got := rules.RedeployTarget("glm", current, AnyReplicas(2)).Parties
	if len(got) != 2 || got[0].Replicas != 3 || got[1].Replicas != 2 || got[1].DomainID != "bob" || got[1].Role != "client" {
		t.Errorf("the target is %+v", got)
	}
}
