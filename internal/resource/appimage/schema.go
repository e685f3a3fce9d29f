package appimage

import (
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Kuscia v1.1's defaults for omitted attributes of a port, and this provider's
// default for the number of pods: Kuscia would store 0, and a serving that
// takes the number from the app image would then run no pods.
const (
	defaultProtocol = "HTTP"
	defaultScope    = "Local"
	defaultReplicas = 1
)

// imageSchema defines the attributes of an app image, named as in the AppImage
// API. The meaning of empty values was observed on Kuscia v1.1.
func imageSchema() definition.Schema {
	return definition.Schema{
		Description: "An app image of Kuscia: the container image of an application together with the templates of the pods it runs in. " +
			"A serving refers to it by name in `app_image` of its parties.\n\n" +
			"Kuscia does not watch app images. Running servings get only changes of the image reference and of the resources of containers, and only when they are updated. " +
			"`kuscia_serving` is updated with every new image and other resources (`follow_app_image`). " +
			"All other changes reach only new servings: set `replace_triggers = { definition = kuscia_app_image.NAME.definition_revision }`, " +
			"or a versioned name together with `create_before_destroy`.\n\n" +
			"The API does not support all fields of an AppImage that can be set with `kubectl`: network policy, affinity, security context, metric probe, port numbers, `valueFrom` in `env`, `optional` in `envFrom`, resources other than CPU and memory. " +
			"They stay in an update that does not change `deploy_templates`. Any other update replaces these with all that is in them, unless the provider block sets `kubernetes`: " +
			"the update of an AppImage that has such fields then goes through the Kubernetes API, which needs the verbs `get` and `patch` of `appimages.kuscia.secretflow`. " +
			"Without it, after an import, such an update is refused until `allow_removal_of` has network policy and security context, and warns of the others. Another `name` is a new object, which does not get them: see `allow_removal_of`.\n\n" +
			"An app image that is in use can be deleted, and its servings can then no longer be queried.",
		Attributes: append(imageAttributes(),
			definition.Attribute{Name: attrRolloutRevision, Presence: definition.Computed, Description: "Hash of what reaches running servings: image name and tag, and the resources of the containers. " +
				"Servings follow it by themselves; a `kuscia_deployment` does with a label that has it. It does not depend on how quantities are spelled."},
			definition.Attribute{Name: attrDefinitionRevision, Presence: definition.Computed, Description: "Hash of what never reaches running servings: commands, arguments, ports, environment, mounts, probes, pull policy, roles, replicas, config templates, image ID and signature. " +
				"Use it in `replace_triggers` of the servings, so that the plan with the new definition also shows their replacement."},
		),
		Derive: revisions,
	}
}

// newServings is what a change does that no update applies to running pods.
const newServings = "updated in place; only new servings get it"

func imageAttributes() []definition.Attribute {
	return []definition.Attribute{
		{Name: "name", Replace: definition.Always, Description: "Name of the app image. Lower-case letters, digits, hyphens and dots, at most 63 characters, beginning and ending with a letter or digit. " +
			"Changing it replaces the app image.",
		},
		{Name: "image", Type: definition.Object, Effect: "updated in place; servings roll it out, unless they have `follow_app_image = false`", Description: "The container image.", Attributes: []definition.Attribute{
			{Name: "name", Description: "Name of the container image without the tag, for example `secretflow/serving-anolis8`."},
			{Name: "tag", Description: "Tag of the container image. Kuscia starts pods with the reference `name:tag`; it would accept an empty tag and then start pods with `name:`."},
			{Name: "id", Presence: definition.Optional, Description: "Image ID, for information only; Kuscia adds it to the pods as an annotation."},
			{Name: "sign", Presence: definition.Optional, Description: "Signature of the image, for information only."},
		}},
		{Name: "config_templates", Type: definition.StringMap, Presence: definition.Optional, SemanticEquality: sameTemplate, Effect: newServings, Description: "Configuration files by name. JSON is compared by content, with an escape such as `\\u003c` in it as text. Kuscia fills in placeholders such as `{{.SERVING_ID}}` and `{{.INPUT_CONFIG}}`; a container sees a file where `config_volume_mounts` puts it. Together they have at most 1 MiB, the limit of a ConfigMap. Omitting them removes them."},
		templatesAttribute(),
	}
}

// templatesAttribute is deploy_templates.
func templatesAttribute() definition.Attribute {
	return definition.Attribute{Name: "deploy_templates", Type: definition.ObjectList, Effect: newServings + ", except the resources of containers: servings roll them out, unless they have `follow_app_image = false`", Description: "Templates of pods, at least one, each for different roles. A party gets the template that names its role, else the one without a role; a party without a role gets the template without one, else the first.", Attributes: []definition.Attribute{
		{Name: "name", Description: "Name of the template, for information."},
		{Name: "role", Presence: definition.Optional, Description: "Role that the template serves, or several, separated by commas without space. If omitted, the template serves all roles that no other template names."},
		{Name: "replicas", Type: definition.Number, Presence: definition.Optional, Default: int64(defaultReplicas), Description: "Number of pods of servings that do not set it; at least 1, default `1`. Kuscia's own default in the AppImage API is 0, with which such a serving would run no pods."},
		{Name: "restart_policy", Presence: definition.Optional, Description: "`Always`, `OnFailure` or `Never`, for the pods of jobs. If omitted, Kuscia decides. Pods of a serving are always restarted."},
		{Name: "containers", Type: definition.ObjectList, Description: "Containers of a pod, at least one. All of them use the image of the app image.", Attributes: containerAttributes()},
	}}
}

func containerAttributes() []definition.Attribute {
	probe := probeAttributes()
	return []definition.Attribute{
		{Name: "name", Description: "Name of the container, unique in its template. `resources[].container_name` of a serving refers to it."},
		{Name: "command", Type: definition.StringList, Presence: definition.Optional, SemanticEquality: definition.JSON, Description: "Command, replaces the entry point of the image."},
		{Name: "args", Type: definition.StringList, Presence: definition.Optional, SemanticEquality: definition.JSON, Description: "Arguments of the command."},
		{Name: "working_dir", Presence: definition.Optional, Description: "Working directory. Defaults to that of the image."},
		{Name: "config_volume_mounts", Type: definition.ObjectList, Presence: definition.Optional, Description: "Files from `config_templates` in the container.", Attributes: []definition.Attribute{
			{Name: "mount_path", Description: "Full path of the file in the container."},
			{Name: "sub_path", Description: "Key of `config_templates`."},
		}},
		{Name: "ports", Type: definition.ObjectList, Presence: definition.Optional, Description: "Ports of the container. They have names only: Kuscia chooses the numbers when a serving is created and passes them to the container in `KUSCIA_PORT_<NAME>_NUMBER` and in the `{{.ALLOCATED_PORTS}}` of the config templates. " +
			"Adding a port to an app image in use blocks every later update of its servings; replace them.", Attributes: []definition.Attribute{
			{Name: "name", Description: "Name of the port, unique in its template: at most 15 lower-case letters, digits and single hyphens, with at least one letter."},
			{Name: "port", Type: definition.Number, Presence: definition.Nullable, Refused: portRefused, Description: "Must not be set. It is in many manifests of AppImages, but Kuscia allocates the number itself."},
			{Name: "protocol", Presence: definition.Optional, Default: defaultProtocol, Description: "`HTTP` (default) or `GRPC`."},
			{Name: "scope", Presence: definition.Optional, Default: defaultScope, Description: "Who can reach the port: `Cluster` (other domains too), `Domain` (its own domain), `Local` (only the pod; default)."},
		}},
		{Name: "env", Type: definition.ObjectList, Presence: definition.Optional, Description: "Environment variables.", Attributes: []definition.Attribute{
			{Name: "name", Description: "Name of the variable, unique in its container."},
			{Name: "value", Presence: definition.Optional, SemanticEquality: definition.JSON, Description: "Value of the variable. JSON is compared by content. It is stored in clear text: do not put secrets here."},
		}},
		{Name: "env_from", Type: definition.ObjectList, Presence: definition.Optional, Description: "Environment variables from all keys of a ConfigMap or a Secret in the domain's namespace.", Attributes: []definition.Attribute{
			{Name: "prefix", Presence: definition.Optional, Description: "Prefix of the names of the variables."},
			{Name: "config_map_ref", Type: definition.Object, Presence: definition.Nullable, Description: "ConfigMap with the variables. Exactly one of `config_map_ref` and `secret_ref` is needed.", Attributes: []definition.Attribute{
				{Name: "name", Description: "Name of the ConfigMap."},
			}},
			{Name: "secret_ref", Type: definition.Object, Presence: definition.Nullable, Description: "Secret with the variables. Exactly one of `config_map_ref` and `secret_ref` is needed.", Attributes: []definition.Attribute{
				{Name: "name", Description: "Name of the Secret."},
			}},
		}},
		{Name: "resources", Type: definition.Object, Presence: definition.Optional, Description: "Resources of the container, for servings that do not set them themselves. Quantities are compared by amount: `0.1` and `100m` are the same.", Attributes: []definition.Attribute{
			{Name: "limits", Type: definition.Object, Presence: definition.Optional, Description: "Resource limits.", Attributes: []definition.Attribute{
				{Name: "cpu", Presence: definition.Optional, SemanticEquality: definition.Quantity, Description: "CPU, for example `0.5` or `500m`."},
				{Name: "memory", Presence: definition.Optional, SemanticEquality: definition.Quantity, Description: "Memory, for example `512Mi`."},
			}},
			{Name: "requests", Type: definition.Object, Presence: definition.Optional, Description: "Resource requests; at most the limits.", Attributes: []definition.Attribute{
				{Name: "cpu", Presence: definition.Optional, SemanticEquality: definition.Quantity, Description: "CPU, for example `0.5` or `500m`."},
				{Name: "memory", Presence: definition.Optional, SemanticEquality: definition.Quantity, Description: "Memory, for example `512Mi`."},
			}},
		}},
		{Name: "liveness_probe", Type: definition.Object, Presence: definition.Nullable, Description: "The container is restarted when this probe fails.", Attributes: probe},
		{Name: "readiness_probe", Type: definition.Object, Presence: definition.Nullable, Description: "The container gets requests only while this probe succeeds.", Attributes: probe},
		{Name: "startup_probe", Type: definition.Object, Presence: definition.Nullable, Description: "The other probes wait until this one has succeeded once.", Attributes: probe},
		{Name: "image_pull_policy", Presence: definition.Optional, Description: "`Always`, `IfNotPresent` or `Never`. If omitted, Kuscia decides."},
	}
}

func probeAttributes() []definition.Attribute {
	return []definition.Attribute{
		{Name: "exec", Type: definition.Object, Presence: definition.Nullable, Description: "Runs a command in the container; exit code 0 is success. A probe has exactly one of `exec`, `http_get`, `tcp_socket` and `grpc`.", Attributes: []definition.Attribute{
			{Name: "command", Type: definition.StringList, Presence: definition.Optional, SemanticEquality: definition.JSON, Description: "The command and its arguments."},
		}},
		{Name: "http_get", Type: definition.Object, Presence: definition.Nullable, Description: "Sends an HTTP GET request; a status from 200 to 399 is success.", Attributes: []definition.Attribute{
			{Name: "path", Presence: definition.Optional, Description: "Path of the request."},
			{Name: "port", Description: probePortText},
			{Name: "host", Presence: definition.Optional, Description: "Host of the request. Defaults to the pod."},
			{Name: "scheme", Presence: definition.Optional, Description: "`HTTP` or `HTTPS`. If omitted, Kubernetes uses `HTTP`."},
			{Name: "http_headers", Type: definition.ObjectList, Presence: definition.Optional, Description: "Headers to send.", Attributes: []definition.Attribute{
				{Name: "name", Description: "Name of the header."},
				{Name: "value", Presence: definition.Optional, Description: "Value of the header."},
			}},
		}},
		{Name: "tcp_socket", Type: definition.Object, Presence: definition.Nullable, Description: "Opens a connection.", Attributes: []definition.Attribute{
			{Name: "port", Description: probePortText},
			{Name: "host", Presence: definition.Optional, Description: "Host to connect to. Defaults to the pod."},
		}},
		{Name: "grpc", Type: definition.Object, Presence: definition.Nullable, Description: "Queries the gRPC health service.", Attributes: []definition.Attribute{
			{Name: "port", Type: definition.Number, Description: "Number of the port, 1 to 65535. Unlike the other handlers, this one takes no port name."},
			{Name: "service", Presence: definition.Optional, Description: "Name of the service to check."},
		}},
		{Name: "initial_delay_seconds", Type: definition.Number, Presence: definition.Optional, Description: "Seconds from the start of the container to the first probe. `0` or omitted: no delay."},
		{Name: "timeout_seconds", Type: definition.Number, Presence: definition.Optional, Description: "Seconds until a probe counts as failed. `0` or omitted: Kubernetes' default, 1."},
		{Name: "period_seconds", Type: definition.Number, Presence: definition.Optional, Description: "Seconds between probes. `0` or omitted: Kubernetes' default, 10."},
		{Name: "success_threshold", Type: definition.Number, Presence: definition.Optional, Description: "Consecutive successes after which a failed probe counts as successful. `0` or omitted: Kubernetes' default, 1."},
		{Name: "failure_threshold", Type: definition.Number, Presence: definition.Optional, Description: "Consecutive failures after which a probe counts as failed. `0` or omitted: Kubernetes' default, 3."},
		{Name: "termination_grace_period_seconds", Type: definition.Number, Presence: definition.Optional, Description: "Grace period in seconds for the termination of a container after this probe has failed. `0` or omitted: that of the pod."},
	}
}

const portRefused = "The KusciaAPI stores no port numbers, so this one would be lost: Kuscia allocates the number itself when a serving is created. Remove port. " +
	"The application reads its number from the environment variable KUSCIA_PORT_<NAME>_NUMBER, or from {{.ALLOCATED_PORTS}} in a config template."

const probePortText = "Name of a port of the container. A number is refused: Kuscia stores it as a name, and Kubernetes then refuses the pod."

// sameTemplate compares two config templates. Kuscia fills in the placeholders of the text before
// anybody reads it as JSON, so that escaped braces are no placeholder.
func sameTemplate(a, b string) bool {
	return a == b || !strings.Contains(a+b, `\u`) && definition.JSON(a, b)
}
