//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/cli"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/workspace"
)

const (
	// quickstart is the configuration that the demo applies.
	quickstart = "examples/quickstart"
	// planFile is a plan in the folder of the configuration.
	planFile = "demo.tfplan"
	// What is indented more is left out of the printed configuration and the first plan.
	configurationDepth = 6
	planDepth          = 10
)

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
	ws.Log = out.out
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
	steps := []struct {
		title string
		run   func(context.Context) error
	}{
		{"Build the provider and the sandbox", d.build},
		{"Start the sandbox: a Kuscia with mutual TLS and the domains alice and bob", d.start},
		{"The configuration: an app image, and a serving of two parties", d.configure},
		{"Create both: " + d.command("apply"), d.create},
		{"Plan again: the plan of a running serving is empty", d.planIsEmpty},
		{"Give the serving more CPU and memory: an update in place, party by party", d.update},
		{"A mistake: a party whose domain does not exist. The plan refuses it", d.refuse},
		{"A release that fails: an image that cannot be pulled", d.fail},
		{"The mend: the former image", d.mend},
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

// startSandbox starts the sandbox with arguments, and sets the environment for it.
func (d *demo) startSandbox(ctx context.Context, args ...string) error {
	s, err := sandbox.Start(ctx, d.sandboxBinary(), filepath.Join(d.ws.Dir, "certs"), args...)
	if err != nil {
		return err
	}
	d.sandbox = s
	d.ws.Setenv("KUSCIA_ENDPOINT", s.Endpoint)
	d.ws.Setenv("KUSCIA_CERTS_DIR", s.CertsDir)
	return nil
}

func (d *demo) start(ctx context.Context) error {
	if err := d.startSandbox(ctx, "--ief", "127.0.0.1:0"); err != nil {
		return err
	}
	d.print.say("It listens on %s. The provider is told so by two variables:", d.sandbox.Endpoint)
	d.print.say("  KUSCIA_ENDPOINT=%s", d.sandbox.Endpoint)
	d.print.say("  KUSCIA_CERTS_DIR=%s", d.sandbox.CertsDir)
	d.print.say("It simulates Huawei IEF as well, for edge deployments; the quickstart has none.")
	return nil
}

func (d *demo) configure(ctx context.Context) error {
	dir, err := d.ws.CopyConfiguration(quickstart)
	if err != nil {
		return err
	}
	d.dir = dir
	main, err := os.ReadFile(filepath.Join(dir, "main.tf"))
	if err != nil {
		return err
	}
	d.print.say("From %s/main.tf:", quickstart)
	d.print.lines(outline(string(main), configurationDepth))
	if _, err := d.ws.Output(ctx, dir, "init", "-input=false", "-no-color"); err != nil {
		return err
	}
	d.print.say("%s has installed the provider from a folder of this machine, as from a registry.", d.command("init"))
	return nil
}

func (d *demo) create(ctx context.Context) error {
	if err := d.plan(ctx, func(plan string) []string { return outline(plan, planDepth) }, "-out="+planFile); err != nil {
		return err
	}
	if err := d.loud(ctx, "apply", "-input=false", planFile); err != nil {
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

// refuse plans a change that the provider refuses, and takes it back.
func (d *demo) refuse(ctx context.Context) error {
	changes := []struct{ before, carol string }{
		{"    partyConfigs = {\n", "      carol = { modelConfig = { modelId = \"glm-test-1\", sourcePath = \"examples/carol/glm-test.tar.gz\", sourceType = \"ST_FILE\" } }\n"},
		{"  parties = {\n", "    carol = { app_image = kuscia_app_image.serving.name }\n"},
	}
	for _, c := range changes {
		if err := d.edit("main.tf", c.before, c.before+c.carol); err != nil {
			return err
		}
	}
	if err := d.fails(ctx, "Warning: ", "plan", "-input=false"); err != nil {
		return err
	}
	d.print.say("Nothing was sent to Kuscia. The lines are removed again:")
	for _, c := range changes {
		if err := d.edit("main.tf", c.carol, ""); err != nil {
			return err
		}
	}
	return nil
}

// What fail changes, and mend changes back.
const (
	image, brokenImage = `"0.8.0b0"`, `"broken"`
	limit              = "  progress_deadline = \"5s\"\n"
	beforeLimit        = "  initiator  = \"alice\"\n"
)

// fail applies an image whose pods the sandbox never starts.
func (d *demo) fail(ctx context.Context) error {
	if err := errors.Join(d.edit("app_image.tf", image, brokenImage), d.edit("main.tf", beforeLimit, beforeLimit+limit)); err != nil {
		return err
	}
	d.print.say("The sandbox never starts pods of this image. The apply sends the change, and fails after 5 s")
	d.print.say("without progress; by default it has more patience.")
	if err := d.plan(ctx, summary, "-out="+planFile); err != nil {
		return err
	}
	return d.fails(ctx, "Error: ", "apply", "-input=false", planFile)
}

func (d *demo) mend(ctx context.Context) error {
	if err := errors.Join(d.edit("app_image.tf", brokenImage, image), d.edit("main.tf", limit, "")); err != nil {
		return err
	}
	if err := d.loudFrom(ctx, ": Modifying...", "apply", "-input=false", "-auto-approve"); err != nil {
		return err
	}
	return d.planIsEmpty(ctx)
}

func (d *demo) destroy(ctx context.Context) error {
	if err := d.plan(ctx, summary, "-destroy"); err != nil {
		return err
	}
	return d.loudFrom(ctx, ": Destroying...", "destroy", "-input=false", "-auto-approve")
}

// plan plans, and prints a part of the plan.
func (d *demo) plan(ctx context.Context, part func(plan string) []string, args ...string) error {
	plan, err := d.ws.Output(ctx, d.dir, append([]string{"plan", "-input=false", "-no-color"}, args...)...)
	if err != nil {
		return err
	}
	d.print.lines(append(part(string(plan)), fmt.Sprintf("(the plan in full: %d lines)", strings.Count(string(plan), "\n"))))
	return nil
}

// fails runs the CLI, which has to fail, and prints its output from the first line with a
// text.
func (d *demo) fails(ctx context.Context, text string, args ...string) error {
	err := d.loudFrom(ctx, text, args...)
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil || err != nil && !errors.As(err, &exit):
		return errors.Join(err, ctx.Err())
	case err == nil:
		return fmt.Errorf("%s was to fail, and did not", d.command(strings.Join(args, " ")))
	}
	return nil
}

// edit replaces a text of the configuration, which it contains once, and prints the
// change.
func (d *demo) edit(file, old, replacement string) error {
	path := filepath.Join(d.dir, file)
	before, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if strings.Count(string(before), old) != 1 {
		return fmt.Errorf("%s/%s does not contain once what the demo changes: %s", quickstart, file, strings.TrimSpace(old))
	}
	after := strings.Replace(string(before), old, replacement, 1)
	d.print.lines(append([]string{file}, changedLines(string(before), after)...))
	return os.WriteFile(path, []byte(after), 0o644)
}

// loud runs the CLI and prints its output.
func (d *demo) loud(ctx context.Context, args ...string) error { return d.loudFrom(ctx, "", args...) }

// loudFrom is loud for the output from the first line with a text, or for all of it if there
// is no such line.
func (d *demo) loudFrom(ctx context.Context, text string, args ...string) error {
	if !d.print.color {
		args = append(args, "-no-color")
	}
	out := &fromLine{to: d.print.output(), text: text}
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
		"use a real Kuscia: docs/guides/getting-started.md",
		"run the tests: make test",
	} {
		p.say("- %s", line)
	}
}
