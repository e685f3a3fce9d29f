//go:build unix

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// tiny judges the module of the test and returns what is printed and logged.
func tiny(t *testing.T, o options) (printed, logged string, err error) {
	t.Helper()
	out, log := temporary(t), temporary(t)
	o.root, o.packages, o.tests = cmp.Or(o.root, "testdata/tiny"), cmp.Or(o.packages, "./rules ./kinds"), "./..."
	o.short, o.processes, o.factor, o.slack, o.testLimit = true, 2, 3, 8*time.Second, time.Minute
	err = run(t.Context(), o, out, log)
	return read(t, out.Name()), read(t, log.Name()), err
}

func temporary(t *testing.T) *os.File {
	t.Helper()
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return file
}

func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// Mutants are killed by the tests of another package; a second run has all results.
func TestMutate(t *testing.T) {
	t.Parallel()
	o := options{cache: t.TempDir(), only: "rules"}
	o.json = filepath.Join(o.cache, "result.json")
	printed, logged, err := tiny(t, o)
	if err != nil {
		t.Fatal(err)
	}
	var alive []string
	for line := range strings.Lines(printed) {
		if strings.HasPrefix(line, "rules/") {
			alive = append(alive, strings.TrimSpace(line))
		}
	}
	want := []string{
		"rules/rules.go:10: age >= 60+5 is age > 60+5: mutant 4, survived",
		"rules/rules.go:10: 60+5 is one more: mutant 5, survived",
		"rules/rules.go:10: 60+5 is one less: mutant 6, survived",
		`rules/rules.go:13: println("unused") is removed: mutant 7, reached by no test`,
		"rules/rules.go:26: !ok is false: mutant 15, survived",
		`rules/rules.go:27: errors.New("not ok") is returned as nil: mutant 17, survived`,
	}
	if !slices.Equal(alive, want) {
		t.Errorf("alive:\n%s\nwant:\n%s", strings.Join(alive, "\n"), strings.Join(want, "\n"))
	}
	var r report
	if err := json.Unmarshal([]byte(read(t, o.json)), &r); err != nil {
		t.Fatal(err)
	}
	if got, want := r.Packages["rules"], (figures{Mutants: 17, Sampled: 17, Unreached: 1, Killed: 11, TimedOut: 1, Survived: 5}); got != want {
		t.Errorf("figures %+v, want %+v", got, want)
	}
	if !strings.Contains(logged, "TestBroken of example.com/tiny/user fails without a mutant") {
		t.Errorf("the broken test is not mentioned:\n%s", logged)
	}

	again, logged, err := tiny(t, o)
	if err != nil || again != printed || strings.Contains(logged, "removed") {
		t.Errorf("the second run: %v\n%s\n%s", err, again, logged)
	}

	few, _, err := tiny(t, options{cache: o.cache, only: "rules", alive: o.json})
	if err != nil || !strings.Contains(few, "rules    6        6        1                   0 ") {
		t.Errorf("those that were alive: %v\n%s", err, few)
	}
}

// Every kind of mutant compiles; those of variables are reached before the tests.
func TestKinds(t *testing.T) {
	t.Parallel()
	printed, _, err := tiny(t, options{cache: t.TempDir(), only: "kinds"})
	if err != nil {
		t.Fatal(err)
	}
	if want := read(t, "testdata/kinds.txt"); printed != want {
		t.Errorf("printed:\n%s\nwant:\n%s", printed, want)
	}
}

// What failed with a mutant is run without it: not what passed, unless nothing says so.
func TestFailures(t *testing.T) {
	t.Parallel()
	tests := []string{"TestA", "TestAB", "TestC"}
	for output, want := range map[string][]string{
		"--- FAIL: TestAB (0.00s)\n": {"TestAB"},
		"--- PASS: TestC (0.00s)\n--- FAIL: TestA (0.10s)\n    --- FAIL: TestA/TestC (0.00s)\n--- FAIL: TestAB (1s)\n": {"TestA", "TestAB"},
		"panic: deadlock\n": tests,
	} {
		if got := failures(tests, output); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
	of := []string{"TestA" + subtestSeparator + "one", "TestA" + subtestSeparator + "two"}
	if got := failures(of, "--- FAIL: TestA (0s)\n    --- FAIL: TestA/two (0s)\n"); !slices.Equal(got, of[1:]) {
		t.Errorf("of subtests: %q", got)
	}
}

// Quick tests run together, and their program starts once.
func TestGroups(t *testing.T) {
	t.Parallel()
	reaching := []byte{1 << 1}
	j := judge{
		build:    &build{module: "m", mutants: []mutant{{}, {Package: "own"}}},
		programs: []testProgram{{pkg: "m/other", tests: []string{"TestO"}}, {pkg: "m/own", tests: []string{"TestA", "TestB", "TestSlow", "TestElsewhere"}}},
		most:     2 * time.Second,
		reach: map[string]map[string]reach{
			"m/other": {"TestO": {Seconds: 0.25, Mutants: reaching}},
			"m/own": {
				"TestA": {Seconds: 0.75, Mutants: reaching}, "TestB": {Seconds: 0.75, Mutants: reaching},
				"TestSlow": {Seconds: 1.25, Mutants: reaching}, "TestElsewhere": {Seconds: 0.5, Mutants: []byte{0}},
			},
		},
	}
	var got []string
	for _, g := range j.groups(1) {
		got = append(got, fmt.Sprintf("%s %s %g", g.program.pkg, strings.Join(g.tests, "+"), g.seconds))
	}
	if want := []string{"m/own TestA+TestB 1", "m/other TestO 0.25", "m/own TestSlow 1.25"}; !slices.Equal(got, want) {
		t.Errorf("groups %q, want %q", got, want)
	}
	if affordable := j.affordable(j.groups(1)); len(affordable) != 2 {
		t.Errorf("in 2 s: %v", affordable)
	}
}
