package edgedeployment

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// The defaults in the API documentation.
const (
	defaultReplicas      = 1
	defaultRestartPolicy = "Always"
	defaultDNSPolicy     = "Default"
	defaultInitialDelay  = 10
	defaultProbeTimeout  = 1
	defaultScheme        = "HTTP"
	defaultFileMode      = 420 // 0644
	defaultNPUType       = "D310"
)

// What changes of a deployment do, and of what v2 takes only in a create.
const (
	newInstances = "updated in place: the whole template is sent"
	fixedEffect  = newInstances + ". With `api_version = \"v2\"`: replaced"
)

const description = "An application deployment on an edge node or a group of edge nodes, managed by Huawei Cloud's Intelligent EdgeFabric (IEF). " +
	"It can run a lite or autonomy node of Kuscia on an edge machine.\n\n" +
	"The provider block needs `ief`; a Kuscia is not needed. The default is version `v3` of the deployment API; `api_version = \"v2\"` uses the earlier one.\n\n" +
	"~> **Not tested with a live service.** This resource is implemented from the vendor's documents and its Go SDK, and tested against a server that was written from the same documents. The guide *Kuscia on edge nodes* lists the questions that the documents do not answer.\n\n" +
	"A create and an update wait until the instances run as configured. An instance that IEF reports as failed does not end the wait: a slow image pull is temporarily reported as a failure."

const attrInstanceRevision = "instance_revision"

// resourceFields are the attributes that IEF does not store, and those that
// only IEF sets.
var resourceFields = []definition.Attribute{
	{Name: "id", Type: definition.String, Presence: definition.Computed, Description: "ID of the deployment, assigned by IEF. It is the import ID."},
	{
		Name: "instance_id", Type: definition.String, Presence: definition.ServerDefault, Replace: definition.Always,
		Description: "ID of the service instance (enterprise or platinum edition). Default: that of the provider block; `\"\"` is the professional edition. Changing it replaces the deployment.",
	},
	{Name: "project_id", Type: definition.String, Presence: definition.Computed, Description: "ID of the project of the deployment."},
	{
		Name: attrInstanceRevision, Type: definition.Number, Presence: definition.Computed, Local: true, Default: int64(party.FirstRevision),
		Description: "Counts the applies that have given the instances another definition, from 1 after the create or an import: a plan with `1 -> 2` replaces all instances. A change of `replicas` or `description` alone does not raise it.",
	},
	{Name: "created_at", Type: definition.String, Presence: definition.Computed, Description: "Creation time of the deployment, as reported by IEF."},
	{
		Name: "source", Type: definition.String, Presence: definition.ServerDefault, SemanticEquality: sameSource, Replace: definition.Always,
		Description: "Where the deployment comes from: `userdefined`, or `iem` for the edge market; `v3` only. If omitted, IEF decides. Changing it replaces the deployment.",
	},
	{
		Name: "force_destroy", Type: definition.Bool, Presence: definition.Optional, Local: true,
		Description: "Whether a destroy removes the deployment from the cloud without waiting for the edge node. Default `false`; a node that is offline never removes its instances. With `true` they may keep running there. " + tfvalue.StoredDescription,
	},
}

var deploymentFields = []definition.Attribute{
	{
		Name: "api_version", Type: definition.String, Presence: definition.Optional, Default: "v3", Replace: definition.Always,
		Description: "Version of the deployment API: `v3` (default) or the earlier `v2`. A deployment is visible only in the version with which it was created. Changing it replaces the deployment.",
	},
	{
		Name: "name", Type: definition.String, Presence: definition.Required, Replace: definition.Always,
		Description: "Name of the deployment: lower-case letters, digits and hyphens, beginning and ending with a letter or digit, at most 32 characters (`v2`: 64). Changing it replaces the deployment.",
	},
	{
		Name: "description", Type: definition.String, Presence: definition.Optional, Effect: "updated in place; the instances stay",
		Description: "Description, at most 255 characters and none of `^ ~ # $ % & * < > ( ) [ ] { } ' \" \\`. It can be changed in place.",
	},
	{
		Name: "node_ids", Type: definition.StringList, Presence: definition.Optional, Replace: definition.Always,
		Description: "ID of the edge node to run on. It is a list as in the API, which accepts exactly one node. Exactly one of `node_ids` and `group_id` is needed. Changing it replaces the deployment.",
	},
	{
		Name: "group_id", Type: definition.String, Presence: definition.Optional, Replace: definition.Always,
		Description: "ID of the edge node group to run on, instead of `node_ids`. Changing it replaces the deployment.",
	},
	{
		Name: "tags", Type: definition.StringMap, Presence: definition.Optional, Replace: definition.Always,
		Description: "Tags, `v3` only. Keys have 1 to 128 and values 1 to 256 letters, digits, `_` and `-`. The API accepts tags only on create, so a change replaces the deployment.",
	},
	{
		Name: "replicas", Type: definition.Number, Presence: definition.Optional, Default: int64(defaultReplicas),
		Description: "Number of instances, 1 to 99, default `1`. The professional edition and `v2` allow 1 only.",
	},
	{
		Name: "annotations", Type: definition.Object, Presence: definition.Optional, Replace: definition.Always,
		Description: "Additional features, `v3` only. Changing them replaces the deployment.",
		Attributes: []definition.Attribute{
			{Name: "ring_controller", Type: definition.String, Presence: definition.Optional, Description: "`ascend-1980` generates a rank table file."},
			{Name: "autonomy_edge_selector", Type: definition.String, Presence: definition.Optional, Description: "ID of the node group in which instances are recovered after failures while the nodes are offline."},
		},
	},
}

// templateFields are the attributes that an update replaces as a whole.
var templateFields = []definition.Attribute{
	{Name: "host_network", Type: definition.Bool, Presence: definition.Optional, Description: "Whether instances use the network of the node. Default `false`: ports are mapped."},
	{Name: "host_pid", Type: definition.Bool, Presence: definition.Optional, Description: "Whether instances use the PID namespace of the node. Default `false`."},
	{
		Name: "migration", Type: definition.Bool, Presence: definition.Optional,
		Description: "Whether instances move to another node of the group when theirs fails. Default `false`. Has an effect in node groups only.",
	},
	{
		Name: "toleration_seconds", Type: definition.Number, Presence: definition.Nullable,
		Description: "Seconds after which instances of a failed node move. Has an effect in node groups only. If omitted, IEF decides.",
	},
	{Name: "restart_policy", Type: definition.String, Presence: definition.Optional, Default: defaultRestartPolicy, Description: "`Always` (default), `OnFailure` or `Never`."},
	{
		Name: "dns_policy", Type: definition.String, Presence: definition.Optional, Default: defaultDNSPolicy,
		Description: "`Default` (default); with `host_network` also `ClusterFirstWithHostNet`, without it also `ClusterFirst`.",
	},
	{
		Name: "affinity", Type: definition.String, Presence: definition.Optional, SemanticEquality: sameAffinity,
		Description: "Affinity of the instances as JSON, in the form of Kubernetes (`nodeAffinity`, `podAffinity`, `podAntiAffinity`), compared semantically; `{}` is none. `v3` and the enterprise (platinum) edition only.",
	},
	{
		Name: "containers", Type: definition.ObjectList, Presence: definition.Required, Attributes: containerFields,
		Description: "Containers of each instance, at least one. `v2` has exactly one, whose `name` is that of the app.",
	},
	{
		Name: "init_containers", Type: definition.ObjectList, Presence: definition.Nullable, Attributes: containerFields,
		Description: "Init containers, which run to completion before the other containers start, `v3` only.",
	},
}

var containerFields = []definition.Attribute{
	{
		Name: "name", Type: definition.String, Presence: definition.Required, Effect: fixedEffect,
		Description: "Name of the container, of the same form as `name`, at most 32 characters (`v2`: 64; there a change replaces the deployment).",
	},
	{Name: "image_url", Type: definition.String, Presence: definition.Required, Description: "Reference of the container image, for example `swr.cn-north-4.myhuaweicloud.com/team/kuscia:1.1.0`. `v2` allows at most 2083 characters."},
	{
		Name: "version", Type: definition.String, Presence: definition.Optional, Effect: fixedEffect,
		Description: "Version, for information. `v2`: at most 64 lower-case letters, digits, hyphens and dots, beginning with a letter or digit; a change replaces the deployment.",
	},
	{Name: "command", Type: definition.StringList, Presence: definition.Optional, SemanticEquality: definition.JSON, Description: "Command, replaces the entry point of the image; 65536 characters in total."},
	{Name: "args", Type: definition.StringList, Presence: definition.Optional, SemanticEquality: definition.JSON, Description: "Arguments of the command; 65536 characters in total."},
	{
		Name: "resources", Type: definition.Object, Presence: definition.Optional,
		Description: "Resources of the container. Amounts are compared by value: `0.5` and `500m` are the same. The API has memory in MiB; the provider converts the values.",
		Attributes: []definition.Attribute{
			{Name: "limits", Type: definition.Object, Presence: definition.Optional, Attributes: amountFields, Description: "Resource limits."},
			{Name: "requests", Type: definition.Object, Presence: definition.Optional, Attributes: amountFields, Description: "Resource requests."},
		},
	},
	{
		Name: "envs", Type: definition.ObjectList, Presence: definition.Nullable,
		Description: "Environment variables. Each has exactly one of `value` (or `value_wo`), `value_from` and `field_path`.",
		Attributes: []definition.Attribute{
			{Name: "name", Type: definition.String, Presence: definition.Required, Description: "Name of the variable: letters, digits and `_`, not beginning with a digit, at most 2048 characters, unique in its container."},
			{
				Name: "value", Type: definition.String, Presence: definition.Nullable, WriteOnly: true, SemanticEquality: definition.JSON, Alternatives: []string{"value_from", "field_path"},
				Description: "Value of the variable, at most 20480 characters. It is sensitive, since tokens are often passed in this way; it is in the state in clear text. `value_wo` and `value_from` keep a secret out of it.",
			},
			{
				Name: "value_from", Type: definition.Object, Presence: definition.Nullable,
				Description: "Source of the value: a secret or a ConfigMap of IEF; exactly one of the two is needed.",
				Attributes: []definition.Attribute{
					{Name: "secret", Type: definition.Object, Presence: definition.Nullable, Description: "An entry of a secret.", Attributes: keyFields},
					{Name: "configmap", Type: definition.Object, Presence: definition.Nullable, Description: "An entry of a ConfigMap of IEF.", Attributes: keyFields},
				},
			},
			{Name: "field_path", Type: definition.String, Presence: definition.Optional, Description: "`status.hostIP`: the address of the edge node."},
		},
	},
	{
		Name: "volumes", Type: definition.ObjectList, Presence: definition.Optional,
		Description: "Volumes of the container.",
		Attributes: []definition.Attribute{
			{Name: "name", Type: definition.String, Presence: definition.Required, Description: "Name of the volume: 1 to 63 lower-case letters and digits."},
			{Name: "type", Type: definition.String, Presence: definition.Required, Description: "`hostPath`, `emptyDir`, `configMap` or `secret`."},
			{Name: "source", Type: definition.String, Presence: definition.Required, Description: "`hostPath`: a path on the node; `configMap` and `secret`: their name; `emptyDir`: `disk` or `memory`."},
			{Name: "destination", Type: definition.String, Presence: definition.Required, Description: "Path in the container."},
			{
				Name: "read_only", Type: definition.Bool, Presence: definition.Optional, DefaultFrom: readOnlyFiles,
				Description: "Whether the container may only read. Default `false`; `configMap` and `secret` volumes are always read-only.",
			},
			{
				Name: "default_mode", Type: definition.Number, Presence: definition.Optional, Default: int64(defaultFileMode),
				Description: "Mode of the files as a decimal number, for `configMap` and `secret`. Default `420`, which is 0644; `0` is not allowed.",
			},
		},
	},
	{
		Name: "ports", Type: definition.ObjectList, Presence: definition.Optional,
		Description: "Ports of the container that the node maps.",
		Attributes: []definition.Attribute{
			{Name: "container_port", Type: definition.Number, Presence: definition.Required, Description: "Port of the container, 1 to 65535."},
			{Name: "host_port", Type: definition.Number, Presence: definition.Optional, Description: "Port of the node, 1 to 65535. `0` or omitted: none."},
			{Name: "host_ip", Type: definition.String, Presence: definition.Optional, Description: "Address of the node's network card. If omitted: all."},
			{
				Name: "host_port_range", Type: definition.Object, Presence: definition.Nullable,
				Description: "Range of ports of the node to choose from, instead of `host_port`; `v3` only.",
				Attributes: []definition.Attribute{
					{Name: "min_port", Type: definition.Number, Presence: definition.Required, Description: "First port, 1 to 65535."},
					{Name: "max_port", Type: definition.Number, Presence: definition.Required, Description: "Last port, above `min_port`."},
				},
			},
		},
	},
	{Name: "privileged", Type: definition.Bool, Presence: definition.Optional, Description: "Whether the container is privileged. Default `false`."},
	{Name: "run_as_user", Type: definition.Number, Presence: definition.Nullable, Description: "User ID that the container runs as, 0 to 65534. Defaults to that of the image."},
	{Name: "liveness_probe", Type: definition.Object, Presence: definition.Nullable, Attributes: probeFields, Description: "The container is restarted when this probe fails. A probe has exactly one of `exec` and `http_get`."},
	{Name: "readiness_probe", Type: definition.Object, Presence: definition.Nullable, Attributes: probeFields, Description: "The container counts as ready only while this probe succeeds. A probe has exactly one of `exec` and `http_get`."},
	{
		Name: "npu_type", Type: definition.String, Presence: definition.Optional, SemanticEquality: sameNPUType,
		Description: "Type of the NPU: `D310` (default) or `D310B`; `v3` only.",
	},
}

var amountFields = []definition.Attribute{
	{Name: "cpu", Type: definition.String, Presence: definition.Optional, SemanticEquality: definition.Quantity, Description: "CPU cores, `10m` to `1000`, for example `0.25` or `250m`."},
	{Name: "memory", Type: definition.String, Presence: definition.Optional, SemanticEquality: definition.Quantity, Description: "Memory, for example `512Mi`; at most 1024000Mi, and as a limit at least 4Mi."},
	{Name: "gpu", Type: definition.String, Presence: definition.Optional, SemanticEquality: definition.Quantity, Description: "GPU memory, for example `1Gi`; at most 1024000Mi."},
	{Name: "npu", Type: definition.String, Presence: definition.Optional, SemanticEquality: definition.Quantity, Description: "Number of NPUs of the type in `npu_type`, 1 to 1000."},
	{Name: "d310", Type: definition.String, Presence: definition.Optional, SemanticEquality: definition.Quantity, Description: "Number of NPUs of type D310, 1 to 1000; `v3` only."},
	{Name: "d310b", Type: definition.String, Presence: definition.Optional, SemanticEquality: definition.Quantity, Description: "Number of NPUs of type D310B, 1 to 1000; `v3` only."},
}

var keyFields = []definition.Attribute{
	{Name: "name", Type: definition.String, Presence: definition.Required, Description: "Name of the object."},
	{Name: "key", Type: definition.String, Presence: definition.Required, Description: "Entry of the object."},
}

var probeFields = []definition.Attribute{
	{
		Name: "exec", Type: definition.Object, Presence: definition.Nullable, Description: "Runs a command in the container; exit code 0 is success.",
		Attributes: []definition.Attribute{
			{Name: "command", Type: definition.String, Presence: definition.Required, SemanticEquality: definition.JSON, Description: "The command line, 1 to 10240 characters."},
		},
	},
	{
		Name: "http_get", Type: definition.Object, Presence: definition.Nullable, Description: "Sends an HTTP GET request; a status from 200 to 399 is success.",
		Attributes: []definition.Attribute{
			{Name: "path", Type: definition.String, Presence: definition.Required, Description: "Path, beginning with `/`."},
			{Name: "port", Type: definition.Number, Presence: definition.Required, Description: "Port, 1 to 65535."},
			{Name: "host", Type: definition.String, Presence: definition.Optional, Description: "Host of the request. Defaults to the container."},
			{Name: "scheme", Type: definition.String, Presence: definition.Optional, Default: defaultScheme, SemanticEquality: definition.Fold, Description: "`HTTP` (default) or `HTTPS`."},
		},
	},
	{Name: "initial_delay_seconds", Type: definition.Number, Presence: definition.Optional, Default: int64(defaultInitialDelay), Description: "Seconds from the start of the container to the first probe, 1 to 3600. Default `10`."},
	{Name: "timeout_seconds", Type: definition.Number, Presence: definition.Optional, Default: int64(defaultProbeTimeout), Description: "Seconds until a probe counts as failed, 1 to 3600. Default `1`."},
}

// sameAffinity compares affinities. An empty object equals an unset one.
func sameAffinity(a, b string) bool {
	return definition.JSON(affinityOf(a), affinityOf(b))
}

// affinityOf returns an affinity as JSON, "" if there is none.
func affinityOf(text string) string {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) == nil && len(object) == 0 {
		return ""
	}
	return text
}

// sameNPUType compares NPU types. An unset type is the default.
func sameNPUType(a, b string) bool { return cmp.Or(a, defaultNPUType) == cmp.Or(b, defaultNPUType) }

// sourceUser is the source of a deployment that is not from the edge market.
const sourceUser = "userdefined"

// sameSource compares sources. The documentation has userdefined, its examples
// userdefine.
func sameSource(a, b string) bool { return strings.TrimSuffix(a, "d") == strings.TrimSuffix(b, "d") }
