package rollout

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// object is a Rollout with settings that are not sent to the cluster.
type object struct {
	kruise.Rollout
	promote, forceConflicts bool
	// workloadExists is true if the workload exists although the controller has
	// not found it yet.
	workloadExists bool
	// withoutPods is true if the controller waits for the first pods of the workload.
	withoutPods bool
	// other is the name of another Rollout of the same workload, with which the controller
	// processes neither.
	other string
}

func (o object) id() crud.ID { return crud.ID{o.Metadata.Namespace, o.Metadata.Name} }

// toWire converts a planned Rollout.
func toWire(r definition.Reader) *object {
	out := &object{promote: r.Bool(attrPromote), forceConflicts: r.Bool(attrForceConflicts)}
	out.Metadata = kruise.Metadata{Namespace: r.String(attrNamespace), Name: r.String(attrName)}
	if ref, ok := r.Object(attrWorkloadRef); ok {
		out.Spec.WorkloadRef = refToWire(ref)
	}
	out.Spec.Disabled = r.Bool(attrDisabled)
	out.Spec.Strategy = kruise.Strategy{Paused: r.Bool(attrPaused), Canary: styleToWire(r, attrCanary), BlueGreen: styleToWire(r, attrBlueGreen)}
	return out
}

func refToWire(r definition.Reader) kruise.ObjectRef {
	return kruise.ObjectRef{APIVersion: r.String(attrAPIVersion), Kind: r.String(attrKind), Name: r.String(attrName)}
}

func styleToWire(r definition.Reader, name string) *kruise.StyleSpec {
	style, ok := r.Object(name)
	if !ok {
		return nil
	}
	out := &kruise.StyleSpec{
		DisableGenerateCanaryService: style.Bool(attrNoCanaryService),
		TrafficRoutings:              routingsToWire(style.Objects(attrTrafficRoutings)), TrafficRoutingRef: style.String(attrRoutingRef),
		FailureThreshold: intOrPercent(style.String(attrFailureThreshold)),
	}
	if name == attrCanary {
		out.EnableExtraWorkloadForCanary = style.Bool(attrExtraWorkload)
		if metadata, ok := style.Object(attrPatchMetadata); ok {
			out.PatchPodTemplateMetadata = &kruise.PatchPodTemplateMetadata{Labels: metadata.StringMap("labels"), Annotations: metadata.StringMap("annotations")}
		}
	}
	for _, step := range style.Objects(attrSteps) {
		out.Steps = append(out.Steps, kruise.Step{
			Traffic: kruise.Percentage(step.String(attrTraffic)), Replicas: intOrPercent(step.String(attrReplicas)), Pause: pauseToWire(step),
			RequestHeaderModifier: modifierToWire(step), Matches: matchesToWire(step, matchToWire),
		})
	}
	return out
}

func intOrPercent(text string) *kruise.IntOrPercent {
	if text == "" {
		return nil
	}
	value := kruise.IntOrPercent(text)
	return &value
}

func pauseToWire(step definition.Reader) kruise.Pause {
	pause, ok := step.Object(attrPause)
	if !ok || !pause.Has(attrDuration) {
		return kruise.Pause{}
	}
	seconds := pause.Int32(attrDuration)
	return kruise.Pause{Duration: &seconds}
}

func modifierToWire(r definition.Reader) *kruise.HeaderModifier {
	modifier, ok := r.Object(attrHeaderModifier)
	if !ok {
		return nil
	}
	headers := func(values map[string]string) []kruise.Header {
		var out []kruise.Header
		for _, name := range slices.Sorted(maps.Keys(values)) {
			out = append(out, kruise.Header{Name: name, Value: values[name]})
		}
		return out
	}
	return &kruise.HeaderModifier{Set: headers(modifier.StringMap(attrSet)), Add: headers(modifier.StringMap(attrAdd)), Remove: modifier.Strings(attrRemove)}
}

func matchesToWire(r definition.Reader, convert func(match definition.Reader) kruise.Match) []kruise.Match {
	var out []kruise.Match
	for _, match := range r.Objects(attrMatches) {
		out = append(out, convert(match))
	}
	return out
}

// matchToWire converts a match of a step.
func matchToWire(match definition.Reader) kruise.Match {
	out := headerMatchToWire(match)
	out.QueryParams = valuesToWire(match.Objects(attrQueryParams))
	if at, ok := match.Object(attrPath); ok {
		out.Path = &kruise.PathMatch{Type: cmp.Or(at.String(attrType), defaultPathType), Value: cmp.Or(at.String(attrValue), defaultPathValue)}
	}
	return out
}

// headerMatchToWire converts a match of a traffic routing, which has only headers.
func headerMatchToWire(match definition.Reader) kruise.Match {
	return kruise.Match{Headers: valuesToWire(match.Objects(attrHeaders))}
}

func valuesToWire(of []definition.Reader) []kruise.ValueMatch {
	var out []kruise.ValueMatch
	for _, value := range of {
		out = append(out, kruise.ValueMatch{Type: cmp.Or(value.String(attrType), defaultMatchType), Name: value.String(attrName), Value: value.String(attrValue)})
	}
	return out
}

func routingsToWire(of []definition.Reader) []kruise.TrafficRoutingRef {
	var out []kruise.TrafficRoutingRef
	for _, r := range of {
		wire := kruise.TrafficRoutingRef{Service: r.String(attrService), GracePeriodSeconds: r.Int32(attrGrace)}
		if ingress, ok := r.Object(attrIngress); ok {
			wire.Ingress = &kruise.Ingress{ClassType: ingress.String(attrClassType), Name: ingress.String(attrName)}
		}
		if gateway, ok := r.Object(attrGateway); ok {
			wire.Gateway = &kruise.Gateway{HTTPRouteName: gateway.String(attrRouteName)}
		}
		for _, ref := range r.Objects(attrNetworkRefs) {
			wire.CustomNetworkRefs = append(wire.CustomNetworkRefs, refToWire(ref))
		}
		out = append(out, wire)
	}
	return out
}

// fromWire converts a Rollout of the cluster into attribute values.
func fromWire(o *object) definition.Tree {
	spec := o.Spec
	out := definition.Tree{
		attrNamespace: o.Metadata.Namespace, attrName: o.Metadata.Name, attrWorkloadRef: refTree(spec.WorkloadRef),
		attrPaused: spec.Strategy.Paused, attrDisabled: spec.Disabled,
		"phase": o.Status.Phase, "message": o.Status.Message,
	}
	if canary := spec.Strategy.Canary; canary != nil {
		tree := styleTree(canary)
		tree[attrExtraWorkload] = canary.EnableExtraWorkloadForCanary
		if metadata := canary.PatchPodTemplateMetadata; metadata != nil {
			tree[attrPatchMetadata] = definition.Tree{"labels": metadata.Labels, "annotations": metadata.Annotations}
		}
		out[attrCanary] = tree
	}
	if spec.Strategy.BlueGreen != nil {
		out[attrBlueGreen] = styleTree(spec.Strategy.BlueGreen)
	}
	for name, value := range statusTree(o.Release()) {
		out[name] = value
	}
	return out
}

// statusTree returns the status attributes of the data source.
func statusTree(release kruise.Release) definition.Tree {
	return definition.Tree{
		"state": release.State.String(), "last_release": release.Outcome.String(), "awaits_approval": release.State == kruise.AwaitingApproval,
		"current_step_index": int64(release.Step), "current_step_state": release.StepState, "next_step_index": int64(release.NextStep),
		"stable_revision": release.StableRevision, "updated_revision": release.Revision,
		"updated_replicas": int64(release.UpdatedReplicas), "updated_ready_replicas": int64(release.UpdatedReadyReplicas),
	}
}

func refTree(ref kruise.ObjectRef) definition.Tree {
	return definition.Tree{attrAPIVersion: ref.APIVersion, attrKind: ref.Kind, attrName: ref.Name}
}

func styleTree(style *kruise.StyleSpec) definition.Tree {
	out := definition.Tree{
		attrNoCanaryService: style.DisableGenerateCanaryService, attrRoutingRef: style.TrafficRoutingRef,
		attrSteps: definition.Each(style.Steps, stepTree), attrTrafficRoutings: definition.Each(style.TrafficRoutings, routingTree),
	}
	if style.FailureThreshold != nil {
		out[attrFailureThreshold] = string(*style.FailureThreshold)
	}
	return out
}

func stepTree(step kruise.Step) definition.Tree {
	pause := definition.Tree{}
	if step.Pause.Duration != nil {
		pause[attrDuration] = int64(*step.Pause.Duration)
	}
	out := definition.Tree{attrTraffic: string(step.Traffic), attrPause: pause, attrMatches: definition.Each(step.Matches, matchTree)}
	if step.Replicas != nil {
		out[attrReplicas] = string(*step.Replicas)
	}
	if step.RequestHeaderModifier != nil {
		out[attrHeaderModifier] = modifierTree(step.RequestHeaderModifier)
	}
	return out
}

func modifierTree(modifier *kruise.HeaderModifier) definition.Tree {
	values := func(headers []kruise.Header) map[string]string {
		out := make(map[string]string, len(headers))
		for _, header := range headers {
			out[header.Name] = header.Value
		}
		return out
	}
	return definition.Tree{attrSet: values(modifier.Set), attrAdd: values(modifier.Add), attrRemove: modifier.Remove}
}

func matchTree(match kruise.Match) definition.Tree {
	out := headerMatchTree(match)
	out[attrQueryParams] = definition.Each(match.QueryParams, valueTree)
	if match.Path != nil {
		out[attrPath] = definition.Tree{attrType: match.Path.Type, attrValue: match.Path.Value}
	}
	return out
}

func headerMatchTree(match kruise.Match) definition.Tree {
	return definition.Tree{attrHeaders: definition.Each(match.Headers, valueTree)}
}

func valueTree(v kruise.ValueMatch) definition.Tree {
	return definition.Tree{attrType: v.Type, attrName: v.Name, attrValue: v.Value}
}

func routingTree(routing kruise.TrafficRoutingRef) definition.Tree {
	out := definition.Tree{attrService: routing.Service, attrGrace: int64(routing.GracePeriodSeconds), attrNetworkRefs: definition.Each(routing.CustomNetworkRefs, refTree)}
	if routing.Ingress != nil {
		out[attrIngress] = definition.Tree{attrClassType: routing.Ingress.ClassType, attrName: routing.Ingress.Name}
	}
	if routing.Gateway != nil {
		out[attrGateway] = definition.Tree{attrRouteName: routing.Gateway.HTTPRouteName}
	}
	return out
}

// Limits of the CustomResourceDefinition.
const (
	maxSteps   = 50
	maxMatches = 16
	// maxTrafficPercent is the highest percentage of pods for which the webhook
	// allows traffic in an in-place release, unless a flag of the manager sets another
	// one.
	maxTrafficPercent = 50
	wholePercent      = 100
)

var (
	canaryPath    = path.Root(attrCanary)
	blueGreenPath = path.Root(attrBlueGreen)
	refPath       = path.Root(attrWorkloadRef)
)

// Attributes of traffic routings that other files refer to.
const (
	attrObjectRef = "object_ref"
	attrStrategy  = "strategy"
	attrWeight    = "weight"
)

// routing is a TrafficRouting with settings that are not sent to the cluster.
type routing struct {
	kruise.TrafficRouting
	forceConflicts bool
}

func (r routing) id() crud.ID { return crud.ID{r.Metadata.Namespace, r.Metadata.Name} }
