package kuscia

import (
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// protocol is the protocol of the KusciaAPI: a token in a header, and an
// envelope with a code in every response of a handler.
type protocol struct{ token, noClientCertificate string }

var _ httpapi.Protocol = protocol{}

// Authorize sets the token. A server without TLS requires none.
func (p protocol) Authorize(request *http.Request, _ []byte) error {
	if p.token != "" {
		request.Header.Set("Token", p.token)
	}
	return nil
}

// Classify decodes the envelope. An HTTP status other than 2xx is not from a
// handler, except 400, 401 and 404 of the server itself.
func (protocol) Classify(call *httpapi.Call, response *http.Response, body []byte) httpapi.Classification {
	if status := response.StatusCode; status < 200 || status > 299 {
		return classifyStatus(call, response, body)
	}
	if call.Plain {
		return httpapi.Classification{Text: string(body)}
	}
	document, err := httpapi.NewDocument(body)
	if errors.Is(err, httpapi.ErrNotJSON) {
		return httpapi.ClassifyNotJSON(call, response, body)
	}
	if err != nil {
		return httpapi.ClassifyMalformed(call, err)
	}
	envelope, data, err := decodeEnvelope(document)
	switch {
	case err != nil:
		return httpapi.ClassifyMalformed(call, err)
	case envelope.Code != 0:
		c := classify(call.Operation, call.IDs, envelope.Code, envelope.Message)
		c.Failed, c.Code, c.Message = true, strconv.Itoa(int(envelope.Code)), envelope.Message
		return c
	}
	if operations[call.Name].flat {
		data = document
	}
	return httpapi.Classification{Data: data}
}

// classifyStatus considers that paths and methods are fixed: a server that does
// not have one is an old version or not a KusciaAPI.
func classifyStatus(call *httpapi.Call, response *http.Response, body []byte) httpapi.Classification {
	c := httpapi.ClassifyStatus(call, response, body)
	switch status := response.StatusCode; {
	case status == http.StatusNotFound:
		c.Kinds = []error{ErrUnsupported}
	case status >= 400 && status <= 499 && c.Cause == "" && slices.Contains(c.Kinds, ErrInvalid):
		c.Cause = httpapi.CauseNotThisAPI
	}
	return c
}

// Hint returns the likely cause of an error and what to do about it.
func (p protocol) Hint(e *apierror.Error) string {
	switch e.Cause {
	case httpapi.CauseClosedWithoutClientCert, httpapi.CauseClientCertMissing, httpapi.CauseClientCertRefused:
		if p.noClientCertificate != "" {
			return "The server ended the handshake, as with mutual TLS (Kuscia's protocol MTLS, the default) and no client certificate: " + p.noClientCertificate +
				". Copy one of these pairs there, or set client_certificate and client_key."
		}
	}
	return hintOf(e)
}

// fieldNames are names of JSON fields.
type fieldNames map[string]bool

// secretFields are masked in logged bodies: a string as a whole, an object by
// value. Those of an object are declared next to its operations and added when
// the package is initialized.
var secretFields = fieldNames{"custom_headers": true}

// add adds the secret fields of an object.
func (f fieldNames) add(names ...string) fieldNames { //nolint:unparam // the declaration of a package variable needs a value
	for _, name := range names {
		f[name] = true
	}
	return f
}

func maskField(name string, value any) (masked any, secret bool) {
	switch {
	case secretFields[name], name == "command", name == "args": // of a container
		return httpapi.MaskAll(value), true
	case name == "env":
		return httpapi.MaskEnv(value), true
	}
	return nil, false
}
