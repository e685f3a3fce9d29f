//go:build unix

package main

import (
	"slices"
	"testing"
)

func TestOutline(t *testing.T) {
	t.Parallel()
	got := outline("a {\n  b = {\n    c = 1\n\n    d = {\n      e = 2\n    }\n  }\n}\n", 2)
	if want := []string{"a {", "  b = {", "    ...", "", "    ...", "  }", "}"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestChangedLines(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		before, after string
		want          []string
	}{
		{"a\nb\nc", "a\nd\nc", []string{"- b", "+ d"}},
		{"a\nc", "a\nb\nc", []string{"+ b"}},
		{"a\na", "a", []string{"- a"}},
		{"a", "a", nil},
	} {
		if got := changedLines(tc.before, tc.after); !slices.Equal(got, tc.want) {
			t.Errorf("%q, %q: got %q, want %q", tc.before, tc.after, got, tc.want)
		}
	}
}
