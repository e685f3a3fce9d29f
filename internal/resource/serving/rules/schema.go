package rules

import (
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/manifest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
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
		Description: "ID of the serving in Kuscia, an RFC 1123 label of at most 63 characters. Dots are refused: Kuscia accepts them and then never starts the serving. Changing it replaces the serving. It is unique, so a replacement with the same ID works only without `create_before_destroy`, set here or inherited from a resource that depends on this one.",
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
		Description: "Configuration text of the application, usually a JSON object (`jsonencode({...})`), which is compared by content: key order and white space do not matter. A change restarts every party; removing it replaces the serving, since Kuscia keeps the old text if it gets none. If omitted after an import, Kuscia's text does not change. Plans show what changes in it, and the state has it in clear text: a text with credentials causes a warning and belongs into `serving_input_config_wo`, with which a change by another client cannot be detected. Containers get it in the environment variable `INPUT_CONFIG`, so it must be shorter than 128 KiB on most nodes; a longer text causes a warning.",
	},
	{
		Name: "parties", Type: definition.ObjectMap, Presence: definition.Required, Attributes: partyAttributes,
		Effect:      "replaced if a party is added or removed. Another key of the same party changes only the state",
		Description: "The parties. The key of a party is its `domain_id`, unless the party sets that itself, as it has to if a domain has two roles. Adding or removing a party, or changing its domain or role, replaces the serving. Another key for the same domain and role changes only the state: nothing is sent, and no pod restarts. After an import the keys are `DOMAIN`, or `DOMAIN/ROLE` for a party with a role.",
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
		Description: "Values that restart the pods of every party when any of them changes, for example `{ restart = var.restart }`. What changes in an app image needs no trigger, see `follow_app_image`. A key that is added or removed is only stored, and the plan says so. Works only if `serving_input_config` is JSON: it is sent again with different white space, which Kuscia treats as a change. To restart without a change to the configuration there is the action `kuscia_serving_redeploy` (Terraform 1.14 or later).",
	},
	{
		Name: "replace_triggers", Type: definition.StringMap, Presence: definition.Optional, Local: true,
		Effect:      "replaced by another value of a key. A key that is added or removed is only stored",
		Description: "Values that replace the serving when any of them changes, for example `{ definition = kuscia_app_image.sf.definition_revision }`: command, environment, ports, probes and config templates of an app image reach only new servings. A key that is added or removed is only stored, so a trigger can be added to a live serving. Unlike `lifecycle.replace_triggered_by`, the values are compared with the state: a change that one apply did not make (`-target`, a replacement that failed) is made by the next one.",
	},
	{
		Name: "follow_app_image", Type: definition.Bool, Presence: definition.Optional, Default: true, Local: true,
		Description: "Whether another image of an app image, for example a new tag, and other resources of its containers are a change of this serving that the apply rolls out. Default `true`. Only the pods that have the app image are replaced, see `pod_revision`: a rollout without another change sends a percentage of the `update_strategy` of any party in another spelling (`025%` for `25%`), which replaces no pod. If no party has a percentage, `serving_input_config` is sent again with different white space, which replaces the pods of every party, and if that is not JSON, the plan only warns. With `false` it only warns too, and the pods get what has changed with the next update of the serving.",
	},
	party.CheckApplicationAttribute,
	{
		Name: definition.AttrWaitForRollout, Type: definition.Bool, Presence: definition.Optional, Default: true, Local: true,
		Description: "Whether create and update wait until every party runs the desired number of updated pods. Default `true`. If it is enabled for a serving that does not run, the apply waits. With `kubernetes` in the provider block the wait also checks the image, configuration and resources of the Deployments. If an OpenKruise Rollout pauses one of them, it ends with a warning and `rollout_complete = false`.",
	},
	{
		Name: AttrProgressDeadline, Type: definition.String, Presence: definition.Optional, Local: true,
		Description: "How long a rollout may make no progress (a change of a replica count, or of the reason that Kuscia reports) before the wait fails, for example `\"2m\"`. Default 10 minutes, as in Kubernetes. Pods that do not start for a reason that rarely heals, such as an image that cannot be pulled, end the wait after 3 minutes.",
	},
	{
		Name: definition.AttrRolloutComplete, Type: definition.Bool, Presence: definition.Computed, Local: true,
		Description: "Whether the last rollout was observed to complete: `false` after an apply that failed, timed out or was interrupted while it waited. After an update, the plan then is `false -> true`, and its apply changes nothing, waits, and fails again if the serving still does not run; after a create, the serving is tainted, and the next apply replaces it unless `terraform untaint` was run. A refresh that finds the serving running as configured sets it to `true`; pods that fail later do not set it to `false`. Null if `wait_for_rollout` is `false`. In a plan it is known after the apply if pods are replaced.",
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
		Description: "Image that the pods of the party run, or will run after the apply: `name:tag` of the app image. A new tag of the app image is a change of this attribute, which the apply rolls out, see `follow_app_image`. It is known after apply for a new serving or another app image, unless the same apply changes that. Kuscia does not report it, so the provider stores what it has rolled out; after an import, the pods are assumed to run the image that the app image has, unless the cluster shows another one. Null if this node cannot read the app image of the pods, as that of a partner.",
	},
	{
		Name: party.AttrPodRevision, Type: definition.Number, Presence: definition.Computed, Local: true,
		Description: party.PodRevisionText +
			"What no plan knows does not count: a redeploy by the action `kuscia_serving_redeploy` or by another client, and app images of a partner's own cluster.",
	},
	{
		Name: "replicas", Type: definition.Number, Presence: definition.Optional, Default: int64(1), Effect: scaled,
		Description: "Number of pods, at least 1. Default 1. If omitted after the import of a serving without a number, that of the app image is kept.",
	},
	{
		Name: "service_name_prefix", Type: definition.String, Presence: definition.Optional, Replace: definition.Always,
		Since:       []definition.Since{{Need: versions.Need{Feature: versions.ServiceNamePrefix, Without: ignoresIt, Instead: "remove service_name_prefix"}}},
		Description: "Prefix of the names of the party's Services, at most 48 characters; must be unique within a domain. Default `\"\"`: the names start with the name of the party's Deployment, which is the serving_id, or `serving_id-ROLE` for a party with a role. Changing it replaces the serving.",
	},
	{
		Name: "update_strategy", Type: definition.Object, Presence: definition.Optional, Effect: scaled,
		Description: "How pods are replaced by an update. Default: `RollingUpdate` with 25% and 25%.",
		Attributes: []definition.Attribute{
			{
				Name: "type", Type: definition.String, Presence: definition.Optional, Default: kuscia.StrategyRollingUpdate,
				Description: "`RollingUpdate` (default) or `Recreate` (all old pods stop before new ones start).",
			},
			{
				Name: "max_surge", Type: definition.String, Presence: definition.Optional, SemanticEquality: tfvalue.CountOrPercentEqual,
				Description: "Pods above `replicas` during a rolling update: a number such as `\"1\"` or a percentage such as `\"25%\"` (default). Only with `RollingUpdate`.",
			},
			{
				Name: "max_unavailable", Type: definition.String, Presence: definition.Optional, SemanticEquality: tfvalue.CountOrPercentEqual,
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

// DefaultTimeouts are the timeouts of a configuration without any.
func DefaultTimeouts() types.Object {
	timeouts, _ := Definition.Attribute(definition.AttrTimeouts)
	defaults, _ := timeouts.Default.(definition.Tree)
	return object(definition.New(definition.Schema{Attributes: timeouts.Attributes}).Encode(defaults), timeoutsTypes)
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
