package httpapi

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// plainHTTPOnTLSPortText is the response of a Go server to a request without
// TLS.
const plainHTTPOnTLSPortText = "Client sent an HTTP request to an HTTPS server"

// saysPlainHTTPOnTLSPort reports whether the response is from a server that
// expects TLS; it may be truncated after that text.
func saysPlainHTTPOnTLSPort(status int, body []byte) bool {
	return status == http.StatusBadRequest && bytes.Contains(body, []byte(plainHTTPOnTLSPortText))
}

// ClassifyStatus classifies an HTTP status other than 2xx, with a text that
// describes the response.
func ClassifyStatus(call *Call, response *http.Response, body []byte) Classification {
	c := classifyStatus(call, response.StatusCode, body)
	c.Failed, c.Message = true, statusText(response, body)
	return c
}

func classifyStatus(call *Call, status int, body []byte) Classification {
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return Classification{Kinds: []error{apierror.ErrUnauthorized}}
	case saysPlainHTTPOnTLSPort(status, body):
		return Classification{Kinds: []error{apierror.ErrTLS}, Cause: CausePlainHTTPOnTLSPort}
	case status == http.StatusNotFound:
		return Classification{Kinds: []error{apierror.ErrNotFound}}
	case status == http.StatusMethodNotAllowed || status == http.StatusNotImplemented:
		return Classification{Kinds: []error{apierror.ErrUnsupported}}
	case status == http.StatusProxyAuthRequired:
		return Classification{Kinds: []error{apierror.ErrUnauthorized}, Cause: CauseProxy}
	case status == http.StatusRequestEntityTooLarge:
		return Classification{Kinds: []error{apierror.ErrInvalid}, Cause: CauseRequestTooLarge}
	case status == http.StatusTooManyRequests:
		return Classification{Kinds: []error{apierror.ErrUnavailable}, Retry: Transient}
	case status >= 500 || status == http.StatusRequestTimeout || status == http.StatusTooEarly:
		return Classification{Kinds: []error{apierror.ErrUnavailable}, Retry: Transient, OutcomeUnknown: call.Writes}
	case status >= 300 && status <= 399:
		return Classification{Kinds: []error{apierror.ErrUnexpectedResponse}, Cause: CauseRedirect}
	case status >= 400:
		return Classification{Kinds: []error{apierror.ErrInvalid}}
	}
	return Classification{Kinds: []error{apierror.ErrUnexpectedResponse}, OutcomeUnknown: call.Writes, Cause: CauseNotThisAPI}
}

// ClassifyNotJSON classifies a successful response that should be JSON but is not:
// it was truncated, or is a page of a proxy. Another attempt may succeed.
func ClassifyNotJSON(call *Call, response *http.Response, body []byte) Classification {
	c := ClassifyMalformed(call, ErrNotJSON)
	c.Retry = Transient
	switch {
	case len(body) == 0:
		c.Message, c.Cause = "the response is empty", CauseResponseLost
	case looksLikeHTML(response, body):
		c.Message, c.Cause = "the response is an HTML page", CauseHTML
	}
	return c
}

// ClassifyMalformed classifies a successful response of an unexpected form.
func ClassifyMalformed(call *Call, problem error) Classification {
	return Classification{
		Failed: true, Kinds: []error{apierror.ErrUnexpectedResponse}, Message: problem.Error(),
		OutcomeUnknown: call.Writes, Cause: CauseMalformedResponse,
	}
}

// maxStatusText limits the text of an error page that is shown.
const maxStatusText = 200

// statusText describes a response without an envelope. A short plain text is
// shown; JSON and HTML are not, since they may contain anything.
func statusText(response *http.Response, body []byte) string {
	text := http.StatusText(response.StatusCode)
	if text == "" {
		text = "unknown status"
	}
	if status := response.StatusCode; status >= 300 && status <= 399 {
		if target, err := response.Location(); err == nil {
			return fmt.Sprintf("%s: redirect to %s://%s, which is not followed", text, target.Scheme, target.Host)
		}
		return text
	}
	trimmed := strings.TrimSpace(string(body[:min(len(body), maxStatusText+1)]))
	switch {
	case trimmed == "":
		return text + ", with an empty body"
	case looksLikeHTML(response, body):
		return text + ", with an HTML page"
	case strings.ContainsAny(trimmed[:1], "{[\""), len(trimmed) > maxStatusText:
		return text
	}
	return text + ": " + trimmed
}

func looksLikeHTML(response *http.Response, body []byte) bool {
	return strings.Contains(response.Header.Get("Content-Type"), "text/html") ||
		bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
}
