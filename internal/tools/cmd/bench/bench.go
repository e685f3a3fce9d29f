//go:build unix

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/cli"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/workspace"
)

// podStart is the start time of a pod in the sandbox.
const podStart = 2 * time.Second

// applyParallelism is the value of -parallelism for apply and destroy.
const applyParallelism = "-parallelism=50"

type bench struct {
	options
	ws     *workspace.Workspace
	report report
}

func newBench(o options, tool cli.CLI) (*bench, error) {
	ws, err := workspace.New(o.root, tool)
	if err != nil {
		return nil, err
	}
	b := &bench{options: o, ws: ws}
	b.report.machine(tool, o.servings)
	return b, nil
}

func (b *bench) close() error { return b.ws.Close() }

func (b *bench) path(name string) string { return filepath.Join(b.ws.Dir, name) }

func (b *bench) logf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

func (b *bench) run(ctx context.Context) error {
	if err := b.prepare(ctx); err != nil {
		return err
	}
	if b.wants("size") {
		if err := b.size(); err != nil {
			return err
		}
	}
	if b.wants("start") {
		if err := b.start(ctx); err != nil {
			return err
		}
	}
	if err := b.measureServings(ctx, b.servings); err != nil {
		return err
	}
	if b.wants("objects") {
		if err := b.objects(ctx); err != nil {
			return err
		}
	}
	b.checkGoals()
	return nil
}

// prepare builds the programs and configures the CLI to use them.
func (b *bench) prepare(ctx context.Context) error {
	b.logf("Building the provider, the sandbox and a plain provider.")
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if err := errors.Join(
		b.build(ctx, "kuscia", "."),
		b.build(ctx, "kuscia-sandbox", "./internal/cmd/kuscia-sandbox"),
		b.build(ctx, "direct/terraform-provider-plain", "./internal/tools/cmd/bench/testdata/plain/main.go"),
		b.build(ctx, "idle/terraform-provider-kuscia", "./internal/tools/cmd/bench/testdata/idle/main.go"),
		os.MkdirAll(b.path("probed"), 0o755),
	); err != nil {
		return err
	}
	if err := errors.Join(
		os.Symlink(b.path("kuscia"), b.path("direct/terraform-provider-kuscia")),
		os.Symlink(self, b.path("probed/terraform-provider-kuscia")),
		b.cliConfig("direct"), b.cliConfig("probed"),
	); err != nil {
		return err
	}
	b.ws.Setenv(probedVariable, b.path("kuscia"))
	b.ws.Setenv(usageVariable, b.path("usage"))
	return nil
}

// build compiles a program of the project as in a release: without symbols.
func (b *bench) build(ctx context.Context, target, pkg string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-trimpath", "-ldflags=-s -w", "-o", b.path(target), pkg)
	cmd.Dir = b.root
	if out, err := workspace.RunQuietly(cmd); err != nil {
		return fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	return nil
}

// cliConfig writes a CLI configuration that installs providers from a
// directory.
func (b *bench) cliConfig(folder string) error {
	text := fmt.Sprintf("disable_checkpoint = true\nprovider_installation {\n  dev_overrides {\n    \"terraform-kuscia/kuscia\" = %q\n    \"terraform-kuscia/plain\" = %q\n  }\n  direct {}\n}\n",
		b.path(folder), b.path(folder))
	return os.WriteFile(b.path(folder+".tfrc"), []byte(text), 0o600)
}

func (b *bench) size() error {
	info, err := os.Stat(b.path("kuscia"))
	if err != nil {
		return err
	}
	fmt.Fprintf(&b.report.text, "BenchmarkBinary/stripped 1 %d file-B\n", info.Size())
	b.report.atMost("size of the stripped binary", float64(info.Size())/(1<<20), 30, "MiB")
	return nil
}

// start measures "validate" of a configuration without resources, alternating
// with a plain provider.
func (b *bench) start(ctx context.Context) error {
	b.ws.Setenv("TF_CLI_CONFIG_FILE", b.path("direct.tfrc"))
	own, err := writeFolder(b.ws.Dir, "start-kuscia", unused("kuscia"))
	if err != nil {
		return err
	}
	plain, err := writeFolder(b.ws.Dir, "start-plain", unused("plain"))
	if err != nil {
		return err
	}
	var ownRuns, plainRuns []measurement
	for range 4*b.runs + 1 { // short runs vary more; the first ones warm up
		for dir, runs := range map[string]*[]measurement{own: &ownRuns, plain: &plainRuns} {
			one, err := b.measure(ctx, nil, dir, "validate")
			if err != nil {
				return err
			}
			*runs = append(*runs, one)
		}
	}
	ownMedian, plainMedian := b.add("validate, unused", ownRuns[1:], 1), b.add("validate, unused plain provider", plainRuns[1:], 1)
	b.report.atMost("start beside a plain provider", ownMedian.Wall.Seconds()/plainMedian.Wall.Seconds(), startLimit, "x")
	return nil
}

func (b *bench) timed(ctx context.Context, dir string, args ...string) (time.Duration, []byte, error) {
	started := time.Now()
	output, err := b.ws.Output(ctx, dir, append(args, "-no-color")...)
	return time.Since(started), output, err
}

// api is the server of a provider: it counts the requests since forget.
type api interface {
	forget(ctx context.Context) error
	counts(ctx context.Context) (counts, error)
}

// measure runs the CLI, and records the provider's resource usage and its
// requests to an API; nil for none.
func (b *bench) measure(ctx context.Context, requests api, dir string, args ...string) (measurement, error) {
	if err := os.Remove(b.path("usage")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return measurement{}, err
	}
	if requests != nil {
		if err := requests.forget(ctx); err != nil {
			return measurement{}, err
		}
	}
	took, output, err := b.timed(ctx, dir, args...)
	if err != nil {
		return measurement{}, err
	}
	measured := measurement{Wall: took, output: output}
	if requests == nil {
		return measured, nil
	}
	if measured.Requests, err = requests.counts(ctx); err != nil {
		return measurement{}, err
	}
	used, err := readUsage(b.path("usage"))
	if err != nil {
		return measurement{}, fmt.Errorf("what the provider used: %w", err)
	}
	measured.CPU, measured.Memory = used.CPU, used.Memory
	if b.verbose {
		b.logf("  %s: %s, CPU %s, %d MiB, %s", strings.Join(args, " "), measured.Wall.Round(time.Millisecond), used.CPU.Round(time.Millisecond), used.Memory>>20, measured.Requests)
	}
	return measured, nil
}

// middle returns the medians of several runs.
func middle(name string, rows []measurement, items int) measurement {
	m := rows[len(rows)-1]
	m.Name = name
	m.Wall = median(rows, func(a, c measurement) int { return cmp.Compare(a.Wall, c.Wall) }).Wall
	m.CPU = median(rows, func(a, c measurement) int { return cmp.Compare(a.CPU, c.CPU) }).CPU
	m.Memory = median(rows, func(a, c measurement) int { return cmp.Compare(a.Memory, c.Memory) }).Memory
	m.Delay = median(rows, func(a, c measurement) int { return cmp.Compare(a.Delay, c.Delay) }).Delay
	m.PerItem = m.CPU / time.Duration(items)
	return m
}

// add adds the runs of a measurement to the report, and returns their medians.
func (b *bench) add(name string, runs []measurement, items int) measurement {
	for _, one := range runs {
		b.report.run(name, one)
	}
	m := middle(name, runs, items)
	b.report.rows = append(b.report.rows, m)
	return m
}

// measureServings runs all measurements with many servings.
func (b *bench) measureServings(ctx context.Context, n int) (err error) {
	if !b.wants("plan") && !b.wants("apply") {
		return nil
	}
	b.ws.Setenv("TF_CLI_CONFIG_FILE", b.path("probed.tfrc"))
	box, err := startSandbox(ctx, b.path("kuscia-sandbox"), b.path("certs"), podStart)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, box.Close()) }()
	b.ws.Setenv("KUSCIA_ENDPOINT", box.Endpoint)
	b.ws.Setenv("KUSCIA_CERTS_DIR", box.CertsDir)

	own, err := writeFolder(b.ws.Dir, "servings", servings(n))
	if err != nil {
		return err
	}
	floor, err := writeFolder(b.ws.Dir, "idle", baselineConfiguration(n))
	if err != nil {
		return err
	}
	if _, err := b.ws.Output(ctx, floor, "init", "-no-color"); err != nil {
		return err
	}
	if b.wants("apply") {
		err = b.applies(ctx, box, own, floor, n)
	} else {
		err = b.create(ctx, n, own, floor)
	}
	if err != nil {
		return err
	}
	if !b.wants("plan") {
		return nil
	}
	return b.plans(ctx, box, own, floor, n)
}

// create creates n servings, and n resources of each baseline.
func (b *bench) create(ctx context.Context, n int, dirs ...string) error {
	b.logf("Creating %d servings.", n)
	for _, dir := range dirs {
		if _, err := b.ws.Output(ctx, dir, "apply", "-no-color", "-auto-approve", applyParallelism); err != nil {
			return err
		}
	}
	return nil
}

// plans measures plans without changes, alternating with the baseline, so that
// other load on the machine affects both.
func (b *bench) plans(ctx context.Context, box *kusciaSandbox, own, floor string, n int) error {
	b.logf("Planning with nothing to do, %d times each.", b.runs)
	var ownRuns, idleRuns, floorRuns []measurement
	for range b.runs {
		one, err := b.measure(ctx, box, own, "plan", "-detailed-exitcode")
		if err != nil {
			return fmt.Errorf("the plan is not empty: %w", err)
		}
		ownRuns = append(ownRuns, one)
		if one, err = b.withIdleProvider(ctx, box, own); err != nil {
			return err
		}
		idleRuns = append(idleRuns, one)
		if one, err = b.measure(ctx, nil, floor, "plan", "-detailed-exitcode"); err != nil {
			return err
		}
		floorRuns = append(floorRuns, one)
	}
	b.add("plan", ownRuns, n)
	b.add("plan"+idleProvider, idleRuns, n)
	b.add("plan, terraform_data", floorRuns, n)
	return nil
}

// idleProvider is the end of the name of a row with testdata/idle.
const idleProvider = ", idle provider"

// withIdleProvider plans with a provider that does nothing in its reads. It is
// started in the same way as the real one, by the probe.
func (b *bench) withIdleProvider(ctx context.Context, requests api, dir string) (measurement, error) {
	b.ws.Setenv(probedVariable, b.path("idle/terraform-provider-kuscia"))
	defer b.ws.Setenv(probedVariable, b.path("kuscia"))
	return b.measure(ctx, requests, dir, "plan", "-detailed-exitcode")
}
