package rules_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

var noon = time.Date(2026, 1, 8, 12, 0, 0, 0, time.UTC)

// updated is a serving with two pods that run, and the target of its update at noon.
func updated() (state rules.Serving, runs *kuscia.ServingStatusDetail, target servingstatus.Target) {
	state = StateOf(ConfigOf(PartyOf("alice", Replicas(2))))
	state = state.WithServingAttribute(definition.AttrRolloutComplete, types.BoolValue(false))
	runs = PodsStatus(state, 2, 2)
	target = rules.CreateTarget(state)
	target.Updated, target.Since, target.Before = true, noon, &servingstatus.Snapshot{Status: runs}
	target.Parties[0].Replacement = judge.RollingReplacement
	return state, runs, target
}

// TestFollowRollout: the rollout_complete that a refresh returns, in seconds after the update.
func TestFollowRollout(t *testing.T) {
	t.Parallel()
	state, runs, target := updated()
	yes, no, none := types.BoolValue(true), types.BoolValue(false), types.BoolNull()
	pending := rules.Private{Rollout: rules.NewPendingRollout(target)}
	seen := rules.Private{Rollout: pending.Rollout.WithoutStarted(target, []bool{true})}
	down := PodsStatus(state, 2, 2)
	down.PartyStatuses[0].AvailableReplicas, down.PartyStatuses[0].UnavailableReplicas = 1, 1
	const long = 2 * servingstatus.StartTimeout
	for name, test := range map[string]struct {
		complete types.Bool
		edit     func(*rules.Party) // of the state from before
		private  rules.Private
		status   *kuscia.ServingStatusDetail
		after    time.Duration
		want     types.Bool
		// stays is set if the rollout is still pending afterwards.
		stays bool
	}{
		"complete stays, pods down":             {complete: yes, status: down, want: yes},
		"complete stays, no status":             {complete: yes, want: yes},
		"null, runs":                            {complete: none, status: runs, want: yes},
		"null, down":                            {complete: none, status: down, want: none},
		"failed create, untainted, runs":        {complete: no, status: runs, want: yes},
		"just updated, status as before":        {complete: no, private: pending, status: runs, want: no, stays: true},
		"start observed, runs":                  {complete: no, private: seen, status: runs, want: yes},
		"start observed, down":                  {complete: no, private: seen, status: down, want: no, stays: true},
		"long ago, runs":                        {complete: no, private: pending, status: runs, after: long, want: yes},
		"another image than the state":          {complete: yes, edit: Image("other"), status: runs, want: no, stays: true},
		"another number of pods than the state": {complete: yes, edit: Replicas(1), status: runs, want: yes},
		"scaled, not complete yet":              {complete: yes, edit: Replicas(1), status: PodsStatus(state, 1, 1), want: no, stays: true},
	} {
		prior := state.WithServingAttribute("rollout_complete", test.complete)
		next := prior
		if test.edit != nil {
			prior = InParty(prior, 0, test.edit)
		}
		at := noon.Add(5*time.Second + test.after)
		got, private := rules.RefreshRolloutComplete(prior, next, &kuscia.Serving{Status: test.status}, test.private, at, nil)
		if !got.Equal(test.want) || (private.Rollout != nil) != test.stays {
			t.Errorf("%s: rollout_complete is %s, want %s; not started: %+v", name, got, test.want, private.Rollout)
		}
		next = next.WithServingAttribute(definition.AttrWaitForRollout, types.BoolValue(false))
		if got, _ := rules.RefreshRolloutComplete(prior, next, &kuscia.Serving{Status: test.status}, test.private, at, nil); !got.IsNull() {
			t.Errorf("%s: rollout_complete is %s without a wait", name, got)
		}
	}

	// After the clock was set back by hours, the time counts from then.
	const back = -3 * time.Hour
	for _, step := range []struct {
		at   time.Duration
		want bool
	}{{time.Second, false}, {back, false}, {back + servingstatus.StartTimeout - time.Second, false}, {back + servingstatus.StartTimeout, true}} {
		var complete types.Bool
		complete, pending = rules.RefreshRolloutComplete(state, state, &kuscia.Serving{Status: runs}, pending, noon.Add(step.at), nil)
		if complete.ValueBool() != step.want {
			t.Errorf("at %s: complete %s, then %+v", step.at, complete, pending.Rollout)
		}
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
	first.Parties[0].Replacement, first.Parties[1].Unchanged = judge.RecreateAll, true
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
			first.Parties[0].Replacement = judge.RollingReplacement
			private := rules.Private{Rollout: rules.NewPendingRollout(first)}

			snapshot := &servingstatus.Snapshot{Status: status(test.between)}
			private = rules.ForgetStarted(private, state, snapshot)
			second := rules.CreateTarget(state)
			second.Updated, second.Before = true, snapshot
			second.Parties[0].Unchanged = true
			second = rules.AddNotStarted(private, second, state)
			private.Rollout = private.Rollout.Merge(rules.NewPendingRollout(second))

			_, history := judge.Judge(servingstatus.StateOf(status(test.during), nil), second.Judged(), judge.History{PastLag: true, PastLagMargin: true})
			verdict, _ := judge.Judge(servingstatus.StateOf(status(asBefore), nil), second.Judged(), history)
			if blocked := verdict.Reason == judge.StartNotObserved; blocked == test.seen || blocked && verdict.Of != "alice" {
				t.Errorf("the reason is %v of %s", verdict.Reason, verdict.Of)
			}
			after := rules.AfterWait(private, servingstatus.Result{}, &servingstatus.NotRunningError{Target: second, Started: history.Started, Err: context.DeadlineExceeded})
			if _, stays := after.Rollout.NotStarted[party.Key{DomainID: "alice"}.String()]; stays == test.seen {
				t.Errorf("not started: %+v", after.Rollout.NotStarted)
			}
		})
	}
}

// TestFollowWithCluster: with a cluster, a rollout is complete when the Deployments
// are, and not after a time; the cluster is not queried for a complete rollout.
func TestFollowWithCluster(t *testing.T) {
	t.Parallel()
	state, runs, target := updated()
	private := rules.Private{Rollout: rules.NewPendingRollout(target)}
	response := &kuscia.Serving{Status: runs}
	for name, test := range map[string]struct {
		age     time.Duration
		party   servingstatus.PartyObservation
		err     error
		want    bool
		guessed bool
	}{
		"done at once":                   {age: time.Second, party: servingstatus.PartyObservation{Done: true}, want: true},
		"not done after an hour":         {age: time.Hour},
		"unavailable":                    {age: time.Hour, err: apierror.ErrUnavailable},
		"another cluster":                {age: time.Second, party: servingstatus.PartyObservation{Elsewhere: true}},
		"another cluster, after an hour": {age: time.Hour, party: servingstatus.PartyObservation{Elsewhere: true}, want: true, guessed: true},
	} {
		asked, now := 0, noon.Add(test.age)
		test.party.DomainID = "alice"
		observer := servingstatus.NewCachedObserver(func() (servingstatus.Observation, error) {
			asked++
			return servingstatus.Observation{Parties: []servingstatus.PartyObservation{test.party}}, test.err
		})
		got, after := rules.RefreshRolloutComplete(state, state, response, private, now, observer)
		next := state
		next = next.WithServingAttribute(definition.AttrRolloutComplete, got)
		guessed := rules.AssumedComplete(state, next, private, response.Status, now, observer)
		if got.ValueBool() != test.want || (after.Rollout == nil) != test.want || len(guessed) > 0 != test.guessed || asked != 1 || !errors.Is(observer.Err(), test.err) {
			t.Errorf("%s: rollout_complete is %s, assumed complete %v, %d queries, %v", name, got, guessed, asked, observer.Err())
		}
		next = next.WithServingAttribute(definition.AttrRolloutComplete, types.BoolValue(true))
		if rules.RefreshRolloutComplete(next, next, response, rules.Private{}, now, observer); asked != 1 {
			t.Errorf("%s: the cluster is queried for a complete rollout", name)
		}
	}
}

// TestRolloutAfterAnOutage: controllers do nothing while their API server is
// unreachable, and lag afterwards. A refresh accepts pods that are as before the
// update only after the longest possible lag, counted from when Kuscia responds
// again, and warns.
func TestRolloutAfterAnOutage(t *testing.T) {
	t.Parallel()
	state, runs, target := updated()
	ended := func(steady time.Time) rules.Private {
		return rules.AfterWait(rules.Private{Rollout: rules.NewPendingRollout(target)}, servingstatus.Result{},
			&servingstatus.NotRunningError{Target: target, Started: []bool{false}, ReachableSince: steady, Cause: servingstatus.CauseTimedOut, Err: context.DeadlineExceeded})
	}
	read := func(private rules.Private, at time.Time) (bool, rules.Private, []string) {
		complete, after := rules.RefreshRolloutComplete(state, state, &kuscia.Serving{Status: runs}, private, at, nil)
		next := state.WithServingAttribute("rollout_complete", complete)
		return complete.ValueBool(), after, rules.AssumedComplete(state, next, private, runs, at, nil)
	}
	later := noon.Add(10 * time.Minute)
	for name, test := range map[string]struct {
		private rules.Private
		at      time.Time
		want    bool
	}{
		"no outage":                       {ended(noon), noon.Add(2 * servingstatus.StartTimeout), true},
		"no outage, before the timeout":   {ended(noon), noon.Add(servingstatus.StartTimeout - time.Second), false},
		"outage over when the wait ended": {ended(noon.Add(time.Minute)), noon.Add(servingstatus.StartTimeout + time.Second), false},
		"outage when the wait ended":      {ended(time.Time{}), later, false},
	} {
		complete, after, warned := read(test.private, test.at)
		if complete != test.want || (after.Rollout == nil) != test.want || test.want != slices.Equal(warned, []string{"alice"}) || !test.want && warned != nil {
			t.Errorf("%s: complete %t, then %+v, warned of %q", name, complete, after.Rollout, warned)
		}
	}

	_, after, _ := read(ended(time.Time{}), later)
	if complete, _, _ := read(after, later.Add(servingstatus.StartTimeout-time.Second)); complete {
		t.Error("complete before the time since the first response has passed")
	}
	if complete, _, warned := read(after, later.Add(servingstatus.StartTimeout+time.Second)); !complete || len(warned) == 0 {
		t.Error("not complete, or without a warning, after Kuscia has been reachable for long enough")
	}
	if again := rules.ResumedTarget(state, after); !again.ReachableSince.Equal(later) {
		t.Errorf("the next wait counts from %s", again.ReachableSince)
	}
	if seen := rules.AfterWait(ended(noon), servingstatus.Result{}, &servingstatus.NotRunningError{Target: target, Started: []bool{true}, Err: errors.New("any")}); seen.Rollout.NotStarted != nil {
		t.Errorf("not started: %+v", seen.Rollout.NotStarted)
	}
}
