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

// ofHost are the attributes that require host.
var ofHost = []string{kubeToken, kubeClusterCACertificate, kubeClientCertificate, kubeClientKey, kubeInsecure, kubeExec}

// kubeVariable is the environment variable for an attribute.
func kubeVariable(attribute string) string { return envPrefix + "KUBE_" + strings.ToUpper(attribute) }

func kubernetesSchema() schema.Attribute {
	describe := func(attribute, text string) string {
		return fmt.Sprintf("%s Environment variable: `%s`.", text, kubeVariable(attribute))
	}
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: "Access to the Kubernetes API of the Kuscia master or autonomy node, for resources that are Kubernetes objects, such as `kuscia_deployment`. " +
			"With it `endpoint` may be left out, if no resource needs the KusciaAPI. " +
			"One of: `config_path`; `host` with credentials; in a pod of the cluster `{}`, for its service account. What is needed is taken from the block, or else from the environment; the two ways are not mixed.",
		Attributes: map[string]schema.Attribute{
			kubeConfigPath: schema.StringAttribute{
				Optional: true,
				MarkdownDescription: describe(kubeConfigPath, "Path of a kubeconfig. Certificates, tokens and exec plugins in it are used as kubectl uses them. In a Kuscia container it is `/home/kuscia/etc/kubeconfig`. "+
					"The path is taken as it is; for a home directory write `pathexpand(\"~/.kube/config\")`. Conflicts with `host`."),
			},
			kubeConfigContext: schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: describe(kubeConfigContext, "Context of the kubeconfig; its current one when left out."),
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
				MarkdownDescription: describe(kubeClusterCACertificate, "Certificate (PEM) of the authority that signed the API server's certificate. The system's authorities count when none is given. Needs `host`."),
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
				MarkdownDescription: describe(kubeInsecure, "Accept any certificate of the API server, for trying things out only. Conflicts with `cluster_ca_certificate`. Needs `host`."),
			},
			kubeExec: execSchema(describe(kubeExec, "Program that gives credentials, as `exec` of a kubeconfig's user does. It must not ask questions. Needs `host`; conflicts with `token`. In the environment: a JSON object of the same form.")),
		},
	}
}

func execSchema(description string) schema.Attribute {
	return schema.SingleNestedAttribute{
		Optional: true, MarkdownDescription: description,
		Attributes: map[string]schema.Attribute{
			execAPIVersion: schema.StringAttribute{Required: true, MarkdownDescription: "Version of the program's answer, `client.authentication.k8s.io/v1` or `client.authentication.k8s.io/v1beta1`."},
			execCommand:    schema.StringAttribute{Required: true, MarkdownDescription: "The program: a path, or a name that is looked for in `PATH`."},
			execArgs:       schema.ListAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: "Its arguments."},
			execEnv:        schema.MapAttribute{Optional: true, Sensitive: true, ElementType: types.StringType, MarkdownDescription: "Environment variables that it gets beside those of the provider."},
		},
	}
}
