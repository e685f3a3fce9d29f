package serving

import (
	"context"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rollout"
)

// NoOpPlan is a shortcut for the most frequent plan: it reports whether a
// configuration certainly plans exactly the prior state. Every value must be
// identical, or left out if the prior state has the default. Values that are
// only equivalent, and all special cases, are left to Update. It declines on
// attributes that it does not know, so that forgetting a new one here costs only
// speed. A serving that stays as it is is recorded for later plans of the same
// run, and must conflict with no planned one.
func (shortcuts) NoOpPlan(ctx context.Context, c *clients.Clients, config, prior map[string]any, private map[string][]byte) bool {
	data, plain := model.PrivateFromProtocol(private)
	if !plain || !model.HasOnly(config, model.ServingFields) || !model.HasOnly(prior, model.ServingFields) {
		return false
	}
	return same(config, prior, "serving_id", nil) &&
		same(config, prior, "initiator", nil) &&
		sameConfigForm(config, prior) &&
		same(config, prior, "affinity_mode", kuscia.AntiAffinity) &&
		reflect.DeepEqual(config["redeploy_triggers"], prior["redeploy_triggers"]) &&
		reflect.DeepEqual(config["replace_triggers"], prior["replace_triggers"]) &&
		same(config, prior, "follow_app_image", true) &&
		same(config, prior, "wait_for_rollout", true) &&
		reflect.DeepEqual(config[model.AttrProgressDeadline], prior[model.AttrProgressDeadline]) && prior["rollout_complete"] != false &&
		config["id"] == nil && config["rollout_complete"] == nil &&
		reflect.DeepEqual(config["timeouts"], prior["timeouts"]) &&
		config["create_time"] == nil && config["endpoints"] == nil &&
		sameParties(config["parties"], prior["parties"]) &&
		keepsImages(ctx, c, prior["parties"], data) &&
		recordUnchanged(ctx, c, prior)
}

// keepsImages reports whether the plan of an unchanged serving certainly has no other image
// and no warning about its app images.
func keepsImages(ctx context.Context, c *clients.Clients, raw any, data model.Private) bool {
	var unused, found diag.Diagnostics
	if c == nil || !c.ReadyKuscia(&unused) {
		return true
	}
	parties, ok := model.PartiesFromProtocol(raw)
	images := plannedImages(ctx, c)
	for _, p := range parties.Items {
		seen := data.Deployed[p.Key().String()].AppImage
		image, ok := images.Changed(p.AppImage.ValueString(), seen)
		if !ok && seen != "" {
			image, ok = types.StringValue(seen), true
		}
		if ok && !p.Image.IsNull() && !image.Equal(p.Image) {
			return false
		}
	}
	rollout.WarnNotApplied(parties.Items, data, false, rollout.FollowsNot, images.Definition, &found)
	return ok && len(found) == 0
}

// same reports whether the prior state has the configured value of an attribute,
// or the default if none is configured. Nil means no default.
func same(config, prior map[string]any, name string, byDefault any) bool {
	value := config[name]
	if value == nil {
		value = byDefault
	}
	return value != nil && reflect.DeepEqual(value, prior[name])
}

// sameConfigForm compares the configuration text in both forms: the plain text,
// or the version of the write-only text. A text that is left out is equal to an
// empty one.
func sameConfigForm(config, prior map[string]any) bool {
	text, before := config[model.AttrConfig], prior[model.AttrConfig]
	if !reflect.DeepEqual(config[model.AttrConfigVersion], prior[model.AttrConfigVersion]) || prior[model.AttrConfigWO] != nil {
		return false
	}
	if prior[model.AttrConfigVersion] != nil {
		return config[model.AttrConfigWO] != nil && text == nil && before == nil
	}
	return config[model.AttrConfigWO] == nil && (reflect.DeepEqual(text, before) || text == nil && before == "")
}

func sameParties(config, prior any) bool {
	configured, ok := config.(map[string]any)
	before, alsoOK := prior.(map[string]any)
	if !ok || !alsoOK || len(configured) != len(before) {
		return false
	}
	seen := make(map[[2]any]bool, len(before))
	for name := range configured {
		p, ok := configured[name].(map[string]any)
		old, alsoOK := before[name].(map[string]any)
		if !ok || !alsoOK || !sameParty(name, p, old) {
			return false
		}
		seen[[2]any{old["domain_id"], old["role"]}] = true
	}
	return len(seen) == len(before)
}

func sameParty(name string, config, prior map[string]any) bool {
	return model.HasOnly(config, model.PartyFields) && model.HasOnly(prior, model.PartyFields) &&
		same(config, prior, "domain_id", name) &&
		reflect.DeepEqual(config["role"], prior["role"]) &&
		same(config, prior, "app_image", nil) && config["image"] == nil &&
		same(config, prior, "replicas", int64(1)) &&
		reflect.DeepEqual(config["service_name_prefix"], prior["service_name_prefix"]) &&
		reflect.DeepEqual(config[model.AttrResources], prior[model.AttrResources]) &&
		reflect.DeepEqual(config[model.AttrContainerResources], prior[model.AttrContainerResources]) &&
		sameStrategy(config["update_strategy"], prior["update_strategy"])
}

// sameStrategy compares a configured update_strategy with the completed one in
// the state.
func sameStrategy(config, prior any) bool {
	before, ok := prior.(map[string]any)
	if !ok || !model.HasOnly(before, model.StrategyFields) {
		return false
	}
	configured := map[string]any{}
	if config != nil {
		if configured, ok = config.(map[string]any); !ok || !model.HasOnly(configured, model.StrategyFields) {
			return false
		}
	}
	if !same(configured, before, "type", kuscia.StrategyRollingUpdate) {
		return false
	}
	if before["type"] != kuscia.StrategyRollingUpdate {
		return reflect.DeepEqual(configured["max_surge"], before["max_surge"]) &&
			reflect.DeepEqual(configured["max_unavailable"], before["max_unavailable"])
	}
	return same(configured, before, "max_surge", kuscia.DefaultMaxSurge) &&
		same(configured, before, "max_unavailable", kuscia.DefaultMaxUnavailable)
}
