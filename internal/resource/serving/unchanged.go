package serving

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

// PlansNothing is a shortcut for the plan that is made most often: it reports
// whether a configuration certainly plans the prior state to the letter. Every
// value has to be the same letter by letter, or left out where the prior state
// has the default; what only means the same, and whatever is special about the
// serving, is left to planUpdate. Attributes that it does not know make it
// decline, so that a new one cannot be forgotten here without harm but speed.
func PlansNothing(ctx context.Context, c *clients.Clients, config, prior map[string]any, private map[string][]byte) bool {
	data, plain := plainPrivate(private)
	if !plain || !hasOnly(config, servingFields) || !hasOnly(prior, servingFields) {
		return false
	}
	return same(config, prior, "serving_id", nil) &&
		same(config, prior, "initiator", nil) &&
		sameConfigForm(config, prior) &&
		same(config, prior, "affinity_mode", kuscia.AntiAffinity) &&
		same(config, prior, "redeploy_triggers", map[string]any{}) &&
		same(config, prior, "replace_triggers", map[string]any{}) &&
		same(config, prior, "wait_for_rollout", true) &&
		reflect.DeepEqual(config[attrProgressDeadline], prior[attrProgressDeadline]) && prior["rollout_complete"] != false &&
		config["id"] == nil && config["rollout_complete"] == nil &&
		reflect.DeepEqual(config["timeouts"], prior["timeouts"]) &&
		config["create_time"] == nil && config["endpoints"] == nil &&
		sameParties(config["parties"], prior["parties"]) &&
		!warnsOfImages(ctx, c, prior["parties"], data)
}

// warnsOfImages reports whether the plan of a serving that stays as it is may
// have a warning about its app images.
func warnsOfImages(ctx context.Context, c *clients.Clients, carried any, data privateData) bool {
	var unused, found diag.Diagnostics
	if len(data.Deployed) == 0 || c == nil || !c.Ready(&unused) {
		return false
	}
	p := plain{ok: true}
	warnUndeployed(p.parties(carried), data, false, c.AppImages.Expected(ctx), &found)
	return !p.ok || len(found) > 0
}

// The attributes that the shortcut knows, by name.
var (
	servingFields = names("id", "serving_id", "initiator", attrConfig, attrConfigWO, attrConfigVersion, "affinity_mode", "parties",
		"redeploy_triggers", "replace_triggers", "wait_for_rollout", attrProgressDeadline, "rollout_complete", "create_time", "endpoints", "timeouts")
	partyFields    = names("domain_id", "role", "app_image", "replicas", "service_name_prefix", "update_strategy", "resources")
	strategyFields = names("type", "max_surge", "max_unavailable")
)

func names(list ...string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, name := range list {
		set[name] = true
	}
	return set
}

func hasOnly(object map[string]any, known map[string]bool) bool {
	for name := range object {
		if !known[name] {
			return false
		}
	}
	return len(object) == len(known)
}

// plainPrivate reports whether the private state has nothing that changes the
// rules. Containers, ports and what was seen do not: they matter only for what
// differs.
func plainPrivate(private map[string][]byte) (data privateData, plain bool) {
	raw, ok := private[privateKey]
	if !ok || len(private) != 1 {
		return data, false
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if decoder.Decode(&data) != nil {
		return data, false
	}
	special := data
	special.Containers, special.Ports, special.Seen, special.Deployed, special.Rollout, special.TextEnd = nil, nil, nil, nil, nil, ""
	return data, reflect.DeepEqual(special, privateData{})
}

// same reports whether an attribute is in the prior state what the
// configuration has, or the default where it has none. Nil is no default.
func same(config, prior map[string]any, name string, byDefault any) bool {
	value := config[name]
	if value == nil {
		value = byDefault
	}
	return value != nil && reflect.DeepEqual(value, prior[name])
}

// sameConfigForm compares the configuration text in its two forms: in clear, or
// by its version. A text that is left out stands for none and for an empty one.
func sameConfigForm(config, prior map[string]any) bool {
	text, before := config[attrConfig], prior[attrConfig]
	if !reflect.DeepEqual(config[attrConfigVersion], prior[attrConfigVersion]) || prior[attrConfigWO] != nil {
		return false
	}
	if prior[attrConfigVersion] != nil {
		return config[attrConfigWO] != nil && text == nil && before == nil
	}
	return config[attrConfigWO] == nil && (reflect.DeepEqual(text, before) || text == nil && before == "")
}

func sameParties(config, prior any) bool {
	configured, ok := config.([]any)
	before, alsoOK := prior.([]any)
	if !ok || !alsoOK || len(configured) != len(before) {
		return false
	}
	seen := make(map[partyKey]bool, len(before))
	for i := range configured {
		p, ok := configured[i].(map[string]any)
		old, alsoOK := before[i].(map[string]any)
		if !ok || !alsoOK || !sameParty(p, old) {
			return false
		}
		domainID, _ := old["domain_id"].(string)
		role, _ := old["role"].(string)
		seen[partyKey{domainID, role}] = true
	}
	return len(seen) == len(before)
}

func sameParty(config, prior map[string]any) bool {
	return hasOnly(config, partyFields) && hasOnly(prior, partyFields) &&
		same(config, prior, "domain_id", nil) &&
		same(config, prior, "role", "") &&
		same(config, prior, "app_image", nil) &&
		same(config, prior, "replicas", int64(1)) &&
		same(config, prior, "service_name_prefix", "") &&
		same(config, prior, "resources", []any{}) &&
		sameWrittenStrategy(config["update_strategy"], prior["update_strategy"])
}

// sameWrittenStrategy compares an update_strategy of a configuration, as it is
// written, with the completed one of the state.
func sameWrittenStrategy(config, prior any) bool {
	before, ok := prior.(map[string]any)
	if !ok || !hasOnly(before, strategyFields) {
		return false
	}
	written := map[string]any{}
	if config != nil {
		if written, ok = config.(map[string]any); !ok || !hasOnly(written, strategyFields) {
			return false
		}
	}
	if !same(written, before, "type", kuscia.StrategyRollingUpdate) {
		return false
	}
	if before["type"] != kuscia.StrategyRollingUpdate {
		return reflect.DeepEqual(written["max_surge"], before["max_surge"]) &&
			reflect.DeepEqual(written["max_unavailable"], before["max_unavailable"])
	}
	return same(written, before, "max_surge", kuscia.DefaultMaxSurge) &&
		same(written, before, "max_unavailable", kuscia.DefaultMaxUnavailable)
}
