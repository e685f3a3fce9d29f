//go:build unix

package main

import (
	"regexp"
	"strings"
)

// subtestSeparator is between a test and its subtest in a name.
const subtestSeparator = "\x00"

// printable is the name of a subtest as the go command prints it.
func printable(test string) string { return strings.ReplaceAll(test, subtestSeparator, "/") }

// pattern is the flag -test.run for tests, or for subtests of one test.
func pattern(tests []string) string {
	parent, _, isSubtest := strings.Cut(tests[0], subtestSeparator)
	quoted := make([]string, len(tests))
	for i, test := range tests {
		quoted[i] = regexp.QuoteMeta(strings.TrimPrefix(test, parent+subtestSeparator))
	}
	names := "^(" + strings.Join(quoted, "|") + ")$"
	if isSubtest {
		return "^" + regexp.QuoteMeta(parent) + "$/" + names
	}
	return names
}

// subtests returns the subtests of a test, but not theirs, from what it prints with -v; without
// those whose names have a slash, which the go command does not run alone.
func subtests(test, output string) []string {
	var found []string
	for line := range strings.Lines(output) {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "=== RUN   "+test+"/")
		if ok && !strings.Contains(name, "/") {
			found = append(found, test+subtestSeparator+name)
		}
	}
	return found
}

// failures returns those of some tests that failed, from what they print, or all if none says so.
func failures(tests []string, output string) []string {
	var found []string
	for _, test := range tests {
		if strings.Contains(output, "--- FAIL: "+printable(test)+" (") {
			found = append(found, test)
		}
	}
	if found == nil {
		return tests
	}
	return found
}
