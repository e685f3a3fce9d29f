//go:build unix

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/workspace"
)

// record runs a program to its end and returns the lines that it prints, without the
// folders of this machine. The lines are copied to out.
func record(program *exec.Cmd, out io.Writer) (lines []string, err error) {
	output, err := program.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	program.Stderr = os.Stderr
	if err := workspace.Start(program); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	scanner := bufio.NewScanner(output)
	for scanner.Scan() {
		lines = append(lines, withoutFolders(scanner.Text()))
		fmt.Fprintln(out, scanner.Text())
	}
	// A line that is too long ends the program, as its output is closed.
	if err := errors.Join(scanner.Err(), output.Close(), workspace.Reap(program)); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return lines, nil
}

// folders matches the folders of an absolute path.
var folders = regexp.MustCompile(`(^|[\s="'(])/(?:[^\s/"'()]+/)+`)

// withoutFolders shortens the paths in a text to the name of the file.
func withoutFolders(text string) string { return folders.ReplaceAllString(text, "${1}…/") }
