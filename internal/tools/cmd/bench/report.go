//go:build unix

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// measurement is one measurement: the medians of its runs.
type measurement struct {
	Name     string        `json:"name"`
	Runs     int           `json:"runs"`
	Wall     time.Duration `json:"wall_ns"`
	CPU      time.Duration `json:"provider_cpu_ns,omitempty"`
	PerItem  time.Duration `json:"provider_cpu_per_serving_ns,omitempty"`
	Memory   int64         `json:"provider_memory_bytes,omitempty"`
	Requests counts        `json:"requests,omitempty"`
	Size     int64         `json:"size_bytes,omitempty"`
	// Delay is the median time between the start of a serving and the end of
	// its apply.
	Delay time.Duration `json:"delay_ns,omitempty"`

	output []byte // the output of the CLI
}

// goal is a limit of a measured value.
type goal struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Limit float64 `json:"limit"`
	Unit  string  `json:"unit"`
	Met   bool    `json:"met"`
}

// machine describes the machine of the measurement.
type machine struct {
	OS       string `json:"os"`
	CPUs     int    `json:"cpus"`
	CPUModel string `json:"cpu_model"`
	Load     string `json:"load,omitempty"`
	Go       string `json:"go"`
	CLI      string `json:"cli"`
}

type report struct {
	Machine  machine       `json:"machine"`
	Started  time.Time     `json:"started"`
	Servings int           `json:"servings"`
	Rows     []measurement `json:"rows"`
	Goals    []goal        `json:"goals"`
}

func thisMachine(cli string) machine {
	m := machine{OS: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.NumCPU(), CPUModel: "unknown", Go: runtime.Version(), CLI: cli}
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				m.CPUModel = strings.TrimSpace(value)
				break
			}
		}
	}
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		m.Load = strings.Join(strings.Fields(string(text))[:1], "")
	}
	return m
}

func (r *report) row(name string) (measurement, bool) {
	i := slices.IndexFunc(r.Rows, func(one measurement) bool { return one.Name == name })
	if i < 0 {
		return measurement{}, false
	}
	return r.Rows[i], true
}

// atMost adds a goal.
func (r *report) atMost(name string, value, limit float64, unit string) {
	r.Goals = append(r.Goals, goal{Name: name, Value: value, Limit: limit, Unit: unit, Met: value <= limit})
}

// exactly adds a goal for an exact number of requests.
func (r *report) exactly(name string, value, desired int) {
	r.Goals = append(r.Goals, goal{Name: name, Value: float64(value), Limit: float64(desired), Unit: "calls", Met: value == desired})
}

func (r *report) table(to io.Writer) {
	m := r.Machine
	fmt.Fprintf(to, "\n%s, %d x %s, load %s at the start, %s, %s\n%d servings, medians\n\n", m.OS, m.CPUs, m.CPUModel, m.Load, m.Go, m.CLI, r.Servings)
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "what\truns\twall\tprovider CPU\tCPU/serving\tmemory\tdelay\trequests\t")
	for _, one := range r.Rows {
		memory := ""
		if one.Memory > 0 {
			memory = fmt.Sprintf("%d MiB", one.Memory>>20)
		}
		if one.Size > 0 {
			memory = fmt.Sprintf("%.1f MiB file", float64(one.Size)/(1<<20))
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t\n", one.Name, one.Runs, shown(one.Wall, time.Millisecond),
			shown(one.CPU, 10*time.Millisecond), shown(one.PerItem, 10*time.Microsecond), memory, shown(one.Delay, 10*time.Millisecond), one.Requests)
	}
	_ = w.Flush()
	fmt.Fprintln(to)
	for _, g := range r.Goals {
		verdict := "met"
		if !g.Met {
			verdict = "NOT MET"
		}
		fmt.Fprintf(to, "%-8s %s: %.2f %s, goal %.2f\n", verdict, g.Name, g.Value, g.Unit, g.Limit)
	}
}

func shown(d, unit time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.Round(unit).String()
}

// String lists the paths, most requested first.
func (c counts) String() string {
	paths := make([]string, 0, len(c))
	for path := range c {
		paths = append(paths, path)
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(cmp.Compare(c[b], c[a]), cmp.Compare(a, b)) })
	for i, path := range paths {
		paths[i] = fmt.Sprintf("%s %d", path, c[path])
	}
	return strings.Join(paths, ", ")
}

func (r *report) writeJSON(to io.Writer) error {
	encoder := json.NewEncoder(to)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

// median returns the median, the lower of two middle values.
func median[T any](values []T, compare func(a, b T) int) T {
	sorted := slices.SortedFunc(slices.Values(values), compare)
	return sorted[(len(sorted)-1)/2]
}
