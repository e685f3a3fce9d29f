package serving

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// replacement is an attribute that forces a new serving. Why is empty where
// the attribute says it all, otherwise it becomes a plan warning.
type replacement struct {
	path path.Path
	why  string
}

// imageLookup returns an app image as it will be when the serving is changed:
// as planned in the same run, else as the server has it. Nil means not known.
type imageLookup func(name string) *kuscia.AppImage

// planCreate is the planned state of a serving that does not exist yet.
func planCreate(config model) model {
	planned := withDefaults(config)
	planned.ID = planned.ServingID
	planned.RolloutComplete = completeIf(planned.WaitForRollout)
	planned.CreateTime = types.StringUnknown()
	planned.Endpoints = types.ListUnknown(endpointType)
	return planned
}

// planUpdate is the planned state of a serving that exists, with the reasons
// for which it has to be replaced. When nothing differs in meaning the planned
// state is the prior state to the letter, so that nothing is called.
func planUpdate(config, prior model, private privateData, images imageLookup) (model, []replacement) {
	planned := withDefaults(config)
	planned.ID = planned.ServingID
	planned.CreateTime, planned.Endpoints = prior.CreateTime, prior.Endpoints
	switch {
	case planned.hidesConfig():
	case keepsConfig(config, private):
		planned.ServingInputConfig = prior.ServingInputConfig
	default:
		planned.ServingInputConfig = keepConfigText(planned.ServingInputConfig, prior.ServingInputConfig)
	}
	planned.Timeouts = keepTimeouts(planned.Timeouts, prior.Timeouts)
	planned.ProgressDeadline = keepProgressDeadline(planned.ProgressDeadline, prior.ProgressDeadline)

	parties, replace := planParties(planned.Parties, config.Parties, prior.Parties, private, images)
	planned.Parties = parties
	replace = append(replace, planFixed(planned, prior)...)

	// What an apply left unfinished is planned whatever else is not.
	unfinished := rolloutUnfinished(prior) && planned.WaitForRollout.ValueBool()
	if private.Imported && len(replace) == 0 && sameReadable(planned, prior) && !unfinished {
		return prior, nil
	}
	if !private.Imported {
		replace = append(replace, planUnreadable(planned, prior)...)
	}
	if sameReadable(planned, prior) && sameUnreadable(planned, prior) && !unfinished {
		return prior, nil
	}
	planned.RolloutComplete = planRollout(planned, prior, private)
	planned.CreateTime, planned.Endpoints = keepCreateTime(prior.CreateTime), keepEndpoints(prior.Endpoints)
	return planned, replace
}

// planFixed covers the attributes of the serving itself that an update cannot
// carry.
func planFixed(planned, prior model) (replace []replacement) {
	if !planned.ServingID.Equal(prior.ServingID) {
		replace = append(replace, replacement{path.Root("serving_id"), ""})
	}
	if !planned.Initiator.Equal(prior.Initiator) {
		replace = append(replace, replacement{path.Root("initiator"), ""})
	}
	if prior.hasConfig() && !planned.hasConfig() {
		attribute := attrConfig
		if prior.hidesConfig() {
			attribute = attrConfigVersion
		}
		replace = append(replace, replacement{path.Root(attribute),
			"Kuscia takes an empty serving_input_config in an update for \"keep what is there\", so it can only be cleared by a new serving. Set another text, for example \"{}\", to change it in place."})
	}
	return replace
}

// equal reports whether two states are the same to the letter.
func (m model) equal(other model) bool {
	return m.ID.Equal(other.ID) && sameReadable(m, other) && sameUnreadable(m, other) && m.ReplaceTriggers.Equal(other.ReplaceTriggers) &&
		m.RolloutComplete.Equal(other.RolloutComplete) && m.CreateTime.Equal(other.CreateTime) && m.Endpoints.Equal(other.Endpoints)
}

// planUnreadable covers those of which only the state knows what they were.
func planUnreadable(planned, prior model) (replace []replacement) {
	if !planned.AffinityMode.Equal(prior.AffinityMode) {
		replace = append(replace, replacement{path.Root("affinity_mode"), ""})
	}
	if !sameTriggers(planned.ReplaceTriggers, prior.ReplaceTriggers) {
		replace = append(replace, replacement{path.Root("replace_triggers"), ""})
	}
	return replace
}

// sameTriggers compares two maps of triggers; a state that was written before
// there were any has null.
func sameTriggers(a, b types.Map) bool {
	return a.Equal(b) || !a.IsUnknown() && !b.IsUnknown() && len(a.Elements()) == 0 && len(b.Elements()) == 0
}

// sameReadable compares what Kuscia returns; sameUnreadable what only the
// state knows.
func sameReadable(a, b model) bool {
	return a.ServingID.Equal(b.ServingID) && a.Initiator.Equal(b.Initiator) &&
		a.ServingInputConfig.Equal(b.ServingInputConfig) && a.Parties.equal(b.Parties)
}

func sameUnreadable(a, b model) bool {
	return a.ServingInputConfigVersion.Equal(b.ServingInputConfigVersion) &&
		a.AffinityMode.Equal(b.AffinityMode) && a.RedeployTriggers.Equal(b.RedeployTriggers) &&
		sameTriggers(a.ReplaceTriggers, b.ReplaceTriggers) && a.ProgressDeadline.Equal(b.ProgressDeadline) &&
		a.WaitForRollout.Equal(b.WaitForRollout) && a.Timeouts.Equal(b.Timeouts)
}

// planParties plans the parties list: the prior list when nothing differs in
// meaning, whatever the order and the spelling; otherwise the configured one
// with the prior spelling where Terraform allows it.
func planParties(planned, configured, prior parties, private privateData, images imageLookup) (parties, []replacement) {
	root := path.Root("parties")
	if planned.isUnknown() {
		return planned, []replacement{{root, "The parties are not known yet, and Kuscia can neither add nor remove a party of a live serving."}}
	}
	before, after := prior.items, slices.Clone(planned.items)
	priorOf := make(map[partyKey]party, len(before))
	for _, p := range before {
		priorOf[p.key()] = p
	}
	for i := range after {
		if !after[i].keyKnown() {
			return partiesOf(keepByIndex(after, before, private)...),
				[]replacement{{root, "A domain_id or role is not known yet, and Kuscia can neither add nor remove a party of a live serving."}}
		}
		if old, ok := priorOf[after[i].key()]; ok && configured.items[i].resources.null && private.observed(old.key()) {
			after[i].resources = old.resources
		}
		if old, ok := priorOf[after[i].key()]; ok && private.keepsReplicas(configured.items[i], old.key()) {
			after[i].replicas = old.replicas
		}
	}
	if !sameKeys(after, priorOf) {
		return partiesOf(keepByIndex(after, before, private)...),
			[]replacement{{root, "Kuscia can neither add nor remove a party, nor change its role, on a live serving."}}
	}

	changed := false
	var replace []replacement
	for i, p := range after {
		old := priorOf[p.key()]
		change := compareParties(old, p, private)
		change.addImageReasons(old, p, private.containers(p.key()), images)
		changed = changed || change.any()
		for _, reason := range change.replace {
			replace = append(replace, replacement{partyPath(i, before, p, reason.attribute), reason.why})
		}
	}
	if !changed {
		return prior, nil
	}
	return partiesOf(keepByIndex(after, before, private)...), replace
}

// partyPath names an attribute of a party, or the whole list where the party
// moved: Terraform compares the value at the path before and after, and would
// compare two different parties.
func partyPath(i int, before []party, p party, attribute string) path.Path {
	if i >= len(before) || before[i].key() != p.key() {
		return path.Root("parties")
	}
	return path.Root("parties").AtListIndex(i).AtName(attribute)
}

func keepByIndex(after, before []party, private privateData) []party {
	for i := range min(len(after), len(before)) {
		after[i] = after[i].keepSpelling(before[i], private)
	}
	return after
}

func sameKeys(parties []party, prior map[partyKey]party) bool {
	if len(parties) != len(prior) {
		return false
	}
	seen := make(map[partyKey]bool, len(parties))
	for _, p := range parties {
		if _, ok := prior[p.key()]; !ok || seen[p.key()] {
			return false
		}
		seen[p.key()] = true
	}
	return true
}

// redeploys reports whether an update has to roll every party although nothing
// in the serving asks for it. Triggers that are taken away together with JSON
// ask for nothing more.
func redeploys(planned, prior model, private privateData) bool {
	if private.Imported || planned.RedeployTriggers.Equal(prior.RedeployTriggers) {
		return false
	}
	return len(planned.RedeployTriggers.Elements()) > 0 || redeployable(planned.ServingInputConfig)
}

// redeployable reports whether a configuration text can be re-sent with other
// white space, which is how every party is rolled.
func redeployable(config tfvalue.ConfigText) bool {
	return config.IsUnknown() || tfvalue.IsJSON(config.ValueString())
}
