package kuscia

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"
)

// Version is what a server says about its version.
type Version struct {
	// Raw is the server's text, such as v1.1.0b0-6-ge909d9f6; empty when the
	// server does not tell.
	Raw string
}

// versionText finds major and minor in the output of git describe.
var versionText = regexp.MustCompile(`^v?(\d{1,6})\.(\d{1,6})(\D|$)`)

// Known reports whether the text is a version.
func (v Version) Known() bool { return versionText.MatchString(v.Raw) }

// AtLeast reports whether the server has the features of that version. It is
// true for a version that is not known: only what a server certainly lacks is
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

// maxVersion bounds a version text; anything longer is some other page.
const maxVersion = 256

// Version returns the server's version. The first call asks, later ones
// remember. A server that answers anything but a version text is of unknown
// version, which is no error.
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
	answer, err := c.do(ctx, opVersion, nil, nil)
	switch {
	case err == nil:
		text := strings.TrimSpace(string(answer.Data))
		if len(text) > maxVersion || strings.ContainsAny(text, "<{\n") {
			text = ""
		}
		c.version = &Version{Raw: text}
	case errors.Is(err, ErrUnavailable) || errors.Is(err, ErrTLS) || ctx.Err() != nil:
		// Nothing was learnt; the next call asks again.
		return Version{}, err
	default:
		c.version = &Version{}
	}
	return *c.version, nil
}
