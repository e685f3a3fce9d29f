//go:build unix

package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// shares is the committed file: a head, which says how the sample was drawn and judged, and a
// row for each package.
type shares struct {
	head string
	rows map[string]shareRow
}

// shareRow is the last result of a package.
type shareRow struct {
	mutants, sampled, killed int
	// files is the hash of its files then: with another one it is measured again.
	files string
	// by are the packages whose tests killed its mutants.
	by []string
}

const sharesColumns = "package\tmutants\tsampled\tkilled\tshare\tfiles\tkilled by tests of\n"

// head describes the sample. Results of different ones are not compared.
func (o options) head() string {
	which := "all"
	if o.short {
		which = "those of -short"
	}
	n := "all mutants"
	if o.n > 0 {
		n = fmt.Sprintf("%d mutants", o.n)
	}
	most := "without a limit"
	if o.most > 0 {
		most = fmt.Sprintf("for at most %s", o.most)
	}
	return fmt.Sprintf(`# The shares of mutants that the tests kill, by package: make mutation writes them, and
# make test-long compares those of packages whose files have another hash.
#
# Sample: %s of each package, drawn with seed %s.
# Tests: %s in %s that reach the mutant, those of its package first, then the quickest, %s.
# Limit: a test that takes %g times as long as without the mutant, and %s more, kills it.

`, n, o.seed, which, o.tests, most, o.factor, o.slack)
}

func readShares(name string) (shares, error) {
	s := shares{rows: map[string]shareRow{}}
	text, err := os.ReadFile(name)
	if err != nil {
		return s, err
	}
	head, table, ok := strings.Cut(string(text), "\n\n")
	if !ok {
		return s, fmt.Errorf("%s: no empty line after the head", name)
	}
	s.head = head + "\n\n"
	_, rows, _ := strings.Cut(table, "\n") // the names of columns
	for line := range strings.Lines(rows) {
		pkg, row, err := parseRow(strings.Fields(line))
		if err != nil {
			return s, fmt.Errorf("%s: %q: %w", name, line, err)
		}
		s.rows[pkg] = row
	}
	return s, nil
}

func parseRow(fields []string) (pkg string, row shareRow, err error) {
	const share, by = 4, 6
	if len(fields) < by {
		return "", row, fmt.Errorf("%d columns, want at least %d", len(fields), by)
	}
	for i, number := range []*int{&row.mutants, &row.sampled, &row.killed} {
		if *number, err = strconv.Atoi(fields[i+1]); err != nil {
			return "", row, err
		}
	}
	row.files, row.by = fields[share+1], fields[by:]
	if fields[share] != row.share() {
		return "", row, fmt.Errorf("the share is %s", row.share())
	}
	return fields[0], row, nil
}

// share is what a reader compares, and "-" without a mutant.
func (r shareRow) share() string {
	if r.sampled == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f%%", 100*float64(r.killed)/float64(r.sampled))
}

func (s shares) write(name string) error {
	var text strings.Builder
	text.WriteString(s.head)
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, sharesColumns)
	for _, pkg := range slices.Sorted(maps.Keys(s.rows)) {
		r := s.rows[pkg]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t%s\t%s\n", pkg, r.mutants, r.sampled, r.killed, r.share(), r.files, strings.Join(r.by, " "))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	var trimmed strings.Builder
	for line := range strings.Lines(text.String()) {
		trimmed.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return os.WriteFile(name, []byte(trimmed.String()), 0o644)
}

// newShares are the rows of the packages of a report.
func newShares(head string, of []source, r report) shares {
	s := shares{head: head, rows: map[string]shareRow{}}
	for _, p := range of {
		f := r.Packages[p.name]
		s.rows[p.name] = shareRow{mutants: f.Mutants, sampled: f.Sampled, killed: f.Killed, files: p.hash, by: r.by[p.name]}
	}
	return s
}

// covers returns an error if the rows are not those of the packages, judged with the same sample.
func (s shares) covers(head string, existing []source) error {
	if s.head != head {
		return fmt.Errorf("another sample, want\n%s", head)
	}
	gone := maps.Clone(s.rows)
	for _, p := range existing {
		if _, ok := s.rows[p.name]; !ok {
			return fmt.Errorf("no row of %s", p.name)
		}
		delete(gone, p.name)
	}
	if len(gone) > 0 {
		return fmt.Errorf("rows of packages that are gone: %q", slices.Sorted(maps.Keys(gone)))
	}
	return nil
}

// changed returns the packages whose files are not those of the shares.
func (s shares) changed(now []source) []source {
	return slices.DeleteFunc(slices.Clone(now), func(p source) bool { return s.rows[p.name].files == p.hash })
}

// lower returns the packages of which fewer mutants are killed now than before. One mutant
// less is noise: a changed package has other mutants, and tests may be random.
func (s shares) lower(now shares) []string {
	var lower []string
	for _, pkg := range slices.Sorted(maps.Keys(now.rows)) {
		n, b := now.rows[pkg], s.rows[pkg]
		if (n.killed+1)*b.sampled < b.killed*n.sampled {
			lower = append(lower, fmt.Sprintf("%s: %s, before %s", pkg, n.share(), b.share()))
		}
	}
	return lower
}
