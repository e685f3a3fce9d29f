package main

import (
	"bytes"
	"io"
	"testing"
)

type closing struct{ bytes.Buffer }

func (*closing) Close() error { return nil }

// TestFromLine: what precedes the line is left out, unless there is no such line, as in
// an error.
func TestFromLine(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"plan\n  more\nx: Destroying...\nComplete\n": "x: Destroying...\nComplete\n",
		"x: Destroying...":                           "x: Destroying...",
		"Error: no plan\n":                           "Error: no plan\n",
		"":                                           "",
	} {
		out := &closing{}
		lines := &fromLine{to: out, text: ": Destroying..."}
		for i := range written { // in small parts, as a pipe may
			if _, err := io.WriteString(lines, written[i:i+1]); err != nil {
				t.Fatal(err)
			}
		}
		if err := lines.Close(); err != nil || out.String() != want {
			t.Errorf("%q passes on %q, %v", written, out.String(), err)
		}
	}
}
