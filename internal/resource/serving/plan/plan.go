package plan

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
)

// Replacement is an attribute that requires a new serving. Why becomes a plan
// warning; it is empty if the attribute is self-explanatory.
type Replacement struct {
	Path path.Path
	Why  string
}

// Create returns the planned state of a serving that does not exist yet.
func Create(config model.Serving) model.Serving {
	planned := model.WithDefaults(config)
	planned.ID = planned.ServingID
	planned.RolloutComplete = model.CompleteIf(planned.WaitForRollout)
	planned.CreateTime = types.StringUnknown()
	planned.Endpoints = types.ListUnknown(model.EndpointType)
	return planned
}

// Update returns the planned state of an existing serving, with the reasons for
// a replacement. If all differences are only in spelling, the planned state is
// identical to the prior state, so that no request is sent.
func Update(config, prior model.Serving, private model.Private, images party.ImageLookup) (model.Serving, []Replacement) {
	planned := model.WithDefaults(config)
	planned.ID = planned.ServingID
	planned.CreateTime, planned.Endpoints = prior.CreateTime, prior.Endpoints
	switch {
	case planned.ConfigIsWriteOnly():
	case model.KeepsObservedConfig(config, private):
		planned.ServingInputConfig = prior.ServingInputConfig
	default:
		planned.ServingInputConfig = model.KeepConfigText(planned.ServingInputConfig, prior.ServingInputConfig)
	}
	planned.Timeouts = model.KeepTimeouts(planned.Timeouts, prior.Timeouts)
	planned.ProgressDeadline = model.KeepProgressDeadline(planned.ProgressDeadline, prior.ProgressDeadline)

	parties, replace := planParties(planned.Parties, config.Parties, prior.Parties, private, images)
	planned.Parties = parties
	replace = append(replace, planFixed(planned, prior)...)

	// What an apply left unfinished is planned regardless of other changes.
	unfinished := model.RolloutUnfinished(prior) && planned.WaitForRollout.ValueBool()
	if private.Imported && len(replace) == 0 && model.SameReadable(planned, prior) && !unfinished {
		return prior, nil
	}
	if !private.Imported {
		replace = append(replace, planUnreadable(planned, prior)...)
	}
	if model.SameReadable(planned, prior) && model.SameNotReturned(planned, prior) && !unfinished {
		return prior, nil
	}
	planned.RolloutComplete = planRollout(planned, prior, private)
	planned.CreateTime, planned.Endpoints = model.KeepCreateTime(prior.CreateTime), model.KeepEndpoints(prior.Endpoints)
	return planned, replace
}

// planFixed covers the attributes of the serving itself that an update cannot
// change.
func planFixed(planned, prior model.Serving) (replace []Replacement) {
	if !planned.ServingID.Equal(prior.ServingID) {
		replace = append(replace, Replacement{path.Root("serving_id"), ""})
	}
	if !planned.Initiator.Equal(prior.Initiator) {
		replace = append(replace, Replacement{path.Root("initiator"), ""})
	}
	if prior.HasConfig() && !planned.HasConfig() {
		attribute := model.AttrConfig
		if prior.ConfigIsWriteOnly() {
			attribute = model.AttrConfigVersion
		}
		replace = append(replace, Replacement{path.Root(attribute),
			"In an update, Kuscia treats an empty serving_input_config as \"unchanged\", so it can only be removed with a new serving. Set another text, for example \"{}\", to change it in place."})
	}
	return replace
}

// planUnreadable covers the attributes whose prior value only the state has.
func planUnreadable(planned, prior model.Serving) (replace []Replacement) {
	if !planned.AffinityMode.Equal(prior.AffinityMode) {
		replace = append(replace, Replacement{path.Root("affinity_mode"), ""})
	}
	if !model.SameTriggers(planned.ReplaceTriggers, prior.ReplaceTriggers) {
		replace = append(replace, Replacement{path.Root("replace_triggers"), ""})
	}
	return replace
}

// planParties plans the parties list: the prior list if nothing differs except
// order and spelling; otherwise the configured one with the prior spelling where
// Terraform allows it.
func planParties(planned, configured, prior model.Parties, private model.Private, images party.ImageLookup) (model.Parties, []Replacement) {
	root := path.Root("parties")
	if planned.IsUnknown() {
		return planned, []Replacement{{root, "The parties are not known yet, and Kuscia can neither add nor remove a party of a live serving."}}
	}
	before, after := prior.Items, slices.Clone(planned.Items)
	priorOf := make(map[party.Key]model.Party, len(before))
	for _, p := range before {
		priorOf[p.Key()] = p
	}
	for i := range after {
		if !after[i].KeyKnown() {
			return model.PartiesOf(keepByIndex(after, before, private)...),
				[]Replacement{{root, "A domain_id or role is not known yet, and Kuscia can neither add nor remove a party of a live serving."}}
		}
		if old, ok := priorOf[after[i].Key()]; ok && configured.Items[i].Resources.Null && private.ResourcesObserved(old.Key()) {
			after[i].Resources = old.Resources
		}
		if old, ok := priorOf[after[i].Key()]; ok && private.KeepsReplicas(configured.Items[i], old.Key()) {
			after[i].Replicas = old.Replicas
		}
	}
	if !sameKeys(after, priorOf) {
		return model.PartiesOf(keepByIndex(after, before, private)...),
			[]Replacement{{root, "Kuscia can neither add nor remove a party, nor change its role, on a live serving."}}
	}

	changed := false
	var replace []Replacement
	for i, p := range after {
		old := priorOf[p.Key()]
		change := CompareParties(old, p, private)
		change.addImageReasons(old, p, private.ContainersOf(p.Key()), images)
		changed = changed || change.Any()
		for _, reason := range change.Replace {
			replace = append(replace, Replacement{partyPath(i, before, p, reason.Attribute), reason.Why})
		}
	}
	if !changed {
		return prior, nil
	}
	return model.PartiesOf(keepByIndex(after, before, private)...), replace
}

// partyPath returns the path of an attribute of a party, or of the whole list if
// the party moved: Terraform compares the values at the path before and after,
// and would compare two different parties.
func partyPath(i int, before []model.Party, p model.Party, attribute string) path.Path {
	if i >= len(before) || before[i].Key() != p.Key() {
		return path.Root("parties")
	}
	return path.Root("parties").AtListIndex(i).AtName(attribute)
}

func keepByIndex(after, before []model.Party, private model.Private) []model.Party {
	for i := range min(len(after), len(before)) {
		after[i] = after[i].KeepPriorSpelling(before[i], private)
	}
	return after
}

func sameKeys(parties []model.Party, prior map[party.Key]model.Party) bool {
	if len(parties) != len(prior) {
		return false
	}
	seen := make(map[party.Key]bool, len(parties))
	for _, p := range parties {
		if _, ok := prior[p.Key()]; !ok || seen[p.Key()] {
			return false
		}
		seen[p.Key()] = true
	}
	return true
}
