//go:build unix

package main

import (
	"regexp"
	"slices"
	"strings"
)

// subtestSeparator is between a test and its subtest in a name. The names of subtests may
// have slashes.
const subtestSeparator = "\x00"

// pattern is the flag -test.run for tests, or for subtests of one test.
func pattern(tests []string) string {
	parent, _, isSubtest := strings.Cut(tests[0], subtestSeparator)
	quoted := make([]string, len(tests))
	for i, test := range tests {
		name := strings.TrimPrefix(test, parent+subtestSeparator)
		// The go command ends an element at a slash, but not within brackets.
		quoted[i] = strings.ReplaceAll(regexp.QuoteMeta(name), "/", "[/]")
	}
	names := "^(" + strings.Join(quoted, "|") + ")$"
	if isSubtest {
		return "^" + regexp.QuoteMeta(parent) + "$/" + names
	}
	return names
}

// subtests returns the subtests of a test, but not theirs, from what it prints with -v.
func subtests(test, output string) []string {
	var found []string
	for line := range strings.Lines(output) {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "=== RUN   "+test+"/")
		name = test + subtestSeparator + name
		within := func(other string) bool { return strings.HasPrefix(name, other+"/") }
		if ok && !slices.ContainsFunc(found, within) {
			found = append(found, name)
		}
	}
	return found
}
