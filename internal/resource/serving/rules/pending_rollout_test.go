package rules_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestFollowRollout: the rollout_complete that a refresh returns.
func TestFollowRollout(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 8, 12, 0, 0, 0, time.UTC)
	config := ConfigOf(PartyOf("alice", Replicas(2)))
	state := StateOf(config)
	yes, no, none := types.BoolValue(true), types.BoolValue(false), types.BoolNull()
	target := func(since time.Time) servingstatus.Target {
		target := rules.CreateTarget(state)
		target.Since, target.Before = since, &servingstatus.Snapshot{Status: PodsStatus(state, 2, 2)}
		target.Parties[0].Replacement = servingstatus.RollingReplacement
		return target
	}
	pending := func(age time.Duration) rules.Private {
		return rules.Private{Rollout: rules.NewPendingRollout(target(now.Add(-age)))}
	}
	seen := pending(5 * time.Second)
	seen.Rollout = seen.Rollout.WithoutStarted(target(now), []bool{true})
	runs := PodsStatus(state, 2, 2)
	down := PodsStatus(state, 2, 2)
	down.PartyStatuses[0].AvailableReplicas, down.PartyStatuses[0].UnavailableReplicas = 1, 1
	with := func(complete types.Bool, edits ...func(*rules.Serving)) rules.Serving {
		m := state
		m.RolloutComplete = complete
		for _, edit := range edits {
			edit(&m)
		}
		return m
	}
	imaged := InParty(state, 0, Image("other"))
	scaled := InParty(state, 0, Replicas(1))

	for name, test := range map[string]struct {
		prior   rules.Serving
		private rules.Private
		status  *kuscia.ServingStatusDetail
		want    types.Bool
		// stays is set if the rollout is still pending afterwards.
		stays bool
	}{
		"complete stays, pods down":             {with(yes), rules.Private{}, down, yes, false},
		"complete stays, no status":             {with(yes), rules.Private{}, nil, yes, false},
		"null, runs":                            {with(none), rules.Private{}, runs, yes, false},
		"null, down":                            {with(none), rules.Private{}, down, none, false},
		"failed create, untainted, runs":        {with(no), rules.Private{}, runs, yes, false},
		"just updated, status as before":        {with(no), pending(5 * time.Second), runs, no, true},
		"start observed, runs":                  {with(no), seen, runs, yes, false},
		"start observed, down":                  {with(no), seen, down, no, true},
		"long ago, runs":                        {with(no), pending(2 * servingstatus.StartTimeout), runs, yes, false},
		"another image than the state":          {with(yes, func(m *rules.Serving) { m.Parties = imaged.Parties }), rules.Private{}, runs, no, true},
		"another number of pods than the state": {with(yes, func(m *rules.Serving) { m.Parties = scaled.Parties }), rules.Private{}, runs, yes, false},
		"scaled, not complete yet":              {with(yes, func(m *rules.Serving) { m.Parties = scaled.Parties }), rules.Private{}, PodsStatus(state, 1, 1), no, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			next := state
			next.RolloutComplete = test.prior.RolloutComplete
			got, private := rules.RefreshRolloutComplete(test.prior, next, &kuscia.Serving{Status: test.status}, test.private, now, nil)
			if !got.Equal(test.want) || (private.Rollout != nil) != test.stays {
				t.Errorf("rollout_complete is %s, want %s; not started: %+v", got, test.want, private.Rollout)
			}
			next.WaitForRollout = types.BoolValue(false)
			if got, _ := rules.RefreshRolloutComplete(test.prior, next, &kuscia.Serving{Status: test.status}, test.private, now, nil); !got.IsNull() {
				t.Errorf("rollout_complete is %s without a wait", got)
			}
		})
	}
}

// TestResumedTarget: a wait after a killed apply has the same requirements as
// that of the apply.
func TestResumedTarget(t *testing.T) {
	t.Parallel()
	state := StateOf(ConfigOf(PartyOf("alice"), PartyOf("bob")))
	first := rules.CreateTarget(state)
	first.Updated, first.Since = true, time.Date(2026, 1, 8, 12, 0, 0, 0, time.UTC)
	first.Before = &servingstatus.Snapshot{Status: PodsStatus(state, 1, 1)}
	first.Parties[0].Replacement, first.Parties[1].Unchanged = servingstatus.RecreateAll, true
	again := rules.ResumedTarget(state, rules.Private{Rollout: rules.NewPendingRollout(first)})
	if !again.Since.Equal(first.Since) || again.Parties[0] != first.Parties[0] || again.Parties[1] != first.Parties[1] {
		t.Errorf("got %+v, want %+v", again, first)
	}
	if before := rules.PodsOf(again.Before, party.Key{DomainID: "alice"}); *before != *rules.PodsOf(first.Before, party.Key{DomainID: "alice"}) {
		t.Errorf("the pods before are %+v", before)
	}
	first.Before = nil
	if again := rules.ResumedTarget(state, rules.Private{Rollout: rules.NewPendingRollout(first)}); again.Before != nil {
		t.Errorf("a snapshot without pods: %+v", again.Before)
	}
}

// TestSecondUpdate: if a wait did not observe a rollout start, the next update
// still requires it although it does not replace the pods of that party,
// whatever pods have crashed since, and also after a failed wait. Pods of a new
// version are enough.
func TestSecondUpdate(t *testing.T) {
	t.Parallel()
	state := StateOf(ConfigOf(PartyOf("alice", Replicas(2)), PartyOf("bob", Replicas(2))))
	status := func(edit func(*kuscia.PartyStatus)) *kuscia.ServingStatusDetail {
		status := PodsStatus(state, 2, 2)
		edit(&status.PartyStatuses[0])
		return status
	}
	asBefore := func(*kuscia.PartyStatus) {}
	crashed := func(p *kuscia.PartyStatus) { p.AvailableReplicas, p.UnavailableReplicas = 1, 1 }
	begun := func(p *kuscia.PartyStatus) { p.Replicas, p.UpdatedReplicas = 3, 1 }
	recreated := func(p *kuscia.PartyStatus) { p.CreateTime = "2026-01-08T12:00:00Z" }
	for name, test := range map[string]struct {
		between, during func(*kuscia.PartyStatus)
		seen            bool
	}{
		"as before":            {asBefore, asBefore, false},
		"crashed later":        {asBefore, crashed, false},
		"started between them": {begun, asBefore, true},
		"recreated":            {recreated, asBefore, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := rules.CreateTarget(state)
			first.Updated, first.Before = true, &servingstatus.Snapshot{Status: status(asBefore)}
			first.Parties[0].Replacement = servingstatus.RollingReplacement
			private := rules.Private{Rollout: rules.NewPendingRollout(first)}

			snapshot := &servingstatus.Snapshot{Status: status(test.between)}
			private = rules.ForgetStarted(private, state, snapshot)
			second := rules.CreateTarget(state)
			second.Updated, second.Before = true, snapshot
			second.Parties[0].Unchanged = true
			second = rules.AddNotStarted(private, second, state)
			private.Rollout = private.Rollout.Merge(rules.NewPendingRollout(second))

			_, history := servingstatus.Evaluate(status(test.during), second, servingstatus.History{PastStatusLag: true, PastStatusLagMargin: true})
			outcome, _ := servingstatus.Evaluate(status(asBefore), second, history)
			if blocked := outcome.Blocker == servingstatus.RolloutStartNotObserved; blocked == test.seen || blocked && outcome.Party != "alice" {
				t.Errorf("the blocker is %v of %s", outcome.Blocker, outcome.Party)
			}
			after := rules.AfterWait(private, servingstatus.Result{}, &servingstatus.NotRunningError{Target: second, Started: history.Started, Err: context.DeadlineExceeded})
			if _, stays := after.Rollout.NotStarted[party.Key{DomainID: "alice"}.String()]; stays == test.seen {
				t.Errorf("not started: %+v", after.Rollout.NotStarted)
			}
		})
	}
}

// TestFollowWithCluster: with a cluster, a rollout is complete when the rules.Deployments
// are, and not after a time; the cluster is not queried for a complete rollout.
func TestFollowWithCluster(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 8, 12, 0, 0, 0, time.UTC)
	state := StateOf(ConfigOf(PartyOf("alice", Replicas(2))))
	target := rules.CreateTarget(state)
	target.Before = &servingstatus.Snapshot{Status: PodsStatus(state, 2, 2)}
	target.Parties[0].Replacement = servingstatus.RollingReplacement
	observation := func(done, elsewhere bool) servingstatus.Observation {
		return servingstatus.Observation{Parties: []servingstatus.PartyObservation{{DomainID: "alice", Done: done, Elsewhere: elsewhere}}}
	}
	for name, test := range map[string]struct {
		age         time.Duration
		observation servingstatus.Observation
		err         error
		want        bool
		guessed     bool
	}{
		"done at once":                   {age: time.Second, observation: observation(true, false), want: true},
		"not done after an hour":         {age: time.Hour, observation: observation(false, false)},
		"unavailable":                    {age: time.Hour, err: apierror.ErrUnavailable},
		"another cluster":                {age: time.Second, observation: observation(false, true)},
		"another cluster, after an hour": {age: time.Hour, observation: observation(false, true), want: true, guessed: true},
	} {
		target.Since = now.Add(-test.age)
		private := rules.Private{Rollout: rules.NewPendingRollout(target)}
		asked := 0
		observer := rules.NewCachedObserver(func() (servingstatus.Observation, error) { asked++; return test.observation, test.err })
		prior, next := state, state
		prior.RolloutComplete = types.BoolValue(false)
		response := &kuscia.Serving{Status: PodsStatus(state, 2, 2)}
		got, after := rules.RefreshRolloutComplete(prior, prior, response, private, now, observer)
		next.RolloutComplete = got
		guessed := rules.AssumedComplete(prior, next, private, response.Status, now, observer)
		if got.ValueBool() != test.want || (after.Rollout == nil) != test.want || len(guessed) > 0 != test.guessed || asked != 1 || !errors.Is(observer.Err(), test.err) {
			t.Errorf("%s: rollout_complete is %s, assumed complete %v, %d queries, %v", name, got, guessed, asked, observer.Err())
		}
		prior.RolloutComplete = types.BoolValue(true)
		if rules.RefreshRolloutComplete(prior, prior, response, rules.Private{}, now, observer); asked != 1 {
			t.Errorf("%s: the cluster is queried for a complete rollout", name)
		}
	}
}
