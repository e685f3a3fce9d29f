//go:build unix

package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// TestTheRecordingIsOfAnyMachine: the picture of the project has each step of the demo,
// and no folder of a machine.
func TestTheRecordingIsOfAnyMachine(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("../../../../.github/pictures/demo.svg")
	if err != nil {
		t.Fatal(err)
	}
	if len(content) > maxSize || !bytes.Contains(content, []byte("Destroy complete!")) {
		t.Errorf("%d bytes, or no whole run", len(content))
	}
	source, err := os.ReadFile("../demo/demo.go")
	if err != nil {
		t.Fatal(err)
	}
	titles := regexp.MustCompile(`(?m)^\t\t\{"([^"]+)"`).FindAllSubmatch(source, -1)
	if len(titles) == 0 {
		t.Fatal("no steps")
	}
	for i, title := range titles {
		if heading := fmt.Sprintf(">%d/%d  %s", i+1, len(titles), title[1]); !bytes.Contains(content, []byte(heading)) {
			t.Errorf("no step %q: run make demo-recording", heading)
		}
	}
	for _, text := range strings.Split(string(content), "\n") {
		if strings.HasPrefix(text, "<text") && withoutFolders(text) != text {
			t.Errorf("a folder of a machine: %s", text)
		}
	}
}
