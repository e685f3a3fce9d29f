package serving

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// tagged is an app image of that reference, with the resources of its only
// container.
func tagged(name, tag string, requests *kuscia.ResourceSpec) *kuscia.AppImage {
	image := appImage(name, container("main"))
	image.Image.Tag = tag
	if requests != nil {
		image.DeployTemplates[0].Containers[0].Resources = &kuscia.ResourceRequirements{Requests: requests}
	}
	return image
}

// TestUpdateTarget: which parties of an update have to be seen rolling.
func TestUpdateTarget(t *testing.T) {
	now := imagesOf(
		tagged("one", "1", nil), tagged("same", "1", nil), tagged("two", "2", nil),
		tagged("small", "1", &kuscia.ResourceSpec{CPU: "1"}), tagged("big", "1", &kuscia.ResourceSpec{CPU: "2"}), tagged("moved", "2", nil),
	)
	replaced := imagesOf(tagged("gone", "1", nil), tagged("moved", "1", nil))
	images := imageChange{now: func(name string) *kuscia.AppImage { return now(name) }, before: func(name string) *kuscia.AppImage {
		if image := replaced(name); image != nil {
			return image
		}
		return now(name)
	}}
	text := func(text string) func(*model) {
		return func(m *model) { m.ServingInputConfig = tfvalue.NewConfigTextValue(text) }
	}
	two := asks(of("", "1", "", "", ""))
	const none, gradual, atOnce = wait.NoRollout, wait.Gradual, wait.AllAtOnce
	cases := []struct {
		name          string
		before, after func(*party)
		edit          func(*model)
		alice, bob    wait.Rollout
		bobUntouched  bool
	}{
		{name: "image", before: image("one"), after: image("two"), alice: gradual, bobUntouched: true},
		{name: "the same image under another name", before: image("one"), after: image("same"), bobUntouched: true},
		{name: "the same under another name, the first deleted in this run", before: image("gone"), after: image("same"), bobUntouched: true},
		{name: "another, the first deleted in this run", before: image("gone"), after: image("two"), alice: gradual, bobUntouched: true},
		{name: "an app image that is gone", before: image("lost"), after: image("same"), alice: gradual, bobUntouched: true},
		{name: "app images with other resources", before: image("small"), after: image("big"), alice: gradual, bobUntouched: true},
		{name: "the same, overridden",
			before: func(p *party) { image("small")(p); two(p) }, after: func(p *party) { image("big")(p); two(p) }, bobUntouched: true},
		{name: "resources", before: two, after: asks(of("", "2", "", "", "")), alice: gradual, bobUntouched: true},
		{name: "resources spelled otherwise", before: two, after: asks(of("", "1000m", "", "", "")), bobUntouched: true},
		{name: "first resources", before: noResources, after: two, alice: gradual, bobUntouched: true},
		{name: "first resources, those of the app image", before: image("small"), after: func(p *party) { image("small")(p); two(p) }, bobUntouched: true},
		{name: "replicas", before: replicas(2), after: replicas(3), bobUntouched: true},
		{name: "strategy alone", before: rolling("1", "1"), after: recreate, bobUntouched: true},
		{name: "a tag that this run has changed, with a strategy",
			before: func(p *party) { image("moved")(p); rolling("1", "0")(p) }, after: func(p *party) { image("moved")(p); rolling("2", "0")(p) }, alice: gradual, bobUntouched: true},
		{name: "configuration", edit: text(`{"model": 2}`), alice: gradual, bob: gradual},
		{name: "configuration, with Recreate", before: recreate, after: recreate, edit: text(`{"model": 2}`), alice: atOnce, bob: gradual},
		{name: "configuration, without surge", before: rolling("0", "1"), after: rolling("0", "1"), edit: text(`{"model": 2}`), alice: gradual, bob: gradual},
		{name: "configuration, all unavailable", before: rolling("1", "100%"), after: rolling("1", "100%"), edit: text(`{"model": 2}`), alice: atOnce, bob: gradual},
	}
	for _, c := range cases {
		if c.before == nil {
			c.before, c.after = func(*party) {}, func(*party) {}
		}
		serving := func(edit func(*party)) model {
			return withDefaults(configOf(partyOf("alice", image("one"), replicas(2), edit), partyOf("bob", image("one"), replicas(1))))
		}
		prior, planned := serving(c.before), serving(c.after)
		if c.edit != nil {
			c.edit(&planned)
		}
		private := privateData{}.withContainers(partyKey{domainID: "alice"}, []string{"main"})
		if c.name == "first resources" || c.name == "first resources, those of the app image" {
			private = privateData{}
		}
		var diags diag.Diagnostics
		request := updateRequest(planned, prior, private, &diags)
		noDiags(t, diags)
		if request == nil {
			request = &kuscia.UpdateServingRequest{}
		}
		snapshot := &wait.Snapshot{}
		target := updateTarget(planned, prior, request, images, snapshot)
		alice, bob := target.Parties[0], target.Parties[1]
		if !target.Updated || target.Before != snapshot || alice.Rollout != c.alice || bob.Rollout != c.bob || bob.Unchanged != c.bobUntouched {
			t.Errorf("%s: %+v", c.name, target.Parties)
		}
	}
}

// TestUpdateTargetAfterEarlierRuns: an update of the number of pods alone also
// brings what an earlier run made of the app image, or somebody else, and the
// pods of that party have to be seen rolling. This run has not changed it.
func TestUpdateTargetAfterEarlierRuns(t *testing.T) {
	t.Parallel()
	two := &kuscia.ResourceSpec{CPU: "2"}
	for name, test := range map[string]struct {
		// seen are the app image as refreshes saw it since the last rollout, now
		// is what it is.
		seen    []*kuscia.AppImage
		now     *kuscia.AppImage
		rollout wait.Rollout
	}{
		"nothing changed":        {nil, tagged("sf", "1", nil), wait.NoRollout},
		"tag":                    {nil, tagged("sf", "2", nil), wait.Gradual},
		"resources":              {nil, tagged("sf", "1", two), wait.Gradual},
		"tag, and a refresh":     {[]*kuscia.AppImage{tagged("sf", "2", nil)}, tagged("sf", "2", nil), wait.Gradual},
		"tag, back again":        {[]*kuscia.AppImage{tagged("sf", "2", nil)}, tagged("sf", "1", nil), wait.Gradual},
		"only of new servings":   {nil, definedAnew(), wait.NoRollout},
		"the image is not known": {nil, nil, wait.NoRollout},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// The second party gets the same, though nothing is asked for it.
			prior := withDefaults(configOf(partyOf("alice", image("sf"), replicas(2)), partyOf("bob", image("sf"), replicas(2))))
			planned := withDefaults(configOf(partyOf("alice", image("sf"), replicas(3)), partyOf("bob", image("sf"), replicas(2))))
			private := privateData{}.deployedBy(prior, imagesOf(tagged("sf", "1", nil)))
			for _, seen := range test.seen {
				private = private.watchImages(prior, imagesOf(seen))
			}
			now := imagesOf()
			if test.now != nil {
				now = imagesOf(test.now)
			}
			lookup := func(name string) *kuscia.AppImage { return now(name) }
			var diags diag.Diagnostics
			target := updateTarget(planned, prior, updateRequest(planned, prior, private, &diags), imageChange{before: lookup, now: lookup}, &wait.Snapshot{})
			noDiags(t, diags)
			parties := private.knownRollouts(target, planned, now).Parties
			alice, bob := parties[0], parties[1]
			if alice.Rollout != test.rollout || alice.Unchanged || bob.Rollout != test.rollout || bob.Unchanged != (test.rollout == wait.NoRollout) {
				t.Errorf("they have to reach %+v, want the rollout %v", parties, test.rollout)
			}
		})
	}
}

// definedAnew differs from tagged in what no live serving gets.
func definedAnew() *kuscia.AppImage {
	image := tagged("sf", "1", nil)
	image.DeployTemplates[0].Containers[0].Command = []string{"other"}
	return image
}

func TestRolloutOf(t *testing.T) {
	rollingOf := func(surge, unavailable string) *kuscia.UpdateStrategy {
		return &kuscia.UpdateStrategy{Type: kuscia.StrategyRollingUpdate, MaxSurge: surge, MaxUnavailable: unavailable}
	}
	for _, c := range []struct {
		strategy      *kuscia.UpdateStrategy
		before, after int32
		want          wait.Rollout
	}{
		{nil, 1, 1, wait.Gradual},
		{&kuscia.UpdateStrategy{Type: kuscia.StrategyRecreate}, 3, 3, wait.AllAtOnce},
		{rollingOf("25%", "25%"), 1, 1, wait.Gradual},
		{rollingOf("1", "0"), 1, 1, wait.Gradual},
		{rollingOf("0", "1"), 1, 1, wait.AllAtOnce},
		{rollingOf("0%", "25%"), 1, 1, wait.AllAtOnce}, // one pod may go
		{rollingOf("0", "1"), 3, 3, wait.Gradual},
		{rollingOf("0", "2"), 1, 3, wait.AllAtOnce},
		{rollingOf("0", "75%"), 4, 4, wait.Gradual},
		{rollingOf("0", "100%"), 4, 4, wait.AllAtOnce},
		{rollingOf("1", "garbage"), 4, 4, wait.AllAtOnce},
	} {
		if got := rolloutOf(c.strategy, c.before, c.after); got != c.want {
			t.Errorf("%+v, %d and %d pods: %d", c.strategy, c.before, c.after, got)
		}
	}
}

// A rollout that nobody saw is a warning that names the parties.
func TestWarnNotSeen(t *testing.T) {
	var diags diag.Diagnostics
	warnNotSeen(&diags, "glm", nil)
	if len(diags) != 0 {
		t.Error(diags)
	}
	warnNotSeen(&diags, "glm", []string{"alice", "bob (role server)"})
	if diags.HasError() || diags.WarningsCount() != 1 {
		t.Error(diags)
	}
}
