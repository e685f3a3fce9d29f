package kuscia

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
)

// Client calls one KusciaAPI. It is safe for concurrent use.
type Client struct {
	api    *httpapi.Client
	config Config

	// versionLock holds one element during a version request.
	versionLock chan struct{}
	version     *versions.Version
}

// Endpoint is the address of the KusciaAPI.
func (c *Client) Endpoint() string { return c.api.Endpoint() }

// Server is the client of its server.
func (c *Client) Server() *httpapi.Client { return c.api }

// read makes a call that returns data, and decodes and checks the data.
func (c *Client) read(ctx context.Context, op operation, ids []string, request, into any, check func() error) error {
	response, err := c.do(ctx, op, ids, request)
	if err != nil {
		return err
	}
	if err = response.Data.Decode(into); err == nil {
		if paged, ok := into.(interface{ setPage(page httpapi.Document) }); ok {
			paged.setPage(response.Data)
		}
		err = check()
	}
	if shown, ok := into.(shown); ok {
		shown.clean(c, response.Masker)
	}
	if err != nil {
		return response.Unexpected(err)
	}
	return nil
}

// header merges the configured custom headers under those of the request.
func (c *Client) header(own *RequestHeader) *RequestHeader {
	if len(c.config.CustomHeaders) == 0 {
		return own
	}
	merged := maps.Clone(c.config.CustomHeaders)
	if own != nil {
		maps.Copy(merged, own.CustomHeaders)
	}
	return &RequestHeader{CustomHeaders: merged}
}

// do makes one call and repeats it if necessary. config is the serving
// configuration in the request, if any, which is masked in errors and logs.
func (c *Client) do(ctx context.Context, op operation, ids []string, request any, config ...string) (*httpapi.Response, error) {
	call := httpapi.Call{Operation: op.Operation, IDs: ids, Secrets: config}
	if request != nil {
		body, err := json.Marshal(request)
		if err != nil {
			return nil, fmt.Errorf("%s: encode the request: %w", op.Name, err)
		}
		call.Body = body
	}
	return c.api.Do(ctx, call)
}

// WithMaskedText returns a context whose calls mask a serving_input_config in
// errors and logs, see httpapi.WithMaskedText.
func WithMaskedText(ctx context.Context, inputConfig string) context.Context {
	return httpapi.WithMaskedText(ctx, inputConfig)
}

// WithoutConflictRetries returns a context whose calls report a conflict with another
// writer immediately, see httpapi.WithoutConflictRetries.
func WithoutConflictRetries(ctx context.Context) context.Context {
	return httpapi.WithoutConflictRetries(ctx)
}
