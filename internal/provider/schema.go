package provider

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Attribute names of the provider block.
const (
	attrEndpoint              = "endpoint"
	attrCertsDir              = "certs_dir"
	attrToken                 = "token"
	attrTokenFile             = "token_file"
	attrCACertificate         = "ca_certificate"
	attrCACertificateFile     = "ca_certificate_file"
	attrClientCertificate     = "client_certificate"
	attrClientCertificateFile = "client_certificate_file"
	attrClientKey             = "client_key"
	attrClientKeyFile         = "client_key_file"
	attrTLSServerName         = "tls_server_name"
	attrInsecureSkipVerify    = "insecure_skip_verify"
	attrRequestTimeout        = "request_timeout"
	attrMaxRetries            = "max_retries"
	attrCustomHeaders         = "custom_headers"
	attrAdoptExisting         = "adopt_existing"
)

// envPrefix and an attribute's upper case name form its environment variable.
const envPrefix = "KUSCIA_"

// envName is the environment variable for an attribute.
func envName(attribute string) string {
	return envPrefix + strings.ToUpper(attribute)
}

// block is the configured provider block.
type block struct {
	Endpoint              types.String `tfsdk:"endpoint"`
	CertsDir              types.String `tfsdk:"certs_dir"`
	Token                 types.String `tfsdk:"token"`
	TokenFile             types.String `tfsdk:"token_file"`
	CACertificate         types.String `tfsdk:"ca_certificate"`
	CACertificateFile     types.String `tfsdk:"ca_certificate_file"`
	ClientCertificate     types.String `tfsdk:"client_certificate"`
	ClientCertificateFile types.String `tfsdk:"client_certificate_file"`
	ClientKey             types.String `tfsdk:"client_key"`
	ClientKeyFile         types.String `tfsdk:"client_key_file"`
	TLSServerName         types.String `tfsdk:"tls_server_name"`
	InsecureSkipVerify    types.Bool   `tfsdk:"insecure_skip_verify"`
	RequestTimeout        types.String `tfsdk:"request_timeout"`
	MaxRetries            types.Int64  `tfsdk:"max_retries"`
	CustomHeaders         types.Map    `tfsdk:"custom_headers"`
	IEF                   types.Object `tfsdk:"ief"`
	Kubernetes            types.Object `tfsdk:"kubernetes"`
	AdoptExisting         types.Bool   `tfsdk:"adopt_existing"`
}

func providerSchema() schema.Schema {
	// Every description names the environment variable; describe adds it,
	// consistently with envName.
	describe := func(attribute, text string) string {
		return fmt.Sprintf("%s Environment variable: `%s`.", text, envName(attribute))
	}

	return schema.Schema{
		MarkdownDescription: "The `kuscia` provider manages the model servings of [Kuscia](https://github.com/secretflow/kuscia), and what they need: " +
			"app images, domains, routes, data, grants, configuration entries. " +
			"With `kubernetes` it also manages KusciaDeployments and OpenKruise Rollouts, with `ief` edge deployments.\n\n" +
			"A value in the provider block takes precedence over the environment, and a single attribute over `certs_dir`. " +
			"An empty environment variable counts as not set. Line breaks at the end of a value, as `file()` returns them, are removed.",
		Attributes: map[string]schema.Attribute{
			attrEndpoint: schema.StringAttribute{
				Optional: true,
				MarkdownDescription: describe(attrEndpoint, "Address of the KusciaAPI: `http://` or `https://`, host and port, no path, for example `https://kuscia.example:8082`. "+
					"There is no default; it can be omitted if `ief` or `kubernetes` is set and no resource needs a Kuscia. With `http://` the connection is not protected: use it only for a KusciaAPI with protocol `NOTLS`."),
			},
			attrCertsDir: schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: describe(attrCertsDir, "Directory with the files that Kuscia keeps in `/home/kuscia/var/certs`: `token`, `ca.crt`, and for the client certificate `kusciaapi-client.crt` and `kusciaapi-client.key`, which Kuscia's script for clients makes, or `kusciaapi-server.crt` and `kusciaapi-server.key`. Missing files are ignored, except `token`, which Kuscia always requires with `https://`. Not read with `http://`, where Kuscia requires no credentials."),
			},
			attrToken: schema.StringAttribute{
				Optional: true, Sensitive: true,
				MarkdownDescription: describe(attrToken, "Token of the KusciaAPI, the content of Kuscia's file `token`. Conflicts with `token_file`."),
			},
			attrTokenFile: schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: describe(attrTokenFile, "File with the token."),
			},
			attrCACertificate: schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: describe(attrCACertificate, "CA certificate (PEM) that signed Kuscia's server certificate. Defaults to the CA certificates of the system. Conflicts with `ca_certificate_file`."),
			},
			attrCACertificateFile: schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: describe(attrCACertificateFile, "File with the CA certificate, Kuscia's `ca.crt`."),
			},
			attrClientCertificate: schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: describe(attrClientCertificate, "Client certificate (PEM) for protocol `MTLS`: any certificate signed by Kuscia's CA. Needs `client_key` or `client_key_file`. Conflicts with `client_certificate_file`."),
			},
			attrClientCertificateFile: schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: describe(attrClientCertificateFile, "File with the client certificate."),
			},
			attrClientKey: schema.StringAttribute{
				Optional: true, Sensitive: true,
				MarkdownDescription: describe(attrClientKey, "Private key (PEM) of the client certificate. Conflicts with `client_key_file`."),
			},
			attrClientKeyFile: schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: describe(attrClientKeyFile, "File with the private key of the client certificate."),
			},
			attrTLSServerName: schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: describe(attrTLSServerName, "Host name expected in the server certificate, if it differs from the one in `endpoint`. Kuscia's own certificate contains `kusciaapi`, `localhost`, the container's name and its addresses."),
			},
			attrInsecureSkipVerify: schema.BoolAttribute{
				Optional:            true,
				MarkdownDescription: describe(attrInsecureSkipVerify, "Accept any server certificate. The token is then sent to any server at the endpoint; use this only for tests. Prefer `ca_certificate` and `tls_server_name`. It is refused together with a CA certificate. Default `false`."),
			},
			attrRequestTimeout: schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: describe(attrRequestTimeout, fmt.Sprintf("Time limit of one request to the KusciaAPI, the Kubernetes API or IEF, a duration such as `10s` or `1m30s`. Default `%s`. How long an apply waits for a rollout is set by `timeouts` in each resource.", defaultRequestTimeout)),
			},
			attrMaxRetries: schema.Int64Attribute{
				CustomType:          tfvalue.Int64Type{Max: retryLimit},
				Optional:            true,
				MarkdownDescription: describe(attrMaxRetries, fmt.Sprintf("How often a request to the KusciaAPI, the Kubernetes API or IEF is retried after a transient failure, 0 to %d, and three times as often after a conflict with another client. Default %d. While a server that has responded before restarts, requests are retried for up to a minute (not with `0`).", retryLimit, defaultMaxRetries)),
			},
			attrIEF:        iefSchema(),
			attrKubernetes: kubernetesSchema(),
			attrCustomHeaders: schema.MapAttribute{
				Optional: true, Sensitive: true,
				ElementType:         types.StringType,
				MarkdownDescription: describe(attrCustomHeaders, "Key-value pairs sent with every request in the body's `header.custom_headers`, for gateways and audit logs; Kuscia itself ignores them. In the environment: a JSON object of strings."),
			},
			attrAdoptExisting: schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: describe(attrAdoptExisting, "What a create does if an object with its ID exists. `false` (default): it fails with an error that shows how to import the object. "+
					"`true`: an object that is exactly as configured is adopted, to continue an apply that was killed; for any other object it fails, and lists the differences."),
			},
		},
	}
}
