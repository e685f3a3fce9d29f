package rules

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Kuscia applies image and resources of the app images to running pods with an update that
// changes anything of the serving. Where nothing else does, a percentage of an update strategy is
// spelled differently ("025%" for "25%", and back): that changes the KusciaDeployment and no pod,
// so that only those pods are replaced whose app image has changed. It may be the percentage of
// any party. If no party has one, the configuration text is sent again, with other white space,
// which replaces all pods.

// follows reports whether a serving is updated only because of what its app images have now.
func follows(planned, config Serving) types.Bool {
	switch {
	case planned.FollowAppImage().Equal(types.BoolValue(false)), !CanFollow(planned, config):
		return types.BoolValue(false)
	case planned.FollowAppImage().IsUnknown(), !canRespell(planned) && redeployedText(planned, config).IsUnknown():
		return types.BoolUnknown()
	}
	return types.BoolValue(true)
}

// CanFollow reports whether anything can be sent that makes Kuscia apply the app images, and
// nothing else.
func CanFollow(planned, config Serving) bool {
	return canRespell(planned) || CanRedeploy(planned, config)
}

// followsOnly reports whether a planned update is sent only because of what app images have now.
func followsOnly(planned, prior Serving, private Private) bool {
	return changesPods(planned, prior) && !triggered(planned.RedeployTriggers(), prior.RedeployTriggers()) && !changesServing(planned, prior, private)
}

// canRespell reports whether any party has a percentage.
func canRespell(planned Serving) bool {
	return slices.ContainsFunc(planned.Parties().Items, func(p Party) bool {
		_, ok := respelled(p, nil)
		return ok
	})
}

// respelled returns the strategy of a party with a percentage in another spelling than Kuscia
// has. ok is false if it has no percentage.
func respelled(p Party, found *kuscia.UpdateStrategy) (other *kuscia.UpdateStrategy, ok bool) {
	if p.IsUnknown() || !p.Strategy().Known() || p.Strategy().Type().ValueString() != kuscia.StrategyRollingUpdate {
		return nil, false
	}
	other = p.Strategy().Wire()
	if found == nil {
		found = other
	}
	for _, bound := range []struct {
		desired *string
		has     string
	}{{&other.MaxSurge, found.MaxSurge}, {&other.MaxUnavailable, found.MaxUnavailable}} {
		if spelling, ok := tfvalue.OtherSpelling(bound.has); ok {
			*bound.desired = spelling
			return other, true
		}
	}
	return nil, false
}

// FollowRequest returns the update that changes a percentage of the serving that Kuscia has to
// another spelling, preferably one of a party whose pods are replaced; nil if no party has any.
func FollowRequest(planned, prior Serving, found *kuscia.Serving) *kuscia.UpdateServingRequest {
	parties := slices.Clone(planned.Parties().Items)
	slices.SortStableFunc(parties, func(a, b Party) int { return replacedFirst(b, prior) - replacedFirst(a, prior) })
	for _, p := range parties {
		has := FindWire(found.Parties, p.Key())
		if has == nil {
			continue
		}
		if strategy, ok := respelled(p, has.UpdateStrategy); ok {
			party := kuscia.ServingParty{DomainID: p.DomainID().ValueString(), Role: p.Role().ValueString(), UpdateStrategy: strategy}
			return &kuscia.UpdateServingRequest{ServingID: planned.ServingID().ValueString(), Parties: []kuscia.ServingParty{party}}
		}
	}
	return nil
}

func replacedFirst(p Party, prior Serving) int {
	if ReplacesPodsOf(p, prior) {
		return 1
	}
	return 0
}

// WarnAllRestart warns of an update that replaces the pods of every party although only some have
// another image or other resources.
func WarnAllRestart(planned, prior Serving, private Private, diags *diag.Diagnostics) {
	if len(planned.Parties().Items) < 2 || !followsOnly(planned, prior, private) || canRespell(planned) {
		return
	}
	at := path.Root("parties")
	diags.AddAttributeWarning(at, "New pods for every party", check.WithPath(at,
		"To roll out what an app image has now, the provider spells a percentage of an update_strategy differently, which replaces only the pods that it reaches. No party has a percentage, so serving_input_config is sent again with other white space: "+
			"the pods of every party are replaced. To avoid it, write max_surge or max_unavailable of one party as a percentage, such as \"25%\"."))
}
