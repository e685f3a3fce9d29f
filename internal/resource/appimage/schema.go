package appimage

import (
	"maps"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// resourceSchema is built once: the framework asks for it on every request.
//
// Numbers are plain numbers, so that the error for one that is not whole is
// check.go's rather than the framework's, which calls it a bug in the provider.
//
// An attribute that may be left out is computed too where leaving it out
// stands for an empty value, which state then holds; where its absence is a
// value of its own it is optional alone. Defaults, the meaning of empty values
// and validation are in model.go, plan.go and check.go rather than in the
// schema, since they work on the whole definition at once.
var resourceSchema = sync.OnceValue(func() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "An app image of Kuscia: the container image of an application together with the templates of the pods it runs in. " +
			"A serving refers to it by name in `parties[].app_image`.\n\n" +
			"The AppImage API exists since Kuscia v0.13.\n\n" +
			"Kuscia does not watch app images. Of a change, running servings get the image reference and the resources of the containers, and only when they are themselves updated: " +
			"give them `redeploy_triggers = { image = kuscia_app_image.NAME.rollout_revision }`. " +
			"Everything else of a change reaches only servings that are created anew: give them `replace_triggers = { definition = kuscia_app_image.NAME.definition_revision }`, " +
			"or a versioned name together with `create_before_destroy`.\n\n" +
			"An update sends the whole definition, and Kuscia replaces its own with it. What the API does not carry is lost then, if someone put it into the AppImage with `kubectl`: " +
			"network policy, affinity, security context, metric probe, port numbers, values from other sources in `env`. " +
			"An app image that is in use is deleted without complaint, and its servings can then no longer be queried.",
		Attributes: withComputed(definitionAttributes()),
	}
})

var identitySchema = identityschema.Schema{
	Attributes: map[string]identityschema.Attribute{
		"name": identityschema.StringAttribute{
			RequiredForImport: true,
			Description:       "Name of the app image.",
		},
	},
}

func withComputed(attributes map[string]schema.Attribute) map[string]schema.Attribute {
	all := maps.Clone(attributes)
	all[attrID] = schema.StringAttribute{
		Computed:            true,
		MarkdownDescription: "Import id: the `name`.",
	}
	all[attrRolloutRevision] = schema.StringAttribute{
		Computed: true,
		MarkdownDescription: "Hash over what reaches running servings: image name and tag, and the resources of the containers. " +
			"Put it into `redeploy_triggers` of the servings, so that the plan with the new tag also shows their rollout. It does not depend on how quantities are spelled.",
	}
	all[attrDefinitionRevision] = schema.StringAttribute{
		Computed: true,
		MarkdownDescription: "Hash over what never reaches running servings: commands, arguments, ports, environment, mounts, probes, pull policy, roles, replicas, config templates, image id and signature. " +
			"Put it into `replace_triggers` of the servings, so that the plan with the new definition also shows their replacement.",
	}
	return all
}

func definitionAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name": schema.StringAttribute{
			Required: true,
			MarkdownDescription: "Name of the app image. Lower-case letters, digits, hyphens and dots, at most 63 characters, beginning and ending with a letter or digit. " +
				"Changing it replaces the app image.",
		},
		"image": single(required, "The container image.", map[string]schema.Attribute{
			"name": schema.StringAttribute{Required: true, MarkdownDescription: "Name of the container image without the tag, for example `secretflow/serving-anolis8`."},
			"tag":  schema.StringAttribute{Required: true, MarkdownDescription: "Tag of the container image. Kuscia starts pods with the reference `name:tag`; it would accept an empty tag and then start pods with `name:`."},
			"id":   optionalText("Image id, kept for information; Kuscia hands it to the pods as an annotation."),
			"sign": optionalText("Signature of the image, kept for information."),
		}),
		"config_templates": schema.MapAttribute{
			CustomType: types.MapType{ElemType: types.StringType}, ElementType: types.StringType,
			Optional: true, Computed: true,
			MarkdownDescription: "Configuration files by name. Kuscia fills in placeholders such as `{{.SERVING_ID}}` and `{{.INPUT_CONFIG}}`; a container sees a file where `config_volume_mounts` puts it. Leaving them out clears them.",
		},
		"deploy_templates": list(required, "Templates of pods, at least one, each for roles of its own. A party gets the template that names its role, else the one without a role; a party without a role gets the template without one, else the first.",
			map[string]schema.Attribute{
				"name": schema.StringAttribute{Required: true, MarkdownDescription: "Name of the template, for information."},
				"role": optionalText("Role that the template serves, or several, separated by commas without space. Left out, the template serves all roles that no other one names."),
				"replicas": schema.NumberAttribute{
					Optional: true, Computed: true,
					MarkdownDescription: "Number of pods for servings that do not say it themselves; at least 1, default `1`. Kuscia's own default in the AppImage API is 0, with which such a serving would run no pods.",
				},
				"restart_policy": optionalText("`Always`, `OnFailure` or `Never`, for the pods of jobs. Left out, Kuscia decides. Pods of a serving are always restarted."),
				"containers":     list(required, "Containers of a pod, at least one. All of them use the image of the app image.", containerAttributes()),
			}),
	}
}

func containerAttributes() map[string]schema.Attribute {
	probe := probeAttributes()
	return map[string]schema.Attribute{
		"name":        schema.StringAttribute{Required: true, MarkdownDescription: "Name of the container, unique in its template. `resources[].container_name` of a serving refers to it."},
		"command":     optionalTexts("Command, in place of the image's entry point."),
		"args":        optionalTexts("Arguments of the command."),
		"working_dir": optionalText("Working directory. Left out, the image's own."),
		"config_volume_mounts": list(optional, "Files from `config_templates` in the container.", map[string]schema.Attribute{
			"mount_path": schema.StringAttribute{Required: true, MarkdownDescription: "Full path of the file in the container."},
			"sub_path":   schema.StringAttribute{Required: true, MarkdownDescription: "Key of `config_templates`."},
		}),
		"ports": list(optional, "Ports of the container. They have names only: Kuscia chooses the numbers when a serving is created and hands them to the container in `KUSCIA_PORT_<NAME>_NUMBER` and in the `{{.ALLOCATED_PORTS}}` of the config templates. "+
			"Adding a port to an app image in use blocks every later update of its servings; create them anew.", map[string]schema.Attribute{
			"name":     schema.StringAttribute{Required: true, MarkdownDescription: "Name of the port, unique in its template: at most 15 lower-case letters, digits and single hyphens, with at least one letter."},
			"protocol": optionalText("`HTTP` (default) or `GRPC`."),
			"scope":    optionalText("Who can reach the port: `Cluster` (other domains too), `Domain` (the own domain), `Local` (the pod alone; default)."),
		}),
		"env": list(optional, "Environment variables.", map[string]schema.Attribute{
			"name":  schema.StringAttribute{Required: true, MarkdownDescription: "Name of the variable, unique in its container."},
			"value": optionalText("Value of the variable. It is stored as it is: do not put secrets here."),
		}),
		"env_from": list(optional, "Environment variables from all keys of a ConfigMap or a Secret in the domain's namespace.", map[string]schema.Attribute{
			"prefix": optionalText("Text put in front of every variable's name."),
			"config_map_ref": single(optional, "The ConfigMap to take from. Exactly one of `config_map_ref` and `secret_ref` is needed.", map[string]schema.Attribute{
				"name": schema.StringAttribute{Required: true, MarkdownDescription: "Name of the ConfigMap."},
			}),
			"secret_ref": single(optional, "The Secret to take from. Exactly one of `config_map_ref` and `secret_ref` is needed.", map[string]schema.Attribute{
				"name": schema.StringAttribute{Required: true, MarkdownDescription: "Name of the Secret."},
			}),
		}),
		"resources": single(computed, "Resources of the container, for servings that do not set them themselves. Quantities are compared by amount: `0.1` and `100m` are the same.", map[string]schema.Attribute{
			"limits": single(computed, "The most that the container may use.", map[string]schema.Attribute{
				"cpu":    optionalText("CPU, for example `0.5` or `500m`."),
				"memory": optionalText("Memory, for example `512Mi`."),
			}),
			"requests": single(computed, "What the container is promised; not above the limits.", map[string]schema.Attribute{
				"cpu":    optionalText("CPU, for example `0.5` or `500m`."),
				"memory": optionalText("Memory, for example `512Mi`."),
			}),
		}),
		"liveness_probe":    single(optional, "The container is restarted when this probe fails.", probe),
		"readiness_probe":   single(optional, "The container gets requests only while this probe succeeds.", probe),
		"startup_probe":     single(optional, "The other probes wait until this one has succeeded once.", probe),
		"image_pull_policy": optionalText("`Always`, `IfNotPresent` or `Never`. Left out, Kuscia decides."),
	}
}

func probeAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"exec": single(optional, "Runs a command in the container; exit code 0 is success. A probe has exactly one of `exec`, `http_get`, `tcp_socket` and `grpc`.", map[string]schema.Attribute{
			"command": optionalTexts("The command and its arguments."),
		}),
		"http_get": single(optional, "Asks a path over HTTP; a status from 200 to 399 is success.", map[string]schema.Attribute{
			"path":   optionalText("Path to ask."),
			"port":   schema.StringAttribute{Required: true, MarkdownDescription: probePortText},
			"host":   optionalText("Host to ask in place of the pod."),
			"scheme": optionalText("`HTTP` or `HTTPS`. Left out, Kubernetes takes `HTTP`."),
			"http_headers": list(optional, "Headers to send.", map[string]schema.Attribute{
				"name":  schema.StringAttribute{Required: true, MarkdownDescription: "Name of the header."},
				"value": optionalText("Value of the header."),
			}),
		}),
		"tcp_socket": single(optional, "Opens a connection.", map[string]schema.Attribute{
			"port": schema.StringAttribute{Required: true, MarkdownDescription: probePortText},
			"host": optionalText("Host to connect to in place of the pod."),
		}),
		"grpc": single(optional, "Asks the gRPC health service.", map[string]schema.Attribute{
			"port":    schema.NumberAttribute{Required: true, MarkdownDescription: "Number of the port, 1 to 65535. Unlike the other handlers, this one takes no port name."},
			"service": optionalText("Name of the service to ask for."),
		}),
		"initial_delay_seconds": optionalNumber("Seconds from the start of the container to the first probe. `0` or left out: Kubernetes decides."),
		"timeout_seconds":       optionalNumber("Seconds until a probe counts as failed. `0` or left out: Kubernetes decides (1)."),
		"period_seconds":        optionalNumber("Seconds between probes. `0` or left out: Kubernetes decides (10)."),
		"success_threshold":     optionalNumber("Successes in a row that make a failed probe succeed. `0` or left out: Kubernetes decides (1)."),
		"failure_threshold":     optionalNumber("Failures in a row that make a probe fail. `0` or left out: Kubernetes decides (3)."),
		"termination_grace_period_seconds": schema.NumberAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "Seconds that a container gets to end after this probe failed. `0` or left out: the pod's own.",
		},
	}
}

const probePortText = "Name of a port of the container. A number is refused: Kuscia stores it as a name, and Kubernetes then refuses the pod."

// presence says who may set an attribute.
type presence int

const (
	required presence = iota
	// optional lists stand for an empty list when left out; optional objects
	// are absent then.
	optional
	// computed objects stand for an empty object when left out.
	computed
)

func optionalText(description string) schema.Attribute {
	return schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: description}
}

func optionalTexts(description string) schema.Attribute {
	return schema.ListAttribute{
		CustomType: types.ListType{ElemType: types.StringType}, ElementType: types.StringType,
		Optional: true, Computed: true, MarkdownDescription: description,
	}
}

func optionalNumber(description string) schema.Attribute {
	return schema.NumberAttribute{Optional: true, Computed: true, MarkdownDescription: description}
}

// single and list carry their type ready made; the framework would otherwise
// build it anew from the attributes on every step of every path.
func single(p presence, description string, attributes map[string]schema.Attribute) schema.Attribute {
	return schema.SingleNestedAttribute{
		CustomType: objectType(attributes),
		Attributes: attributes,
		Required:   p == required, Optional: p != required, Computed: p == computed,
		MarkdownDescription: description,
	}
}

func list(p presence, description string, attributes map[string]schema.Attribute) schema.Attribute {
	element := objectType(attributes)
	return schema.ListNestedAttribute{
		CustomType:   newOpenListType(element),
		NestedObject: schema.NestedAttributeObject{CustomType: element, Attributes: attributes},
		Required:     p == required, Optional: p != required, Computed: p != required,
		MarkdownDescription: description,
	}
}

func objectType(attributes map[string]schema.Attribute) types.ObjectType {
	attrTypes := make(map[string]attr.Type, len(attributes))
	for name, attribute := range attributes {
		attrTypes[name] = attribute.GetType()
	}
	return types.ObjectType{AttrTypes: attrTypes}
}
