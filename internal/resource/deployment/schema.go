package deployment

import (
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// The update strategies, and Kubernetes' default for both numbers of
// RollingUpdate.
const (
	rollingUpdate  = "RollingUpdate"
	recreate       = "Recreate"
	defaultPercent = "25%"
)

const description = "A KusciaDeployment: the Kubernetes object for which Kuscia creates a Deployment with its Services for each party. A serving of the KusciaAPI is stored as a KusciaDeployment too. " +
	"It is managed through the Kubernetes API of the Kuscia master or autonomy node, configured with `kubernetes` in the provider block; the KusciaAPI is not needed.\n\n" +
	"It can do what the KusciaAPI cannot: clear the configuration, return a container to the requests and limits of the app image in place, leave the update strategy unset, and request resources such as `nvidia.com/gpu`. The guide *KusciaDeployment or serving?* compares the two.\n\n" +
	"A create and an update wait until the Deployment of each party has the configured image, configuration and resources, and all its pods are available."

var attributes = []definition.Attribute{
	{
		Name: attrName, Type: definition.String, Presence: definition.Required, Replace: definition.Always,
		Since: []definition.Since{{
			Need: versions.Need{Feature: versions.ServingIDDigits.Named("A name that begins with a digit"), Without: "which would accept it and never start it", Instead: "let name begin with a letter"},
			Uses: func(name, _ definition.Value) bool {
				return strings.IndexAny(definition.StringOf(name), "0123456789") == 0
			},
		}},
		Description: "Name of the KusciaDeployment, unique in the namespace `cross-domain`: at most 63 lower-case letters, digits and hyphens, beginning and ending with a letter or digit. Changing it replaces the deployment.",
	},
	{
		Name: attrInitiator, Type: definition.String, Presence: definition.Required,
		Description: "Domain of the initiator, one of the `parties`. Kuscia sets it only on objects that it creates: a change has no effect on existing Deployments, Services and ConfigMaps, unless the deployment is replaced (`-replace`).",
	},
	{
		Name: attrInputConfig, Type: definition.String, Presence: definition.Optional, WriteOnly: true, Readable: true, SemanticEquality: definition.JSON,
		Effect:      "updated in place; new pods of every party",
		Description: "Configuration that the containers of all parties get in the environment variable `INPUT_CONFIG`, usually JSON, which is compared by content. If omitted or `\"\"`, there is none. It must be shorter than 128 KiB on most nodes. Plans show it and the state stores it: credentials belong in `input_config_wo`.",
	},
	{
		Name: attrAffinityMode, Type: definition.String, Presence: definition.Optional, Default: affinityAnti,
		Since:       since(versions.AffinityMode, "which would ignore it", "remove affinity_mode"),
		Replace:     definition.AlwaysBecause("Kuscia applies some changes of the affinity to existing Deployments and ignores others, so another affinity_mode needs new ones."),
		Description: "Whether pods of a party prefer different nodes (`anti-affinity`, default), the same one (`affinity`), or neither (`none`). Changing it replaces the deployment.",
	},
	{
		Name: attrLabels, Type: definition.StringMap, Presence: definition.Optional,
		Description: "Labels of the KusciaDeployment. Labels that other clients add are ignored. A change of `kuscia.secretflow/app-type`, which with the value `serving` sets the environment variable `SERVING_ID`, has no effect on existing Deployments, unless the deployment is replaced (`-replace`).",
	},
	{
		Name: attrParties, Type: definition.ObjectMap, Presence: definition.Required, IdentifiedBy: []string{attrDomainID, attrRole}, Attributes: partyAttributes,
		Replace: definition.ReplaceWhen("Kuscia does not delete the Deployments and Services of a party that is removed or gets another role or service_name_prefix, so such a change needs a new deployment. A domain_id, role or service_name_prefix that is not known yet may be such a change.",
			otherParties),
		Description: "The parties, at least one, usually by `domain_id`. The keys are only names in the configuration: renaming one changes nothing but the state. After an import they are `DOMAIN`, or `DOMAIN/ROLE` for a party with a role. Adding or removing a party, or changing its `domain_id`, `role` or `service_name_prefix`, replaces the deployment.",
	},
	party.CheckApplicationAttribute,
	{
		Name: attrForceConflicts, Type: definition.Bool, Presence: definition.Optional, Local: true,
		Description: "Whether an update takes over fields of other field managers, as `kubectl apply --server-side --force-conflicts` does. Default `false`: an update with such a conflict fails, and names the fields and managers. The fields of an imported deployment that was created with kubectl or the KusciaAPI belong to these, so its first update needs `true`.",
	},
}

// newPods is what a change of the image or the resources of a party does.
const newPods = "updated in place; new pods of that party"

var partyAttributes = []definition.Attribute{
	{Name: attrDomainID, Type: definition.String, Presence: definition.Optional, Description: "ID of the party's domain. Default: the key of the party. It is needed where a domain has several parties, with different roles."},
	{Name: attrRole, Type: definition.String, Presence: definition.Optional, Description: "Role, which chooses the app image's template; empty by default. With one, the party's Deployment is named `NAME-ROLE` instead of `NAME`."},
	{Name: attrAppImage, Type: definition.String, Presence: definition.Required, Effect: newPods, Description: "Name of the app image. If another app image is set, or the app image was changed, an update applies its image and the resources of its containers to the pods. A new port is refused, and the plan warns of other differences: these need a new deployment."},
	{
		Name: party.AttrPodRevision, Type: definition.Number, Presence: definition.Computed, Local: true, Default: int64(party.FirstRevision),
		Description: party.PodRevisionText +
			"What other clients do does not count.",
	},
	{
		Name: attrPrefix, Type: definition.String, Presence: definition.Optional,
		Since:       since(versions.ServiceNamePrefix, "which would ignore it", "remove service_name_prefix"),
		Description: "Prefix of the names of the party's Services, instead of the name of its Deployment: at most 48 lower-case letters, digits and hyphens, beginning with a letter. Unique in the domain.",
	},
	{
		Name: attrReplicas, Type: definition.Number, Presence: definition.Nullable,
		Description: "Number of pods. If omitted, Kuscia uses that of the app image on create and does not set it afterwards, so an autoscaler can; removing it keeps the current number. With `0` no pod runs, and Kuscia reports the phase `Progressing` forever, but an apply succeeds.",
	},
	{
		Name: attrStrategy, Type: definition.Object, Presence: definition.Nullable,
		Description: "How pods are replaced in an update. If omitted, the Deployment is created with the default of Kubernetes (`RollingUpdate`, 25%), and Kuscia does not set the strategy afterwards, as blue-green releases of OpenKruise Rollouts require; removing it keeps the current strategy.",
		Attributes: []definition.Attribute{
			{Name: "type", Type: definition.String, Presence: definition.Optional, Default: rollingUpdate, Description: "`RollingUpdate` (default) or `Recreate`."},
			{
				Name: attrMaxSurge, Type: definition.String, Presence: definition.Optional, SemanticEquality: sameCount,
				Description: "Pods that may exist above `replicas` during a rolling update: a number or a percentage. Default `\"25%\"`. Only with `RollingUpdate`.",
			},
			{
				Name: attrMaxUnavailable, Type: definition.String, Presence: definition.Optional, SemanticEquality: sameCount,
				Description: "Pods that may be missing during a rolling update: a number or a percentage up to 100%. Default `\"25%\"`. Only with `RollingUpdate`; not zero together with `max_surge`.",
			},
		},
	},
	{
		Name: attrContainers, Type: definition.ObjectMap, Presence: definition.Optional, Effect: newPods,
		Description: "Resources of the app image's containers, by the name of the container. For one that is not listed, those of the app image apply.",
		Attributes: []definition.Attribute{
			{
				Name: attrRequests, Type: definition.StringMap, Presence: definition.Optional, SemanticEquality: definition.Quantity,
				Description: "Resource requests: `cpu`, `memory`, or others such as `nvidia.com/gpu`. Amounts are compared by value. They replace all requests of the app image; if empty, those of the app image apply.",
			},
			{
				Name: attrLimits, Type: definition.StringMap, Presence: definition.Optional, SemanticEquality: definition.Quantity,
				Description: "Resource limits, with the same keys and rules as `requests`.",
			},
		},
	},
}

// sameCount compares numbers of pods. An unset number is Kubernetes' default.
func sameCount(a, b string) bool {
	if a == "" {
		a = defaultPercent
	}
	if b == "" {
		b = defaultPercent
	}
	return tfvalue.CountOrPercentEqual(a, b)
}

// since declares an attribute that only some versions of Kuscia have.
func since(feature versions.Feature, without, instead string) []definition.Since {
	return []definition.Since{{Need: versions.Need{Feature: feature, Without: without, Instead: instead}}}
}

// statusAttributes are the status that Kuscia reports.
var statusAttributes = []definition.Attribute{
	{Name: "phase", Type: definition.String, Presence: definition.Computed, Description: "Phase of the deployment: `Progressing`, `PartialAvailable`, `Available` or `Failed`, as the parties have it: Kuscia " + versions.AnyPartyProgressing.BeforeInPages() + " keeps the last phase while no pod runs. A failed update is not visible in it."},
	{Name: "reason", Type: definition.String, Presence: definition.Computed, Description: "Why it is in this phase."},
	{Name: "message", Type: definition.String, Presence: definition.Computed, Description: "Details of the reason."},
	{Name: "total_parties", Type: definition.Number, Presence: definition.Computed, Description: "Number of parties."},
	{Name: "available_parties", Type: definition.Number, Presence: definition.Computed, Description: "Number of parties that Kuscia counts as available, including those with only some available pods."},
}
