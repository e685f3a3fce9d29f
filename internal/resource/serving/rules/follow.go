package rules

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
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

// Redeployable reports whether a configuration text can be sent again with
// different white space, which restarts the pods of every party.
func Redeployable(config types.String) bool {
	return config.IsUnknown() || tfvalue.IsJSON(config.ValueString())
}

// CanRedeploy reports whether the configuration text of a planned serving can be sent again
// to restart its pods, as far as a plan knows it.
func CanRedeploy(planned, config Serving) bool {
	return Redeployable(redeployedText(planned, config))
}

// redeployedText is the text that a redeploy would send again. A write-only text with an
// unchanged version is that in Kuscia: an apply that sends it has read it, and a plan knows only
// that of the configuration, see NeedsStoredText.
func redeployedText(planned, config Serving) types.String {
	if planned.ConfigOnlyOnServer() {
		return config.ServingInputConfigWO()
	}
	return planned.ServingInputConfig()
}
