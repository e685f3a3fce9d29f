package refresh

import (
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rollout"

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
	request := plan.CreateRequest(state, &diags)
	NoDiags(t, diags)
	response := func(text string, replicas, updated int32) *kuscia.Serving {
		return &kuscia.Serving{
			Initiator: "alice", ServingInputConfig: text, Parties: request.Parties, Status: PodsStatus(state, replicas, updated),
		}
	}
	before, after := DefinedBy(nil), DefinedBy(func(i *kuscia.AppImage, _ *kuscia.Container) { i.Image.Tag = "2" })
	state.Parties = WithImages(state.Parties, ImagesOf(before))
	read := func(private model.Private, response *kuscia.Serving) (model.Serving, model.Private) {
		next, private := Read(state, response, private, Sources{Cached: ImagesOf(after), Now: time.Now()})
		return next, private
	}
	warned := func(state model.Serving, private model.Private) bool {
		var diags diag.Diagnostics
		parties := slices.Clone(state.Parties.Items)
		rollout.WarnNotApplied(parties, private, false, rollout.FollowsNot, ImagesOf(after), &diags)
		return len(diags) > 0
	}
	text := state.ServingInputConfig.ValueString()
	private := recordResponse(rollout.RecordCreate(model.Private{}, state, ImagesOf(before)), response(text, 2, 2), state)

	for name, test := range map[string]struct {
		private          model.Private
		answer           *kuscia.Serving
		complete, warned bool
	}{
		"no redeploy":            {private, response(text, 2, 2), true, true},
		"no redeploy, pods down": {private, response(text, 3, 1), true, true},
		"redeployed":             {private, response(plan.ChangeWhitespace(text, text), 2, 2), true, false},
		"redeployed and back":    {private, response(plan.ChangeWhitespace(text, plan.ChangeWhitespace(text, text)), 2, 2), true, true},
		"does not run":           {private, response(plan.ChangeWhitespace(text, text), 3, 1), false, false},
		"sent by the provider":   {private.AfterSending(), response(plan.ChangeWhitespace(text, text), 3, 1), true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			after, next := read(test.private, test.answer)
			if complete := after.RolloutComplete.ValueBool(); complete != test.complete || warned(after, next) != test.warned || rollout.RedeployedElsewhere(next, test.answer) {
				t.Errorf("complete %v, a warning %v, then %+v", complete, warned(after, next), next)
			}
		})
	}
}
