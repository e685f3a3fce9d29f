package rules

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// triggered reports whether a trigger that was already set gets another value, or may get
// one that is not known yet. A key that is added or removed is only stored, so that a
// trigger can be added to a live serving.
func triggered(planned, prior types.Map) bool {
	return !triggers(planned, prior).Equal(types.BoolValue(false))
}

// triggers is triggered, unknown for a value that is not known yet.
func triggers(planned, prior types.Map) types.Bool {
	after, changed := planned.Elements(), types.BoolValue(false)
	for key, before := range prior.Elements() {
		value, set := after[key]
		switch {
		case planned.IsUnknown() || set && value.IsUnknown():
			changed = tfvalue.Or(changed, types.BoolUnknown())
		case set && !sameTrigger(value, before):
			changed = types.BoolValue(true)
		}
	}
	return changed
}

// longRevision is a revision of an app image as a state may have it: with more digits than now.
var longRevision = regexp.MustCompile(`^[0-9a-f]{32}$`)

// shortRevision is the length of a revision now.
const shortRevision = 8

// sameTrigger reports whether a planned value of a trigger is that of the state, or the same
// revision with fewer digits.
func sameTrigger(planned, prior attr.Value) bool {
	if planned.Equal(prior) {
		return true
	}
	now, known := planned.(types.String)
	before, text := prior.(types.String)
	return known && text && len(now.ValueString()) == shortRevision && longRevision.MatchString(before.ValueString()) && strings.HasPrefix(before.ValueString(), now.ValueString())
}

// WarnTriggersStored warns of triggers that an update adds or removes, which restart and
// replace nothing. private is that of prior.
func WarnTriggersStored(planned, prior Serving, private Private, diags *diag.Diagnostics) {
	if private.Imported {
		return
	}
	for _, triggers := range []struct {
		name           string
		planned, prior types.Map
		effect         string
	}{
		{"redeploy_triggers", planned.RedeployTriggers(), prior.RedeployTriggers(), "restarts no pod"},
		{"replace_triggers", planned.ReplaceTriggers(), prior.ReplaceTriggers(), "does not replace the serving"},
	} {
		if triggers.planned.IsUnknown() || triggered(triggers.planned, triggers.prior) {
			continue
		}
		keys := append(missingIn(triggers.prior, triggers.planned), missingIn(triggers.planned, triggers.prior)...)
		if len(keys) == 0 {
			continue
		}
		at := path.Root(triggers.name)
		diags.AddAttributeWarning(at, "Change of "+triggers.name+" is only stored", check.WithPath(at, fmt.Sprintf(
			"Adding or removing a key %s: only another value of a key that is already set does. Added or removed: %s.",
			triggers.effect, strings.Join(keys, ", "))))
	}
}

// missingIn returns the quoted keys that only the first map has, sorted.
func missingIn(triggers, other types.Map) (keys []string) {
	for _, key := range slices.Sorted(maps.Keys(triggers.Elements())) {
		if _, both := other.Elements()[key]; !both {
			keys = append(keys, fmt.Sprintf("%.60q", key))
		}
	}
	return keys
}
