package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// printTable prints a row for each package. The seconds of packages whose tests run at the
// same time overlap.
func printTable(out io.Writer, counted map[string]lines, r *results) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name string, l lines, seconds float64) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%.1f\n", name, l.product, l.test, seconds)
	}
	fmt.Fprintln(w, "package\tproduct lines\ttest lines\tseconds")
	var total lines
	var seconds float64
	for _, folder := range slices.Sorted(maps.Keys(counted)) {
		of := counted[folder]
		row(folder, of, r.seconds[folder])
		total.product += of.product
		total.test += of.test
		seconds += r.seconds[folder]
	}
	row("all", total, seconds)
	return w.Flush()
}

// startsText says how often each command of the CLI was started, and how often it may be; 0: no
// limit. A cached result has no starts.
func startsText(starts map[string]int, limit, cached int) (text string, total int) {
	var commands []string
	for command, n := range starts {
		total += n
		commands = append(commands, fmt.Sprintf("%s %d", command, n))
	}
	slices.Sort(commands)
	text = fmt.Sprintf("Starts of the CLI: %d", total)
	if limit > 0 {
		text += fmt.Sprintf(" of at most %d", limit)
	}
	if total > 0 {
		text += " (" + strings.Join(commands, ", ") + ")"
	}
	if cached > 0 {
		text += fmt.Sprintf(". Not counted are those of %d cached results; make test-figures uses none.", cached)
	}
	return text, total
}
