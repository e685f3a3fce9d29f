package provider

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// attrKubernetes is the attribute of the provider block for access to the
// cluster of Kuscia.
const attrKubernetes = "kubernetes"

// Its nested attributes.
const (
	kubeConfigPath           = "config_path"
	kubeConfigContext        = "config_context"
	kubeHost                 = "host"
	kubeToken                = "token"
	kubeClusterCACertificate = "cluster_ca_certificate"
	kubeClientCertificate    = "client_certificate"
	kubeClientKey            = "client_key"
	kubeInsecure             = "insecure"
	kubeExec                 = "exec"
)

// The attributes of exec.
const (
	execAPIVersion = "api_version"
	execCommand    = "command"
	execArgs       = "args"
	execEnv        = "env"
)

// kubeTexts are the string attributes.
var kubeTexts = []string{kubeConfigPath, kubeConfigContext, kubeHost, kubeToken, kubeClusterCACertificate, kubeClientCertificate, kubeClientKey}

// hostAttributes are the attributes that require host.
var hostAttributes = []string{kubeToken, kubeClusterCACertificate, kubeClientCertificate, kubeClientKey, kubeInsecure, kubeExec}

// kubeVariable is the environment variable for an attribute.
func kubeVariable(attribute string) string { return envPrefix + "KUBE_" + strings.ToUpper(attribute) }

func kubernetesSchema() schema.Attribute {
	describe := func(attribute, text string) string {
		return fmt.Sprintf("%s Environment variable: `%s`.", text, kubeVariable(attribute))
	}
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: "Access to the Kubernetes API of the Kuscia master or autonomy node, for `kuscia_deployment` and the like. `endpoint` can be omitted if no resource needs the KusciaAPI. " +
			"One of: `config_path`; `host` with credentials; in a pod of the cluster `{}`, for its service account. The block takes precedence over the environment, see the guide [Access to the cluster](guides/access-to-the-cluster.md#configure-it).",
		Attributes: map[string]schema.Attribute{
			kubeConfigPath: schema.StringAttribute{
				Optional: true,
				MarkdownDescription: describe(kubeConfigPath, "Path of a kubeconfig. Certificates, tokens and exec plugins in it are used as kubectl uses them. In a Kuscia container it is `/home/kuscia/etc/kubeconfig`. "+
					"The path is used unchanged; for a home directory use `pathexpand(\"~/.kube/config\")`. Conflicts with `host`."),
			},
			kubeConfigContext: schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: describe(kubeConfigContext, "Context of the kubeconfig. Defaults to its current context."),
			},
			kubeHost: schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: describe(kubeHost, "Address of the API server, for example `https://kuscia.example:6443`."),
			},
			kubeToken: schema.StringAttribute{
				Optional: true, Sensitive: true,
				MarkdownDescription: describe(kubeToken, "Bearer token, such as that of a service account. Needs `host`."),
			},
			kubeClusterCACertificate: schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: describe(kubeClusterCACertificate, "CA certificate (PEM) that signed the certificate of the API server. Defaults to the CA certificates of the system. Needs `host`."),
			},
			kubeClientCertificate: schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: describe(kubeClientCertificate, "Client certificate (PEM). Needs `host` and `client_key`."),
			},
			kubeClientKey: schema.StringAttribute{
				Optional: true, Sensitive: true,
				MarkdownDescription: describe(kubeClientKey, "Private key (PEM) of the client certificate. Needs `host`."),
			},
			kubeInsecure: schema.BoolAttribute{
				Optional:            true,
				MarkdownDescription: describe(kubeInsecure, "Accept any certificate of the API server; only for tests. Conflicts with `cluster_ca_certificate`. Needs `host`."),
			},
			kubeExec: execSchema(describe(kubeExec, "Credential plugin, like `exec` of a user in a kubeconfig. It must not be interactive, and gets 60 seconds. Needs `host`; conflicts with `token`. In the environment: a JSON object of the same form.")),
		},
	}
}

func execSchema(description string) schema.Attribute {
	return schema.SingleNestedAttribute{
		Optional: true, MarkdownDescription: description,
		Attributes: map[string]schema.Attribute{
			execAPIVersion: schema.StringAttribute{Required: true, MarkdownDescription: "API version of the `ExecCredential` that the plugin returns: `client.authentication.k8s.io/v1` or `client.authentication.k8s.io/v1beta1`."},
			execCommand:    schema.StringAttribute{Required: true, MarkdownDescription: "Command of the plugin: a path, or a name that is looked up in `PATH`."},
			execArgs:       schema.ListAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: "Its arguments."},
			execEnv:        schema.MapAttribute{Optional: true, Sensitive: true, ElementType: types.StringType, MarkdownDescription: "Additional environment variables of the command."},
		},
	}
}
