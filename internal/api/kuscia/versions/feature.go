package versions

import "slices"

// Evidence is how the first release with a feature is known.
type Evidence int

const (
	// Source means that the release was read in Kuscia's source, and at least
	// one of the two versions beside the bound was not tried.
	Source Evidence = iota
	// Tried means that the release and the one before it were tried, and one
	// has the feature and the other has not.
	Tried
)

// Feature is what some versions of Kuscia have and others have not.
type Feature struct {
	// Name identifies the feature.
	Name string
	// First is the first version that has it.
	First Version
	// What is the subject of a sentence: "The AppImage API".
	What     string
	Evidence Evidence
	// Detail is set where a user does not choose the feature: an answer of Kuscia
	// differs. The pages leave it out.
	Detail bool
}

// Has reports whether the version has the feature. An unknown version has all: only what a
// server certainly lacks is refused.
func (v Version) Has(f Feature) bool { return !v.known || v.Compare(f.First) >= 0 }

// tried are the series that were tried on a real Kuscia. Of v1.1 it was six
// commits after the release.
var tried = []string{"v0.5", "v0.6", "v0.7", "v0.10", "v0.11", "v0.12", "v0.13", "v0.15", "v1.0", "v1.1"}

// Newest is the newest version that was tried.
const Newest = "v1.1.0b0-6-ge909d9f6"

// All returns all features, in the order of the versions that have them first.
func All() []Feature {
	all := slices.Clone(features)
	slices.SortStableFunc(all, func(a, b Feature) int { return a.First.Compare(b.First) })
	return all
}

// features are all features, in the order of their declarations.
var features []Feature

// since declares a feature.
func since(first string, e Evidence, name, what string) Feature {
	return declare(Feature{First: Parse(first), Evidence: e, Name: name, What: what})
}

// detail declares a feature that is an answer of Kuscia.
func detail(first string, e Evidence, name, what string) Feature {
	return declare(Feature{First: Parse(first), Evidence: e, Name: name, What: what, Detail: true})
}

func declare(f Feature) Feature {
	features = append(features, f)
	return f
}
