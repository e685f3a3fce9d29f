//go:build unix

// Command bench measures the cost of the provider: time, CPU time, memory and
// API calls for many servings, compared with the same number of terraform_data
// resources, which do nothing. "make bench" runs it, and shows all runs with
// benchstat. To compare two commits, keep bench/runs.txt of the first:
//
//	go -C internal/tools tool benchstat before=/tmp/runs.txt after=$PWD/bench/runs.txt
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/cli"
)

// options are the flags.
type options struct {
	root, bin string
	servings  int
	runs      int
	only      []string
	out       string
	verbose   bool
}

func main() {
	if isProbe() {
		os.Exit(probe())
	}
	o, err := parse(os.Args[1:])
	if err != nil {
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	err = run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// scenarioNames are the values of -only, in the order of execution.
var scenarioNames = []string{"start", "size", "apply", "plan", "objects"}

func parse(args []string) (options, error) {
	var o options
	only := ""
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.StringVar(&o.root, "root", ".", "`folder` of the project")
	flags.StringVar(&o.bin, "bin", ".bin", "`folder` for a built OpenTofu")
	flags.IntVar(&o.servings, "n", 1000, "`number` of servings, and of each kind of object; 100 for a quick look")
	flags.IntVar(&o.runs, "runs", 3, "`number` of runs of which the median counts")
	all := strings.Join(scenarioNames, ",")
	flags.StringVar(&only, "only", all, "comma separated `scenarios`")
	flags.StringVar(&o.out, "out", "bench.txt", "`file` for all runs, in the format of Go's benchmarks")
	flags.BoolVar(&o.verbose, "v", false, "show what runs")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.only = strings.Split(only, ",")
	for _, name := range o.only {
		if !slices.Contains(scenarioNames, name) {
			fmt.Fprintf(os.Stderr, "bench: no scenario %q; there are %s\n", name, strings.Join(scenarioNames, ", "))
			return o, flag.ErrHelp
		}
	}
	if o.servings < 1 || o.runs < 1 {
		fmt.Fprintln(os.Stderr, "bench: -n and -runs have to be at least 1")
		return o, flag.ErrHelp
	}
	return o, nil
}

func (o options) wants(name string) bool { return slices.Contains(o.only, name) }

func run(ctx context.Context, o options) error {
	tool, err := cli.NewFinder(o.bin, os.Stderr).Find(ctx)
	if err != nil {
		return err
	}
	b, err := newBench(o, tool)
	if err != nil {
		return err
	}
	err = errors.Join(b.run(ctx), b.close())
	fmt.Println(strings.Join(b.report.goals, "\n"))
	if dirErr := os.MkdirAll(filepath.Dir(o.out), 0o755); dirErr != nil {
		return errors.Join(err, dirErr)
	}
	return errors.Join(err, os.WriteFile(o.out, b.report.text.Bytes(), 0o644))
}
