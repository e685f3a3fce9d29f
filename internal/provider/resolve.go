package provider

import (
	"encoding/json"
	"fmt"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

const (
	defaultRequestTimeout = 30 * time.Second
	defaultMaxRetries     = 5
	retryLimit            = 100
)

// problem is an error in the provider's settings, with its attribute, such as
// token or kubernetes.token (also if the value came from the environment variable), or "" for the whole block if
// the attribute's line may contain a secret. Its texts never contain a secret
// value.
type problem struct {
	Attribute string
	Summary   string
	Detail    string
}

// settings are the resolved settings of the provider block and the environment.
type settings struct {
	Config kuscia.Config
	// Warnings are settings that work but are probably mistakes.
	Warnings []problem
	// AdoptExisting: creates adopt objects that are exactly as configured.
	AdoptExisting bool
	// Unknown are the attributes that are unknown. Config is incomplete if
	// there are any.
	Unknown []string
}

// resolver has the state of one resolution. It is pure: all external input
// comes from getenv and readFile.
type resolver struct {
	block    block
	getenv   func(string) string
	readFile func(string) ([]byte, error)
	problems []problem
	warnings []problem
}

// resolve combines the provider block and the environment to the client's
// configuration. The first source wins: the block's single attributes, the
// block's certs_dir, the environment's single variables, the environment's
// certs_dir (which a certs_dir in the block replaces).
func resolve(b block, getenv func(string) string, readFile func(string) ([]byte, error)) (settings, []problem) {
	if problems := checkBlock(b); len(problems) > 0 {
		return settings{}, problems
	}
	unknown := b.unknown()

	r := &resolver{block: b, getenv: getenv, readFile: readFile}
	var config kuscia.Config
	config.RequestTimeout = r.requestTimeout()
	config.MaxRetries = r.maxRetries()
	config.CustomHeaders = r.customHeaders()
	adopt := r.boolean(b.AdoptExisting, attrAdoptExisting)

	endpoint, endpointKnown := r.endpoint()
	config.Endpoint = endpoint.String()
	// The required credentials depend on the endpoint, so they cannot be
	// checked without it.
	if endpointKnown && len(unknown) == 0 {
		r.credentials(&config, endpoint)
	}

	if len(r.problems) > 0 {
		return settings{}, r.problems
	}
	if len(unknown) > 0 {
		return settings{Unknown: unknown}, nil
	}
	return settings{Config: config, Warnings: r.warnings, AdoptExisting: adopt}, nil
}

// ConfigFromEnvironment is the client configuration of an empty provider block.
// Tests use it to access the Kuscia of the provider.
func ConfigFromEnvironment(getenv func(string) string, readFile func(string) ([]byte, error)) (kuscia.Config, error) {
	got, problems := resolve(block{}, withoutLineBreaks(getenv), readFile)
	if len(problems) > 0 {
		return kuscia.Config{}, fmt.Errorf("%s: %s", problems[0].Summary, problems[0].Detail)
	}
	return got.Config, nil
}

func (r *resolver) fail(attribute, summary, format string, args ...any) {
	r.problems = append(r.problems, problem{Attribute: attribute, Summary: summary, Detail: fmt.Sprintf(format, args...)})
}

func (r *resolver) warn(attribute, summary, format string, args ...any) {
	r.warnings = append(r.warnings, problem{Attribute: attribute, Summary: summary, Detail: fmt.Sprintf(format, args...)})
}

// text returns a string attribute or its environment variable, and the name of
// the source for messages; "" and "" if neither is set.
func (r *resolver) text(attribute string) (value, source string) {
	if v := r.block.text(attribute); !v.IsNull() {
		return v.ValueString(), attribute
	}
	if v := r.getenv(envName(attribute)); v != "" {
		return v, envName(attribute)
	}
	return "", ""
}

// endpoint returns the address; known is false if it is unknown or invalid.
func (r *resolver) endpoint() (u url.URL, known bool) {
	if r.block.Endpoint.IsUnknown() {
		return url.URL{}, false
	}
	text, source := r.text(attrEndpoint)
	if source == "" {
		r.fail(attrEndpoint, "Missing Kuscia endpoint", "%s", endpointMissing)
		return url.URL{}, false
	}
	u, err := parseEndpoint(text)
	if err != nil {
		r.fail(attrEndpoint, "Invalid Kuscia endpoint", "%s: %s.", source, err)
		return url.URL{}, false
	}
	return u, true
}

var endpointMissing = fmt.Sprintf("The provider must know which Kuscia to manage, and there is no default. Set endpoint in the provider \"kuscia\" block "+
	"or the environment variable %s, for example to https://kuscia.example:8082.", envName(attrEndpoint))

// requests are the settings of the requests to each API.
type requests struct {
	userAgent string
	timeout   time.Duration
	retries   int
}

func (r *resolver) requestTimeout() time.Duration {
	text, source := r.text(attrRequestTimeout)
	if source == "" || r.block.RequestTimeout.IsUnknown() {
		return defaultRequestTimeout
	}
	timeout, err := tfvalue.ParseTimeLimit(text)
	if err != nil {
		r.fail(attrRequestTimeout, "Invalid request timeout", "%s: %s.", source, err)
	}
	return timeout
}

func (r *resolver) maxRetries() int {
	v := r.block.MaxRetries
	if v.IsUnknown() {
		return defaultMaxRetries
	}
	if !v.IsNull() {
		return int(v.ValueInt64()) // in range, see checkBlock
	}
	name := envName(attrMaxRetries)
	text := r.getenv(name)
	if text == "" {
		return defaultMaxRetries
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > retryLimit {
		r.fail(attrMaxRetries, "Invalid number of retries", "The environment variable %s is %q; use a whole number from 0 to %d.", name, text, retryLimit)
		return defaultMaxRetries
	}
	return int(n)
}

// insecureSkipVerify also returns the name of the source that disables
// verification.
func (r *resolver) insecureSkipVerify() (skip bool, source string) {
	source = envName(attrInsecureSkipVerify)
	if !r.block.InsecureSkipVerify.IsNull() {
		source = attrInsecureSkipVerify
	}
	return r.boolean(r.block.InsecureSkipVerify, attrInsecureSkipVerify), source
}

// boolean returns a bool attribute, else its environment variable, else false.
func (r *resolver) boolean(v types.Bool, attribute string) bool {
	if !v.IsNull() {
		return v.ValueBool()
	}
	name := envName(attribute)
	text := r.getenv(name)
	if text == "" {
		return false
	}
	is, err := strconv.ParseBool(text)
	if err != nil {
		r.fail(attribute, "Not a boolean value", "%s is %q; use true or false.", name, text)
	}
	return is
}

func (r *resolver) customHeaders() map[string]string {
	v := r.block.CustomHeaders
	if v.IsUnknown() {
		return nil
	}
	if !v.IsNull() {
		headers := make(map[string]string, len(v.Elements()))
		for key, element := range v.Elements() {
			if s, ok := element.(types.String); ok {
				headers[key] = s.ValueString()
			}
		}
		return headers
	}
	name := envName(attrCustomHeaders)
	text := r.getenv(name)
	if text == "" {
		return nil
	}
	var headers map[string]string
	if err := json.Unmarshal([]byte(text), &headers); err != nil {
		// The parser's message quotes parts of the value, which is secret.
		r.fail(attrCustomHeaders, "Invalid custom headers", "The environment variable %s must be a JSON object of strings, for example {\"tenant\": \"a\"}.", name)
		return nil
	}
	if _, empty := headers[""]; empty {
		r.fail(attrCustomHeaders, "Invalid custom headers", "The environment variable %s has an entry with an empty name. Name the header, or remove the entry.", name)
	}
	return headers
}

// text returns a string attribute of the block by name.
func (b block) text(attribute string) types.String {
	switch attribute {
	case attrEndpoint:
		return b.Endpoint
	case attrCertsDir:
		return b.CertsDir
	case attrToken:
		return b.Token
	case attrTokenFile:
		return b.TokenFile
	case attrCACertificate:
		return b.CACertificate
	case attrCACertificateFile:
		return b.CACertificateFile
	case attrClientCertificate:
		return b.ClientCertificate
	case attrClientCertificateFile:
		return b.ClientCertificateFile
	case attrClientKey:
		return b.ClientKey
	case attrClientKeyFile:
		return b.ClientKeyFile
	case attrTLSServerName:
		return b.TLSServerName
	case attrRequestTimeout:
		return b.RequestTimeout
	default:
		return types.StringNull()
	}
}

// unknown lists the attributes of the block that are unknown.
func (b block) unknown() []string {
	var names []string
	for _, name := range textAttributes {
		if b.text(name).IsUnknown() {
			names = append(names, name)
		}
	}
	if b.InsecureSkipVerify.IsUnknown() {
		names = append(names, attrInsecureSkipVerify)
	}
	if b.AdoptExisting.IsUnknown() {
		names = append(names, attrAdoptExisting)
	}
	if b.MaxRetries.IsUnknown() {
		names = append(names, attrMaxRetries)
	}
	if b.CustomHeaders.IsUnknown() || anyUnknown(b.CustomHeaders.Elements()) {
		names = append(names, attrCustomHeaders)
	}
	sort.Strings(names)
	return names
}

func anyUnknown(elements map[string]attr.Value) bool {
	for _, element := range elements {
		if element.IsUnknown() {
			return true
		}
	}
	return false
}

// parseEndpoint parses the address of a KusciaAPI and removes a trailing slash.
func parseEndpoint(text string) (url.URL, error) {
	const want = "it must consist of http:// or https://, host and port only, for example https://kuscia.example:8082"

	// Check this first, since the messages below repeat the text.
	if strings.Contains(text, "@") {
		return url.URL{}, fmt.Errorf("the URL contains a user or password, which the KusciaAPI does not use; %s, and set the token with token or token_file", want)
	}
	if !strings.HasPrefix(strings.ToLower(text), "http://") && !strings.HasPrefix(strings.ToLower(text), "https://") {
		return url.URL{}, fmt.Errorf("%q does not begin with http:// or https://; %s", text, want)
	}
	u, err := url.Parse(text)
	if err != nil {
		return url.URL{}, fmt.Errorf("not a URL; %s", want)
	}
	switch {
	case u.Hostname() == "":
		return url.URL{}, fmt.Errorf("%q has no host; %s", text, want)
	case u.Path != "" && u.Path != "/":
		return url.URL{}, fmt.Errorf("%q has a path, but the paths of the KusciaAPI are fixed; %s", text, want)
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return url.URL{}, fmt.Errorf("the URL has a query or fragment; %s", want)
	}
	if strings.HasSuffix(u.Host, ":") {
		return url.URL{}, fmt.Errorf("%q has a colon without a port; %s", text, want)
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return url.URL{}, fmt.Errorf("%q has a port outside 1 to 65535; %s", text, want)
		}
	}
	return url.URL{Scheme: u.Scheme, Host: u.Host}, nil
}
