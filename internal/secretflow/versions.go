package secretflow

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Versions is a set of versions of SecretFlow-Serving, which are those from 0.2 on.
type Versions uint16

// The versions that differ from the one before: each is a bit, in this order.
var minors = []int{2, 3, 5, 6, 7, 8, 9, afterNewest}

const (
	// afterNewest stands for the main branch after 0.9.
	afterNewest = 10

	allVersions Versions = 1<<8 - 1
)

// unknownVersions are those by which an unknown tag is judged: all that are newer than 0.7.
var unknownVersions = since(8)

// newestRelease is the newest version with a release.
var newestRelease = since(9) &^ since(afterNewest)

// since returns version 0.MINOR and all later ones.
func since(minor int) (all Versions) {
	for i, m := range minors {
		if m >= minor {
			all |= 1 << i
		}
	}
	return all
}

// before returns all versions before 0.MINOR.
func before(minor int) Versions { return allVersions &^ since(minor) }

// ofTag returns the versions that an image with a tag may have: the one that it names, or all by
// which an unknown one is judged.
func ofTag(tag string) (versions Versions, known bool) {
	parts := strings.Split(strings.TrimPrefix(tag, "v"), ".")
	if len(parts) < 2 {
		return unknownVersions, false
	}
	major, err := strconv.Atoi(parts[0])
	if err != nil || major < 0 {
		return unknownVersions, false
	}
	minor, err := strconv.Atoi(parts[1])
	if err != nil || minor < 0 {
		return unknownVersions, false
	}
	if major > 0 {
		minor = afterNewest
	}
	found := Versions(1)
	for i, m := range minors {
		if m <= minor {
			found = 1 << i
		}
	}
	return found, true
}

// NamesVersion reports whether the tag of an image names its version.
func (i *Image) NamesVersion() bool {
	_, known := ofTag(i.Tag)
	return known
}

// has reports whether all of some versions are in the set.
func (v Versions) has(some Versions) bool { return some&^v == 0 }

// IsAll reports that every version is in the set.
func (v Versions) IsAll() bool { return v == allVersions }

// String says which versions they are: "before 0.8", "0.7 and later".
func (v Versions) String() string {
	first, last := bits.TrailingZeros16(uint16(v)), bits.Len16(uint16(v))-1
	switch {
	case v == 0:
		return "no version"
	case v.IsAll():
		return "every version"
	case last == len(minors)-1 && minors[first] == afterNewest:
		return "after 0.9"
	case last == len(minors)-1:
		return fmt.Sprintf("0.%d and later", minors[first])
	case first == 0:
		return fmt.Sprintf("before 0.%d", minors[last+1])
	default:
		return fmt.Sprintf("0.%d to 0.%d", minors[first], minors[last])
	}
}
