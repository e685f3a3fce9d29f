package gobuild

import (
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	t.Parallel()
	p := &progress{name: "provider", what: "packages", total: 40}
	const listed = "go: downloading example.com/x v1.0.0\nexample.com/x\nexample.com/y/v2\n# example.com/z\nz.go:3:1: syntax error\nincomplete"
	for i := range listed { // in small parts, as a pipe may
		if _, err := io.WriteString(p, listed[i:i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := p.line(61*time.Second), "   provider: 3 of at most 40 packages, 1m1s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := strings.Join(p.messages, "\n"); got != "# example.com/z\nz.go:3:1: syntax error" {
		t.Errorf("messages %q", got)
	}
}

// TestAFailedBuildSaysWhy: the compiler's messages are in the error.
func TestAFailedBuildSaysWhy(t *testing.T) {
	t.Parallel()
	p := Program{Name: "x", Dir: t.TempDir(), Package: "./nothing", Output: filepath.Join(t.TempDir(), "x"), Log: io.Discard, Run: (*exec.Cmd).Run}
	if err := p.Build(t.Context()); err == nil || !strings.Contains(err.Error(), "nothing") || !strings.Contains(err.Error(), "go.mod") {
		t.Errorf("got %v", err)
	}
}
