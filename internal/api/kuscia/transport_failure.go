package kuscia

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// transportFailure says what a try without a complete HTTP answer means.
func (k *call) transportFailure(err error) (finding, string) {
	var urlErr *url.Error
	if errors.As(err, &urlErr) {
		err = urlErr.Err // without the address, which the user knows
	}
	endpoint := k.client.endpoint.Host
	text := err.Error()
	sent := k.sent.Load() && !isDial(err)

	if errors.Is(err, errAnswerTooLarge) {
		return finding{kinds: []error{ErrUnexpectedAnswer}, ambiguous: k.op.writes, cause: causeTooLargeAnswer}, text
	}
	if cause := tlsCause(err, text, len(k.client.config.ClientCertificate) > 0); cause != causeNone {
		found := finding{kinds: []error{ErrTLS}, cause: cause}
		if sent && cause == causeOtherTLS {
			// Not a refused handshake: it broke in the middle of the answer.
			found.ambiguous, found.retry = k.op.writes, transient
		}
		return found, fmt.Sprintf("no connection to %s: %s", endpoint, text)
	}
	if strings.Contains(text, "malformed HTTP") {
		// The text quotes what came, which is not HTTP and may be anything.
		return finding{kinds: []error{ErrUnexpectedAnswer}, ambiguous: k.op.writes, cause: causeNotKusciaAPI},
			fmt.Sprintf("%s does not speak HTTP", endpoint)
	}

	var dnsErr *net.DNSError
	var netErr net.Error
	found := finding{kinds: []error{ErrUnavailable}, retry: transient}
	switch {
	case errors.As(err, &dnsErr) && dnsErr.IsNotFound:
		found.cause, found.retry = causeUnknownHost, never
	case isProxy(err):
		found.cause = causeProxy
	case !sent && errors.As(err, &netErr) && netErr.Timeout():
		found.cause, text = causeTimeout, "the connection timed out"
	case !sent:
		found.cause = causeRefused
	case errors.As(err, &netErr) && netErr.Timeout():
		found.cause, text = causeTimeout, fmt.Sprintf("no complete answer within %s", k.client.config.RequestTimeout)
	default:
		found.cause = causeLostAnswer
		if k.client.endpoint.Scheme == "https" && len(k.client.config.ClientCertificate) == 0 {
			found.cause = causeDropsWithoutClientCert
		}
	}
	if !sent {
		return found, fmt.Sprintf("no connection to %s: %s", endpoint, text)
	}
	found.ambiguous = k.op.writes
	return found, fmt.Sprintf("the answer of %s was lost: %s", endpoint, text)
}

func isDial(err error) bool {
	var opErr *net.OpError
	return errors.As(err, &opErr) && opErr.Op == "dial"
}

func isProxy(err error) bool {
	var opErr *net.OpError
	return errors.Is(err, errProxyRefused) || errors.As(err, &opErr) && opErr.Op == "proxyconnect"
}

// tlsCause tells apart the ways in which TLS fails. Alerts that the server
// sends have no exported type and are known by their text. The request of such
// a try was never handled.
func tlsCause(err error, text string, haveCertificate bool) cause {
	var unknownAuthority x509.UnknownAuthorityError
	var hostname x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var verification *tls.CertificateVerificationError
	switch {
	case errors.As(err, &unknownAuthority):
		return causeUnknownCA
	case errors.As(err, &hostname):
		return causeWrongServerName
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return causeServerCertExpired
	case errors.As(err, &verification):
		return causeUnknownCA
	case errors.As(err, &record), strings.Contains(text, "server gave HTTP response to HTTPS client"):
		return causeHTTPSOnPlainPort
	case strings.Contains(text, "protocol version"):
		return causeOldTLS
	}
	var opErr *net.OpError
	if errors.As(err, &opErr) && opErr.Op == "remote error" {
		switch {
		case strings.Contains(text, "certificate required") && !haveCertificate:
			return causeClientCertMissing
		case strings.Contains(text, "handshake failure") && !haveCertificate:
			// What TLS 1.2 says instead, among other things.
			return causeDropsWithoutClientCert
		case strings.Contains(text, "certificate"):
			// Bad, expired, revoked, unknown; or of an authority that the server
			// did not name, so that it was not sent.
			return causeClientCertRefused
		}
		return causeOtherTLS
	}
	if strings.Contains(text, "tls: ") || strings.Contains(text, "x509: ") {
		return causeOtherTLS
	}
	return causeNone
}

// keepCause keeps what callers may look at. A request that timed out is not
// the caller's context that ended, though net/http calls it so.
func keepCause(err error) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return nil
	}
	var urlErr *url.Error
	if errors.As(err, &urlErr) {
		err = urlErr.Err
	}
	if strings.Contains(err.Error(), "malformed HTTP") {
		return nil
	}
	return err
}

// saysPlainHTTPOnTLSPort reports whether the answer is that of a server that
// expects TLS; it may be cut off behind its text.
func saysPlainHTTPOnTLSPort(status int, body []byte) bool {
	return status == http.StatusBadRequest && bytes.Contains(body, []byte(plainHTTPOnTLSPortText))
}

// judgeStatus says what an HTTP status other than 2xx means. The KusciaAPI
// itself gives only 400, 401 and 404.
func judgeStatus(op operation, status int, body []byte) finding {
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return finding{kinds: []error{ErrUnauthorized}}
	case saysPlainHTTPOnTLSPort(status, body):
		return finding{kinds: []error{ErrTLS}, cause: causePlainHTTPOnTLSPort}
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed || status == http.StatusNotImplemented:
		return finding{kinds: []error{ErrUnsupported}}
	case status == http.StatusProxyAuthRequired:
		return finding{kinds: []error{ErrUnauthorized}, cause: causeProxy}
	case status == http.StatusRequestEntityTooLarge:
		return finding{kinds: []error{ErrInvalid}, cause: causeTooLargeRequest}
	case status == http.StatusTooManyRequests:
		return finding{kinds: []error{ErrUnavailable}, retry: transient}
	case status >= 500 || status == http.StatusRequestTimeout || status == http.StatusTooEarly:
		return finding{kinds: []error{ErrUnavailable}, retry: transient, ambiguous: op.writes}
	case status >= 300 && status <= 399:
		return finding{kinds: []error{ErrUnexpectedAnswer}, cause: causeRedirect}
	case status >= 400:
		return finding{kinds: []error{ErrInvalid}, cause: causeNotKusciaAPI}
	}
	return finding{kinds: []error{ErrUnexpectedAnswer}, ambiguous: op.writes, cause: causeNotKusciaAPI}
}

// maxStatusText bounds what is shown of an error page.
const maxStatusText = 200

// statusText describes an answer that is no envelope. A short plain text is
// shown; JSON and HTML are not, since they may hold anything.
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
