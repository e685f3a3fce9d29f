//go:build unix

// Command recording runs the scenes of the demo and draws what they print as an animated
// picture. "make demo-recording" runs it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// maxSize bounds the picture, which pages load.
const maxSize = 200_000

func main() {
	root := flag.String("root", ".", "folder of the project")
	binDir := flag.String("bin", ".bin", "folder of the programs demo and kubetest, and for a built OpenTofu")
	out := flag.String("out", ".github/pictures/demo.svg", "file to write")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	demo := exec.CommandContext(ctx, *binDir+"/demo", "-root", *root, "-bin", *binDir, "-color", "-scenes")
	if err := run(demo, *out, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "recording:", err)
		os.Exit(1)
	}
}

// run records a program and writes the picture. What the program prints is copied to out.
func run(program *exec.Cmd, file string, out io.Writer) error {
	lines, err := record(program, out)
	if err != nil {
		return err
	}
	picture, err := draw(lines)
	if err != nil {
		return err
	}
	if len(picture) > maxSize {
		return errors.New("the picture is too large: the program prints too much")
	}
	if err := os.WriteFile(file, []byte(picture), 0o644); err != nil {
		return fmt.Errorf("write the recording: %w", err)
	}
	fmt.Fprintf(out, "\n%s: %d lines, %d kB\n", file, len(lines), len(picture)/1000)
	return nil
}
