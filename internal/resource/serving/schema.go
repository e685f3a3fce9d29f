package serving

import (
	"context"
	"maps"
	"math"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

func resourceSchema(ctx context.Context) schema.Schema {
	result := schema.Schema{
		MarkdownDescription: "A serving: a long-running application, usually a federated model for online prediction, whose parties each run replicas of an app image in their own domain.\n\n" +
			"Create and update wait until every party runs the desired number of updated replicas. A change that Kuscia cannot make on a live serving replaces it, and the plan shows the reason.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				MarkdownDescription: "The same as `serving_id`, so that the output of an apply contains it.",
				Computed:            true,
			},
			"serving_id": schema.StringAttribute{
				MarkdownDescription: "ID of the serving in Kuscia, an RFC 1123 label of at most 63 characters. Dots are refused: Kuscia accepts them and then never starts the serving. Changing it replaces the serving. It is unique, so a replacement with the same ID works only without `create_before_destroy`, set here or inherited from a resource that depends on this one.",
				Required:            true,
				Validators:          []validator.String{tfvalue.Matches(party.RFC1123Label, party.RFC1123LabelRule)},
			},
			"initiator": schema.StringAttribute{
				MarkdownDescription: "`domain_id` of the party that starts the serving; it must be one of the parties. On an autonomy (P2P) node it is the node's own domain. Changing it replaces the serving.",
				Required:            true,
				Validators:          []validator.String{tfvalue.Matches(party.RFC1123Label, party.RFC1123LabelRule)},
			},
			"affinity_mode": schema.StringAttribute{
				MarkdownDescription: "How a party's pods are distributed over nodes: `none`, `affinity` (prefer one node) or `anti-affinity` (prefer different nodes, the default). Needs Kuscia v1.1. Kuscia never returns it, so a change by another client cannot be detected, and after an import the configured value is assumed. Changing it replaces the serving.",
				Optional:            true,
				Computed:            true,
				Validators:          []validator.String{tfvalue.OneOf(kuscia.AffinityNone, kuscia.Affinity, kuscia.AntiAffinity)},
			},
			"parties": partiesAttribute(),
			"create_time": schema.StringAttribute{
				MarkdownDescription: "When Kuscia created the serving (RFC 3339). Known once the first party is deployed.",
				Computed:            true,
			},
			"endpoints": endpointsAttribute(),
			"timeouts":  timeoutsAttribute(ctx),
		},
	}
	maps.Copy(result.Attributes, configAttributes())
	maps.Copy(result.Attributes, rolloutAttributes())
	return result
}

// configAttributes are the two forms of the configuration text.
func configAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"serving_input_config": schema.StringAttribute{
			MarkdownDescription: "Configuration text of the application, usually JSON (`jsonencode({...})`), which is compared by content: key order and white space do not matter. A change restarts every party; removing it replaces the serving, since Kuscia keeps the old text if it gets none. If omitted after an import, Kuscia's text does not change. Plans show what changes in it, and the state has it in clear text: a text with credentials causes a warning and belongs into `serving_input_config_wo`. Containers get it in the environment variable `INPUT_CONFIG`, so it must be shorter than 128 KiB on most nodes; a longer text causes a warning.",
			CustomType:          tfvalue.ConfigTextType{},
			Optional:            true,
			Computed:            true,
		},
		"serving_input_config_wo": schema.StringAttribute{
			MarkdownDescription: "The same configuration text, write-only: it is not stored in state or plan files, and may come from ephemeral values. For texts with credentials. Conflicts with `serving_input_config`; needs `serving_input_config_wo_version`, and Terraform 1.11 or OpenTofu 1.11. Kuscia's text is not compared with it, so a change by another client cannot be detected.",
			CustomType:          tfvalue.ConfigTextType{},
			Optional:            true,
			WriteOnly:           true,
		},
		"serving_input_config_wo_version": schema.Int64Attribute{
			MarkdownDescription: "Version of `serving_input_config_wo`, a number from 1. The text is sent when the serving is created and when the version changes, unless Kuscia already has it; a text that changes without a new version is not sent. `0` in the state means that it is unknown whether Kuscia has stored the text.",
			CustomType:          tfvalue.Int64Type{Min: model.MinConfigVersion, Max: math.MaxInt64},
			Optional:            true,
			Validators:          []validator.Int64{tfvalue.AtLeast(model.MinConfigVersion)},
		},
	}
}

// rolloutAttributes control when pods are restarted or replaced and what an
// apply waits for.
func rolloutAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"redeploy_triggers": schema.MapAttribute{
			MarkdownDescription: "Values that restart the pods of every party when any of them changes, for example `{ restart = var.restart }`. A new image needs no trigger, see `follow_app_image`; changed resources of the containers in an app image do: `{ resources = kuscia_app_image.sf.rollout_revision }`. A key that is added or removed is only stored, and the plan says so. Works only if `serving_input_config` is JSON: it is sent again with different white space, which Kuscia treats as a change. To restart without a change to the configuration there is the action `kuscia_serving_redeploy` (Terraform 1.14 or later).",
			ElementType:         types.StringType,
			Optional:            true,
			Computed:            true,
		},
		"replace_triggers": schema.MapAttribute{
			MarkdownDescription: "Values that replace the serving when any of them changes, for example `{ definition = kuscia_app_image.sf.definition_revision }`: command, environment, ports, probes and config templates of an app image reach only new servings. A key that is added or removed is only stored, so a trigger can be added to a live serving. Unlike `lifecycle.replace_triggered_by`, the values are compared with the state: a change that one apply did not make (`-target`, a replacement that failed) is made by the next one.",
			ElementType:         types.StringType,
			Optional:            true,
			Computed:            true,
		},
		"follow_app_image": schema.BoolAttribute{
			MarkdownDescription: "Whether a new image of an app image, for example a new tag, is a change of this serving that the apply rolls out. Default `true`. With `false` the plan only warns, and the pods get the image with the next update of the serving. A rollout without another change sends `serving_input_config` again with different white space, which Kuscia treats as a change and which restarts every party. A text that is not JSON, or none, cannot be sent again: then too the plan only warns.",
			Optional:            true,
			Computed:            true,
		},
		"wait_for_rollout": schema.BoolAttribute{
			MarkdownDescription: "Whether create and update wait until every party runs the desired number of updated pods. Default `true`. If it is enabled for a serving that does not run, the apply waits. With `kubernetes` in the provider block the wait also checks the image, configuration and resources of the Deployments. If an OpenKruise Rollout pauses one of them, it ends with a warning and `rollout_complete = false`.",
			Optional:            true,
			Computed:            true,
		},
		"progress_deadline": schema.StringAttribute{
			MarkdownDescription: "How long a rollout may make no progress (a change of a replica count, or of the reason that Kuscia reports) before the wait fails, for example `\"2m\"`. Default 10 minutes, as in Kubernetes. Pods that do not start for a reason that rarely heals, such as an image that cannot be pulled, end the wait after 3 minutes.",
			Optional:            true,
			Computed:            true,
			Validators:          []validator.String{tfvalue.TimeLimit()},
		},
		"rollout_complete": schema.BoolAttribute{
			MarkdownDescription: "Whether the last rollout was observed to complete: `false` after an apply that failed, timed out or was interrupted while it waited. After an update, the plan then is `false -> true`, and its apply changes nothing, waits, and fails again if the serving still does not run; after a create, the serving is tainted, and the next apply replaces it unless `terraform untaint` was run. A refresh that finds the serving running as configured sets it to `true`; pods that fail later do not set it to `false`. Null if `wait_for_rollout` is `false`. In a plan it is known after the apply if pods are replaced.",
			Computed:            true,
		},
	}
}

func partiesAttribute() schema.Attribute {
	return schema.MapNestedAttribute{
		MarkdownDescription: "The parties. The key of a party is its `domain_id`, unless the party sets that itself, as it has to if a domain has two roles. Adding or removing a party, or changing its domain or role, replaces the serving. Another key for the same domain and role changes only the state: nothing is sent, and no pod restarts. After an import the keys are `DOMAIN`, or `DOMAIN/ROLE` for a party with a role.",
		Required:            true,
		CustomType:          model.PartiesType,
		NestedObject: schema.NestedAttributeObject{
			CustomType: model.PartyType,
			Attributes: map[string]schema.Attribute{
				"domain_id": schema.StringAttribute{
					MarkdownDescription: "Domain in which the party's pods run. Default: the key of the party.",
					Optional:            true,
					Computed:            true,
					Validators:          []validator.String{tfvalue.Matches(party.RFC1123Label, party.RFC1123LabelRule)},
				},
				"role": schema.StringAttribute{
					MarkdownDescription: "Role of the party; selects the deploy template of the app image. If omitted, it has none.",
					Optional:            true,
					Computed:            true,
					Validators:          []validator.String{tfvalue.Matches(party.OptionalRFC1123Label, "must be empty or "+party.LabelForm)},
				},
				"app_image": schema.StringAttribute{
					MarkdownDescription: "Name of the app image, see `kuscia_app_image`. An update in place changes image, tag and resources of the running pods and nothing else; an image with a port that the old one does not have is refused.",
					CustomType:          tfvalue.ElementTextType{},
					Required:            true,
					Validators:          []validator.String{tfvalue.NotEmpty()},
				},
				model.AttrImage: imageAttribute(),
				"replicas": schema.Int32Attribute{
					MarkdownDescription: "Number of pods, at least 1. Default 1. If omitted after the import of a serving without a number, that of the app image is kept.",
					CustomType:          model.ReplicasType,
					Optional:            true,
					Computed:            true,
				},
				"service_name_prefix": schema.StringAttribute{
					MarkdownDescription: "Prefix of the names of the party's Services, at most 48 characters; must be unique within a domain. Default `\"\"`: the names start with the name of the party's Deployment, which is the serving_id, or `serving_id-ROLE` for a party with a role. Needs Kuscia v0.11. Changing it replaces the serving.",
					Optional:            true,
					Computed:            true,
					Validators:          []validator.String{tfvalue.Matches(party.ServiceNamePrefixPattern, party.ServiceNamePrefixRule)},
				},
				"update_strategy": strategyAttribute(),
				model.AttrResources: schema.SingleNestedAttribute{
					MarkdownDescription: "CPU and memory of every container, as Kubernetes quantities. If omitted, the values of the app image apply. Kuscia merges resources on update, so removing a value, or adding the first request or limit of a container, replaces the serving.",
					Optional:            true,
					Computed:            true,
					CustomType:          model.ResourcesType,
					Attributes:          amountAttributes(),
				},
				model.AttrContainerResources: schema.MapNestedAttribute{
					MarkdownDescription: "CPU and memory of single containers; the key is the name of the container in the app image. Each value here takes precedence over the one in `resources`. After an import it has the values that Kuscia reports.",
					Optional:            true,
					Computed:            true,
					CustomType:          model.ContainerResourcesType,
					NestedObject:        schema.NestedAttributeObject{CustomType: model.ResourcesType, Attributes: amountAttributes()},
				},
			},
		},
	}
}

func imageAttribute() schema.Attribute {
	return schema.StringAttribute{
		MarkdownDescription: "Image that the pods of the party run, or will run after the apply: `name:tag` of the app image. A new tag of the app image is a change of this attribute, which the apply rolls out, see `follow_app_image`. It is known after apply for a new serving or another app image, unless the same apply changes that. Kuscia does not report it, so the provider stores what it has rolled out; after an import, the pods are assumed to run the image that the app image has, unless the cluster shows another one. Null if this node cannot read the app image of the pods, as that of a partner.",
		Computed:            true,
	}
}

func strategyAttribute() schema.Attribute {
	return schema.SingleNestedAttribute{
		MarkdownDescription: "How pods are replaced by an update. Default: `RollingUpdate` with 25% and 25%.",
		Optional:            true,
		Computed:            true,
		CustomType:          model.StrategyType,
		Attributes: map[string]schema.Attribute{
			"type": schema.StringAttribute{
				MarkdownDescription: "`RollingUpdate` (default) or `Recreate` (all old pods stop before new ones start).",
				Optional:            true,
				Computed:            true,
				Validators:          []validator.String{tfvalue.OneOf(kuscia.StrategyRollingUpdate, kuscia.StrategyRecreate)},
			},
			"max_surge": schema.StringAttribute{
				MarkdownDescription: "Pods above `replicas` during a rolling update: a number such as `\"1\"` or a percentage such as `\"25%\"` (default). Only with `RollingUpdate`.",
				Optional:            true,
				Computed:            true,
				Validators:          []validator.String{tfvalue.CountOrPercent(0)},
			},
			"max_unavailable": schema.StringAttribute{
				MarkdownDescription: "Pods that may be missing during a rolling update: a number or a percentage up to 100% (default `\"25%\"`). Only with `RollingUpdate`; not zero together with `max_surge`.",
				Optional:            true,
				Computed:            true,
				Validators:          []validator.String{tfvalue.CountOrPercent(100)},
			},
		},
	}
}

func amountAttributes() map[string]schema.Attribute {
	quantity := func(description string) schema.Attribute {
		return schema.StringAttribute{MarkdownDescription: description, CustomType: tfvalue.QuantityType{}, Optional: true}
	}
	return map[string]schema.Attribute{
		"min_cpu":    quantity("CPU request, for example `\"0.5\"` or `\"500m\"`."),
		"max_cpu":    quantity("CPU limit."),
		"min_memory": quantity("Memory request, for example `\"512Mi\"`."),
		"max_memory": quantity("Memory limit."),
	}
}

func endpointsAttribute() schema.Attribute {
	text := func(description string) schema.Attribute {
		return schema.StringAttribute{MarkdownDescription: description, Computed: true}
	}
	return schema.MapNestedAttribute{
		MarkdownDescription: "Addresses of the ports of all parties. The key is `DOMAIN/PORT`, or `DOMAIN/ROLE/PORT` for a party with a role: `endpoints[\"alice/service\"].endpoint`. Kuscia allocates them once, when the serving is created. Empty until the parties are deployed.",
		Computed:            true,
		CustomType:          model.EndpointsType,
		NestedObject: schema.NestedAttributeObject{
			CustomType: model.EndpointType,
			Attributes: map[string]schema.Attribute{
				"domain_id": text("Domain of the party."),
				"role":      text("Role of the party."),
				"port_name": text("Name of the port in the app image."),
				"scope":     text("`Cluster` (reachable from other domains) or `Domain`."),
				"endpoint":  text("Address: `host:port` for scope `Domain`, a host for scope `Cluster`."),
			},
		},
	}
}

// timeoutsAttribute is also computed, so that an imported serving can accept any
// configured timeouts without a difference.
func timeoutsAttribute(ctx context.Context) schema.Attribute {
	attribute := timeouts.Attributes(ctx, timeouts.Opts{
		Create: true, Update: true, Delete: true,
		CreateDescription: "How long create may take, for example `30m`. Default 20 minutes.",
		UpdateDescription: "How long update may take. Default 20 minutes.",
		DeleteDescription: "How long delete may take. Default 10 minutes. " + tfvalue.StoredDescription,
	})
	if nested, ok := attribute.(schema.SingleNestedAttribute); ok {
		nested.Computed = true
		nested.MarkdownDescription = tfvalue.TimeLimitsDescription
		for name, limit := range nested.Attributes {
			if text, ok := limit.(schema.StringAttribute); ok {
				text.Validators = []validator.String{tfvalue.TimeLimit()}
				nested.Attributes[name] = text
			}
		}
		return nested
	}
	return attribute
}

// effects are what changes of the attributes do (see package plan).
var effects = []definition.Effect{
	{Attributes: []string{"serving_id", "initiator", "affinity_mode", "parties.domain_id", "parties.role", "parties.service_name_prefix"}, Result: definition.EffectReplaced},
	{Attributes: []string{"parties"}, Result: "replaced if a party is added or removed. Another key of the same party changes only the state"},
	{Attributes: []string{"replace_triggers"}, Result: "replaced by another value of a key. A key that is added or removed is only stored"},
	{
		Attributes: []string{"serving_input_config", "serving_input_config_wo_version"},
		Result:     "updated in place; new pods of every party. Removing the text replaces the serving",
	},
	{Attributes: []string{"redeploy_triggers"}, Result: "new pods of every party, for another value of a key. A key that is added or removed is only stored"},
	{Attributes: []string{"parties.image"}, Result: "a new image of the app image: new pods of every party"},
	{Attributes: []string{"parties.app_image"}, Result: "updated in place; new pods of that party if image or resources differ"},
	{
		Attributes: []string{"parties.resources", "parties.container_resources"},
		Result:     "updated in place; new pods of that party. Removing a value, or adding the first request or limit of a container, replaces the serving",
	},
	{Attributes: []string{"parties.replicas", "parties.update_strategy"}, Result: "updated in place; no pod is replaced"},
	{Attributes: []string{"serving_input_config_wo"}, Result: "nothing without a new version"},
	{Attributes: []string{"follow_app_image", "wait_for_rollout", "progress_deadline", "timeouts"}, Result: definition.EffectLocal},
}
