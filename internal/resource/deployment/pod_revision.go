package deployment

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// sending is what an update sends.
type sending struct {
	// any is whether it sends anything, and config whether that is another input_config.
	any, config types.Bool
}

// sendingOf returns what a planned update sends, as far as it is known.
func sendingOf(planned definition.Value, sent []path.Path) sending {
	s := sending{any: types.BoolValue(false), config: types.BoolValue(false)}
	for _, at := range sent {
		is := types.BoolValue(true)
		if value := definition.ValueAt(planned, at); value.Type() != nil && !value.IsKnown() {
			is = types.BoolUnknown()
		}
		s.any = tfvalue.Or(s.any, is)
		switch first, _ := at.Steps()[0].(path.PathStepAttributeName); string(first) {
		case attrInputConfig:
			s.config = tfvalue.Or(s.config, is)
		case attrInputConfig + "_wo_version": // the text may be the one that the cluster has
			s.config = tfvalue.Or(s.config, types.BoolUnknown())
		}
	}
	return s
}

// appliedLookup returns what an update applies of an app image for a role; nil if it is not known.
// pods are those of a party that has the app image, nil if they are not known.
type appliedLookup func(appImage, role string, pods *deployedPods) *party.Applied

// withPodRevisions returns a planned deployment with the pod revisions of its parties. prior is null
// for a new one, also after a replacement.
func withPodRevisions(planned, prior definition.Value, known deployedParties, sends sending, applied appliedLookup) definition.Value {
	before := partiesByKey(prior)
	if !definition.FieldsOf(planned)[attrParties].IsKnown() {
		return planned
	}
	elements := maps.Clone(partiesOf(planned))
	root, _ := definition.Read(planned, definition.Value{})
	for key, p := range root.ObjectMap(attrParties) {
		if !elements[key].IsKnown() || elements[key].IsNull() {
			continue
		}
		fields := definition.FieldsOf(elements[key])
		old, replaced := before[keyOf(fields)], types.BoolValue(false)
		switch {
		case prior.IsNull() || sends.any.Equal(types.BoolValue(false)):
		case !isKnown(fields) || old == nil:
			replaced = types.BoolUnknown()
		default:
			pods := known[keyText(p)].Pods
			replaced = tfvalue.Or(sends.config, tfvalue.And(sends.any, replacesPods(p, fields, old, pods, applied)))
		}
		elements[key] = withRevision(elements[key], party.RevisionAfter(revisionOf(old), replaced))
	}
	return withParties(planned, elements)
}

// replacesPods reports whether an update that is sent gives the pods of a party another image or
// other resources.
func replacesPods(p definition.Reader, fields, old map[string]definition.Value, pods *deployedPods, applied appliedLookup) types.Bool {
	if !p.Known(attrAppImage) || !p.FullyKnown(attrContainers) {
		return types.BoolUnknown()
	}
	sameImage := fields[attrAppImage].Equal(old[attrAppImage])
	if pods == nil {
		sameSettings := definition.Equal(fields[attrContainers], old[attrContainers])
		if sameImage && sameSettings && applied(p.String(attrAppImage), p.String(attrRole), nil) == nil {
			return types.BoolValue(false) // those of a partner, with app images of its own
		}
		return tfvalue.Or(types.BoolValue(!sameSettings), types.BoolUnknown())
	}
	if !sameImage || pods.AppImage != p.String(attrAppImage) {
		pods = &deployedPods{Containers: pods.Containers}
	}
	now := applied(p.String(attrAppImage), p.String(attrRole), pods)
	if now == nil {
		return types.BoolUnknown()
	}
	return types.BoolValue(now.ReplacesPods(settingsOf(p), pods.Containers))
}

// settingsOf are the resources that a party sets.
func settingsOf(p definition.Reader) (all []kube.PartyContainer) {
	for name, container := range p.ObjectMap(attrContainers) {
		all = append(all, kube.PartyContainer{Name: name, Resources: kube.Resources{
			Requests: counted(container.StringMap(attrRequests)), Limits: counted(container.StringMap(attrLimits)),
		}})
	}
	return all
}

func counted(amounts map[string]string) map[string]kube.IntOrString {
	out := make(map[string]kube.IntOrString, len(amounts))
	for name, amount := range amounts {
		out[name] = kube.IntOrString(amount)
	}
	return out
}

// revisionOf is the pod revision of a party; null if it has none.
func revisionOf(fields map[string]definition.Value) types.Int64 {
	return definition.Int64Of(fields[party.AttrPodRevision])
}

// replacedKeys are the keys of the parties whose pods a planned update replaces, or may replace.
func replacedKeys(planned, prior definition.Value) (keys []string) {
	before := partiesByKey(prior)
	for key, element := range partiesOf(planned) {
		fields := definition.FieldsOf(element)
		if old := before[keyOf(fields)]; old != nil && isKnown(fields) && !revisionOf(fields).Equal(party.RevisionAfter(revisionOf(old), types.BoolValue(false))) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// complete adds to an update the pod revisions that the plan did not know, and refuses to replace
// other pods than were planned.
func complete(change *crud.Change[object], objects clusterObjects, diags *diag.Diagnostics) {
	sends := sending{any: types.BoolValue(len(change.Sent) > 0), config: types.BoolValue(touches(change.Sent, attrInputConfig))}
	if touches(change.Sent, attrInputConfig+"_wo_version") {
		sends.config = types.BoolValue(sendsOtherText(change, objects.live))
	}
	completed := withPodRevisions(change.Value, change.Prior, crud.Recall[deployedParties](change.Memory), sends, objects.applied)
	before, parties := partiesByKey(change.Prior), maps.Clone(partiesOf(completed))
	for key, element := range partiesOf(change.Value) {
		fields := definition.FieldsOf(element)
		planned, now := revisionOf(fields), revisionOf(definition.FieldsOf(parties[key]))
		if now.IsUnknown() { // what the pods have cannot be read
			if now = planned; planned.IsUnknown() {
				now = party.RevisionAfter(revisionOf(before[keyOf(fields)]), types.BoolValue(true))
			}
			parties[key] = withRevision(element, now)
		}
		if planned.IsUnknown() || planned.Equal(now) {
			continue
		}
		at := partiesPath.AtMapKey(key).AtName(party.AttrPodRevision)
		diags.AddAttributeError(at, party.ChangedAfterPlanSummary, check.WithPath(at, party.DescribeChangedAfterPlan(fmt.Sprintf(
			"The plan has %d, and with what app image %q has now the apply would lead to %d",
			planned.ValueInt64(), httpapi.Text(textOf(fields, attrAppImage)), now.ValueInt64()), "deployment")))
	}
	change.Value = withParties(completed, parties)
}

func withRevision(element definition.Value, revision types.Int64) definition.Value {
	return definition.WithFields(element, map[string]definition.Value{party.AttrPodRevision: definition.Int64Value(revision)})
}

func withParties(deployment definition.Value, elements map[string]definition.Value) definition.Value {
	parties := definition.WithFields(definition.FieldsOf(deployment)[attrParties], elements)
	return definition.WithFields(deployment, map[string]definition.Value{attrParties: parties})
}

// sendsOtherText reports whether the write-only input_config differs from the one in the cluster.
func sendsOtherText(change *crud.Change[object], live *kube.KusciaDeployment) bool {
	fields := definition.FieldsOf(change.Config)
	text := definition.StringOf(fields[attrInputConfig])
	if secret := fields[attrInputConfig+"_wo"]; secret.IsKnown() && !secret.IsNull() {
		text = definition.StringOf(secret)
	}
	return live == nil || !definition.JSON(live.Spec.InputConfig, text)
}

// known adds the pod revisions to a plan.
func known(ctx context.Context, c *run.Run, from crud.Planned) definition.Value {
	prior := from.Prior
	if len(from.Replaces) > 0 {
		prior = tftypes.NewValue(prior.Type(), nil) // a new one
	}
	return withPodRevisions(from.Planned, prior, crud.Recall[deployedParties](from.Memory), sendingOf(from.Planned, from.Sent), plannedApplied(ctx, c))
}

// plannedApplied looks up what this run gives app images, or else what the last refresh has seen.
func plannedApplied(ctx context.Context, c *run.Run) appliedLookup {
	return func(appImage, role string, pods *deployedPods) *party.Applied {
		var seen *party.Applied
		text := ""
		if pods != nil && pods.Applied != nil {
			seen, text = pods.Applied, pods.Applied.Text()
		}
		if c == nil || c.AppImages == nil {
			return seen
		}
		texts := map[string]*party.Applied{}
		value, changed := c.AppImages.Changed(ctx, appImage, text, func(image *kuscia.AppImage) string {
			applied := appliedOf(image, role)
			if applied == nil {
				return ""
			}
			text := applied.Text()
			texts[text] = applied
			return text
		})
		switch after := texts[value]; {
		case !changed || value == text:
			return seen
		case after != nil && seen != nil:
			return seen.ChangedTo(after)
		default:
			return after
		}
	}
}
