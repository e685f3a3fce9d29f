package httpapi

import (
	"context"
	"net/http"
	"net/url"
)

// Client calls one server. It is safe for concurrent use.
type Client struct {
	// Backoff configures retries. It may be changed before the first call.
	Backoff Backoff

	endpoint *url.URL
	config   Config
	http     *http.Client
	mask     Masker
	restart  restart
	// unanswered are the reads that the server does not answer.
	unanswered unanswered
}

// New returns a client. It does not call the server.
func New(config Config) (*Client, error) {
	endpoint, err := parseEndpoint(config.Endpoint)
	if err != nil {
		return nil, err
	}
	if config.RequestTimeout <= 0 {
		config.RequestTimeout = DefaultRequestTimeout
	}
	transport := config.Transport
	if transport == nil {
		tlsConfig, err := newTLSConfig(config)
		if err != nil {
			return nil, err
		}
		transport = newTransport(tlsConfig, config.RequestTimeout)
	}
	return &Client{
		Backoff:  DefaultBackoff,
		endpoint: endpoint,
		config:   config,
		mask:     NewMasker(config.Secrets...),
		http: &http.Client{
			Transport: transport,
			Timeout:   config.RequestTimeout,
			// Following a redirect would send the credentials to another
			// server.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// HTTP is the underlying client, without retries and error classification.
func (c *Client) HTTP() *http.Client { return c.http }

// Endpoint is the address of the server.
func (c *Client) Endpoint() string { return c.endpoint.String() }

// Masker masks the secrets of the client and of the context.
func (c *Client) Masker(ctx context.Context) Masker { return c.mask.With(secretsIn(ctx)...) }

// Do makes one call and repeats it if necessary. The error is an
// *apierror.Error, unless the request could not be created.
func (c *Client) Do(ctx context.Context, request Call) (*Response, error) {
	request.Secrets = append(request.Secrets[:len(request.Secrets):len(request.Secrets)], secretsIn(ctx)...)
	k := &call{Call: &request, client: c, reportConflicts: reportsConflicts(ctx), retrySoon: retriesSoon(ctx), retryRestart: retriesRestarts(ctx)}
	if k.common() {
		if failed := c.unanswered.failure(&request); failed != nil {
			return nil, failed
		}
	}
	return k.run(c.withLogger(ctx))
}
