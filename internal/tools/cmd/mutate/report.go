//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"text/tabwriter"
)

// figures are those of a package.
type figures struct {
	Mutants   int `json:"mutants"`
	Sampled   int `json:"sampled"`
	Unreached int `json:"unreached"`
	Killed    int `json:"killed"`
	TimedOut  int `json:"timed_out"` // of the killed
	Survived  int `json:"survived"`
}

func (f figures) share() float64 { return float64(f.Killed) / float64(max(f.Sampled, 1)) }

// report is the result of a run.
type report struct {
	Packages map[string]figures `json:"packages"`
	// Alive are the mutants that no test killed.
	Alive []aliveMutant `json:"alive"`
	// by are the packages whose tests killed mutants of a package, in order.
	by map[string][]string
}

type aliveMutant struct {
	mutant
	Reached bool `json:"reached"`
}

func newReport(all, sample []mutant, verdicts map[int]verdict) report {
	r := report{Packages: map[string]figures{}, by: map[string][]string{}}
	for _, m := range all {
		f := r.Packages[m.Package]
		f.Mutants++
		r.Packages[m.Package] = f
	}
	for _, m := range sample {
		f := r.Packages[m.Package]
		f.Sampled++
		v := verdicts[m.ID]
		if v.By != "" && !slices.Contains(r.by[m.Package], v.By) {
			r.by[m.Package] = append(r.by[m.Package], v.By)
		}
		switch v.Outcome {
		case timedOut:
			f.TimedOut++
			f.Killed++
		case failed:
			f.Killed++
		case unreached:
			f.Unreached++
			r.Alive = append(r.Alive, aliveMutant{m, false})
		default:
			f.Survived++
			r.Alive = append(r.Alive, aliveMutant{m, true})
		}
		r.Packages[m.Package] = f
	}
	for _, by := range r.by {
		slices.Sort(by)
	}
	return r
}

// print prints a table by package and the mutants that are alive.
func (r report) print(out io.Writer) error {
	for _, m := range r.Alive {
		reached := "survived"
		if !m.Reached {
			reached = "reached by no test"
		}
		fmt.Fprintf(out, "%s:%d: %s: mutant %d, %s\n", m.File, m.Line, m.Change, m.ID, reached)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "package\tmutants\tsampled\treached by no test\tkilled\tby time\tsurvived\tshare killed")
	row := func(name string, f figures) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.0f %%\n", name, f.Mutants, f.Sampled, f.Unreached, f.Killed, f.TimedOut, f.Survived, 100*f.share())
	}
	var total figures
	for _, name := range slices.Sorted(maps.Keys(r.Packages)) {
		f := r.Packages[name]
		row(name, f)
		total.Mutants += f.Mutants
		total.Sampled += f.Sampled
		total.Unreached += f.Unreached
		total.Killed += f.Killed
		total.TimedOut += f.TimedOut
		total.Survived += f.Survived
	}
	row("all", total)
	return w.Flush()
}

func (r report) write(name string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o644)
}

func readReport(name string) (r report, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// aliveIn returns those of the mutants that are alive in a result.
func aliveIn(name string, mutants []mutant) ([]mutant, error) {
	r, err := readReport(name)
	if err != nil {
		return nil, err
	}
	alive := map[mutant]bool{}
	for _, m := range r.Alive {
		alive[m.mutant] = true
	}
	found := slices.DeleteFunc(slices.Clone(mutants), func(m mutant) bool { return !alive[m] })
	if len(found) == 0 {
		return nil, fmt.Errorf("none of these mutants is alive in %s, or it is of another product", name)
	}
	return found, nil
}
