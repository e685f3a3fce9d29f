// Package versions says what differs between the versions of Kuscia: which
// release has a feature first, and how that is known. Checks, the sandbox and
// the pages use the same table.
package versions

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Version is the version of a Kuscia, such as v1.1.0b0, v1.1.0b0-6-ge909d9f6 (six
// commits after it) or v0.5.0.dev231205 (a development build of that day). The
// zero value is an unknown version.
type Version struct {
	raw   string
	known bool
	// The fields in the order in which they are compared.
	major, minor, patch int
	release             int // 0 for a development build before the release
	dev                 int // its date
	beta                int // finalRelease without a beta number
	commits             int // after the tag
}

// finalRelease is the beta number of a release that is no beta.
const finalRelease = 1 << 30

// versionText finds the numbers in the output of git describe; at most eight
// digits each, for the dates of development builds.
var versionText = regexp.MustCompile(`^v?(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?(?:b(\d{1,6}))?(?:\.dev(\d{1,8}))?(?:-(\d{1,6})-g[0-9a-f]+)?(?:\D.*)?$`)

// Parse reads the text of a version. What is not one is an unknown version.
func Parse(text string) Version {
	v := Version{raw: text}
	match := versionText.FindStringSubmatch(text)
	if match == nil {
		return v
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(match[i]) // digits that fit an int, or nothing
		return n
	}
	v.known, v.release = true, 1
	v.major, v.minor, v.patch = number(1), number(2), number(3)
	v.beta, v.dev, v.commits = number(4), number(5), number(6)
	if match[4] == "" {
		v.beta = finalRelease
	}
	if match[5] != "" {
		v.release = 0
	}
	return v
}

// String is the text as given.
func (v Version) String() string { return v.raw }

// Known reports whether the text is a version.
func (v Version) Known() bool { return v.known }

// Compare compares two known versions.
func (v Version) Compare(w Version) int {
	return cmp.Or(
		cmp.Compare(v.major, w.major), cmp.Compare(v.minor, w.minor), cmp.Compare(v.patch, w.patch),
		cmp.Compare(v.release, w.release), cmp.Compare(v.dev, w.dev),
		cmp.Compare(v.beta, w.beta), cmp.Compare(v.commits, w.commits),
	)
}

// Series is the version without what distinguishes its builds: v1.1.
func (v Version) Series() string { return fmt.Sprintf("v%d.%d", v.major, v.minor) }

// fromOn is the text of a bound, a whole series or one build of it: "v0.13 or later".
func (v Version) fromOn() string {
	if v.commits > 0 {
		return "later than " + v.tag()
	}
	return v.bound() + " or later"
}

// fromOnInChinese is fromOn for a page in Chinese.
func (v Version) fromOnInChinese() string {
	if v.commits > 0 {
		return v.tag() + " 之后的版本"
	}
	return v.bound() + " 或更高版本"
}

// before is the text of what a bound excludes: "before v0.13".
func (v Version) before() string {
	if v.commits > 0 {
		return "up to " + v.tag()
	}
	return "before " + v.bound()
}

func (v Version) bound() string {
	if v.release == 0 {
		return v.raw
	}
	return v.Series()
}

func (v Version) tag() string {
	tag, _, _ := strings.Cut(v.raw, "-")
	return tag
}
