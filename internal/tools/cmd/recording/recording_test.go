//go:build unix

package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRecording records a program and looks into the picture.
func TestRecording(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "demo.svg")
	program := exec.CommandContext(t.Context(), "sh", "-c", `printf '\033[1ma <b> & c\033[0m\n'; sleep 0.3; echo 'KEY=/home/me/x/certs (/usr/bin/tf)'`)
	if err := run(program, file, io.Discard); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for decoder := xml.NewDecoder(bytes.NewReader(content)); ; {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	picture := string(content)
	for _, want := range []string{
		`<tspan class="b">a &lt;b&gt; &amp; c</tspan>`, ">KEY=…/certs (…/tf)<",
		"prefers-color-scheme: dark", "prefers-reduced-motion", "{transform:translateY(34px)}", ".scroll{animation:scroll 6.", ".cover{animation:cover 6.",
	} {
		if !strings.Contains(picture, want) {
			t.Errorf("the picture does not have %q:\n%s", want, picture)
		}
	}
}

// TestNothingIsWritten: a program that fails, or prints too much, leaves no picture.
func TestNothingIsWritten(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"it fails":        "echo x; exit 3",
		"it is too long":  "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789; i=$((i+1)); done",
		"a line too long": "head -c 100000 /dev/zero | tr '\\0' x; sleep 0.1; echo",
	} {
		file := filepath.Join(t.TempDir(), "demo.svg")
		if err := run(exec.CommandContext(t.Context(), "sh", "-c", script), file, io.Discard); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
