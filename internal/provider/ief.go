package provider

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

// attrIEF is the attribute of the provider block for access to IEF.
const attrIEF = "ief"

// Its nested attributes.
const (
	iefRegion        = "region"
	iefEndpoint      = "endpoint"
	iefProjectID     = "project_id"
	iefInstanceID    = "instance_id"
	iefAccessKey     = "access_key"
	iefSecretKey     = "secret_key"
	iefSecurityToken = "security_token"
	iefToken         = "token"
)

var iefAttributes = []string{iefRegion, iefEndpoint, iefProjectID, iefInstanceID, iefAccessKey, iefSecretKey, iefSecurityToken, iefToken}

// iefVendorVariables are the environment variables of the vendor's Terraform
// provider and of its SDK, in this order, after the provider's own.
var iefVendorVariables = map[string][]string{
	iefRegion:        {"HW_REGION_NAME"},
	iefProjectID:     {"HW_PROJECT_ID", "HUAWEICLOUD_SDK_PROJECT_ID"},
	iefAccessKey:     {"HW_ACCESS_KEY", "HUAWEICLOUD_SDK_AK"},
	iefSecretKey:     {"HW_SECRET_KEY", "HUAWEICLOUD_SDK_SK"},
	iefSecurityToken: {"HW_SECURITY_TOKEN", "HUAWEICLOUD_SDK_SECURITY_TOKEN"},
	iefToken:         {"HW_AUTH_TOKEN"},
}

// iefVariable is the provider's own environment variable for an attribute.
func iefVariable(attribute string) string { return envPrefix + "IEF_" + strings.ToUpper(attribute) }

func iefSchema() schema.Attribute {
	describe := func(attribute, text string) string {
		names := append([]string{iefVariable(attribute)}, iefVendorVariables[attribute]...)
		if len(names) == 1 {
			return fmt.Sprintf("%s Environment variable: `%s`.", text, names[0])
		}
		return fmt.Sprintf("%s Environment variables, in this order: `%s`.", text, strings.Join(names, "`, `"))
	}
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: "Access to Huawei Cloud's Intelligent EdgeFabric (IEF), used only by `kuscia_edge_deployment`. " +
			"`endpoint` can then be omitted if no resource needs a Kuscia. " +
			"Requests are signed with an access key and its secret key, or sent with `token`. All credentials come from one source: the block, or one group of environment variables.",
		Attributes: map[string]schema.Attribute{
			iefRegion: schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: describe(iefRegion, "Region, for example `cn-north-4`. Regions in which the vendor's SDK supports IEF: `"+strings.Join(ief.Regions, "`, `")+"`."),
			},
			iefEndpoint: schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: describe(iefEndpoint, "Address of IEF; replaces the one derived from `region` (`https://ief.REGION.myhuaweicloud.com`). `http://` is only allowed for the local machine."),
			},
			iefProjectID: schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: describe(iefProjectID, "ID of the project in the region."),
			},
			iefInstanceID: schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: describe(iefInstanceID, "ID of the service instance of the enterprise (platinum) edition. If omitted, the professional edition is used."),
			},
			iefAccessKey: schema.StringAttribute{
				Optional: true, Sensitive: true,
				MarkdownDescription: describe(iefAccessKey, "Access key (AK), permanent or temporary."),
			},
			iefSecretKey: schema.StringAttribute{
				Optional: true, Sensitive: true,
				MarkdownDescription: describe(iefSecretKey, "Secret key (SK) of the access key."),
			},
			iefSecurityToken: schema.StringAttribute{
				Optional: true, Sensitive: true,
				MarkdownDescription: describe(iefSecurityToken, "Security token of a temporary access key."),
			},
			iefToken: schema.StringAttribute{
				Optional: true, Sensitive: true,
				MarkdownDescription: describe(iefToken, "IAM token, valid for 24 hours; an alternative to an access key."),
			},
		},
	}
}

// iefBlock is the configured attribute; nil if it is not set.
type iefBlock map[string]types.String

func (b block) ief() (texts iefBlock, unknown bool) {
	if b.IEF.IsNull() || b.IEF.IsUnknown() {
		return nil, b.IEF.IsUnknown()
	}
	texts = iefBlock{}
	for name, value := range b.IEF.Attributes() {
		if text, ok := value.(types.String); ok {
			texts[name] = text
		}
	}
	return texts, false
}

// checkIEF validates the attribute itself.
func checkIEF(b block) []problem {
	var problems []problem
	fail := func(name, summary, format string, args ...any) {
		problems = append(problems, problem{Attribute: attrIEF + "." + name, Summary: summary, Detail: fmt.Sprintf(format, args...)})
	}
	texts, _ := b.ief()
	for _, name := range iefAttributes {
		if v := texts[name]; known(v) && v.ValueString() == "" && name != iefInstanceID {
			fail(name, "Empty value", "ief.%s is an empty string. Set a value, or omit it (or set null) to use %s.", name, iefVariable(name))
		}
	}
	if v := texts[iefRegion]; known(v) && v.ValueString() != "" && !ief.RegionFormat.MatchString(v.ValueString()) {
		fail(iefRegion, "Invalid region", "ief.region: %q is not a region; an example is cn-north-4.", v.ValueString())
	}
	if v := texts[iefEndpoint]; known(v) && v.ValueString() != "" {
		if _, err := ief.ParseEndpoint(v.ValueString()); err != nil {
			fail(iefEndpoint, "Invalid IEF endpoint", "ief.endpoint: %s.", err)
		}
	}
	if v := texts[iefProjectID]; known(v) && v.ValueString() != "" && !ief.ProjectIDFormat.MatchString(v.ValueString()) {
		fail(iefProjectID, "Invalid project ID", "ief.project_id: this is not a project ID, which is shown in the console under My Credentials.")
	}
	if known(texts[iefToken]) && known(texts[iefAccessKey]) {
		fail(iefToken, "Conflicting attributes", "Both ief.token and ief.access_key are set. Keep one of them.")
	}
	return problems
}

// iefAccess returns the access to IEF from the block and the environment.
// Missing settings are not an error here, but in a resource that needs IEF.
func iefAccess(b block, getenv func(string) string, shared requests) (clients.IEF, []problem) {
	texts, unknown := b.ief()
	if unknown {
		return clients.IEF{Unknown: []string{attrIEF}}, nil
	}
	var out clients.IEF
	for _, name := range iefAttributes {
		if texts[name].IsUnknown() {
			out.Unknown = append(out.Unknown, `"ief.`+name+`"`)
		}
	}
	if len(out.Unknown) > 0 {
		return out, nil
	}
	config := iefConfig(texts, getenv)
	config.UserAgent, config.RequestTimeout, config.MaxRetries = shared.userAgent, shared.timeout, shared.retries
	if missing := missingIEF(config); missing != "" {
		out.Missing = missing
		return out, nil
	}
	client, err := ief.New(config)
	if err != nil {
		return out, []problem{{Attribute: attrIEF, Summary: "IEF settings cannot be used", Detail: err.Error()}}
	}
	out.Client = client
	return out, nil
}

// iefConfig resolves the settings. Credentials are taken from a single source,
// so that a key is never combined with the secret or the token of another
// source.
func iefConfig(texts iefBlock, getenv func(string) string) ief.Config {
	plain := func(name string) string {
		if v := texts[name]; !v.IsNull() {
			return v.ValueString()
		}
		for _, variable := range append([]string{iefVariable(name)}, iefVendorVariables[name]...) {
			if value := getenv(variable); value != "" {
				return value
			}
		}
		return ""
	}
	config := ief.Config{Endpoint: plain(iefEndpoint), ProjectID: plain(iefProjectID), InstanceID: plain(iefInstanceID)}
	if region := plain(iefRegion); config.Endpoint == "" && ief.RegionFormat.MatchString(region) {
		config.Endpoint = ief.EndpointOf(region)
	}
	for _, from := range credentialSources(texts, getenv) {
		config.AccessKey, config.SecretKey = from(iefAccessKey), from(iefSecretKey)
		config.SecurityToken, config.Token = from(iefSecurityToken), from(iefToken)
		if config.AccessKey+config.SecretKey+config.SecurityToken+config.Token != "" {
			break
		}
	}
	return config
}

// credentialSources are the sources of credentials, each as a function from an
// attribute to its value.
func credentialSources(texts iefBlock, getenv func(string) string) []func(string) string {
	vendor := func(prefix string) func(string) string {
		return func(name string) string {
			for _, variable := range iefVendorVariables[name] {
				if strings.HasPrefix(variable, prefix) {
					return getenv(variable)
				}
			}
			return ""
		}
	}
	return []func(string) string{
		func(name string) string { return texts[name].ValueString() },
		func(name string) string { return getenv(iefVariable(name)) },
		vendor("HW_"),
		vendor("HUAWEICLOUD_SDK_"),
	}
}

// missingIEF describes the missing settings, or is "".
func missingIEF(c ief.Config) string {
	var lacks []string
	if c.Endpoint == "" {
		lacks = append(lacks, "region (or endpoint)")
	}
	if c.ProjectID == "" {
		lacks = append(lacks, "project_id")
	}
	switch {
	case c.Token != "":
	case c.AccessKey == "" && c.SecretKey == "":
		lacks = append(lacks, "access_key and secret_key (or token)")
	case c.AccessKey == "":
		lacks = append(lacks, "access_key, from the same source as secret_key")
	case c.SecretKey == "":
		lacks = append(lacks, "secret_key, from the same source as access_key")
	}
	if len(lacks) == 0 {
		return ""
	}
	return fmt.Sprintf("kuscia_edge_deployment needs access to Huawei Cloud's Intelligent EdgeFabric. Missing: %s. Set them in the provider \"kuscia\" block, "+
		"ief = { region = ..., project_id = ..., access_key = ..., secret_key = ... }, or in environment variables such as %s.",
		strings.Join(lacks, "; "), iefVariable(iefRegion)+", "+iefVariable(iefAccessKey)+" and HW_ACCESS_KEY")
}

// withoutKuscia reports whether the provider block is only for IEF or the
// Kubernetes API.
func withoutKuscia(b block, getenv func(string) string) bool {
	return b.Endpoint.IsNull() && getenv(envName(attrEndpoint)) == "" && b.CertsDir.IsNull() && b.Token.IsNull() &&
		(!b.IEF.IsNull() || !b.Kubernetes.IsNull() ||
			getenv(iefVariable(iefRegion))+getenv(iefVariable(iefEndpoint))+getenv(kubeVariable(kubeConfigPath))+getenv(kubeVariable(kubeHost)) != "")
}
