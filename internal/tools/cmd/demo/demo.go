//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/cli"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/workspace"
)

// quickstart is the configuration that the demo applies.
const quickstart = "examples/quickstart"

// demo is one run of the demo.
type demo struct {
	print   *printer
	ws      *workspace.Workspace
	sandbox *sandbox.Process
	// dir is the copy of the quickstart in which the CLI runs.
	dir string
}

func newDemo(root string, tool cli.CLI, out *printer) (*demo, error) {
	ws, err := workspace.New(root, tool)
	if err != nil {
		return nil, err
	}
	return &demo{print: out, ws: ws}, nil
}

// close stops the sandbox and removes the temporary directory.
func (d *demo) close() error {
	var err error
	if d.sandbox != nil {
		err = d.sandbox.Close()
	}
	return errors.Join(err, d.ws.Close())
}

// play runs the steps in order.
func (d *demo) play(ctx context.Context) error {
	d.print.heading("The Kuscia provider, from nothing to a running serving and back")
	d.print.say("A sandbox on this machine simulates Kuscia. It is managed by the provider of this checkout")
	d.print.say("and %s.", d.ws.CLI())
	d.print.say("Nothing is kept; Ctrl-C ends the demo at any time and cleans up.")

	steps := []struct {
		title string
		run   func(context.Context) error
	}{
		{"Build the provider and the sandbox", d.build},
		{"Start the sandbox: a Kuscia with mutual TLS and the domains alice and bob", d.start},
		{"Prepare: " + d.command("init"), d.init},
		{"Create an app image and a serving with two parties: " + d.command("apply"), d.create},
		{"Plan again: the plan of a running serving is empty", d.planIsEmpty},
		{"Give the serving more CPU and memory: an update in place, party by party", d.update},
		{"Plan once more: still nothing to do", d.planIsEmpty},
		{"Remove everything: " + d.command("destroy"), d.destroy},
	}
	for i, step := range steps {
		d.print.heading("%d/%d  %s", i+1, len(steps), step.title)
		if err := step.run(ctx); err != nil {
			return err
		}
	}
	return nil
}

// command returns a CLI call as a user would type it.
func (d *demo) command(subcommand string) string {
	return filepath.Base(d.ws.CLI().Path) + " " + subcommand
}

func (d *demo) build(ctx context.Context) error {
	started := time.Now()
	if err := d.ws.InstallProvider(ctx); err != nil {
		return err
	}
	if err := d.ws.Build(ctx, "./internal/cmd/kuscia-sandbox", d.sandboxBinary()); err != nil {
		return err
	}
	d.print.say("built in %s", time.Since(started).Round(100*time.Millisecond))
	return nil
}

func (d *demo) sandboxBinary() string { return filepath.Join(d.ws.Dir, "kuscia-sandbox") }

func (d *demo) start(ctx context.Context) error {
	s, err := sandbox.Start(ctx, d.sandboxBinary(), filepath.Join(d.ws.Dir, "certs"), "--ief", "127.0.0.1:0")
	if err != nil {
		return err
	}
	d.sandbox = s
	d.ws.Setenv("KUSCIA_ENDPOINT", s.Endpoint)
	d.ws.Setenv("KUSCIA_CERTS_DIR", s.CertsDir)
	d.print.say("It listens on %s. The provider is told so by two variables:", s.Endpoint)
	d.print.say("  KUSCIA_ENDPOINT=%s", s.Endpoint)
	d.print.say("  KUSCIA_CERTS_DIR=%s", s.CertsDir)
	d.print.say("It simulates Huawei IEF as well, for edge deployments; the quickstart has none.")
	return nil
}

func (d *demo) init(ctx context.Context) error {
	dir, err := d.ws.CopyConfiguration(quickstart)
	if err != nil {
		return err
	}
	d.dir = dir
	d.print.say("The configuration is %s.", quickstart)
	if _, err := d.ws.Output(ctx, dir, "init", "-input=false", "-no-color"); err != nil {
		return err
	}
	d.print.say("The provider is installed from a folder of this machine, as from a registry.")
	return nil
}

func (d *demo) create(ctx context.Context) error {
	if err := d.applyWithSummary(ctx); err != nil {
		return err
	}
	d.print.say("The apply ended when every party really ran.")
	return nil
}

func (d *demo) update(ctx context.Context) error {
	// Later plans must use the same value as this apply.
	d.ws.Setenv("TF_VAR_larger_resources", "true")
	return d.loud(ctx, "apply", "-input=false", "-auto-approve")
}

// planIsEmpty fails if the plan has changes.
func (d *demo) planIsEmpty(ctx context.Context) error {
	err := d.loud(ctx, "plan", "-input=false", "-detailed-exitcode")
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 2 {
		return errors.New("the plan is not empty, although nothing was changed")
	}
	return err
}

func (d *demo) destroy(ctx context.Context) error {
	return d.applyWithSummary(ctx, "-destroy")
}

// applyWithSummary plans, prints a summary of the plan, and applies it. The
// full plan of a new or deleted resource would repeat the whole configuration.
func (d *demo) applyWithSummary(ctx context.Context, planArgs ...string) error {
	const planFile = "demo.tfplan"
	args := append([]string{"plan", "-input=false", "-no-color", "-out=" + planFile}, planArgs...)
	plan, err := d.ws.Output(ctx, d.dir, args...)
	if err != nil {
		return err
	}
	for _, line := range summary(string(plan)) {
		fmt.Fprintln(d.print.out, gutter+line)
	}
	return d.loud(ctx, "apply", "-input=false", planFile)
}

// summary returns the summary of a plan: a line for each changed resource, and
// the number of changes.
func summary(plan string) []string {
	lines := strings.Split(plan, "\n")
	var kept []string
	for _, line := range lines {
		if strings.HasPrefix(line, "  # ") && strings.Contains(line, " will be ") || strings.HasPrefix(line, "Plan: ") {
			kept = append(kept, line)
		}
	}
	return append(kept, fmt.Sprintf("(the plan in full: %d lines)", len(lines)))
}

// loud runs the CLI and prints its output.
func (d *demo) loud(ctx context.Context, args ...string) error {
	if !d.print.color {
		args = append(args, "-no-color")
	}
	out := d.print.output()
	cmd := d.ws.Command(ctx, d.dir, args...)
	cmd.Stdout, cmd.Stderr = out, out
	err := errors.Join(workspace.Run(cmd), out.Close())
	if err != nil {
		return fmt.Errorf("%s: %w", d.command(strings.Join(args, " ")), err)
	}
	return nil
}

// finish prints the final message, which is true only after close.
func finish(p *printer, took time.Duration) {
	const command = "go run ./internal/cmd/kuscia-sandbox"
	p.heading("Done in %s. The sandbox is stopped and no file is left.", took.Round(time.Second))
	p.heading("What to try next")
	for _, line := range []string{
		"change " + quickstart + "/main.tf and run make demo again",
		"keep a sandbox running: " + command,
		"read what there is: docs/index.md",
		"use a real Kuscia: README.md, \"Against a real Kuscia\"",
		"run the tests: make test",
	} {
		p.say("- %s", line)
	}
}
