//go:build unix

package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// judge runs tests with mutants.
type judge struct {
	build    *build
	programs []testProgram
	// folder is for temporary files, and cache for results.
	folder, cache string
	short         bool
	// A test may take factor times as long as without a mutant, and slack; without a
	// mutant at most testLimit.
	factor           float64
	slack, testLimit time.Duration
	// split is the time of a test from which its subtests judge each alone.
	split     time.Duration
	processes int // that run tests at once
	// most is the time of the tests that are run for a mutant, 0 for all.
	most time.Duration
	log  io.Writer

	reach map[string]map[string]reach // by package and test
}

func (j *judge) logf(format string, args ...any) { fmt.Fprintf(j.log, format+"\n", args...) }

func (j *judge) mode() string {
	if j.short {
		return "-short"
	}
	return "-long"
}

// The results of a mutant beside "failed" and "timed out", which killed it.
const (
	survived  outcome = "survived"
	unreached outcome = "unreached"
)

// verdict is the result of a mutant, and the package whose tests killed it.
type verdict struct {
	Outcome outcome `json:"outcome"`
	By      string  `json:"by,omitempty"`
}

// beside calls a function for each number below n, for j.processes of them at once.
func (j *judge) beside(ctx context.Context, n int, do func(context.Context, int) error) error {
	running, ctx := errgroup.WithContext(ctx)
	running.SetLimit(j.processes)
	for i := range n {
		running.Go(func() error { return do(ctx, i) })
	}
	return running.Wait()
}

// group is tests of a program that run in one process.
type group struct {
	program testProgram
	tests   []string
	seconds float64
}

// quick is the time in seconds of a test that runs in a process with others: the start of
// a process takes longer than most tests.
const quick = 1

// groups returns the tests that reach a mutant: the quick ones of its package first, so that
// it says what tests it, then the quickest.
func (j *judge) groups(id int) []group {
	var all []group
	for _, p := range j.programs {
		for _, test := range p.tests {
			all = append(all, j.reaching(p, j.reach[p.pkg][test].Subtests, id)...)
		}
		// A test with subtests is needed for what it does beside them, and as a whole.
		all = append(all, j.reaching(p, p.tests, id)...)
	}
	own := j.build.mutants[id].Package
	cost := func(g group) float64 {
		if len(g.tests) > 1 && within(j.build.module, g.program.pkg) == own {
			return 0
		}
		return g.seconds
	}
	slices.SortStableFunc(all, func(a, b group) int { return cmp.Compare(cost(a), cost(b)) })
	return all
}

// reaching returns those of the tests that reach a mutant, the quick ones in one group, for which
// the program starts once.
func (j *judge) reaching(p testProgram, tests []string, id int) []group {
	var all []group
	start := j.start(p)
	together := group{program: p, seconds: start}
	for _, test := range tests {
		r := j.reach[p.pkg][test]
		switch {
		case !r.reaches(id):
		case r.Seconds < quick:
			together.tests = append(together.tests, test)
			together.seconds += r.Seconds - start
		default:
			all = append(all, group{p, []string{test}, r.Seconds})
		}
	}
	if len(together.tests) > 0 {
		all = append(all, together)
	}
	return all
}

// start is about the time in seconds in which a program starts: that of its quickest test.
func (j *judge) start(p testProgram) float64 {
	least := float64(quick)
	for _, r := range j.reach[p.pkg] {
		least = min(least, r.Seconds)
	}
	return least
}

// judge returns the verdict of each mutant of a sample.
func (j *judge) judge(ctx context.Context, sample []mutant) (map[int]verdict, error) {
	key := sha256.New()
	for _, p := range j.programs {
		fmt.Fprintln(key, p.pkg, p.hash)
	}
	known, err := openResults[verdict](filepath.Join(j.cache, "verdicts", fmt.Sprintf("%x", key.Sum(nil))[:16]+j.mode()+".json"))
	if err != nil {
		return nil, err
	}
	err = j.beside(ctx, len(sample), func(ctx context.Context, i int) error {
		m := sample[i]
		name := fmt.Sprint(m.ID)
		if _, ok := known.get(name); ok {
			return nil
		}
		v, err := j.judgeOne(ctx, m.ID)
		if err != nil {
			return err
		}
		j.logf("%d of %d: %s:%d: %s: %s", i+1, len(sample), m.File, m.Line, m.Change, v.Outcome)
		return known.add(name, v)
	})
	if err != nil {
		return nil, err
	}
	verdicts := map[int]verdict{}
	for _, m := range sample {
		verdicts[m.ID] = known.known[fmt.Sprint(m.ID)]
	}
	return verdicts, nil
}

func (j *judge) judgeOne(ctx context.Context, id int) (verdict, error) {
	groups := j.groups(id)
	if len(groups) == 0 {
		return verdict{Outcome: unreached}, nil
	}
	for _, g := range j.affordable(groups) {
		ended, err := j.try(ctx, g, id)
		if err != nil {
			return verdict{}, err
		}
		if ended != passed {
			return verdict{ended, within(j.build.module, g.program.pkg)}, nil
		}
	}
	return verdict{Outcome: survived}, nil
}

// try runs tests with a mutant. It killed them only if they pass without it at the same
// time: the machine may be slow, and tests may be random.
func (j *judge) try(ctx context.Context, g group, id int) (outcome, error) {
	limit := time.Duration(j.factor*g.seconds*float64(time.Second)) + j.slack
	for range 3 {
		p := process{program: g.program, tests: g.tests, short: j.short, limit: limit, active: id, overlay: j.build.overlay}
		ended, output, err := p.run(ctx)
		if err != nil || ended == passed {
			return ended, err
		}
		p.active, p.tests = 0, failures(g.tests, output)
		if without, _, err := p.run(ctx); err != nil || without == passed {
			return ended, err
		}
		limit *= 2
	}
	j.logf("%s of %s fail without a mutant, and do not judge mutant %d.", printable(strings.Join(g.tests, ", ")), g.program.pkg, id)
	return passed, nil
}

// affordable returns the first groups, that take at most the time for a mutant.
func (j *judge) affordable(groups []group) []group {
	seconds := 0.0
	for i, g := range groups {
		if seconds += g.seconds; i > 0 && j.most > 0 && seconds > j.most.Seconds() {
			return groups[:i]
		}
	}
	return groups
}

// atMost is the time of a sample if all of it survives.
func (j *judge) atMost(sample []mutant) time.Duration {
	seconds := 0.0
	for _, m := range sample {
		for _, g := range j.affordable(j.groups(m.ID)) {
			seconds += g.seconds
		}
	}
	return time.Duration(seconds * float64(time.Second))
}

// draw returns n mutants of each package, or all for 0. Which ones depends on their text
// and the seed, so that a change elsewhere draws the same.
func draw(mutants []mutant, n int, seed string) []mutant {
	type drawn struct {
		mutant
		rank string
	}
	byPackage := map[string][]drawn{}
	same := map[string]int{}
	for _, m := range mutants {
		text := m.File + "\n" + m.Change
		same[text]++
		rank := fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%d", seed, text, same[text])))
		byPackage[m.Package] = append(byPackage[m.Package], drawn{m, rank})
	}
	var sample []mutant
	for _, of := range byPackage {
		slices.SortFunc(of, func(a, b drawn) int { return cmp.Compare(a.rank, b.rank) })
		if n > 0 && n < len(of) {
			of = of[:n]
		}
		for _, d := range of {
			sample = append(sample, d.mutant)
		}
	}
	slices.SortFunc(sample, func(a, b mutant) int { return cmp.Compare(a.ID, b.ID) })
	return sample
}
