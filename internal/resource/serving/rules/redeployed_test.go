package rules_test

import (
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestRedeployedMeanwhile: a redeploy by another client, as with the action,
// applies the current app image to the pods, and its rollout has to complete.
// What the provider itself has sent is no such redeploy.
func TestRedeployedMeanwhile(t *testing.T) {
	t.Parallel()
	config := ConfigOf(PartyOf("alice", Replicas(2)))
	config.ServingInputConfig = types.StringValue(`{"a": 1}`)
	state := StateOf(config)
	state.RolloutComplete = types.BoolValue(true)
	var diags diag.Diagnostics
	request := rules.CreateRequest(state, &diags)
	NoDiags(t, diags)
	response := func(text string, replicas, updated int32) *kuscia.Serving {
		return &kuscia.Serving{
			Initiator: "alice", ServingInputConfig: text, Parties: request.Parties, Status: PodsStatus(state, replicas, updated),
		}
	}
	before, after := DefinedBy(nil), DefinedBy(func(i *kuscia.AppImage, _ *kuscia.Container) { i.Image.Tag = "2" })
	state.Parties = WithImages(state.Parties, ImagesOf(before))
	read := func(private rules.Private, response *kuscia.Serving) (rules.Serving, rules.Private) {
		next, private := rules.Refresh(state, response, private, rules.Sources{Cached: ImagesOf(after), Now: time.Now()})
		return next, private
	}
	warned := func(state rules.Serving, private rules.Private) bool {
		var diags diag.Diagnostics
		parties := slices.Clone(state.Parties.Items)
		rules.WarnNotApplied(parties, private, false, rules.FollowsNot, ImagesOf(after), &diags)
		return len(diags) > 0
	}
	text := state.ServingInputConfig.ValueString()
	private := rules.RecordResponse(rules.RecordCreate(rules.Private{}, state, ImagesOf(before)), response(text, 2, 2), state)

	for name, test := range map[string]struct {
		private          rules.Private
		answer           *kuscia.Serving
		complete, warned bool
	}{
		"no redeploy":            {private, response(text, 2, 2), true, true},
		"no redeploy, pods down": {private, response(text, 3, 1), true, true},
		"redeployed":             {private, response(rules.ChangeWhitespace(text, text), 2, 2), true, false},
		"redeployed and back":    {private, response(rules.ChangeWhitespace(text, rules.ChangeWhitespace(text, text)), 2, 2), true, true},
		"does not run":           {private, response(rules.ChangeWhitespace(text, text), 3, 1), false, false},
		"sent by the provider":   {private.AfterSending(), response(rules.ChangeWhitespace(text, text), 3, 1), true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			after, next := read(test.private, test.answer)
			if complete := after.RolloutComplete.ValueBool(); complete != test.complete || warned(after, next) != test.warned || rules.RedeployedElsewhere(next, test.answer) {
				t.Errorf("complete %v, a warning %v, then %+v", complete, warned(after, next), next)
			}
		})
	}
}
