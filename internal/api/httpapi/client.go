package httpapi

import (
	"context"
	"net/http"
	"net/url"
)

// Client calls one server. It is safe for use by several goroutines.
type Client struct {
	// Backoff is how fast failed tries are repeated. It may be changed before the
	// first call.
	Backoff Backoff

	endpoint *url.URL
	config   Config
	http     *http.Client
	mask     Masker
}

// New makes a client. It does not call the server.
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
			// Following a redirect would carry the credentials elsewhere.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// HTTP is the client below, without repetitions and judgement.
func (c *Client) HTTP() *http.Client { return c.http }

// Endpoint is the address that calls go to.
func (c *Client) Endpoint() string { return c.endpoint.String() }

// Masker knows the secrets that the client always has, and those of the
// context.
func (c *Client) Masker(ctx context.Context) Masker { return c.mask.With(secretsIn(ctx)...) }

// Do makes one call with its repetitions. The error is an *apierror.Error,
// unless nothing was sent for want of a request.
func (c *Client) Do(ctx context.Context, request Call) (*Answer, error) {
	request.Secrets = append(request.Secrets[:len(request.Secrets):len(request.Secrets)], secretsIn(ctx)...)
	k := &call{Call: &request, client: c, reportConflicts: reportsConflicts(ctx), retrySoon: retriesSoon(ctx)}
	return k.run(c.withLogger(ctx))
}
