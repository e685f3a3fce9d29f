package rollout

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Attributes that other files refer to.
const (
	attrNamespace        = "namespace"
	attrName             = "name"
	attrWorkloadRef      = "workload_ref"
	attrAPIVersion       = "api_version"
	attrKind             = "kind"
	attrPaused           = "paused"
	attrDisabled         = "disabled"
	attrCanary           = "canary"
	attrBlueGreen        = "blue_green"
	attrSteps            = "steps"
	attrReplicas         = "replicas"
	attrTraffic          = "traffic"
	attrPause            = "pause"
	attrDuration         = "duration"
	attrMatches          = "matches"
	attrPath             = "path"
	attrHeaders          = "headers"
	attrQueryParams      = "query_params"
	attrHeaderModifier   = "request_header_modifier"
	attrSet              = "set"
	attrAdd              = "add"
	attrRemove           = "remove"
	attrTrafficRoutings  = "traffic_routings"
	attrRoutingRef       = "traffic_routing_ref"
	attrService          = "service"
	attrGrace            = "grace_period_seconds"
	attrIngress          = "ingress"
	attrClassType        = "class_type"
	attrGateway          = "gateway"
	attrRouteName        = "http_route_name"
	attrNetworkRefs      = "custom_network_refs"
	attrFailureThreshold = "failure_threshold"
	attrPatchMetadata    = "patch_pod_template_metadata"
	attrExtraWorkload    = "enable_extra_workload_for_canary"
	attrNoCanaryService  = "disable_generate_canary_service"
	attrPromote          = "promote_on_destroy"
	attrForceConflicts   = "force_conflicts"
	attrNextRelease      = "next_release"
	attrType             = "type"
	attrValue            = "value"
)

// rolloutType is the resource type.
const rolloutType = "kuscia_rollout"

// Defaults of the CustomResourceDefinitions, and of the workload, which is a
// Deployment with Kuscia.
const (
	defaultAPIVersion = "apps/v1"
	defaultKind       = "Deployment"
	defaultGrace      = 3
	defaultMatchType  = "Exact"
	defaultPathType   = "PathPrefix"
	defaultPathValue  = "/"
)

const rolloutDescription = "An OpenKruise Rollout: a new image or configuration of a workload is released step by step, and steps wait for an approval. " +
	"With Kuscia the workload is the Deployment of a party, in the namespace of its domain, named `SERVING_ID` or `SERVING_ID-ROLE`.\n\n" +
	"The provider block needs `kubernetes`, and the cluster OpenKruise Rollouts. With a version before 0.5, which serves only `v1alpha1`, `blue_green`, `disable_generate_canary_service`, and `path` and `query_params` of `matches` are refused.\n\n" +
	"A create waits until the Rollout is healthy. An image that is changed before that is not released step by step: add `depends_on` with the Rollout to the resource that changes the image. " +
	"A Rollout may be created before its workload; then there is nothing to wait for.\n\n" +
	"Approve each step with the action `kuscia_rollout_approve` or the resource `kuscia_rollout_approval`; the data source shows the state of a release. To roll back, apply the previous image: the release is then canceled.\n\n" +
	"**During a release** neither the workload, the style, the number of steps nor the traffic routing can be changed, and deleting or disabling the Rollout promotes the new version at once: the plan refuses all of these."

func rolloutSchema() definition.Schema {
	return definition.Schema{
		Description: rolloutDescription,
		Attributes: []definition.Attribute{
			{Name: attrNamespace, Replace: definition.Always, Description: "Namespace of the Rollout and of its workload: with Kuscia the domain. Changing it replaces the Rollout."},
			{Name: attrName, Replace: definition.Always, Description: "Name of the Rollout. Changing it replaces the Rollout."},
			{Name: attrWorkloadRef, Type: definition.Object, Description: "The workload that is released. It cannot be changed during a release, and a workload has at most one Rollout.", Attributes: []definition.Attribute{
				{Name: attrAPIVersion, Presence: definition.Optional, Default: defaultAPIVersion, Description: "API version. Default `apps/v1`."},
				{Name: attrKind, Presence: definition.Optional, Default: defaultKind, Description: "Kind: `Deployment` (default), `StatefulSet` or `DaemonSet` of `apps/v1`, or a kind of OpenKruise, where its CustomResourceDefinition is installed."},
				{Name: attrName, Description: "Name: with Kuscia that of the serving, or `NAME-ROLE` for a party with a role."},
			}},
			{Name: attrPaused, Type: definition.Bool, Presence: definition.Optional, Description: "Whether a release is suspended, regardless of approvals. Default `false`."},
			{Name: attrDisabled, Type: definition.Bool, Presence: definition.Optional, Description: "Whether changes of the workload are not released step by step. Default `false`. Setting it during a release promotes the new version, and is refused unless `promote_on_destroy = true`."},
			{Name: attrCanary, Type: definition.Object, Presence: definition.Nullable, Attributes: slices.Concat([]definition.Attribute{
				{Name: attrExtraWorkload, Type: definition.Bool, Presence: definition.Optional, Description: "Whether the pods of the new version belong to an extra Deployment until the release ends. Default `false`: pods of the workload are replaced step by step."},
				{Name: attrPatchMetadata, Type: definition.Object, Presence: definition.Nullable, Description: "Additional metadata of the pods of the new version; only with `enable_extra_workload_for_canary`.", Attributes: []definition.Attribute{
					{Name: "labels", Type: definition.StringMap, Presence: definition.Optional, Description: "Labels."},
					{Name: "annotations", Type: definition.StringMap, Presence: definition.Optional, SemanticEquality: definition.JSON, Description: "Annotations."},
				}},
			}, styleFields()), Description: "Release by steps: in place, which replaces pods of the workload, or with an extra workload. Exactly one of `canary` and `blue_green` is needed."},
			{Name: attrBlueGreen, Type: definition.Object, Presence: definition.Nullable, Attributes: styleFields(),
				Description: "Release with all pods of both versions side by side; needs OpenKruise Rollouts 0.6. It is refused for a Deployment whose update strategy Kuscia sets, which is every one of a `kuscia_serving`: Kuscia and Kruise would overwrite each other's strategy."},
			{Name: attrPromote, Type: definition.Bool, Presence: definition.Optional, Local: true, Description: "Whether the Rollout may be deleted or disabled during a release, which promotes the new version at once; with the feature gate KeepWorkloadPausedOnRolloutDeletion of OpenKruise Rollouts, the Deployment stays paused instead, which is an error. Default `false`. " + tfvalue.StoredDescription},
			{Name: attrNextRelease, Type: definition.StringList, Presence: definition.Computed, Description: "What a release does, step by step, by `canary` or `blue_green`: how many pods of the new version replace old ones, or are added beside them, and what the release then waits for. A change of it replaces no pods itself; during a release it applies from the current step on."},
			{Name: attrForceConflicts, Type: definition.Bool, Presence: definition.Optional, Local: true, Description: "Whether an update takes over fields of other field managers. Default `false`: an update with such a conflict fails, and names the manager and the fields. The fields of an imported Rollout that was created with kubectl belong to it, and the steps to the controller if one of them has no `pause`, so the first update needs `true`."},
		},
		DataSource: statusFields(),
		Derive: func(value, _ definition.Value) map[string]definition.Value {
			return map[string]definition.Value{attrNextRelease: nextRelease(value)}
		},
	}
}

// nextRelease is the attribute next_release: what each step of a style does to pods, and when it
// ends. It is unknown if any of that is.
func nextRelease(rollout definition.Value) definition.Value {
	list := tftypes.List{ElementType: tftypes.String}
	fields, strategy := definition.FieldsOf(rollout), kruise.Strategy{}
	style, spec := fields[attrCanary], &kruise.StyleSpec{}
	if strategy.Canary = spec; style.IsNull() {
		style, strategy = fields[attrBlueGreen], kruise.Strategy{BlueGreen: spec}
	}
	steps, extra := definition.FieldsOf(style)[attrSteps], definition.FieldsOf(style)[attrExtraWorkload]
	if !style.IsKnown() || !steps.IsKnown() || !extra.IsKnown() {
		return tftypes.NewValue(list, tftypes.UnknownValue)
	}
	spec.EnableExtraWorkloadForCanary = definition.BoolOf(extra)
	all := definition.ElementsOf(steps)
	spec.Steps = make([]kruise.Step, len(all))
	texts := make([]tftypes.Value, len(all))
	for i, value := range all {
		step := definition.FieldsOf(value)
		duration := definition.FieldsOf(step[attrPause])[attrDuration]
		if !value.IsKnown() || !step[attrReplicas].IsKnown() || !step[attrPause].IsKnown() || !duration.IsKnown() {
			texts[i] = definition.UnknownString()
			continue
		}
		spec.Steps[i].Replicas = new(kruise.IntOrPercent(definition.StringOf(step[attrReplicas])))
		if seconds, _ := definition.NumberOf(duration); !duration.IsNull() {
			spec.Steps[i].Pause.Duration = new(int32(seconds)) //nolint:gosec // validated
		}
		texts[i] = definition.StringValue(strategy.DescribeStep(i))
	}
	return tftypes.NewValue(list, texts)
}

// styleFields are the attributes of both release styles.
func styleFields() []definition.Attribute {
	return []definition.Attribute{
		{Name: attrSteps, Type: definition.ObjectList, Description: "The steps, 1 to 50. Their number cannot be changed during a release; their attributes can. After the last step all pods get the new version, so its `replicas` should be `100%`: a lower percentage causes a warning.", Attributes: []definition.Attribute{
			{Name: attrReplicas, SemanticEquality: kruise.SameIntOrPercent, Description: "How many pods have the new version after this step: a number from `1`, or a percentage from `1%` to `100%`. It must not decrease from step to step. Use only numbers or only percentages, except for a first `1` and a last `100%`: other mixes cause a warning, since a release in place could stop."},
			{Name: attrTraffic, Presence: definition.Optional, SemanticEquality: kruise.SameIntOrPercent, Description: "Percentage of the traffic that goes to the new version, from `1%` (in `blue_green` from `0%`) to `100%`. Needs `traffic_routings` or `traffic_routing_ref`. Defaults to the share of the new pods. In a `canary` in place, a percentage in `replicas` of such a step may be at most `50%`; more causes a warning, see the guide [Releases in detail](../guides/releases-in-detail.md)."},
			{Name: attrPause, Type: definition.Object, Presence: definition.Optional, Default: definition.Tree{}, Description: "Pause after the step. Default `{}`: the release waits for an approval. There is no pause after a last step of `100%` in `canary`.", Attributes: []definition.Attribute{
				{Name: attrDuration, Type: definition.Number, Presence: definition.Nullable, Description: "Seconds after which the next step starts automatically, from `1`. `0` means no pause."},
			}},
			{Name: attrMatches, Type: definition.ObjectList, Presence: definition.Optional, Description: "Requests that go to the new version: those that match one of these, at most 16. Needs `traffic_routings` or `traffic_routing_ref`. `replicas` is limited as with `traffic`.", Attributes: slices.Concat([]definition.Attribute{
				{Name: attrPath, Type: definition.Object, Presence: definition.Nullable, Description: "Path of the request.", Attributes: []definition.Attribute{
					{Name: attrType, Presence: definition.Optional, Default: defaultPathType, Description: "`PathPrefix` (default), `Exact` or `RegularExpression`."},
					{Name: attrValue, Presence: definition.Optional, Default: defaultPathValue, Description: "The path. Default `/`."},
				}},
				{Name: attrQueryParams, Type: definition.ObjectList, Presence: definition.Optional, Attributes: valueMatchFields(), Description: "Query parameters, all of which must match; at most 16."},
			}, headerMatchFields())},
			headerModifier(),
		}},
		{Name: attrTrafficRoutings, Type: definition.ObjectList, Presence: definition.Optional, Attributes: trafficRoutingFields(),
			Description: "Traffic routing; at most one. If omitted, traffic goes to all pods equally. It cannot be changed during a release."},
		{Name: attrRoutingRef, Presence: definition.Optional, Description: "Name of a TrafficRouting (`kuscia_traffic_routing`) in the same namespace."},
		{Name: attrFailureThreshold, Presence: definition.Optional, SemanticEquality: kruise.SameIntOrPercent, Description: "How many pods of the new version may fail in a step, as a number or a percentage. If omitted, none."},
		{Name: attrNoCanaryService, Type: definition.Bool, Presence: definition.Optional, Description: "Whether not to create a separate Service for the pods of the new version. Default `false`. `true` needs OpenKruise Rollouts 0.6."},
	}
}

func headerMatchFields() []definition.Attribute {
	return []definition.Attribute{
		{Name: attrHeaders, Type: definition.ObjectList, Presence: definition.Optional, Attributes: valueMatchFields(), Description: "Headers, all of which must match; at most 16, each name once."},
	}
}

func valueMatchFields() []definition.Attribute {
	return []definition.Attribute{
		{Name: attrType, Presence: definition.Optional, Default: defaultMatchType, Description: "`Exact` (default) or `RegularExpression`."},
		{Name: attrName, Description: "Name."},
		{Name: attrValue, Description: "Value, or expression."},
	}
}

func headerModifier() definition.Attribute {
	return definition.Attribute{
		Name: attrHeaderModifier, Type: definition.Object, Presence: definition.Nullable, Description: "How headers of requests to the new version are changed.",
		Attributes: []definition.Attribute{
			{Name: attrSet, Type: definition.StringMap, Presence: definition.Optional, Description: "Headers to set, with their values by name; at most 16."},
			{Name: attrAdd, Type: definition.StringMap, Presence: definition.Optional, Description: "Values to add to headers, by the name of the header; at most 16."},
			{Name: attrRemove, Type: definition.StringList, Presence: definition.Optional, Description: "Names of headers to remove; at most 16."},
		},
	}
}

func trafficRoutingFields() []definition.Attribute {
	return []definition.Attribute{
		{Name: attrService, Description: "Name of the Service of the workload."},
		{Name: attrGrace, Type: definition.Number, Presence: definition.Optional, Default: int64(defaultGrace), Description: "Seconds to wait for changed routes to take effect, at least 1. Default `3`."},
		{Name: attrIngress, Type: definition.Object, Presence: definition.Nullable, Description: "An Ingress of the Service. At least one of `ingress`, `gateway` and `custom_network_refs` is needed.", Attributes: []definition.Attribute{
			{Name: attrClassType, Presence: definition.Optional, Description: "Type of the Ingress, such as `nginx` (default) or `higress`."},
			{Name: attrName, Description: "Name of the Ingress."},
		}},
		{Name: attrGateway, Type: definition.Object, Presence: definition.Nullable, Description: "A route of the Gateway API, instead of an Ingress.", Attributes: []definition.Attribute{
			{Name: attrRouteName, Presence: definition.Optional, Description: "Name of the HTTPRoute, required in `gateway`."},
		}},
		{Name: attrNetworkRefs, Type: definition.ObjectList, Presence: definition.Optional, Description: "Objects of other traffic providers, such as a VirtualService of Istio, instead of an Ingress.", Attributes: []definition.Attribute{
			{Name: attrAPIVersion, Description: "API version."}, {Name: attrKind, Description: "Kind."}, {Name: attrName, Description: "Name."},
		}},
	}
}

// statusFields are the data source's attributes for the status of a release.
func statusFields() []definition.Attribute {
	text := func(name, description string) definition.Attribute {
		return definition.Attribute{Name: name, Presence: definition.Computed, Description: description}
	}
	number := func(name, description string) definition.Attribute {
		return definition.Attribute{Name: name, Type: definition.Number, Presence: definition.Computed, Description: description}
	}
	return []definition.Attribute{
		text("phase", "`Initial` (no workload), `Healthy` (no release), `Progressing`, `Disabling`, `Disabled` or `Terminating`. Empty until the controller has observed it."),
		text("message", "Message of the controller."),
		text("state", "State of the release, as determined by this provider: `healthy`, `step in progress`, `awaiting approval`, `timed pause`, `suspended`, `blocked`, `unknown step state`, `unknown phase`, `stuck`, `cancelling`, `completing`, `disabling`, `disabled`, `terminating`, `no workload` or `not observed`."),
		text("last_release", "How the last release ended: `completed`, `cancelled`, or empty while one is in progress or if it is unknown."),
		{Name: "awaits_approval", Type: definition.Bool, Presence: definition.Computed, Description: "Whether the release waits until `current_step_index` is approved."},
		number("current_step_index", "Step of the current or the last release, from 1; 0 if there was none."),
		text("current_step_state", "State of this step, such as `StepUpgrade`, `StepPaused` or `Completed`. It does not change when a release is canceled."),
		number("next_step_index", "The step that follows; below 1 if there is none."),
		text("stable_revision", "Hash of the previous version."),
		text("updated_revision", "Hash of the version of the current or the last release."),
		number("updated_replicas", "Pods of the new version."),
		number("updated_ready_replicas", "Pods of the new version that are ready."),
	}
}

// Attributes of approvals.
const (
	attrID       = "id"
	attrStep     = "step"
	attrToStep   = "to_step"
	attrTriggers = "triggers"
	attrRevision = "revision"
	attrComplete = "complete"
)
