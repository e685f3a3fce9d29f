package provider

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// textAttributes are the attributes of type string.
var textAttributes = []string{
	attrEndpoint, attrCertsDir, attrToken, attrTokenFile, attrCACertificate, attrCACertificateFile,
	attrClientCertificate, attrClientCertificateFile, attrClientKey, attrClientKeyFile,
	attrTLSServerName, attrRequestTimeout,
}

// valueAndFile are the credentials that are set either as a value or as a file.
var valueAndFile = []struct{ value, file string }{
	{attrToken, attrTokenFile},
	{attrCACertificate, attrCACertificateFile},
	{attrClientCertificate, attrClientCertificateFile},
	{attrClientKey, attrClientKeyFile},
}

// tlsOnly are the attributes that have no effect on an http:// connection.
var tlsOnly = []string{
	attrCACertificate, attrCACertificateFile, attrClientCertificate, attrClientCertificateFile,
	attrClientKey, attrClientKeyFile, attrTLSServerName,
}

// checkBlock validates the block itself, regardless of the environment. Unknown
// values are accepted.
func checkBlock(b block) []problem {
	var problems []problem
	fail := func(attribute, summary, format string, args ...any) {
		problems = append(problems, problem{Attribute: attribute, Summary: summary, Detail: fmt.Sprintf(format, args...)})
	}

	for _, name := range textAttributes {
		if v := b.text(name); known(v) && v.ValueString() == "" {
			fail(name, "Empty value", "%s is an empty string. Set a value, or omit it (or set null) to use %s.", name, envName(name))
		}
	}
	for _, pair := range valueAndFile {
		if known(b.text(pair.value)) && known(b.text(pair.file)) {
			fail(pair.file, "Conflicting attributes", "Both %s and %s are set. Keep one of them.", pair.value, pair.file)
		}
	}

	if v := b.Endpoint; known(v) && v.ValueString() != "" {
		endpoint, err := parseEndpoint(v.ValueString())
		if err != nil {
			fail(attrEndpoint, "Invalid Kuscia endpoint", "%s: %s.", attrEndpoint, err)
		} else if endpoint.Scheme == "http" {
			problems = append(problems, checkPlain(b, attrEndpoint)...)
		}
	}
	for _, name := range []string{attrCACertificate, attrCACertificateFile} {
		if len(problems) == 0 && b.InsecureSkipVerify.ValueBool() && known(b.text(name)) {
			fail(attrInsecureSkipVerify, "Conflicting TLS settings",
				"%s disables the verification of the server's certificate, but %s sets a CA certificate to verify it with. Remove %s; if the certificate is for another name than the endpoint, set %s to a name in it. "+
					"To accept any certificate anyway, remove %s.",
				attrInsecureSkipVerify, name, attrInsecureSkipVerify, attrTLSServerName, name)
		}
	}
	if v := b.RequestTimeout; known(v) && v.ValueString() != "" {
		if _, err := tfvalue.ParseTimeLimit(v.ValueString()); err != nil {
			fail(attrRequestTimeout, "Invalid request timeout", "%s: %s.", attrRequestTimeout, err)
		}
	}
	if v := b.MaxRetries; !v.IsNull() && !v.IsUnknown() && (v.ValueInt64() < 0 || v.ValueInt64() > retryLimit) {
		fail(attrMaxRetries, "Invalid number of retries", "%s is %d; use a whole number from 0 to %d.", attrMaxRetries, v.ValueInt64(), retryLimit)
	}
	for key, element := range b.CustomHeaders.Elements() {
		if key == "" {
			fail(attrCustomHeaders, "Invalid custom headers", "%s has an entry with an empty name. Name the header, or remove the entry.", attrCustomHeaders)
		}
		if element.IsNull() {
			fail(attrCustomHeaders, "Invalid custom headers", "The entry %q of %s has no value (null). Set a string or omit it.", key, attrCustomHeaders)
		}
	}
	return problems
}

// checkPlain refuses TLS settings with an http:// endpoint. This is an error
// and not a warning: the user assumes that the connection is encrypted, but the
// token would be sent in clear text.
func checkPlain(b block, endpointSource string) []problem {
	var problems []problem
	if endpointSource == attrEndpoint {
		endpointSource = "of the provider block"
	}
	fail := func(attribute string) {
		problems = append(problems, problem{
			Attribute: attribute,
			Summary:   "TLS setting with an HTTP endpoint",
			Detail: fmt.Sprintf("%s is set, but the endpoint (%s) is http://, where nothing is encrypted or verified. "+
				"Use https:// if this Kuscia runs with protocol TLS or MTLS; otherwise (NOTLS) remove %s.", attribute, endpointSource, attribute),
		})
	}
	for _, name := range tlsOnly {
		if known(b.text(name)) {
			fail(name)
		}
	}
	if b.InsecureSkipVerify.ValueBool() {
		fail(attrInsecureSkipVerify)
	}
	return problems
}

// known reports whether an attribute has a known value. An unknown one may
// become null, so it is not an error yet.
func known(v types.String) bool { return !v.IsNull() && !v.IsUnknown() }
