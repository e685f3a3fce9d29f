//go:build unix

// Command demo shows the provider at work against a sandbox Kuscia on this
// machine: it creates a serving, changes it and destroys it. "make demo" runs
// it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
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
	flag.Parse()

	// SIGPIPE is included so that "make demo | head" cleans up as well.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	defer stop()

	err := run(ctx, *root, *binDir, os.Stdout)
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

// run finds a CLI, plays the demo and always cleans up.
func run(ctx context.Context, root, binDir string, out *os.File) error {
	tool, err := cli.NewFinder(binDir, os.Stderr).Find(ctx)
	if err != nil {
		return err
	}
	started := time.Now()
	printer := newPrinter(out)
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
