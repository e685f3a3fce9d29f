//go:build unix

package main

import (
	"slices"
	"strings"
)

// outline returns the lines of a configuration or a plan, and "..." for what is nested
// deeper than a number of spaces.
func outline(text string, depth int) []string {
	left := strings.Repeat(" ", depth+2) + "..."
	var kept []string
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if len(line)-len(strings.TrimLeft(line, " ")) <= depth {
			kept = append(kept, line)
		} else if kept[len(kept)-1] != left {
			kept = append(kept, left)
		}
	}
	return kept
}

// summary returns a line for each changed resource of a plan, and the number of changes.
func summary(plan string) []string {
	var kept []string
	for line := range strings.SplitSeq(plan, "\n") {
		if strings.HasPrefix(line, "  # ") && strings.Contains(line, " will be ") || strings.HasPrefix(line, "Plan: ") {
			kept = append(kept, line)
		}
	}
	return kept
}

// changedLines returns the lines between the common beginning and end of two texts, with
// signs as in a plan.
func changedLines(before, after string) []string {
	old, replacement := strings.Split(before, "\n"), strings.Split(after, "\n")
	for len(old) > 0 && len(replacement) > 0 && old[0] == replacement[0] {
		old, replacement = old[1:], replacement[1:]
	}
	for len(old) > 0 && len(replacement) > 0 && old[len(old)-1] == replacement[len(replacement)-1] {
		old, replacement = old[:len(old)-1], replacement[:len(replacement)-1]
	}
	return slices.Concat(signed("- ", old), signed("+ ", replacement))
}

func signed(sign string, lines []string) []string {
	var list []string
	for _, line := range lines {
		list = append(list, sign+line)
	}
	return list
}
