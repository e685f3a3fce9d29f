package kuscia

import (
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// DefaultRequestTimeout is the default time limit of an attempt.
const DefaultRequestTimeout = httpapi.DefaultRequestTimeout

// minMaskedHeader is the minimum length of masked values of custom headers.
const minMaskedHeader = 4

// Config configures a Client.
type Config struct {
	// Endpoint is the address of the KusciaAPI, such as
	// https://kuscia.example:8082. Its path, if any, is a prefix of the path of
	// each operation.
	Endpoint string
	// Token is sent in the header Token; empty for a server without TLS, which
	// ignores it.
	Token string
	// CACertificate (PEM) replaces the trusted authorities of the system.
	CACertificate []byte
	// ClientCertificate and ClientKey (PEM) enable mutual TLS.
	ClientCertificate, ClientKey []byte
	// NoClientCertificate says where a client certificate was looked for and is not,
	// for the hint if the server requires one; may be empty.
	NoClientCertificate string
	// TLSServerName is the expected name in the server's certificate if it
	// differs from the endpoint's.
	TLSServerName string
	// InsecureSkipVerify accepts any server certificate.
	InsecureSkipVerify bool
	// RequestTimeout is the time limit of an attempt; 0 means
	// DefaultRequestTimeout.
	RequestTimeout time.Duration
	// MaxRetries is how often a transient failure is repeated after the first
	// attempt, see httpapi.Config.
	MaxRetries int
	// CustomHeaders are sent as header.custom_headers in the body.
	CustomHeaders map[string]string
	// UserAgent is sent in the header User-Agent.
	UserAgent string
}

// ConfigError is an invalid Config.
type ConfigError = httpapi.ConfigError

// New returns a client. It does not call the server.
func New(config Config) (*Client, error) {
	if strings.TrimSpace(config.Token) != config.Token || strings.ContainsFunc(config.Token, func(r rune) bool { return r < ' ' || r > '~' }) {
		return nil, &ConfigError{Field: "Token", Problem: "the token contains a character that cannot be sent in a header, such as a line break or a space at its end"}
	}
	secrets := []string{config.Token}
	for _, value := range config.CustomHeaders {
		if len(value) >= minMaskedHeader {
			secrets = append(secrets, value)
		}
	}
	api, err := httpapi.New(httpapi.Config{
		Name: "KusciaAPI", Protocol: protocol{token: config.Token, noClientCertificate: config.NoClientCertificate}, Endpoint: config.Endpoint,
		CACertificate: config.CACertificate, ClientCertificate: config.ClientCertificate, ClientKey: config.ClientKey,
		TLSServerName: config.TLSServerName, InsecureSkipVerify: config.InsecureSkipVerify,
		RequestTimeout: config.RequestTimeout, MaxRetries: config.MaxRetries, UserAgent: config.UserAgent,
		Secrets: secrets, MaskField: maskField,
	})
	if err != nil {
		return nil, err
	}
	return &Client{api: api, config: config, versionLock: make(chan struct{}, 1)}, nil
}

// SetBackoff configures retries, for tests. Call it before the first request.
func (c *Client) SetBackoff(backoff httpapi.Backoff) { c.api.Backoff = backoff }
