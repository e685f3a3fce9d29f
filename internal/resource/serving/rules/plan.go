package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// PlanCreate returns the planned state of a serving that does not exist yet, but for its
// rollout_complete, which the engine plans.
func PlanCreate(config Serving, images Images) Serving {
	planned := config.WithDefaults()
	return planned.WithServingAttribute("id", planned.ServingID()).
		WithServingAttribute("create_time", types.StringUnknown()).WithServingAttribute("endpoints", types.MapUnknown(types.StringType)).
		WithParties(images.OfNew(planned.Parties()))
}

// PlanUpdate returns the planned state of an existing serving, with the reasons for
// a replacement. If all differences are only in spelling, the planned state is
// identical to the prior state, so that no request is sent. rollout_complete is the prior one: the
// engine plans it.
func PlanUpdate(config, prior Serving, private Private, images Images) (Serving, []definition.Replacement) {
	planned := config.WithDefaults()
	planned = planned.WithServingAttribute("id", planned.ServingID()).keeping(prior, definition.AttrRolloutComplete, "create_time", "endpoints")
	if !planned.ConfigIsWriteOnly() {
		planned = planned.WithServingAttribute(AttrConfig, KeepConfigText(planned.ServingInputConfig(), prior.ServingInputConfig()))
	}
	if keepsTimeouts(planned, prior) {
		planned = planned.keeping(prior, definition.AttrTimeouts)
	}
	planned = planned.WithServingAttribute("redeploy_triggers", KeepTriggers(planned.RedeployTriggers(), prior.RedeployTriggers())).
		WithServingAttribute("replace_triggers", KeepTriggers(planned.ReplaceTriggers(), prior.ReplaceTriggers())).
		WithServingAttribute(AttrProgressDeadline, KeepProgressDeadline(planned.ProgressDeadline(), prior.ProgressDeadline()))
	for _, name := range []string{"follow_app_image", party.AttrCheckApplication} {
		if config.At(name).IsNull() && prior.At(name).IsNull() {
			planned = planned.keeping(prior, name) // a state from before the attribute
		}
	}

	parties, same, replace := planParties(planned.Parties(), config.Parties(), prior.Parties(), private, images.Definition)
	replace = append(replace, planFixed(planned, prior)...)

	// What an apply left unfinished is planned regardless of other changes.
	unfinished := RolloutUnfinished(prior) && planned.WaitForRollout().ValueBool()
	if !private.Imported {
		replace = append(replace, planUnreadable(planned, prior)...)
	}
	if len(replace) > 0 {
		parties = images.OfNew(parties)
	} else {
		draft := planned
		draft.parties = parties // and not in its value: images change them once more
		parties = images.ofLive(draft, prior, config, private, changesText(planned, prior))
	}
	if same && samePods(parties, prior.Parties()) {
		parties = prior.Parties()
	}
	planned = planned.WithParties(parties)
	if private.Imported && len(replace) == 0 && Definition.EqualReturned(planned.View, prior.View) && !unfinished && mayKeep(planned, prior) {
		return prior, nil
	}
	if Definition.EqualConfigured(planned.View, prior.View) && !unfinished {
		return prior, nil
	}
	planned = planned.WithServingAttribute("create_time", KeepCreateTime(prior.CreateTime())).WithServingAttribute("endpoints", KeepEndpoints(prior.Endpoints()))
	return planned, replace
}

// mayKeep reports whether Terraform lets the plan keep what Kuscia does not return: null
// is never kept.
func mayKeep(planned, prior Serving) bool {
	return planned.ServingInputConfigVersion().Equal(prior.ServingInputConfigVersion()) && definition.Equal(planned.At(crud.AttrAllowRemovalOf), prior.At(crud.AttrAllowRemovalOf)) &&
		planned.RedeployTriggers().IsNull() == prior.RedeployTriggers().IsNull() && planned.ReplaceTriggers().IsNull() == prior.ReplaceTriggers().IsNull()
}

// planFixed covers the attributes of the serving itself that an update cannot
// change.
func planFixed(planned, prior Serving) (replace []definition.Replacement) {
	replace = replaced(planned, prior, false)
	if prior.HasConfig() && !planned.HasConfig() {
		attribute := AttrConfig
		if prior.ConfigIsWriteOnly() {
			attribute = AttrConfigVersion
		}
		replace = append(replace, definition.Replacement{Path: path.Root(attribute), Why: "In an update, Kuscia treats an empty serving_input_config as \"unchanged\", so it can only be removed with a new serving. Set another text, for example \"{}\", to change it in place."})
	}
	return replace
}

// planUnreadable covers the attributes whose prior value only the state has.
func planUnreadable(planned, prior Serving) (replace []definition.Replacement) {
	replace = replaced(planned, prior, true)
	if triggered(planned.ReplaceTriggers(), prior.ReplaceTriggers()) {
		replace = append(replace, definition.Replacement{Path: path.Root("replace_triggers")})
	}
	return replace
}

// replaced are the changes of attributes that always replace the serving.
func replaced(planned, prior Serving, notReturned bool) (replace []definition.Replacement) {
	for _, a := range Schema.Attributes {
		if a.Replace.IsAlways() && a.NotReturned == notReturned && !definition.Equal(planned.At(a.Name), prior.At(a.Name)) {
			replace = append(replace, definition.Replacement{Path: path.Root(a.Name)})
		}
	}
	return replace
}

// planParties plans the parties: the configured ones with the prior spelling where Terraform
// allows it. same is set if nothing differs except spelling: the prior ones can then be
// planned as a whole. Names of parties mean nothing to Kuscia.
func planParties(planned, configured, prior Parties, private Private, images party.ImageLookup) (parties Parties, same bool, replace []definition.Replacement) {
	root := path.Root("parties")
	if planned.IsUnknown() {
		return planned, false, []definition.Replacement{{Path: root, Why: "The parties are not known yet, and Kuscia can neither add nor remove a party of a live serving."}}
	}
	after := slices.Clone(planned.Items)
	keysKnown, sameNames := true, true
	for i, p := range after {
		keysKnown = keysKnown && p.KeyKnown()
		if old, ok := FindParty(prior.Items, p.Key()); ok && p.KeyKnown() {
			after[i] = p.KeepObserved(configured.Items[i], old, private)
			after[i] = after[i].withPods(old.Image(), old.PodRevision())
		}
		named, _ := prior.Named(p.Name)
		sameNames = sameNames && named.Key() == p.Key()
		after[i] = after[i].withSpelling(named)
	}
	kept := PartiesOf(after...)
	switch {
	case !keysKnown:
		return kept, false, []definition.Replacement{{Path: root, Why: "A domain_id or role is not known yet, and Kuscia can neither add nor remove a party of a live serving."}}
	case !sameKeys(after, prior.Items):
		return kept, false, otherParties(after, prior.Items)
	}

	changed := false
	for _, p := range after {
		old, _ := FindParty(prior.Items, p.Key())
		change := CompareParties(old, p, private)
		change.addImageReasons(old, p, private.ContainersOf(p.Key()), images)
		// Values that the state left out after an import are written there without a request.
		changed = changed || change.Any() || p.Resources().Spec().IsSet() && !old.Resources().Spec().IsSet()
		for _, reason := range change.Replace {
			replace = append(replace, definition.Replacement{Path: reason.path(old, p), Why: reason.Why})
		}
	}
	return kept, !changed && sameNames, replace
}

// otherParties returns the reasons for parties that are added, removed, or of another domain
// or role, each at its own path. The text of the first one has them all.
func otherParties(planned, prior []Party) (replace []definition.Replacement) {
	added, removed := pathsOnlyIn(planned, prior), pathsOnlyIn(prior, planned)
	why := "Kuscia can neither add nor remove a party, nor change its role, on a live serving."
	for _, group := range []struct {
		label   string
		parties []path.Path
		other   []path.Path
		both    bool
	}{
		{"Added", added, removed, false},
		{"Removed", removed, added, false},
		{"Other domain or role", added, removed, true},
	} {
		var found []string
		for _, at := range group.parties {
			if slices.ContainsFunc(group.other, at.Equal) == group.both {
				found = append(found, at.String())
				replace = append(replace, definition.Replacement{Path: at})
			}
		}
		if len(found) > 0 {
			why += fmt.Sprintf(" %s: %s.", group.label, strings.Join(found, ", "))
		}
	}
	if len(replace) == 0 { // a party twice
		replace = []definition.Replacement{{Path: path.Root("parties")}}
	}
	replace[0].Why = why
	return replace
}

// pathsOnlyIn returns the paths of the parties that others do not have.
func pathsOnlyIn(parties, others []Party) (paths []path.Path) {
	for _, p := range parties {
		if _, ok := FindParty(others, p.Key()); !ok {
			paths = append(paths, p.Path())
		}
	}
	return paths
}

func sameKeys(parties, prior []Party) bool {
	seen := make(map[party.Key]bool, len(parties))
	for _, p := range parties {
		if _, ok := FindParty(prior, p.Key()); !ok {
			return false
		}
		seen[p.Key()] = true
	}
	return len(seen) == len(parties) && len(parties) == len(prior)
}
