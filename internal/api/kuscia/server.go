package kuscia

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
)

// The operations about the server itself.
var (
	opVersion = register(operation{Operation: httpapi.Operation{Name: "version", Method: http.MethodGet, Path: "/version", Plain: true}})
	opHealth  = register(operation{Operation: httpapi.Operation{Name: "healthZ", Method: http.MethodPost, Path: "/healthZ"}})
)

// maxVersion is the maximum length of a version text; a longer response is some
// other page.
const maxVersion = 256

// Version returns the server's version. The first call requests it, later ones
// use the cached value. If the response is not a version, the version is
// unknown, which is not an error.
func (c *Client) Version(ctx context.Context) (versions.Version, error) {
	select {
	case c.versionLock <- struct{}{}:
		defer func() { <-c.versionLock }()
	case <-ctx.Done():
		return versions.Version{}, ctx.Err()
	}
	if c.version != nil {
		return *c.version, nil
	}
	response, err := c.do(ctx, opVersion, nil, nil)
	switch {
	case err == nil:
		text := strings.TrimSpace(response.Text)
		if len(text) > maxVersion || strings.ContainsAny(text, "<{\n") {
			text = ""
		}
		version := versions.Parse(text)
		c.version = &version
	case errors.Is(err, ErrUnavailable) || errors.Is(err, ErrTLS) || ctx.Err() != nil:
		// Do not cache a failure; the next call requests again.
		return versions.Version{}, err
	default:
		c.version = &versions.Version{}
	}
	return *c.version, nil
}

// Health checks whether the KusciaAPI is ready. It needs the token.
func (c *Client) Health(ctx context.Context) error {
	var out struct {
		Ready *bool `json:"ready"`
	}
	return c.read(ctx, opHealth, nil, &struct{}{}, &out, func() error {
		if out.Ready == nil || !*out.Ready {
			return fmt.Errorf("the server reports that it is not ready")
		}
		return nil
	})
}
