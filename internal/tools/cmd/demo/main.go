//go:build unix

// Command demo shows the provider at work against a sandbox Kuscia on this
// machine: a serving from create to destroy, with a change that the plan refuses and a
// rollout that fails. "make demo" runs it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/cli"
)

// exitInterrupted is the exit code that shells report for a program ended by
// Ctrl-C.
const exitInterrupted = 130

func main() {
	root := flag.String("root", ".", "folder of the project")
	binDir := flag.String("bin", ".bin", "folder for a built OpenTofu")
	color := flag.Bool("color", false, "print colors also to a file or pipe")
	scenes := flag.Bool("scenes", false, "print only the scenes of the recording")
	flag.Parse()

	// SIGPIPE is included so that "make demo | head" cleans up as well.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	defer stop()

	play := run
	if *scenes {
		play = runScenes
	}
	err := play(ctx, *root, *binDir, newPrinter(os.Stdout, *color))
	switch {
	case err == nil:
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "\nInterrupted. The sandbox is stopped and the temporary folder removed.")
		os.Exit(exitInterrupted)
	default:
		fmt.Fprintln(os.Stderr, "\nThe demo failed:", err)
		fmt.Fprintln(os.Stderr, "The sandbox is stopped and the temporary folder removed.")
		os.Exit(1)
	}
}

// runScenes is run for a recording.
func runScenes(ctx context.Context, root, binDir string, printer *printer) error {
	tool, err := cli.NewFinder(binDir, os.Stderr).Find(ctx)
	if err != nil {
		return err
	}
	out := printer.out
	printer.out = io.Discard
	d, err := newDemo(root, tool, printer)
	if err != nil {
		return err
	}
	return errors.Join(d.scenes(ctx, binDir, out), d.close())
}

// run finds a CLI, plays the demo and always cleans up.
func run(ctx context.Context, root, binDir string, printer *printer) error {
	printer.heading("The Kuscia provider, from nothing to a running serving and back")
	printer.say("A sandbox on this machine simulates Kuscia, and Terraform or OpenTofu manages it with the")
	printer.say("provider of this checkout. Nothing is kept; Ctrl-C ends the demo at any time and cleans up.")
	tool, err := cli.NewFinder(binDir, os.Stderr).Find(ctx)
	if err != nil {
		return err
	}
	printer.say("Here it is %s.", tool)
	started := time.Now()
	d, err := newDemo(root, tool, printer)
	if err != nil {
		return err
	}
	if err := errors.Join(d.play(ctx), d.close()); err != nil {
		return err
	}
	finish(printer, time.Since(started))
	return nil
}
