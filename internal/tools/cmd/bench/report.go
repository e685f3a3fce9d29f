//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/cli"
)

// measurement is a run, or the medians of several.
type measurement struct {
	Name     string
	Wall     time.Duration
	CPU      time.Duration
	PerItem  time.Duration
	Memory   int64
	Requests counts
	// Delay is the median time between the start of a serving and the end of
	// its apply.
	Delay time.Duration

	output []byte // the output of the CLI
}

// report is what was measured. It is a text in the format of Go's benchmarks, with a line
// for each run, for benchstat.
type report struct {
	text bytes.Buffer
	// rows are the medians, with which goals are compared.
	rows  []measurement
	goals []string
}

// machine writes what the measurement depends on.
func (r *report) machine(tool cli.CLI, servings int) {
	fmt.Fprintf(&r.text, "goos: %s\ngoarch: %s\ngo: %s\ncli: %s-%s\nservings: %d\n", runtime.GOOS, runtime.GOARCH, runtime.Version(), tool.Product, tool.Version, servings)
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				fmt.Fprintf(&r.text, "cpu: %d x %s\n", runtime.NumCPU(), strings.TrimSpace(value))
				break
			}
		}
	}
}

// run writes a run.
func (r *report) run(name string, one measurement) {
	fmt.Fprintf(&r.text, "%s 1 %d ns/op", benchmarkName(name), one.Wall)
	if one.CPU > 0 {
		fmt.Fprintf(&r.text, " %d provider-ns %d provider-B", one.CPU, one.Memory)
	}
	if one.Delay > 0 {
		fmt.Fprintf(&r.text, " %d delay-ns", one.Delay)
	}
	if one.Requests != nil {
		fmt.Fprintf(&r.text, " %d requests", one.Requests.total())
	}
	r.text.WriteByte('\n')
}

// benchmarkName is the name of a measurement as that of a benchmark: "plan, idle provider"
// is Plan/idle-provider for benchstat.
func benchmarkName(name string) string {
	name = strings.NewReplacer(", ", "/", " ", "-").Replace(name)
	return "Benchmark" + strings.ToUpper(name[:1]) + name[1:]
}

func (r *report) row(name string) (measurement, bool) {
	i := slices.IndexFunc(r.rows, func(one measurement) bool { return one.Name == name })
	if i < 0 {
		return measurement{}, false
	}
	return r.rows[i], true
}

// atMost adds a goal.
func (r *report) atMost(name string, value, limit float64, unit string) {
	r.goal(value <= limit, name, value, limit, unit)
}

// exactly adds a goal for an exact number of requests.
func (r *report) exactly(name string, value, desired int) {
	r.goal(value == desired, name, float64(value), float64(desired), "calls")
}

func (r *report) goal(met bool, name string, value, limit float64, unit string) {
	verdict := "met"
	if !met {
		verdict = "NOT MET"
	}
	r.goals = append(r.goals, fmt.Sprintf("%-8s %s: %.2f %s, goal %.2f", verdict, name, value, unit, limit))
}

// median returns the median, the lower of two middle values.
func median[T any](values []T, compare func(a, b T) int) T {
	sorted := slices.SortedFunc(slices.Values(values), compare)
	return sorted[(len(sorted)-1)/2]
}
