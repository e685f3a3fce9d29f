//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// gutter stands before every line that another program prints, so that it is
// told apart from the demo's own words.
const gutter = "   | "

// printer writes the demo's own words and other programs' output.
type printer struct {
	out io.Writer
	// color says that the output is a terminal whose user did not ask for
	// plain text (https://no-color.org).
	color bool
}

func newPrinter(out *os.File) *printer {
	info, err := out.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0
	return &printer{out: out, color: terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// heading prints a bold line with an empty one before it.
func (p *printer) heading(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if p.color {
		text = "\x1b[1m" + text + "\x1b[0m"
	}
	fmt.Fprintf(p.out, "\n%s\n", text)
}

// say prints a line of explanation.
func (p *printer) say(format string, args ...any) {
	fmt.Fprintf(p.out, "   "+format+"\n", args...)
}

// output is a writer for another program's output. Close it at the end: it
// holds back an unfinished line.
func (p *printer) output() *indenter { return &indenter{out: p.out} }

// indenter puts the gutter before each line.
type indenter struct {
	out     io.Writer
	pending []byte
}

// Write prints the lines that are complete.
func (w *indenter) Write(data []byte) (int, error) {
	w.pending = append(w.pending, data...)
	for {
		line, rest, found := bytes.Cut(w.pending, []byte("\n"))
		if !found {
			return len(data), nil
		}
		if _, err := fmt.Fprintf(w.out, "%s%s\n", gutter, line); err != nil {
			return 0, err
		}
		w.pending = rest
	}
}

// Close prints what is left.
func (w *indenter) Close() error {
	if len(w.pending) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w.out, "%s%s\n", gutter, w.pending)
	w.pending = nil
	return err
}
