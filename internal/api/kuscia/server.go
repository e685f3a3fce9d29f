package kuscia

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// The operations about the server itself.
var (
	opVersion = register(operation{Operation: httpapi.Operation{Name: "version", Method: http.MethodGet, Path: "/version", Plain: true}})
	opHealth  = register(operation{Operation: httpapi.Operation{Name: "healthZ", Method: http.MethodPost, Path: "/healthZ"}})
)

// Version is the version of a server.
type Version struct {
	// Raw is the server's text, such as v1.1.0b0-6-ge909d9f6; empty if the
	// server does not return a version.
	Raw string
}

// versionText finds major and minor version in the output of git describe.
var versionText = regexp.MustCompile(`^v?(\d{1,6})\.(\d{1,6})(\D|$)`)

// Known reports whether the text is a version.
func (v Version) Known() bool { return versionText.MatchString(v.Raw) }

// AtLeast reports whether the server has the features of that version. It is
// true for an unknown version: only features that a server certainly lacks are
// refused.
func (v Version) AtLeast(major, minor int) bool {
	match := versionText.FindStringSubmatch(v.Raw)
	if match == nil {
		return true
	}
	// At most six digits each: Atoi cannot fail.
	haveMajor, _ := strconv.Atoi(match[1])
	haveMinor, _ := strconv.Atoi(match[2])
	return haveMajor > major || haveMajor == major && haveMinor >= minor
}

// maxVersion is the maximum length of a version text; a longer response is some
// other page.
const maxVersion = 256

// Version returns the server's version. The first call requests it, later ones
// use the cached value. If the response is not a version, the version is
// unknown, which is not an error.
func (c *Client) Version(ctx context.Context) (Version, error) {
	select {
	case c.versionLock <- struct{}{}:
		defer func() { <-c.versionLock }()
	case <-ctx.Done():
		return Version{}, ctx.Err()
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
		c.version = &Version{Raw: text}
	case errors.Is(err, ErrUnavailable) || errors.Is(err, ErrTLS) || ctx.Err() != nil:
		// Do not cache a failure; the next call requests again.
		return Version{}, err
	default:
		c.version = &Version{}
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
