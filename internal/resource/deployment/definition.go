package deployment

import (
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// The attributes that the rules refer to.
const (
	attrID              = "id"
	attrName            = "name"
	attrInitiator       = "initiator"
	attrInputConfig     = "input_config"
	attrAffinityMode    = "affinity_mode"
	attrLabels          = "labels"
	attrParties         = "parties"
	attrDomainID        = "domain_id"
	attrRole            = "role"
	attrAppImage        = "app_image"
	attrPrefix          = "service_name_prefix"
	attrReplicas        = "replicas"
	attrStrategy        = "update_strategy"
	attrContainers      = "containers"
	attrRequests        = "requests"
	attrLimits          = "limits"
	attrForceConflicts  = "force_conflicts"
	attrWait            = "wait_for_rollout"
	attrRolloutComplete = "rollout_complete"
)

// The values of affinity_mode; the last one is the default.
const (
	affinityNone = "none"
	affinityPod  = "affinity"
	affinityAnti = "anti-affinity"
)

// The update strategies, and Kubernetes' default for both numbers of
// RollingUpdate.
const (
	rollingUpdate  = "RollingUpdate"
	recreate       = "Recreate"
	defaultPercent = "25%"
)

// deployment is the definition of the resource.
var deployment = definition.New(definition.Schema{
	Description: "A KusciaDeployment: the Kubernetes object from which Kuscia makes a Deployment with its Services for each party, and which a serving of the KusciaAPI becomes, too. " +
		"It is managed through the Kubernetes API of the Kuscia master or autonomy node, which `kubernetes` in the provider block names; the KusciaAPI is not needed.\n\n" +
		"It can do what the KusciaAPI cannot: clear the configuration, take resources away, leave the update strategy alone, ask for resources such as `nvidia.com/gpu`. The guide *KusciaDeployment or serving?* compares the two.\n\n" +
		"A create and an update wait until the Deployment of each party has the wanted image, configuration and resources and all its pods are available.",
	Attributes: rows,
	Timeouts:   definition.Timeouts{Create: 20 * time.Minute, Update: 20 * time.Minute, Delete: 10 * time.Minute},
	Derive: func(value, _ definition.Value) map[string]definition.Value {
		return map[string]definition.Value{attrID: definition.FieldsOf(value)[attrName]}
	},
})

var rows = []definition.Attribute{
	{Name: attrID, Type: definition.Text, Presence: definition.Computed, Description: "The import id: `name`."},
	{
		Name: attrName, Type: definition.Text, Presence: definition.Required, Replace: definition.Always,
		Description: "Name of the KusciaDeployment, unique in the namespace `cross-domain`: at most 63 lower-case letters, digits and hyphens, beginning with a letter and ending with a letter or digit. Changing it replaces the deployment.",
	},
	{
		Name: attrInitiator, Type: definition.Text, Presence: definition.Required,
		Description: "Domain that initiates, one of those of `parties`.",
	},
	{
		Name: attrInputConfig, Type: definition.Text, Presence: definition.Optional, WriteOnly: true, SemanticEquality: definition.JSON,
		Description: "Configuration that the containers of all parties get, in most cases JSON, which is compared by meaning. Left out or `\"\"`: none. It is sensitive, since it may hold storage keys; `input_config_wo` keeps it out of the state.",
	},
	{
		Name: attrAffinityMode, Type: definition.Text, Presence: definition.Optional, Default: affinityAnti,
		Replace:     definition.When("Kuscia leaves the affinity of Deployments that exist as it is, so that another affinity_mode needs new ones.", func(_, _ definition.Value) bool { return true }),
		Description: "Whether pods of a party prefer different nodes (`anti-affinity`, default), the same one (`affinity`), or neither (`none`). Changing it replaces the deployment.",
	},
	{
		Name: attrLabels, Type: definition.TextMap, Presence: definition.Optional,
		Description: "Labels of the KusciaDeployment. Labels that others add are left alone, and not shown.",
	},
	{
		Name: attrParties, Type: definition.ObjectList, Presence: definition.Required, Attributes: partyRows,
		Replace: definition.When("Kuscia keeps the Deployments and Services of a party that goes, or that gets another role or service_name_prefix, so that other parties need a new deployment. As long as a domain_id, role or service_name_prefix is not known, they may be others.",
			otherParties),
		Description: "The parties, at least one; their order does not matter. A party that comes or goes, another `role` and another `service_name_prefix` replace the deployment.",
	},
	{
		Name: attrForceConflicts, Type: definition.Bool, Presence: definition.Optional, Local: true, Default: false,
		Description: "Whether an update takes over fields that somebody else changed, as `kubectl apply --server-side --force-conflicts` does. Default `false`: it is an error that names them and their managers. A deployment that was made with kubectl or the KusciaAPI and imported belongs to these, so that its first update needs it.",
	},
	{
		Name: attrWait, Type: definition.Bool, Presence: definition.Optional, Local: true, Default: true,
		Description: "Whether create and update wait until the Deployment of every party runs as configured. Default `true`.",
	},
	{
		Name: attrRolloutComplete, Type: definition.Bool, Presence: definition.Computed,
		Description: "Whether the last create or update was seen to run: `false` after one that failed, was interrupted, or is held by an OpenKruise Rollout, until a refresh sees the pods run as configured. While it is `false`, a plan is not empty, and its apply waits again. Null where `wait_for_rollout` is `false`.",
	},
}

var partyRows = []definition.Attribute{
	{Name: attrDomainID, Type: definition.Text, Presence: definition.Required, Description: "Id of the party's domain."},
	{Name: attrRole, Type: definition.Text, Presence: definition.Optional, Description: "Role, which chooses the app image's template. With one, the party's Deployment is called `NAME-ROLE` in place of `NAME`."},
	{Name: attrAppImage, Type: definition.Text, Presence: definition.Required, Description: "Name of the app image. Of another one, or of one that was changed, an update brings the image and the resources of containers to the pods; a port that was not there at the create is refused, and what else differs is warned of: these need a new deployment."},
	{
		Name: attrPrefix, Type: definition.Text, Presence: definition.Optional,
		Description: "What the names of the party's Services begin with, in place of the name of its Deployment: at most 48 lower-case letters, digits and hyphens, beginning with a letter.",
	},
	{
		Name: attrReplicas, Type: definition.Number, Presence: definition.Nullable,
		Description: "Number of pods. Left out, the app image's at the create, and Kuscia does not set it afterwards: an autoscaler may.",
	},
	{
		Name: attrStrategy, Type: definition.Object, Presence: definition.Nullable,
		Description: "How pods are replaced in an update. Left out, 25 % at a time, and Kuscia does not set it afterwards, as a release by OpenKruise Rollouts in blue-green style needs it.",
		Attributes: []definition.Attribute{
			{Name: "type", Type: definition.Text, Presence: definition.Optional, Default: rollingUpdate, Description: "`RollingUpdate` (default) or `Recreate`."},
			{
				Name: "max_surge", Type: definition.Text, Presence: definition.Optional, SemanticEquality: sameCount,
				Description: "Pods that may exist above `replicas` during a rolling update: a number or a percentage. Default `\"25%\"`. Only with `RollingUpdate`.",
			},
			{
				Name: "max_unavailable", Type: definition.Text, Presence: definition.Optional, SemanticEquality: sameCount,
				Description: "Pods that may be missing during a rolling update: a number or a percentage up to 100%. Default `\"25%\"`. Only with `RollingUpdate`; not zero together with `max_surge`.",
			},
		},
	},
	{
		Name: attrContainers, Type: definition.ObjectList, Presence: definition.Optional,
		Description: "Resources of the app image's containers. Of a container that is not here the app image's count.",
		Attributes: []definition.Attribute{
			{Name: attrName, Type: definition.Text, Presence: definition.Required, Description: "Name of the container in the app image."},
			{
				Name: attrRequests, Type: definition.TextMap, Presence: definition.Optional, SemanticEquality: definition.Quantity,
				Description: "What the container is promised, by resource: `cpu`, `memory`, or others such as `nvidia.com/gpu`. Amounts are compared by value. All requests take the place of the app image's; empty, the app image's count.",
			},
			{
				Name: attrLimits, Type: definition.TextMap, Presence: definition.Optional, SemanticEquality: definition.Quantity,
				Description: "The most that the container may use, in the same form.",
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
