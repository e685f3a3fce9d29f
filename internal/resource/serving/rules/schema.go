package rules

import (
	"slices"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/manifest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// The names of attributes to which code refers: the configuration text in its two forms, and parts of a
// party.
const (
	AttrConfig           = "serving_input_config"
	AttrConfigWO         = "serving_input_config_wo"
	AttrConfigVersion    = "serving_input_config_wo_version"
	AttrProgressDeadline = "progress_deadline"

	AttrImage              = "image"
	AttrResources          = "resources"
	AttrContainerResources = "container_resources"

	attrParties  = "parties"
	attrStrategy = "update_strategy"
)

// Definition has the attributes of a serving.
var Definition = definition.New(Schema)

// Schema declares a serving.
var Schema = definition.Schema{
	Description: "A serving: a long-running application, usually a federated model for online prediction, whose parties each run replicas of an app image in their own domain.\n\n" +
		"Create and update wait until every party runs the desired number of updated replicas. A change that Kuscia cannot make on a live serving replaces it, and the plan shows the reason.",
	Attributes: slices.Concat(fixedAttributes, rolloutAttributes, []definition.Attribute{crud.AllowRemovalOf(notCarried)}),
	Timeouts:   definition.Timeouts{Create: DefaultRolloutTimeout, Update: DefaultRolloutTimeout, Delete: 10 * time.Minute},
	Derive: func(value, _ definition.Value) map[string]definition.Value {
		return map[string]definition.Value{"id": definition.FieldsOf(value)["serving_id"]}
	},
}

// notCarried are the fields of a KusciaDeployment that the KusciaAPI does not carry.
var notCarried = []string{party.FieldAffinity, party.FieldResources}

// CustomResource returns the custom resource of a serving.
func CustomResource[W any]() *manifest.CustomResource[W] {
	amounts := manifest.Carried{"cpu": nil, "memory": nil}
	return party.CustomResource[W](notCarried, manifest.Carried{"limits": amounts, "requests": amounts})
}

// DefaultRolloutTimeout limits a create and an update.
const DefaultRolloutTimeout = 20 * time.Minute

// fixedAttributes are those that Kuscia stores, and what it returns.
var fixedAttributes = []definition.Attribute{
	{
		Name: "id", Type: definition.String, Presence: definition.Computed,
		Description: "The same as `serving_id`, so that the output of an apply contains it.",
	},
	{
		Name: "serving_id", Type: definition.String, Presence: definition.Required, Replace: definition.Always, Since: idSince,
		Description: "RFC 1123 label of at most 63 characters, without dots. Changing it replaces the serving, which needs another ID with `create_before_destroy`.",
	},
	{
		Name: "initiator", Type: definition.String, Presence: definition.Required, Replace: definition.Always,
		Description: "`domain_id` of the party that starts the serving; it must be one of the parties. On an autonomy (P2P) node it is the node's own domain. Changing it replaces the serving.",
	},
	{
		Name: "affinity_mode", Type: definition.String, Presence: definition.Optional, Default: kuscia.AntiAffinity, NotReturned: true, Replace: definition.Always,
		Since:       []definition.Since{{Need: versions.Need{Feature: versions.AffinityMode, Without: ignoresIt, Instead: "remove affinity_mode"}}},
		Description: "How a party's pods are distributed over nodes: `none`, `affinity` (prefer one node) or `anti-affinity` (prefer different nodes, the default). Kuscia never returns it, so a change by another client cannot be detected, and after an import the configured value is assumed. Changing it replaces the serving.",
	},
	{
		Name: AttrConfig, Type: definition.String, Presence: definition.Optional, WriteOnly: true, Readable: true, SemanticEquality: definition.JSON,
		Since: []definition.Since{{
			Need: versions.Need{Feature: versions.OptionalServingConfig, Without: "which would refuse the serving", Instead: "set serving_input_config, for example to \"{}\""},
			Uses: func(text, _ definition.Value) bool { return definition.StringOf(text) == "" },
		}},
		Effect:      "updated in place; new pods of every party. Removing the text replaces the serving",
		Description: "Configuration text of the application, usually `jsonencode({...})`: JSON is compared by content. A change restarts every party; removing it replaces the serving. Plans show it and the state stores it: credentials belong in `serving_input_config_wo`. Containers get it in the environment variable `INPUT_CONFIG`, at most 128 KiB on most nodes.",
	},
	{
		Name: attrParties, Type: definition.ObjectMap, Presence: definition.Required, IdentifiedBy: partyKey, Attributes: partyAttributes,
		Effect:      "replaced if a party is added or removed. Another key of the same party changes only the state",
		Description: "The parties. A key is the `domain_id` of the party, unless it sets `domain_id` itself, as it must if a domain has two roles. Adding or removing a party, or changing its domain or role, replaces the serving. Renaming a key changes only the state. After an import the keys are `DOMAIN`, or `DOMAIN/ROLE` for a party with a role.",
	},
	{
		Name: "create_time", Type: definition.String, Presence: definition.Computed,
		Description: "When Kuscia created the serving (RFC 3339). Known once the first party is deployed.",
	},
	{
		Name: "endpoints", Type: definition.StringMap, Presence: definition.Computed, Default: definition.Tree{},
		Description: "Addresses of the ports of all parties by `DOMAIN/PORT`, or `DOMAIN/ROLE/PORT` for a party with a role: `endpoints[\"alice/service\"]`. A port with the scope `Domain` has `host:port`, one with the scope `Cluster`, which other domains reach, a host. Kuscia allocates them once, when the serving is created. Empty until the parties are deployed.",
	},
}

// rolloutAttributes control when pods are restarted or replaced and what an apply waits for.
var rolloutAttributes = []definition.Attribute{
	{
		Name: "redeploy_triggers", Type: definition.StringMap, Presence: definition.Optional, Local: true,
		Effect:      "new pods of every party, for another value of a key. A key that is added or removed is only stored",
		Description: "Values that restart the pods of every party when one of them changes, for example `{ restart = var.restart }`. A key that is added or removed is only stored. Needs a `serving_input_config` in JSON, which is sent again with other white space. Without a change of the configuration, use the action `kuscia_serving_redeploy` (Terraform 1.14 or later).",
	},
	{
		Name: "replace_triggers", Type: definition.StringMap, Presence: definition.Optional, Local: true,
		Effect:      "replaced by another value of a key. A key that is added or removed is only stored",
		Description: "Values that replace the serving when one of them changes, for example `{ definition = kuscia_app_image.sf.definition_revision }`: command, environment, ports, probes and config templates of an app image reach only new servings. A key that is added or removed is only stored. A change that an apply did not make is made by the next one.",
	},
	{
		Name: "follow_app_image", Type: definition.Bool, Presence: definition.Optional, Default: true, Local: true,
		Description: "Whether the apply rolls out a new image of an app image, for example a new tag, and new resources of its containers. Default `true`. Only pods that have the app image are replaced, see `pod_revision`. With `false` the plan warns, and the pods change with the next update of the serving.",
	},
	party.CheckApplicationAttribute,
	{
		Name: definition.AttrWaitForRollout, Type: definition.Bool, Presence: definition.Optional, Default: true, Local: true,
		Description: "Whether create and update wait until every party runs the desired number of updated pods. Default `true`. With `kubernetes` in the provider block the wait also checks image, configuration and resources of the Deployments. If an OpenKruise Rollout pauses one, the wait ends with a warning and `rollout_complete = false`.",
	},
	{
		Name: AttrProgressDeadline, Type: definition.String, Presence: definition.Nullable, Default: definition.ShortDuration(DefaultProgressDeadline), Local: true,
		Description: "How long a rollout may stall (no change of a replica count, or of the reason that Kuscia reports) before the wait fails, for example `\"2m\"`. Default 10 minutes, as in Kubernetes. Pods that will not start without a change, such as those of an image that cannot be pulled, end the wait after 3 minutes.",
	},
	{
		Name: definition.AttrRolloutComplete, Type: definition.Bool, Presence: definition.Computed, Local: true,
		Description: "Whether the provider saw every party run as configured after the last create or update. While it is `false`, the plan shows a change, and an apply waits again. Null if `wait_for_rollout` is `false`. See the guide [Waiting for a rollout](../guides/waiting-for-a-rollout.md#rollout_complete).",
	},
}

// Reported returns the attributes that Kuscia reports: without those that only the state has, and
// without those of which it reports another form.
func Reported() []definition.Attribute {
	all := reported(fixedAttributes)
	for i, a := range all {
		switch a.Name {
		case "parties":
			all[i].Description += " The key is `DOMAIN`, or `DOMAIN/ROLE` for a party with a role."
		case "endpoints":
			all[i].Description += " The key is `DOMAIN/PORT`, or `DOMAIN/ROLE/PORT` for a party with a role."
		}
	}
	return all
}

// reported returns attributes with the first sentence of their descriptions: the others are for
// those who set them.
func reported(attributes []definition.Attribute) (all []definition.Attribute) {
	for _, a := range attributes {
		if a.NotReturned || a.Local || slices.Contains([]string{"id", "create_time", AttrResources}, a.Name) {
			continue
		}
		first, _, cut := strings.Cut(a.Description, ". ")
		if cut {
			first += "."
		}
		a.Description, a.WriteOnly, a.Attributes, a.Since = first, false, reported(a.Attributes), nil
		all = append(all, a)
	}
	return all
}

// partyKey are the attributes that identify a party.
var partyKey = []string{"domain_id", "role"}

var partyAttributes = []definition.Attribute{
	{
		Name: "domain_id", Type: definition.String, Presence: definition.Optional, Replace: definition.Always,
		Description: "Domain in which the party's pods run. Default: the key of the party.",
	},
	{
		Name: "role", Type: definition.String, Presence: definition.Optional, Replace: definition.Always,
		Description: "Role of the party; selects the deploy template of the app image. If omitted, it has none.",
	},
	{
		Name: "app_image", Type: definition.String, Presence: definition.Required,
		Effect:      "updated in place; new pods of that party if image or resources differ",
		Description: "Name of the app image, see `kuscia_app_image`. An update in place changes image, tag and resources of the running pods and nothing else; an image with a port that the old one does not have is refused.",
	},
	{
		Name: AttrImage, Type: definition.String, Presence: definition.Computed, Local: true, Effect: "a new image of the app image: new pods of that party",
		Description: "Image that the pods of the party run, or will run after the apply: `name:tag` of the app image. A new tag is a change of this attribute, see `follow_app_image`. Known after apply for a new serving or another app image, unless the same apply changes that. Null if this node cannot read the app image, as for a partner.",
	},
	{
		Name: party.AttrPodRevision, Type: definition.Number, Presence: definition.Computed, Local: true,
		Description: party.PodRevisionText +
			"Redeploys by the action or others do not count. " +
			"After an import it may be unknown: Kuscia does not show whose resources pods have.",
	},
	{
		Name: "replicas", Type: definition.Number, Presence: definition.Optional, Default: int64(1), Effect: scaled,
		Description: "Number of pods, at least 1. Default 1. If omitted after the import of a serving without a number, that of the app image is kept.",
	},
	{
		Name: "service_name_prefix", Type: definition.String, Presence: definition.Optional, Effect: definition.EffectReplaced,
		Replace:     definition.AlwaysBecause("Kuscia names a party's Services when the serving is created and silently ignores a new service_name_prefix in an update."),
		Since:       []definition.Since{{Need: versions.Need{Feature: versions.ServiceNamePrefix, Without: ignoresIt, Instead: "remove service_name_prefix"}}},
		Description: "Prefix of the names of the party's Services, at most 48 characters; must be unique within a domain. Default `\"\"`: the names start with the name of the party's Deployment, which is the serving_id, or `serving_id-ROLE` for a party with a role. Changing it replaces the serving.",
	},
	{
		Name: attrStrategy, Type: definition.Object, Presence: definition.Optional, Effect: scaled,
		Description: "How pods are replaced by an update. Default: `RollingUpdate` with 25% and 25%.",
		Attributes: []definition.Attribute{
			{
				Name: "type", Type: definition.String, Presence: definition.Optional, Default: kuscia.StrategyRollingUpdate,
				Description: "`RollingUpdate` (default) or `Recreate` (all old pods stop before new ones start).",
			},
			{
				Name: "max_surge", Type: definition.String, Presence: definition.Optional, DefaultFrom: rollingDefault(kuscia.DefaultMaxSurge), SemanticEquality: tfvalue.CountOrPercentEqual,
				Description: "Pods above `replicas` during a rolling update: a number such as `\"1\"` or a percentage such as `\"25%\"` (default). Only with `RollingUpdate`.",
			},
			{
				Name: "max_unavailable", Type: definition.String, Presence: definition.Optional, DefaultFrom: rollingDefault(kuscia.DefaultMaxUnavailable), SemanticEquality: tfvalue.CountOrPercentEqual,
				Description: "Pods that may be missing during a rolling update: a number or a percentage up to 100% (default `\"25%\"`). Only with `RollingUpdate`; not zero together with `max_surge`.",
			},
		},
	},
	{
		Name: AttrResources, Type: definition.Object, Presence: definition.Optional, Effect: resourced, Attributes: amountAttributes,
		Description: "CPU and memory of every container, as Kubernetes quantities. If omitted, the values of the app image apply. Kuscia merges resources on update, so removing a value, or adding the first request or limit of a container, replaces the serving.",
	},
	{
		Name: AttrContainerResources, Type: definition.ObjectMap, Presence: definition.Optional, Effect: resourced, Attributes: amountAttributes,
		Description: "CPU and memory of single containers; the key is the name of the container in the app image. Each value here takes precedence over the one in `resources`. After an import it has the values that Kuscia reports, or is null if those are the app image's.",
	},
}

// The effects of changes of several attributes.
const (
	scaled    = "updated in place; no pod is replaced"
	resourced = "updated in place; new pods of that party. Removing a value, or adding the first request or limit of a container, replaces the serving"
)

var amountAttributes = []definition.Attribute{
	{Name: "min_cpu", Type: definition.String, Presence: definition.Nullable, SemanticEquality: definition.Quantity, Description: "CPU request, for example `\"0.5\"` or `\"500m\"`."},
	{Name: "max_cpu", Type: definition.String, Presence: definition.Nullable, SemanticEquality: definition.Quantity, Description: "CPU limit."},
	{Name: "min_memory", Type: definition.String, Presence: definition.Nullable, SemanticEquality: definition.Quantity, Description: "Memory request, for example `\"512Mi\"`."},
	{Name: "max_memory", Type: definition.String, Presence: definition.Nullable, SemanticEquality: definition.Quantity, Description: "Memory limit."},
}

// ignoresIt is what an older Kuscia does with an attribute that it does not know.
const ignoresIt = "which would silently ignore it"

// neverStarts is what an older Kuscia does with a serving whose names it cannot use.
const neverStarts = "which would accept the serving and never start it"

// idSince are the IDs that only some versions of Kuscia can start.
var idSince = []definition.Since{
	{
		Need: versions.Need{Feature: versions.ServingIDDigits, Without: neverStarts, Instead: "let serving_id begin with a letter"},
		Uses: func(id, _ definition.Value) bool { return strings.IndexAny(definition.StringOf(id), "0123456789") == 0 },
	},
	{
		Need: versions.Need{Feature: versions.LongServingIDs, Without: neverStarts, Instead: "shorten serving_id"},
		Uses: makesLongNames,
	},
}

// makesLongNames reports whether the name of a Service is too long whatever the name of its
// port: it begins with the name of a Deployment.
func makesLongNames(id, serving definition.Value) bool {
	parties := definition.FieldsOf(definition.FieldsOf(serving)["parties"])
	for _, p := range parties {
		if !p.IsKnown() {
			continue
		}
		role := definition.FieldsOf(p)["role"]
		if role.IsKnown() && party.IsLongServiceName(party.DeploymentName(definition.StringOf(id), definition.StringOf(role)), "p") {
			return true
		}
	}
	return false
}

// The definitions of the parts of a serving.
var (
	partyDefinition    = Definition.Part(attrParties)
	strategyDefinition = partyDefinition.Part(attrStrategy)
	amountsDefinition  = partyDefinition.Part(AttrResources)
)

// rollingDefault returns the default of a bound, as Kuscia v1.1 completes a strategy: Recreate has none.
func rollingDefault(bound string) func(map[string]definition.Value) definition.Value {
	return func(strategy map[string]definition.Value) definition.Value {
		switch kind := strategy["type"]; {
		case !kind.IsKnown():
			return definition.UnknownString()
		case kind.IsNull() || definition.StringOf(kind) == kuscia.StrategyRollingUpdate:
			return definition.StringValue(bound)
		}
		return definition.Value{}
	}
}

// DefaultProgressDeadline is that of Kubernetes for Deployments.
const DefaultProgressDeadline = 10 * time.Minute
