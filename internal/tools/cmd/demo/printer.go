//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// gutter is the prefix of every line of another program's output, which
// distinguishes it from the demo's own output.
const gutter = "   | "

// printer prints the demo's own texts and other programs' output.
type printer struct {
	out io.Writer
	// color says that the output has colors: it is a terminal whose user did not
	// ask for plain text (https://no-color.org), or the user asked for colors.
	color bool
}

func newPrinter(out *os.File, color bool) *printer {
	info, err := out.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0
	return &printer{out: out, color: color || terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// heading prints a bold line after an empty one.
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

// lines prints lines of a file or a plan.
func (p *printer) lines(lines []string) {
	for _, line := range lines {
		fmt.Fprintln(p.out, gutter+line)
	}
}

// output returns a writer for another program's output. The caller must close
// it, because it buffers an incomplete line.
func (p *printer) output() *indenter { return &indenter{out: p.out} }

// indenter adds the gutter to each line.
type indenter struct {
	out     io.Writer
	pending []byte
}

// Write prints the complete lines.
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

// Close prints the buffered rest.
func (w *indenter) Close() error {
	if len(w.pending) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w.out, "%s%s\n", gutter, w.pending)
	w.pending = nil
	return err
}
