package compat_test

import (
	"regexp"
	"strings"
)

var (
	unreleased = regexp.MustCompile(`(?s)\n## \[Unreleased\][^\n]*\n(.*?)(?:\n## |\z)`)
	entryStart = regexp.MustCompile(`(?m)^[-*] `)
)

// announced reports whether the unreleased part of a changelog has an entry
// that begins with BREAKING and contains the names of the change.
func announced(changelog string, change breakage) bool {
	section := unreleased.FindStringSubmatch("\n" + changelog)
	if section == nil {
		return false
	}
	for _, entry := range entryStart.Split(section[1], -1)[1:] {
		if strings.HasPrefix(entry, "**BREAKING**") && hasWords(entry, change.names()) {
			return true
		}
	}
	return false
}

func hasWords(text string, words []string) bool {
	for _, word := range words {
		if !regexp.MustCompile(`\b` + regexp.QuoteMeta(word) + `\b`).MatchString(text) {
			return false
		}
	}
	return true
}
