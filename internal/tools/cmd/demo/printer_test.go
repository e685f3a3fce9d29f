//go:build unix

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestIndenter(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := (&printer{out: &out}).output()
	for _, piece := range []string{"one\nt", "wo\n\nth", "ree"} {
		if n, err := io.WriteString(w, piece); n != len(piece) || err != nil {
			t.Fatalf("wrote %d of %q: %v", n, piece, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "   | one\n   | two\n   | \n   | three\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestIndenterReportsAClosedPipe(t *testing.T) {
	t.Parallel()
	reader, writer := io.Pipe()
	_ = reader.Close()
	w := (&printer{out: writer}).output()
	if _, err := io.WriteString(w, "line\n"); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
}

// TestColors: a file gets colors only on demand.
func TestColors(t *testing.T) {
	t.Parallel()
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	if newPrinter(file, false).color || !newPrinter(file, true).color {
		t.Error("colors without the flag, or none with it")
	}
}
