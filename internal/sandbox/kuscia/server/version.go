package server

import (
	"fmt"
	"strconv"
	"strings"
)

// Version is a parsed version such as v1.1.0b0, v1.1.0b0-6-ge909d9f6 or
// v0.5.0.dev231205.
type Version struct {
	raw          string
	major, minor int
	dev          int // the date of a development build, 0 for a release
}

// ParseVersion parses a version that has servings.
func ParseVersion(raw string) (Version, error) {
	v := Version{raw: raw}
	parts := strings.Split(strings.TrimPrefix(raw, "v"), ".")
	if len(parts) < 2 {
		return v, fmt.Errorf("version %q does not look like v1.1.0b0", raw)
	}
	var err error
	if v.major, err = strconv.Atoi(parts[0]); err != nil {
		return v, fmt.Errorf("version %q does not look like v1.1.0b0", raw)
	}
	if v.minor, err = strconv.Atoi(parts[1]); err != nil {
		return v, fmt.Errorf("version %q does not look like v1.1.0b0", raw)
	}
	if len(parts) > 3 && strings.HasPrefix(parts[3], "dev") {
		v.dev, _ = strconv.Atoi(strings.TrimPrefix(parts[3], "dev"))
	}
	if !v.AtLeast(0, 4) {
		return v, fmt.Errorf("version %q is older than v0.4.0, the first with servings", raw)
	}
	return v, nil
}

// String is the version as given.
func (v Version) String() string { return v.raw }

// AtLeast reports whether the version is this one or a later one.
func (v Version) AtLeast(major, minor int) bool {
	return v.major > major || (v.major == major && v.minor >= minor)
}

// HasAppImages reports whether the API has app images, since v0.13.
func (v Version) HasAppImages() bool { return v.AtLeast(0, 13) }

// HasAppImageList reports whether app images can be listed, since v1.0.
func (v Version) HasAppImageList() bool { return v.AtLeast(1, 0) }

// NamesEndpoints reports whether endpoints have port_name and scope, since a
// development build of v0.5.0 between 231205 and 231215.
func (v Version) NamesEndpoints() bool {
	return v.AtLeast(0, 5) && (v.minor > 5 || v.major > 0 || v.dev == 0 || v.dev >= 231215)
}

// Before011 reports a version before v0.11, which differs in many ways: a
// configuration was required, batch status failed on unknown ids, an existing
// id was only detected by the store, errors in strategy and resources were
// validation errors, and service_name_prefix did not exist.
func (v Version) Before011() bool { return !v.AtLeast(0, 11) }

// ChecksServingID reports whether ids are validated, since v0.6.
func (v Version) ChecksServingID() bool { return v.AtLeast(0, 6) }

// HasAffinityMode reports whether affinity_mode exists, since v1.1.
func (v Version) HasAffinityMode() bool { return v.AtLeast(1, 1) }

// ExplainsPods reports whether the status has reason and message of waiting
// pods, and Progressing if any party progresses, since v0.15.
func (v Version) ExplainsPods() bool { return v.AtLeast(0, 15) }
