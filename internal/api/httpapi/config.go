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

// DefaultRequestTimeout bounds one try of a request when Config does not.
const DefaultRequestTimeout = 30 * time.Second

// Config is what a Client needs to know.
type Config struct {
	// Name is how logs call the API, such as KusciaAPI. In lower case it is the
	// name of the client's logger.
	Name string
	// Protocol is what the API brings.
	Protocol Protocol
	// Endpoint is the address of the server, such as
	// https://kuscia.example:8082. A path is put before that of each operation.
	Endpoint string
	// Transport is used in place of one made of the certificates below, which
	// then have no meaning; nil for none. It may add credentials of its own, and
	// says with a CredentialError that it has none.
	Transport http.RoundTripper
	// CACertificate (PEM) is the only authority trusted when set; otherwise the
	// system's are.
	CACertificate []byte
	// ClientCertificate and ClientKey (PEM) are needed for mutual TLS.
	ClientCertificate, ClientKey []byte
	// TLSServerName is the name expected in the server's certificate when it is
	// not the endpoint's.
	TLSServerName string
	// InsecureSkipVerify accepts any server certificate.
	InsecureSkipVerify bool
	// RequestTimeout bounds one try, 0 stands for DefaultRequestTimeout.
	RequestTimeout time.Duration
	// MaxRetries is how often a transient failure is repeated after the first
	// try. Conflicts with other writers and leftovers of a deleted object are
	// part of normal work: they are repeated for a time, whatever this says.
	MaxRetries int
	// UserAgent names the caller.
	UserAgent string
	// Secrets are the credentials, which no error and no log may show.
	Secrets []string
	// MaskField replaces what a field of that name holds in a logged body, when
	// the field may hold secrets; may be nil.
	MaskField func(name string, value any) (masked any, secret bool)
}

// CredentialError is a Config.Transport's for credentials that it could not get,
// so that nothing was sent.
type CredentialError struct{ Err error }

// Error is that of what failed.
func (e *CredentialError) Error() string { return e.Err.Error() }

// Unwrap returns what failed.
func (e *CredentialError) Unwrap() error { return e.Err }

// ConfigError is a Config that cannot work.
type ConfigError struct {
	// Field is the name of the field in Config.
	Field string
	// Problem says what is wrong and what is due. It holds no secret.
	Problem string
}

// Error names the field and the problem.
func (e *ConfigError) Error() string { return e.Field + ": " + e.Problem }

func parseEndpoint(text string) (*url.URL, error) {
	if strings.TrimSpace(text) == "" {
		return nil, &ConfigError{"Endpoint", "an address such as https://kuscia.example:8082 is due"}
	}
	endpoint, err := url.Parse(text)
	if err != nil {
		// The parser's error quotes the text, which may hold a password.
		return nil, &ConfigError{"Endpoint", "this is not an address; https://host:port or http://host:port is due"}
	}
	switch {
	case endpoint.Scheme != "http" && endpoint.Scheme != "https":
		return nil, &ConfigError{"Endpoint", "the address must begin with https:// (TLS and MTLS) or http:// (NOTLS)"}
	case endpoint.Hostname() == "":
		return nil, &ConfigError{"Endpoint", "the address names no host"}
	case endpoint.User != nil:
		return nil, &ConfigError{"Endpoint", "the address must not hold a user or password; the KusciaAPI uses a token"}
	case endpoint.RawQuery != "" || endpoint.ForceQuery || endpoint.Fragment != "":
		return nil, &ConfigError{"Endpoint", "the address must not hold a query (?) or fragment (#)"}
	}
	return endpoint, nil
}

// newTLSConfig checks the certificates now, so that a wrong file is an error
// about that file and not about a connection later.
func newTLSConfig(config Config) (*tls.Config, error) {
	out := &tls.Config{
		MinVersion:         tls.VersionTLS12,
		ServerName:         config.TLSServerName,
		InsecureSkipVerify: config.InsecureSkipVerify, //nolint:gosec // the user asks for it by name
	}
	if len(config.CACertificate) > 0 {
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(config.CACertificate) {
			return nil, &ConfigError{"CACertificate", "no certificate in PEM form was found in it"}
		}
		out.RootCAs = pool
	}
	switch {
	case len(config.ClientCertificate) == 0 && len(config.ClientKey) == 0:
		return out, nil
	case len(config.ClientKey) == 0:
		return nil, &ConfigError{"ClientKey", "a client certificate is set and its key is not"}
	case len(config.ClientCertificate) == 0:
		return nil, &ConfigError{"ClientCertificate", "a client key is set and its certificate is not"}
	}
	pair, err := tls.X509KeyPair(config.ClientCertificate, config.ClientKey)
	if err != nil {
		return nil, keyPairError(err)
	}
	out.Certificates = []tls.Certificate{pair}
	return out, nil
}

// keyPairError tells which of the two is to blame. The texts of crypto/tls
// hold nothing of the key.
func keyPairError(err error) error {
	text := err.Error()
	switch {
	case strings.Contains(text, "does not match"):
		return &ConfigError{"ClientKey", "the key does not belong to the client certificate; take both files of one pair"}
	case strings.Contains(text, "in certificate input") || strings.Contains(text, "x509:"):
		return &ConfigError{"ClientCertificate", "no certificate in PEM form was found in it"}
	default:
		return &ConfigError{"ClientKey", "no usable private key in PEM form (not encrypted) was found in it"}
	}
}

// parallel is how many connections are kept for reuse: as many calls as a user
// may run at once with -parallelism=50, and some.
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
		OnProxyConnectResponse: func(_ context.Context, _ *url.URL, _ *http.Request, response *http.Response) error {
			if response.StatusCode != http.StatusOK {
				return fmt.Errorf("%w with HTTP %d", errProxyRefused, response.StatusCode)
			}
			return nil
		},
	}
}

var errProxyRefused = errors.New("the proxy refused the connection")
