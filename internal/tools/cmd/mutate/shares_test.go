//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorded is a copy of the module of the test with shares, and the options to compare them.
func recorded(t *testing.T) options {
	t.Helper()
	o := options{root: t.TempDir(), cache: t.TempDir(), n: 8, seed: "1"}
	if err := os.CopyFS(o.root, os.DirFS("testdata/tiny")); err != nil {
		t.Fatal(err)
	}
	o.shares = filepath.Join(o.root, "shares.txt")
	if _, _, err := tiny(t, o); err != nil {
		t.Fatal(err)
	}
	return o
}

// edit replaces a text of a file of the module.
func edit(t *testing.T, o options, file, from, to string) {
	t.Helper()
	file = filepath.Join(o.root, file)
	before := read(t, file)
	after := strings.Replace(before, from, to, 1)
	if after == before {
		t.Fatalf("%s is not in %s", from, file)
	}
	if err := os.WriteFile(file, []byte(after), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestShares(t *testing.T) {
	t.Parallel()
	o := recorded(t)
	if got, want := read(t, o.shares), read(t, "testdata/shares.txt"); got != want {
		t.Errorf("shares:\n%s\nwant:\n%s", got, want)
	}

	rows := read(t, o.shares)
	edit(t, o, "rules/rules.go", "not tested", "hardly tested")
	edit(t, o, "kinds/kinds.go", "package", "\npackage")
	o.only = "rules"
	if _, _, err := tiny(t, o); err != nil {
		t.Fatal(err)
	}
	_, was, _ := strings.Cut(rows, "\nrules")
	kept, is, _ := strings.Cut(read(t, o.shares), "\nrules")
	if !strings.HasPrefix(rows, kept) || is == was {
		t.Errorf("only rules were judged again:\n%s\nbefore:\n%s", read(t, o.shares), rows)
	}
	o.n = 9
	if _, logged, err := tiny(t, o); err == nil || !strings.Contains(err.Error(), "has no result of kinds with this sample") || logged != "" {
		t.Errorf("a part of another sample: %v\n%s", err, logged)
	}
}

// What changed is judged again, by the tests that killed its mutants.
func TestCompare(t *testing.T) {
	t.Parallel()
	const (
		oneTest  = "rules.Check(true) != nil"
		twoTests = "0: false, 1: false"
	)
	changeRules := [3]string{"rules/rules.go", "not tested", "hardly tested"}
	for name, c := range map[string]struct {
		edits                [][3]string // file, from, to
		changed, killed, err string
	}{
		"nothing":                  {changed: "0 of 2"},
		"another package's tests":  {edits: [][3]string{{"user/user_test.go", oneTest, "false"}}, changed: "0 of 2"},
		"files":                    {edits: [][3]string{changeRules}, changed: "1 of 2", killed: "6"},
		"one mutant less is noise": {edits: [][3]string{changeRules, {"user/user_test.go", oneTest, "false"}}, changed: "1 of 2", killed: "5"},
		"two mutants less": {
			edits: [][3]string{changeRules, {"user/user_test.go", twoTests, "1: false"}}, changed: "1 of 2", killed: "4",
			err: `a lower share of mutants is killed, those that are alive are above: ["rules: 50%, before 75%"]`,
		},
		"the tests are gone": {
			edits: [][3]string{changeRules, {"shares.txt", "  user", "  elsewhere"}}, changed: "1 of 2", killed: "0",
			err: `a lower share of mutants is killed, those that are alive are above: ["rules: 0%, before 75%"]`,
		},
		"no row":         {edits: [][3]string{{"shares.txt", "\nrules", "\nroles"}}, err: "no row of rules (make mutation)"},
		"gone":           {edits: [][3]string{{"shares.txt", "\nrules", "\nold 9 8 7 88% 0\nrules"}}, err: `rows of packages that are gone: ["old"] (make mutation)`},
		"another sample": {edits: [][3]string{{"shares.txt", "seed 1", "seed 2"}}, err: "another sample"},
		"edited":         {edits: [][3]string{{"shares.txt", "75%", "76%"}}, err: "the share is 75%"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := recorded(t)
			for _, e := range c.edits {
				edit(t, o, e[0], e[1], e[2])
			}
			o.compare = true
			printed, logged, err := tiny(t, o)
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("%v, want %s", err, c.err)
			}
			if !strings.HasPrefix(logged, c.changed) {
				t.Errorf("%s, want %s changed", logged, c.changed)
			}
			_, row, judged := strings.Cut(printed, "\nrules ")
			if judged != (c.killed != "") || judged && strings.Fields(row)[3] != c.killed || strings.Contains(printed, "kinds") {
				t.Errorf("want %s killed of rules, and nothing else:\n%s", c.killed, printed)
			}
		})
	}
}

// A package is another one with other Go files or testdata, and not with another package in it.
func TestHash(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	last, _ := hashOf(dir)
	for _, step := range []struct {
		file    string
		changes bool
	}{
		{"rules.go", true},
		{"rules_test.go", true},
		{"testdata/cases/one.txt", true},
		{"testdata/rapid/one.fail", false},
		{"README.md", false},
		{"inner/inner.go", false},
		{"inner/testdata/one.txt", false},
	} {
		file := filepath.Join(dir, step.file)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, content := range []string{"", "other"} {
			if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			hash, err := hashOf(dir)
			if err != nil || (hash != last) != step.changes {
				t.Errorf("%s with %q: hash %s after %s, %v", step.file, content, hash, last, err)
			}
			last = hash
		}
	}
}
