package httpapi

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// transportFailure classifies an attempt without a complete HTTP response.
func (k *call) transportFailure(err error) Classification {
	var urlErr *url.Error
	if errors.As(err, &urlErr) {
		err = urlErr.Err // without the address, which the user knows
	}
	endpoint := k.client.endpoint.Host
	text := err.Error()
	sent := k.sent.Load() && !isDial(err)

	var credentials *CredentialError
	if errors.As(err, &credentials) {
		return Classification{Failed: true, Kinds: []error{apierror.ErrUnauthorized}, Cause: CauseCredentials, Message: text}
	}
	if errors.Is(err, errResponseTooLarge) {
		return Classification{Failed: true, Kinds: []error{apierror.ErrUnexpectedResponse}, OutcomeUnknown: k.Writes, Cause: CauseResponseTooLarge, Message: text}
	}
	if cause := tlsCause(err, text, len(k.client.config.ClientCertificate) > 0); cause != "" {
		found := Classification{Failed: true, Kinds: []error{apierror.ErrTLS}, Cause: cause}
		if sent && cause == CauseTLSHandshake {
			// Not a refused handshake: the connection broke during the
			// response.
			found.OutcomeUnknown, found.Retry = k.Writes, Transient
		}
		found.Message = fmt.Sprintf("no connection to %s: %s", endpoint, text)
		return found
	}
	if strings.Contains(text, "malformed HTTP") {
		// The error quotes the received bytes, which are not HTTP and may be
		// anything.
		return Classification{Failed: true, Kinds: []error{apierror.ErrUnexpectedResponse}, OutcomeUnknown: k.Writes, Cause: CauseNotThisAPI,
			Message: endpoint + " does not speak HTTP"}
	}

	var dnsErr *net.DNSError
	var netErr net.Error
	found := Classification{Failed: true, Kinds: []error{apierror.ErrUnavailable}, Retry: Transient}
	switch {
	case isProxy(err):
		found.Cause = CauseProxy
		endpoint += " through the HTTP proxy"
		if errors.As(err, &dnsErr) && dnsErr.IsNotFound {
			found.Retry = Never
		}
	case errors.As(err, &dnsErr) && dnsErr.IsNotFound:
		found.Cause, found.Retry = CauseUnknownHost, Never
	case !sent && errors.As(err, &netErr) && netErr.Timeout():
		found.Cause, text = CauseTimeout, "the connection timed out"
	case !sent:
		found.Cause = CauseConnectionRefused
	case errors.As(err, &netErr) && netErr.Timeout():
		found.Cause, text = CauseTimeout, fmt.Sprintf("no complete response within %s", k.client.config.RequestTimeout)
	default:
		found.Cause = CauseResponseLost
		if k.client.endpoint.Scheme == "https" && len(k.client.config.ClientCertificate) == 0 {
			found.Cause = CauseClosedWithoutClientCert
		}
	}
	if !sent {
		found.Message = fmt.Sprintf("no connection to %s: %s", endpoint, text)
		return found
	}
	found.OutcomeUnknown = k.Writes
	found.Message = fmt.Sprintf("the response of %s was lost: %s", endpoint, text)
	return found
}

func isDial(err error) bool {
	var opErr *net.OpError
	return errors.As(err, &opErr) && opErr.Op == "dial"
}

func isProxy(err error) bool {
	var opErr *net.OpError
	return errors.Is(err, errProxyRefused) || errors.As(err, &opErr) && opErr.Op == "proxyconnect"
}

// tlsCause classifies TLS failures. Alerts of the server have no exported type
// and are recognized by their text. The server never handled the request.
func tlsCause(err error, text string, haveCertificate bool) apierror.Cause {
	var unknownAuthority x509.UnknownAuthorityError
	var hostname x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var verification *tls.CertificateVerificationError
	switch {
	case errors.As(err, &unknownAuthority):
		return CauseUnknownCA
	case errors.As(err, &hostname):
		return CauseWrongServerName
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return CauseServerCertExpired
	case errors.As(err, &verification):
		return CauseUnknownCA
	case errors.As(err, &record), strings.Contains(text, "server gave HTTP response to HTTPS client"):
		return CauseHTTPSOnPlainPort
	case strings.Contains(text, "protocol version"):
		return CauseTLSVersion
	}
	var opErr *net.OpError
	if errors.As(err, &opErr) && opErr.Op == "remote error" {
		switch {
		case strings.Contains(text, "certificate required") && !haveCertificate:
			return CauseClientCertMissing
		case strings.Contains(text, "handshake failure") && !haveCertificate:
			// This is what TLS 1.2 reports, among other things.
			return CauseClosedWithoutClientCert
		case strings.Contains(text, "certificate"):
			// The certificate is bad, expired, revoked or unknown; or it was
			// not sent, because its authority is not one that the server
			// accepts.
			return CauseClientCertRefused
		}
		return CauseTLSHandshake
	}
	if strings.Contains(text, "tls: ") || strings.Contains(text, "x509: ") {
		return CauseTLSHandshake
	}
	return ""
}

// keepCause keeps the error that callers may inspect. A request timeout is not
// the end of the caller's context, although net/http reports it as such.
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
