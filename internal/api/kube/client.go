package kube

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// FieldManager is the provider's field manager.
const FieldManager = "terraform-provider-kuscia"

// Client talks to one cluster. It is safe for concurrent use.
type Client struct {
	api    *httpapi.Client
	source *source // nil for credentials that do not change
	// served are the kinds that the cluster is known to serve, with whether they have
	// namespaces; discovering limits discovery to one request at a time.
	served      sync.Map
	discovering chan struct{}
}

// New returns a client. It reads the kubeconfig and does not call the cluster.
func New(config Config) (*Client, error) {
	found, err := config.open()
	if err != nil {
		return nil, err
	}
	endpoint, _, err := rest.DefaultServerURL(found.rest.Host, "", schema.GroupVersion{}, usesTLS(found))
	if err != nil {
		// The library's error quotes the address, which may contain a password.
		return nil, errors.New("the address of the API server is invalid: use https://, host and port")
	}
	if endpoint.Scheme == "http" && hasCredentials(found) && !isLoopback(endpoint.Hostname()) {
		return nil, errors.New("the address of the API server begins with http://, so the credentials would be sent unprotected; use https://")
	}
	base, err := newTransport(found)
	if err != nil {
		return nil, err
	}
	api, err := httpapi.New(httpapi.Config{
		Name: "Kubernetes", Protocol: protocol{}, Endpoint: strings.TrimRight(endpoint.String(), "/"), Transport: base,
		RequestTimeout: config.RequestTimeout, MaxRetries: config.MaxRetries, UserAgent: config.UserAgent,
		Secrets: secretsOf(found), MaskField: maskField,
	})
	if err != nil {
		return nil, err
	}
	return &Client{api: api, source: found.source, discovering: make(chan struct{}, 1)}, nil
}

// newTransport is client-go's transport, with the credentials of the source.
func newTransport(found *access) (http.RoundTripper, error) {
	config, err := found.rest.TransportConfig()
	if err == nil && found.source != nil {
		config.TLS.GetCertHolder = &transport.GetCertHolder{GetCert: found.source.clientCertificate}
	}
	var base http.RoundTripper
	if err == nil {
		config.Wrap(blamesProxy)
		base, err = transport.New(config)
	}
	if err != nil {
		// The library's error may quote what it cannot use.
		return nil, errors.New("the certificates or credentials for the cluster cannot be used")
	}
	return authorized{base}, nil
}

// Server is the client of its server.
func (c *Client) Server() *httpapi.Client { return c.api }

// blamesProxy returns a transport that reports a proxy which refuses to connect. It is a copy, since
// client-go shares its transports.
func blamesProxy(base http.RoundTripper) http.RoundTripper {
	inner := base
	for {
		outer, wraps := inner.(interface{ WrappedRoundTripper() http.RoundTripper })
		if !wraps {
			break
		}
		inner = outer.WrappedRoundTripper()
	}
	shared, ok := inner.(*http.Transport)
	if !ok {
		return base
	}
	own := shared.Clone()
	own.OnProxyConnectResponse = httpapi.OnProxyConnectResponse
	return own
}

// SetBackoff configures retries, for tests. Call it before the first request.
func (c *Client) SetBackoff(backoff httpapi.Backoff) { c.api.Backoff = backoff }

// Masker masks the secrets of the client and of the context.
func (c *Client) Masker(ctx context.Context) httpapi.Masker {
	if c.source == nil {
		return c.api.Masker(ctx)
	}
	return c.api.Masker(ctx).With(c.source.cached.Load().secrets()...)
}

// call encodes the body, if any, and makes a call.
func (c *Client) call(ctx context.Context, call httpapi.Call, body any) (*httpapi.Response, error) {
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("%s: encode the request: %w", call.Name, err)
		}
		call.Body = encoded
	}
	if c.source != nil {
		return c.source.withCredential(ctx, call, c.api.Do)
	}
	return c.api.Do(ctx, call)
}

// object decodes the object in a response and checks that it is the requested
// one.
func object(response *httpapi.Response, kind Kind, namespace, name string) (*unstructured.Unstructured, error) {
	found := &unstructured.Unstructured{}
	if err := response.Data.Decode(found); err != nil {
		return nil, response.Unexpected(errors.New("the response is not a Kubernetes object"))
	}
	if found.GetKind() != kind.Kind || found.GetNamespace() != namespace || name != "" && found.GetName() != name {
		return nil, response.Unexpected(errors.New("the response is for another object"))
	}
	return found, nil
}

// id identifies an object in errors and logs.
func id(namespace, name string) []string {
	if namespace != "" {
		name = namespace + "/" + name
	}
	return []string{name}
}

// maskField masks what may be secret in logged bodies: the configuration of
// servings and app images, private keys and headers of routes, environment variables, commands and arguments, Secrets and ConfigMaps, and kubectl's
// last-applied annotation.
func maskField(name string, value any) (masked any, secret bool) {
	switch name {
	case "sourceClientPrivateKey", "requestHeadersToAdd", "inputConfig", "configTemplates", "data", "stringData", "binaryData", "command", "args", "kubectl.kubernetes.io/last-applied-configuration":
		return httpapi.MaskAll(value), true
	case "env":
		if value == nil {
			return nil, true
		}
		return httpapi.MaskEnv(value), true
	}
	return nil, false
}
