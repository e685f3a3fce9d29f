package versions

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestOrder: development builds come before their release, betas before the
// final one, and commits after the tag.
func TestOrder(t *testing.T) {
	texts := []string{
		"v0.4.0b0", "v0.5.0.dev231205", "0.5.0.dev231215", "v0.5.0b0", "v0.9.0b0", "v0.10.0b0", "v0.15.0b0", "v0.15.0b0-3-g0123abc",
		"v0.15.0b1", "v0.15.0", "v0.15.1b0", "v1.0.0b0", "v1.1.0b0", "v1.1.0b0-6-ge909d9f6", "v1.1.0b0-12-gabcdef0", "v1.1.0b1", "v1.1", "v1.2.0b0\r", "v12.0",
	}
	for i, low := range texts {
		v := Parse(low)
		if !v.Known() || v.String() != low || v.Compare(Parse(low)) != 0 {
			t.Errorf("%q: %+v", low, v)
		}
		for _, high := range texts[i+1:] {
			if v.Compare(Parse(high)) != -1 || Parse(high).Compare(v) != 1 {
				t.Errorf("%s is not before %s", low, high)
			}
		}
	}
}

// TestUnknownHasAll: a text that is no version hides nothing.
func TestUnknownHasAll(t *testing.T) {
	for _, text := range []string{"", "v?.?.?", "v1", "v1234567.1", "latest", "x1.1", "v1.x"} {
		v := Parse(text)
		if v.Known() || slices.ContainsFunc(All(), func(f Feature) bool { return !v.Has(f) }) {
			t.Errorf("%q: %+v", text, v)
		}
	}
}

// TestFeatures: each feature has a name of its own, a known bound and, where it
// is said to be tried, a bound between two versions that were tried.
func TestFeatures(t *testing.T) {
	// The series that Kuscia has released.
	released := []string{"v0.3", "v0.4", "v0.5", "v0.6", "v0.7", "v0.8", "v0.9", "v0.10", "v0.11", "v0.12", "v0.13", "v0.14", "v0.15", "v1.0", "v1.1"}
	names := map[string]bool{}
	previous := Version{}
	for _, f := range All() {
		if f.Name == "" || names[f.Name] || !f.First.Known() || f.What == "" || strings.HasSuffix(f.What, ".") {
			t.Errorf("%+v", f)
		}
		names[f.Name] = true
		if f.First.Compare(previous) < 0 {
			t.Errorf("%s is not in the order of the versions", f.Name)
		}
		previous = f.First
		if !f.First.Has(f) || Parse("v0.3.0b0").Has(f) {
			t.Errorf("%s: its own first version has it, v0.3 has not", f.Name)
		}
		series := f.First.Series()
		i := slices.Index(released, series)
		if i < 1 {
			t.Errorf("%s: %s is no release", f.Name, series)
			continue
		}
		between := slices.Contains(tried, series) && slices.Contains(tried, released[i-1]) && f.First == Parse(series+".0b0")
		if f.Evidence == Tried && !between {
			t.Errorf("%s: the versions beside %s were not tried", f.Name, f.First)
		}
	}
}

// TestNeeds: the bound in a sentence.
func TestNeeds(t *testing.T) {
	for _, f := range []Feature{NamedEndpoints, AppImageAPI, TypeDameng} {
		got := fmt.Sprintf("%s needs Kuscia %s", f.What, f.Needs())
		want := map[string]string{
			NamedEndpoints.Name: "A named endpoint needs Kuscia v0.5.0.dev231215 or later",
			AppImageAPI.Name:    "The AppImage API needs Kuscia v0.13 or later",
			TypeDameng.Name:     "The type dameng of data sources needs Kuscia later than v1.1.0b0",
		}[f.Name]
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
