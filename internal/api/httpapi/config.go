package httpapi

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// DefaultRequestTimeout is the default time limit of an attempt.
const DefaultRequestTimeout = 30 * time.Second

// Config configures a Client.
type Config struct {
	// Name is the name of the API in logs, such as ExampleAPI. In lower case it
	// is the name of the client's logger.
	Name string
	// Protocol implements the specifics of the API.
	Protocol Protocol
	// Endpoint is the address of the server, such as
	// https://server.example:8443. Its path, if any, is a prefix of the path of
	// each operation.
	Endpoint string
	// Transport replaces the transport made from the certificates below, which
	// are then ignored; nil for none. It may add its own credentials, and
	// returns a CredentialError if it has none.
	Transport http.RoundTripper
	// CACertificate (PEM) replaces the trusted authorities of the system.
	CACertificate []byte
	// ClientCertificate and ClientKey (PEM) enable mutual TLS.
	ClientCertificate, ClientKey []byte
	// TLSServerName is the expected name in the server's certificate if it
	// differs from the endpoint's.
	TLSServerName string
	// InsecureSkipVerify accepts any server certificate.
	InsecureSkipVerify bool
	// RequestTimeout is the time limit of an attempt; 0 means
	// DefaultRequestTimeout.
	RequestTimeout time.Duration
	// MaxRetries is how often a transient failure is repeated after the first
	// attempt, and three times as often a conflict with another writer. What passes by itself is
	// awaited for a time: the leftovers of a deleted object and, unless MaxRetries
	// is 0, a restart of the server.
	MaxRetries int
	// UserAgent is sent in the header User-Agent.
	UserAgent string
	// Secrets are the credentials, which are masked in all errors and logs.
	Secrets []string
	// MaskField returns the replacement for the value of a field in a logged
	// body, if the field may contain secrets; may be nil.
	MaskField func(name string, value any) (masked any, secret bool)
}

// CredentialError is returned by a Config.Transport that could not get
// credentials, so that nothing was sent.
type CredentialError struct{ Err error }

// Error is the text of the wrapped error.
func (e *CredentialError) Error() string { return e.Err.Error() }

// Unwrap returns the wrapped error.
func (e *CredentialError) Unwrap() error { return e.Err }

// ConfigError is an invalid Config.
type ConfigError struct {
	// Field is the name of the field in Config.
	Field string
	// Problem describes what is wrong and what is expected. It contains no
	// secret.
	Problem string
	// Err is the kind of the problem; nil for none.
	Err error
}

// Error contains the field and the problem.
func (e *ConfigError) Error() string { return e.Field + ": " + e.Problem }

// Unwrap returns the kind of the problem.
func (e *ConfigError) Unwrap() error { return e.Err }

func parseEndpoint(text string) (*url.URL, error) {
	if strings.TrimSpace(text) == "" {
		return nil, &ConfigError{Field: "Endpoint", Problem: "expected an address such as https://server.example:8443"}
	}
	endpoint, err := url.Parse(text)
	if err != nil {
		// The parser's error quotes the text, which may contain a password.
		return nil, &ConfigError{Field: "Endpoint", Problem: "this is not an address; expected https://host:port or http://host:port"}
	}
	switch {
	case endpoint.Scheme != "http" && endpoint.Scheme != "https":
		return nil, &ConfigError{Field: "Endpoint", Problem: "the address must begin with https:// or http://"}
	case endpoint.Hostname() == "":
		return nil, &ConfigError{Field: "Endpoint", Problem: "the address has no host"}
	case endpoint.User != nil:
		return nil, &ConfigError{Field: "Endpoint", Problem: "the address must not contain a user or password"}
	case endpoint.RawQuery != "" || endpoint.ForceQuery || endpoint.Fragment != "":
		return nil, &ConfigError{Field: "Endpoint", Problem: "the address must not contain a query (?) or fragment (#)"}
	}
	return endpoint, nil
}

// newTLSConfig checks the certificates early, so that an invalid file is an
// error about that file and not about a connection.
func newTLSConfig(config Config) (*tls.Config, error) {
	out := &tls.Config{
		MinVersion:         tls.VersionTLS12,
		ServerName:         config.TLSServerName,
		InsecureSkipVerify: config.InsecureSkipVerify, //nolint:gosec // the user has set it explicitly
	}
	if len(config.CACertificate) > 0 {
		if err := CheckCertificates(config.CACertificate); err != nil {
			return nil, &ConfigError{Field: "CACertificate", Problem: err.Error()}
		}
		out.RootCAs = x509.NewCertPool()
		out.RootCAs.AppendCertsFromPEM(config.CACertificate)
	}
	switch {
	case len(config.ClientCertificate) == 0 && len(config.ClientKey) == 0:
		return out, nil
	case len(config.ClientKey) == 0:
		return nil, &ConfigError{Field: "ClientKey", Problem: "a client certificate is set and its key is not"}
	case len(config.ClientCertificate) == 0:
		return nil, &ConfigError{Field: "ClientCertificate", Problem: "a client key is set and its certificate is not"}
	}
	if err := CheckClientCertificate(config.ClientCertificate, config.ClientKey); err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(config.ClientCertificate, config.ClientKey)
	if err != nil {
		return nil, fmt.Errorf("the client certificate: %w", err)
	}
	out.Certificates = []tls.Certificate{pair}
	return out, nil
}

// parallel is how many idle connections are kept: enough for -parallelism=50
// and some more.
const parallel = 64

func newTransport(tlsConfig *tls.Config, timeout time.Duration) *http.Transport {
	dialer := &net.Dialer{Timeout: min(10*time.Second, timeout), KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer.DialContext,
		TLSClientConfig:        tlsConfig,
		TLSHandshakeTimeout:    min(10*time.Second, timeout),
		MaxIdleConns:           2 * parallel,
		MaxIdleConnsPerHost:    parallel,
		IdleConnTimeout:        90 * time.Second, // the server's is 300 s
		MaxResponseHeaderBytes: 256 << 10,
		OnProxyConnectResponse: OnProxyConnectResponse,
	}
}

// OnProxyConnectResponse is for a Config.Transport: it makes a proxy that refuses to connect the
// cause of the failure.
func OnProxyConnectResponse(_ context.Context, _ *url.URL, _ *http.Request, response *http.Response) error {
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%w with HTTP %d", errProxyRefused, response.StatusCode)
	}
	return nil
}

var errProxyRefused = errors.New("the proxy refused the connection")
