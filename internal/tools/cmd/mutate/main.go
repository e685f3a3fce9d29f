//go:build unix

// Command mutate tells how good the tests are: it changes the product in many small ways
// and runs the tests that reach the change, until one fails. A change that no test notices
// is printed.
//
// All changes are compiled into the same programs, and an environment variable selects
// one, since to compile and link the tests again for each takes longer than to run them. A
// change of one package is noticed by tests of any other.
//
// -shares writes the share of each package to a file that is committed. -compare judges the
// packages whose files changed since.
//
// The tests run with the environment of the command, without the race detector. Results
// are kept in the folder of -cache, so that an interrupted run goes on; they do not depend
// on files that tests read. The build is kept there as well. To run a test with mutant 7:
//
//	MUTATE_ACTIVE=7 go test -count=1 -vet=off -overlay .bin/mutation/build/overlay.json -run TestX ./internal/lifecycle
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

type options struct {
	root, cache, packages, tests, only string
	n                                  int
	seed, json, shares, alive          string
	short, plan, compare               bool
	factor                             float64
	processes                          int
	slack, testLimit, most, split      time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.root, "root", ".", "root of the module")
	flag.StringVar(&o.cache, "cache", ".bin/mutation", "folder for results")
	flag.StringVar(&o.packages, "packages", "./...", "packages with mutants, separated by spaces")
	flag.StringVar(&o.tests, "tests", "./...", "packages with tests, separated by spaces")
	flag.StringVar(&o.only, "only", "", "judge only packages that match a regular expression")
	flag.IntVar(&o.n, "n", 40, "judge so many mutants of each package, 0 for all")
	flag.StringVar(&o.seed, "seed", "1", "draws other mutants")
	flag.StringVar(&o.json, "json", "", "write the result to a file")
	flag.StringVar(&o.shares, "shares", "", "write the shares of killed mutants by package to a file")
	flag.BoolVar(&o.compare, "compare", false, "judge only packages whose files are not those of -shares, by the tests named there, and fail if a share is lower")
	flag.StringVar(&o.alive, "alive", "", "judge only mutants that are alive in the result in a file, for other tests of the same product")
	flag.IntVar(&o.processes, "processes", 1, "run so many processes of tests at once")
	flag.BoolVar(&o.short, "short", false, "run the tests of make test, without it those of make test-long")
	flag.BoolVar(&o.plan, "plan", false, "only run the tests without a mutant, and tell how long the mutants take")
	flag.Float64Var(&o.factor, "factor", 5, "a test that takes so many times as long as without a mutant fails")
	flag.DurationVar(&o.slack, "slack", 10*time.Second, "and this time longer")
	flag.DurationVar(&o.most, "most", 2*time.Minute, "run the quickest tests for a mutant, for at most this time; 0 for all that reach it")
	flag.DurationVar(&o.split, "split", 3*time.Second, "run the subtests of a test that takes longer each alone")
	flag.DurationVar(&o.testLimit, "limit", 20*time.Minute, "time of a test without a mutant")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, out, log *os.File) error {
	if o.processes < 1 {
		return fmt.Errorf("-processes is %d, and has to be at least 1", o.processes)
	}
	if o.compare && o.shares == "" {
		return errors.New("-compare needs -shares")
	}
	if o.alive != "" && o.shares != "" {
		return errors.New("-alive judges mutants of no sample, so that it cannot be with -shares")
	}
	only, err := regexp.Compile(o.only)
	if err != nil {
		return err
	}
	c, err := choose(ctx, o, only, log)
	if err != nil || len(c.packages) == 0 {
		return err
	}
	r, err := measure(ctx, o, c, only, log)
	if err != nil || o.plan {
		return err
	}
	if err := r.print(out); err != nil {
		return err
	}
	if o.json != "" {
		if err := r.write(o.json); err != nil {
			return err
		}
	}
	return c.settle(o, r)
}

// measure judges a sample of the mutants of packages.
func measure(ctx context.Context, o options, c choice, only *regexp.Regexp, log *os.File) (report, error) {
	folder, err := filepath.Abs(filepath.Join(o.cache, "build"))
	if err != nil {
		return report{}, err
	}
	if err := os.RemoveAll(folder); err != nil {
		return report{}, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return report{}, err
	}
	b, err := mutate(ctx, o.root, folder, c.patterns())
	if err != nil {
		return report{}, err
	}
	j := &judge{
		build: b, folder: folder, cache: o.cache, short: o.short, factor: o.factor, slack: o.slack, testLimit: o.testLimit, most: o.most,
		split: o.split, processes: o.processes, log: log, reach: map[string]map[string]reach{},
	}
	j.logf("Compiling the tests with %d mutants.", len(b.mutants)-1)
	programs := filepath.Join(folder, "programs")
	defer os.RemoveAll(programs) // they are large, the rest is for a closer look
	if j.programs, err = b.compile(ctx, programs, c.tests); err != nil {
		return report{}, err
	}
	if err := j.record(ctx); err != nil {
		return report{}, err
	}
	var judged []mutant
	for _, m := range b.mutants[1:] {
		if only.MatchString(m.Package) {
			judged = append(judged, m)
		}
	}
	if o.alive != "" {
		if judged, err = aliveIn(o.alive, judged); err != nil {
			return report{}, err
		}
	}
	sample := draw(judged, o.n, o.seed)
	j.logf("Judging %d of %d mutants, in about %s if all survive.", len(sample), len(judged), j.atMost(sample).Round(time.Second))
	if o.plan {
		return report{}, nil
	}
	verdicts, err := j.judge(ctx, sample)
	return newReport(judged, sample, verdicts), err
}
