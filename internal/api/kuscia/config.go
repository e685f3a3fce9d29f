package kuscia

import (
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// DefaultRequestTimeout bounds one try of a request when Config does not.
const DefaultRequestTimeout = httpapi.DefaultRequestTimeout

// minMaskedHeader is the length from which values of custom headers are masked.
const minMaskedHeader = 4

// Config is what a Client needs to know.
type Config struct {
	// Endpoint is the address of the KusciaAPI, such as
	// https://kuscia.example:8082. A path is put before that of each operation.
	Endpoint string
	// Token is sent in the header Token; empty for a server without TLS, which
	// does not look at it.
	Token string
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
	// try, see httpapi.Config.
	MaxRetries int
	// CustomHeaders are sent as header.custom_headers in the body.
	CustomHeaders map[string]string
	// UserAgent names the caller.
	UserAgent string
}

// ConfigError is a Config that cannot work.
type ConfigError = httpapi.ConfigError

// New makes a client. It does not call the server.
func New(config Config) (*Client, error) {
	if strings.TrimSpace(config.Token) != config.Token || strings.ContainsFunc(config.Token, func(r rune) bool { return r < ' ' || r > '~' }) {
		return nil, &ConfigError{Field: "Token", Problem: "the token holds a character that cannot be sent in a header, such as a line break or a space at its end"}
	}
	secrets := []string{config.Token}
	for _, value := range config.CustomHeaders {
		if len(value) >= minMaskedHeader {
			secrets = append(secrets, value)
		}
	}
	api, err := httpapi.New(httpapi.Config{
		Name: "KusciaAPI", Protocol: protocol{token: config.Token}, Endpoint: config.Endpoint,
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

// SetBackoff changes how fast failed tries are repeated. Call it before the first
// request; tests do.
func (c *Client) SetBackoff(backoff httpapi.Backoff) { c.api.Backoff = backoff }
