package serving

import (
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// podsStatus is a status in which every party of a serving has so many pods, of
// which so many are updated; all of them are available.
func podsStatus(m model, replicas, updated int32) *kuscia.ServingStatusDetail {
	status := &kuscia.ServingStatusDetail{State: kuscia.StateAvailable}
	parties := slices.Clone(m.Parties.items)
	for _, p := range parties {
		status.PartyStatuses = append(status.PartyStatuses, kuscia.PartyStatus{
			DomainID: p.domainID.ValueString(), Role: p.role.ValueString(), State: kuscia.StateAvailable,
			Replicas: replicas, UpdatedReplicas: updated, AvailableReplicas: replicas, CreateTime: "2026-01-08T10:00:00Z",
		})
	}
	return status
}

// TestFollowRollout: what a refresh makes of rollout_complete.
func TestFollowRollout(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 8, 12, 0, 0, 0, time.UTC)
	config := configOf(partyOf("alice", replicas(2)))
	state := stateOf(config)
	yes, no, none := types.BoolValue(true), types.BoolValue(false), types.BoolNull()
	target := func(since time.Time) wait.Target {
		target := createTarget(state)
		target.Since, target.Before = since, &wait.Snapshot{Status: podsStatus(state, 2, 2)}
		target.Parties[0].Rollout = wait.Gradual
		return target
	}
	pending := func(age time.Duration) privateData { return privateData{Rollout: newRollout(target(now.Add(-age)))} }
	seen := pending(5 * time.Second)
	seen.Rollout = seen.Rollout.after(target(now), []bool{true})
	runs, rolls := podsStatus(state, 2, 2), podsStatus(state, 3, 1)
	down := podsStatus(state, 2, 2)
	down.PartyStatuses[0].AvailableReplicas, down.PartyStatuses[0].UnavailableReplicas = 1, 1
	with := func(complete types.Bool, edits ...func(*model)) model {
		m := state
		m.RolloutComplete = complete
		for _, edit := range edits {
			edit(&m)
		}
		return m
	}
	imaged := inParty(state, 0, image("other"))
	scaled := inParty(state, 0, replicas(1))

	for name, test := range map[string]struct {
		prior   model
		private privateData
		status  *kuscia.ServingStatusDetail
		want    types.Bool
		// stays says that something still has to be seen afterwards.
		stays bool
	}{
		"complete stays, pods down":             {with(yes), privateData{}, down, yes, false},
		"complete stays, no status":             {with(yes), privateData{}, nil, yes, false},
		"never looked at, runs":                 {with(none), privateData{}, runs, yes, false},
		"never looked at, down":                 {with(none), privateData{}, down, none, false},
		"failed create, untainted, runs":        {with(no), privateData{}, runs, yes, false},
		"failed create, untainted, down":        {with(no), privateData{}, down, no, false},
		"just updated, looks as before":         {with(no), pending(5 * time.Second), runs, no, true},
		"just updated, rolls":                   {with(no), pending(5 * time.Second), rolls, no, true},
		"seen to begin, runs":                   {with(no), seen, runs, yes, false},
		"seen to begin, down":                   {with(no), seen, down, no, true},
		"long ago, runs":                        {with(no), pending(2 * wait.BeginTime), runs, yes, false},
		"long ago, down":                        {with(no), pending(2 * wait.BeginTime), down, no, true},
		"another image than the state":          {with(yes, func(m *model) { m.Parties = imaged.Parties }), privateData{}, runs, no, true},
		"another number of pods than the state": {with(yes, func(m *model) { m.Parties = scaled.Parties }), privateData{}, runs, yes, false},
		"scaled and not there yet":              {with(yes, func(m *model) { m.Parties = scaled.Parties }), privateData{}, podsStatus(state, 1, 1), no, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			next := state
			next.RolloutComplete = test.prior.RolloutComplete
			got, private := followRollout(test.prior, next, &kuscia.Serving{Status: test.status}, test.private, now)
			if !got.Equal(test.want) || (private.Rollout != nil) != test.stays {
				t.Errorf("rollout_complete is %s, want %s; still to be seen: %+v", got, test.want, private.Rollout)
			}
			next.WaitForRollout = types.BoolValue(false)
			if got, _ := followRollout(test.prior, next, &kuscia.Serving{Status: test.status}, test.private, now); !got.IsNull() {
				t.Errorf("rollout_complete is %s where nobody waits", got)
			}
		})
	}
}

// TestResumedTarget: what a wait after a killed apply wants to see is what the
// apply wanted to see.
func TestResumedTarget(t *testing.T) {
	t.Parallel()
	state := stateOf(configOf(partyOf("alice"), partyOf("bob")))
	first := createTarget(state)
	first.Updated, first.Since = true, time.Date(2026, 1, 8, 12, 0, 0, 0, time.UTC)
	first.Before = &wait.Snapshot{Status: podsStatus(state, 1, 1)}
	first.Parties[0].Rollout, first.Parties[1].Unchanged = wait.AllAtOnce, true
	again := resumedTarget(state, privateData{Rollout: newRollout(first)})
	if !again.Since.Equal(first.Since) || again.Parties[0] != first.Parties[0] || again.Parties[1] != first.Parties[1] {
		t.Errorf("it is %+v, want %+v", again, first)
	}
	if before := podsOf(again.Before, partyKey{domainID: "alice"}); *before != *podsOf(first.Before, partyKey{domainID: "alice"}) {
		t.Errorf("the pods before are %+v", before)
	}
	first.Before = nil
	if again := resumedTarget(state, privateData{Rollout: newRollout(first)}); again.Before != nil {
		t.Errorf("a snapshot from nowhere: %+v", again.Before)
	}
}

// TestRedeployedMeanwhile: a redeploy of somebody else, as by the action, brings
// what the app image has to the pods, and its rollout has to be complete. What
// the provider itself has sent is none.
func TestRedeployedMeanwhile(t *testing.T) {
	t.Parallel()
	config := configOf(partyOf("alice", replicas(2)))
	config.ServingInputConfig = tfvalue.NewConfigTextValue(`{"a": 1}`)
	state := stateOf(config)
	state.RolloutComplete = types.BoolValue(true)
	var diags diag.Diagnostics
	request := createRequest(state, &diags)
	noDiags(t, diags)
	answer := func(text string, replicas, updated int32) *kuscia.Serving {
		return &kuscia.Serving{
			Initiator: "alice", ServingInputConfig: text, Parties: request.Parties, Status: podsStatus(state, replicas, updated),
		}
	}
	before, after := definedBy(nil), definedBy(func(i *kuscia.AppImage, _ *kuscia.Container) { i.Image.Tag = "2" })
	read := func(private privateData, answer *kuscia.Serving) (bool, privateData) {
		next, private := readState(state, answer, private, sources{remembered: imagesOf(after), asked: imagesOf(after), now: time.Now()})
		return next.RolloutComplete.ValueBool(), private
	}
	told := func(private privateData) bool {
		var diags diag.Diagnostics
		parties := slices.Clone(state.Parties.items)
		warnUndeployed(parties, private, false, imagesOf(after), &diags)
		return len(diags) > 0
	}
	text := state.ServingInputConfig.ValueString()
	private := privateData{}.deployedBy(state, imagesOf(before)).learn(answer(text, 2, 2), state)

	for name, test := range map[string]struct {
		private        privateData
		answer         *kuscia.Serving
		complete, told bool
	}{
		"nobody":              {private, answer(text, 2, 2), true, true},
		"nobody, pods down":   {private, answer(text, 3, 1), true, true},
		"redeployed":          {private, answer(respell(text, text), 2, 2), true, false},
		"redeployed and back": {private, answer(respell(text, respell(text, text)), 2, 2), true, true},
		"does not run":        {private, answer(respell(text, text), 3, 1), false, false},
		"sent by ourselves":   {private.afterSending(), answer(respell(text, text), 3, 1), true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			complete, next := read(test.private, test.answer)
			if complete != test.complete || told(next) != test.told || next.redeployedMeanwhile(test.answer) {
				t.Errorf("complete %v, a warning %v, then %+v", complete, told(next), next)
			}
		})
	}
}
