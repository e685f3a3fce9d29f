package rollout

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
)

// checkRollout reports configurations that the webhook of OpenKruise Rollouts
// rejects (with its words in parentheses, where they help to find it), that its CustomResourceDefinition does
// not allow, and that both accept although they have no effect or do harm.
func checkRollout(c *check.Checker, o *object) {
	strategy := o.Spec.Strategy
	switch {
	case strategy.Canary == nil && strategy.BlueGreen == nil:
		c.Add(check.Refused, canaryPath, "", "Missing strategy", inItsWords("Neither canary nor blue_green is set. Set exactly one of them.", "Canary and BlueGreen cannot both be empty"), blueGreenPath)
	case strategy.Canary != nil && strategy.BlueGreen != nil:
		c.Add(check.Refused, blueGreenPath, "", "Conflicting attributes", inItsWords("Both canary and blue_green are set. Keep one of them.", "Canary and BlueGreen cannot both be set"), canaryPath)
	}
	checkWorkloadRef(c, o)
	if strategy.Canary != nil {
		styleChecker{c, canaryPath, strategy.Canary, false, inPlace(o)}.check()
	}
	if strategy.BlueGreen != nil {
		styleChecker{c, blueGreenPath, strategy.BlueGreen, true, false}.check()
	}
}

// inPlace reports whether the release replaces the pods of the workload itself.
func inPlace(o *object) bool {
	canary, ref := o.Spec.Strategy.Canary, o.Spec.WorkloadRef
	extra := canary != nil && canary.EnableExtraWorkloadForCanary && isDeployment(ref)
	return canary != nil && !extra
}

// Workload kinds that the webhook accepts, by API group.
var workloadKinds = map[string][]string{
	"apps":           {"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"},
	"apps.kruise.io": {"CloneSet", "StatefulSet", "DaemonSet"},
}

func checkWorkloadRef(c *check.Checker, o *object) {
	ref := o.Spec.WorkloadRef
	group, version, _ := strings.Cut(ref.APIVersion, "/")
	needs := []path.Path{refPath.AtName(attrAPIVersion), refPath.AtName(attrKind)}
	at := refPath.AtName(attrKind)
	switch {
	case !slices.Contains(workloadKinds[group], ref.Kind):
		c.Add(check.Refused, at, ref.Kind, "Workload not supported", inItsWords(fmt.Sprintf(
			"OpenKruise Rollouts does not support %q of %q. Use Deployment, StatefulSet or DaemonSet of apps/v1, or a kind of apps.kruise.io; for a serving or a KusciaDeployment use its Deployment.", httpapi.Text(ref.Kind), httpapi.Text(ref.APIVersion)), "WorkloadRef kind is not supported"), needs...)
	case o.Spec.Strategy.BlueGreen != nil && ref.Kind != "Deployment" && ref.Kind != "CloneSet":
		c.Add(check.Refused, at, ref.Kind, "Workload not supported", inItsWords(
			"A blue-green release supports only Deployment and CloneSet. Use one of these, or canary.", "WorkloadRef kind is not supported for bluegreen style"), append(needs, blueGreenPath)...)
	case group == "apps" && version != "v1":
		c.Add(check.Unusable, refPath.AtName(attrAPIVersion), ref.APIVersion, "Workload not supported", fmt.Sprintf(
			"Kubernetes has no %q. The webhook accepts it, but the controller ignores it, and such a Rollout cannot be deleted. Use apps/v1.", httpapi.Text(ref.APIVersion)), needs...)
	case ref.Kind == "ReplicaSet":
		c.Add(check.Unusable, at, ref.Kind, "Workload without effect", "The webhook accepts a ReplicaSet, but the controller ignores it. Use the Deployment that creates it.", needs...)
	}
	if ref.Name == "" {
		c.Add(check.Unusable, refPath.AtName(attrName), "", "Missing workload name", "The name is empty. The webhook accepts that, but there is no such workload. Set the name of the workload.")
	}
	checkReference(c, refPath.AtName(attrName), ref.Name)
}

// styleChecker checks one release style.
type styleChecker struct {
	*check.Checker
	at        path.Path
	style     *kruise.StyleSpec
	blueGreen bool
	inPlace   bool
}

func (s styleChecker) check() {
	steps := s.at.AtName(attrSteps)
	switch n := len(s.style.Steps); {
	case n == 0:
		s.Add(check.Refused, steps, "", "Missing step", inItsWords("Set at least one step.", "The number of Canary.Steps cannot be empty"))
	case n > maxSteps:
		s.Add(check.Refused, steps, strconv.Itoa(n), "Too many steps", fmt.Sprintf("There are %d steps; a Rollout must have at most %d items. Remove the others.", n, maxSteps))
	}
	for i, step := range s.style.Steps {
		s.step(steps.AtListIndex(i), step)
		if i > 0 {
			s.order(steps, i)
		}
	}
	s.lastStep(steps)
	if n := len(s.style.TrafficRoutings); n > 1 {
		s.Add(check.Refused, s.at.AtName(attrTrafficRoutings), "", "More than one traffic routing", inItsWords(
			fmt.Sprintf("There are %d; OpenKruise Rollouts supports one. Remove the others.", n), "Rollout currently only support single TrafficRouting"))
	}
	checkReference(s.Checker, s.at.AtName(attrRoutingRef), s.style.TrafficRoutingRef)
	for i, routing := range s.style.TrafficRoutings {
		checkRouting(s.Checker, s.at.AtName(attrTrafficRoutings).AtListIndex(i), routing)
	}
	s.rest()
}

// step checks a step without regard to the others.
func (s styleChecker) step(at path.Path, step kruise.Step) {
	replicas := at.AtName(attrReplicas)
	if step.Replicas == nil {
		s.Add(check.Refused, replicas, "", "Step without replicas", "replicas cannot be empty: use a number, or a percentage such as \"25%\".")
	} else if !positive(*step.Replicas) {
		s.Add(check.Refused, replicas, string(*step.Replicas), "Replicas out of range", inItsWords(
			fmt.Sprintf("%q is not possible: use a number from 1, or a percentage from \"1%%\" to \"100%%\".", httpapi.Text(string(*step.Replicas))),
			`replicas must be positive number, or a percentage with "0%" < canaryReplicas <= "100%"`))
	}
	s.traffic(at, step)
	if seconds := step.Pause.Duration; seconds != nil && *seconds <= 0 {
		s.Add(check.Doubtful, at.AtName(attrPause), strconv.Itoa(int(*seconds)), "Pause without a time",
			fmt.Sprintf("With a duration of %d there is no pause: the next step starts immediately. Omit duration for a pause that ends with an approval.", *seconds))
	}
	if n := len(step.Matches); n > maxMatches {
		s.Add(check.Refused, at.AtName(attrMatches), strconv.Itoa(n), "Too many matches", fmt.Sprintf("There are %d; a step must have at most %d items. Remove the others.", n, maxMatches))
	}
	for i, match := range step.Matches {
		checkMatch(s.Checker, at.AtName(attrMatches).AtListIndex(i), match, check.Refused)
	}
	checkModifier(s.Checker, at.AtName(attrHeaderModifier), step.RequestHeaderModifier)
}

// positive reports whether the webhook accepts a number of replicas.
func positive(v kruise.IntOrPercent) bool {
	if n, ok := v.Number(); ok {
		return n > 0
	}
	percent, ok := v.Percent()
	return ok && percent > 0 && percent <= wholePercent
}

// traffic checks the traffic settings of a step.
func (s styleChecker) traffic(at path.Path, step kruise.Step) {
	traffic, text := at.AtName(attrTraffic), httpapi.Text(string(step.Traffic))
	if text == "" && len(step.Matches) == 0 {
		return
	}
	needs := []path.Path{at.AtName(attrReplicas), at.AtName(attrMatches), s.at.AtName(attrExtraWorkload), refPath}
	if step.Replicas != nil && s.inPlace {
		if percent, ok := step.Replicas.Percent(); ok && percent > maxTrafficPercent {
			s.Add(check.Doubtful, traffic, text, "Traffic in a large step", fmt.Sprintf(
				"With traffic or matches, a step in place may have at most %d%% of the pods, so that the old pods suffice for a rollback; this one has %d%%. "+
					"The apply fails unless the manager has another limit, --partition-percent-limit (\"For partition style rollout: step[x].replicas must not greater than partition-percent-limit if traffic specified\"). "+
					"Omit traffic and matches, or set enable_extra_workload_for_canary = true.", maxTrafficPercent, percent), needs...)
		}
	}
	if len(s.style.TrafficRoutings) == 0 && s.style.TrafficRoutingRef == "" {
		s.Add(check.Doubtful, traffic, text, "Traffic without a routing", "Without traffic_routings or traffic_routing_ref, traffic and matches have no effect. Set one of these two, or omit traffic and matches.",
			append(needs, s.at.AtName(attrTrafficRoutings), s.at.AtName(attrRoutingRef))...)
	}
	if text == "" {
		return
	}
	percent, ok := kruise.IntOrPercent(step.Traffic).Percent()
	switch {
	case s.blueGreen && (!ok || percent < 0 || percent > wholePercent):
		s.Add(check.Refused, traffic, text, "Traffic out of range", inItsWords(fmt.Sprintf("%q is not possible: use a percentage from \"0%%\" to \"100%%\".", text),
			`traffic must be percentage with "0%" <= traffic <= "100%" in blueGreen strategy`))
	case !s.blueGreen && (!ok || percent <= 0 || percent > wholePercent):
		s.Add(check.Refused, traffic, text, "Traffic out of range", inItsWords(fmt.Sprintf("%q is not possible: use a percentage from \"1%%\" to \"100%%\".", text),
			`traffic must be percentage with "0%" < traffic <= "100%" in canary strategy`))
	}
}

// order checks a step against the previous one.
func (s styleChecker) order(steps path.Path, i int) {
	before, now := s.style.Steps[i-1].Replicas, s.style.Steps[i].Replicas
	at := steps.AtListIndex(i).AtName(attrReplicas)
	needs := []path.Path{steps.AtListIndex(i - 1).AtName(attrReplicas)}
	if before == nil || now == nil || !positive(*before) || !positive(*now) {
		return
	}
	_, beforeIsPercent := before.Percent()
	_, nowIsPercent := now.Percent()
	if beforeIsPercent != nowIsPercent {
		if size(*before) == 1 && !beforeIsPercent || size(*now) == wholePercent && nowIsPercent {
			return // one pod is never too many, and all pods are never too few
		}
		if s.inPlace && beforeIsPercent {
			s.Add(check.Doubtful, at, string(*now), "Step that is not carried out",
				fmt.Sprintf("%q follows %q: OpenKruise Rollouts does not carry out a number of pods after a percentage, so that the release stops at this step unless the pods of the previous step suffice. Use percentages in all steps.", *now, *before), needs...)
			return
		}
		s.Add(check.Doubtful, at, string(*now), "Steps that cannot be compared",
			fmt.Sprintf("%q follows %q: a number and a percentage cannot be compared, so the number of new pods might decrease. Use the same form in all steps.", *now, *before), needs...)
		return
	}
	if size(*now) < size(*before) {
		s.Add(check.Refused, at, string(*now), "Decreasing steps", inItsWords(
			fmt.Sprintf("%q is less than %q of the step before, and a release cannot go back. Set at least as much.", *now, *before), "Steps.CanaryReplicas must be a non decreasing sequence"), needs...)
	}
}

// size returns the number, or the value of the percentage.
func size(v kruise.IntOrPercent) int {
	if n, ok := v.Number(); ok {
		return n
	}
	percent, _ := v.Percent()
	return percent
}

// lastStep warns if the release does not end with the replicas of its last step, or not with
// its pause.
func (s styleChecker) lastStep(steps path.Path) {
	last := len(s.style.Steps) - 1
	if last < 0 || s.style.Steps[last].Replicas == nil {
		return
	}
	percent, ok := s.style.Steps[last].Replicas.Percent()
	if ok && percent > 0 && percent < wholePercent {
		s.Add(check.Doubtful, steps.AtListIndex(last).AtName(attrReplicas), strconv.Itoa(percent), "Last step below 100%",
			fmt.Sprintf("The last step has %d%% of the pods. After it, all pods get the new version anyway; set the last step to \"100%%\".", percent))
	}
	if seconds, manual := s.style.Steps[last].Pause.Seconds(); percent == wholePercent && !s.blueGreen && !manual && seconds > 0 {
		at := steps.AtListIndex(last)
		s.Add(check.Doubtful, at.AtName(attrPause), strconv.Itoa(int(seconds)), "Pause after the last step",
			"A canary release does not pause after a last step of \"100%\", whatever its pause says: it ends when all pods have the new version. Remove this pause; for a pause before that, use the one of the step before.",
			at.AtName(attrReplicas), blueGreenPath)
	}
}

// rest checks the attributes other than steps.
func (s styleChecker) rest() {
	if v := s.style.FailureThreshold; v != nil && !threshold(*v) {
		s.Add(check.Doubtful, s.at.AtName(attrFailureThreshold), string(*v), "Invalid failure threshold",
			fmt.Sprintf("%q is accepted but has no effect; use a number from 0, or a percentage from \"0%%\" to \"100%%\".", *v))
	}
	metadata := s.style.PatchPodTemplateMetadata
	if metadata == nil {
		return
	}
	at := s.at.AtName(attrPatchMetadata)
	if s.inPlace {
		s.Add(check.Doubtful, at, "", "Metadata without an extra workload", "Without enable_extra_workload_for_canary on a Deployment the pods of the new version get no labels and annotations of their own.",
			s.at.AtName(attrExtraWorkload), refPath)
	}
	checkMetadata(s.Checker, at, metadata)
}

func threshold(v kruise.IntOrPercent) bool {
	if n, ok := v.Number(); ok {
		return n >= 0
	}
	percent, ok := v.Percent()
	return ok && percent >= 0 && percent <= wholePercent
}
