package rules

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
)

// Redeploys reports whether an update has to restart the pods of every party
// although no other attribute requires it: because of a trigger, or because nothing else
// makes Kuscia apply what its app images have now.
func Redeploys(planned, prior Serving, private Private) bool {
	return triggered(planned.RedeployTriggers(), prior.RedeployTriggers()) || followsOnly(planned, prior, private) && !canRespell(planned)
}

// RedeployCause returns the path of the attribute because of which an update restarts
// pods.
func RedeployCause(planned, prior Serving) path.Path {
	if !triggered(planned.RedeployTriggers(), prior.RedeployTriggers()) {
		for _, p := range planned.Parties().Items {
			switch before, ok := FindParty(prior.Parties().Items, p.Key()); {
			case !ok || !p.KeyKnown():
			case changesImage(p, before):
				return p.Path().AtName(AttrImage)
			case ReplacesPodsOf(p, prior):
				return p.Path().AtName(party.AttrPodRevision)
			}
		}
	}
	return path.Root("redeploy_triggers")
}

// NeedsStoredText reports whether an update may restart pods with a write-only text that the
// configuration does not have, so that only the one in Kuscia shows what it does.
func NeedsStoredText(planned, prior, config Serving, private Private) bool {
	return planned.ConfigIsWriteOnly() && planned.ServingInputConfigVersion().Equal(prior.ServingInputConfigVersion()) &&
		config.ServingInputConfigWO().IsUnknown() && Redeploys(planned, prior, private)
}

// followsOnly reports whether a planned update is sent only because of what app images have now.
func followsOnly(planned, prior Serving, private Private) bool {
	return changesPods(planned, prior) && !triggered(planned.RedeployTriggers(), prior.RedeployTriggers()) && !changesServing(planned, prior, private)
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
