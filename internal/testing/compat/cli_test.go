package compat_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// cli is a folder in which a real CLI uses the provider of this checkout.
type cli struct {
	t            *testing.T
	program, dir string
	environment  []string
}

func newCLI(t *testing.T, variables map[string]string) *cli {
	t.Helper()
	program, plugins := acctest.CLI(t), t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(plugins, "terraform-provider-kuscia"), "../../..")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	c := &cli{t: t, program: program, dir: t.TempDir(), environment: acctest.BuiltProvider(t, plugins)}
	for name, value := range variables {
		c.environment = append(c.environment, name+"="+value)
	}
	return c
}

// write writes a file into the folder.
func (c *cli) write(name, content string) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.dir, name), []byte(content), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// take copies a file into the folder.
func (c *cli) take(path, name string) {
	c.t.Helper()
	c.write(name, string(read(c.t, path)))
}

// run runs the CLI and returns its output and exit code; if the exit code is
// not 0, the output includes the errors.
func (c *cli) run(args ...string) (string, int) {
	c.t.Helper()
	var problems strings.Builder
	cmd := exec.CommandContext(context.WithoutCancel(c.t.Context()), c.program, args...)
	cmd.Dir, cmd.Env, cmd.Stderr = c.dir, c.environment, &problems
	output, code := acctest.CommandOutput(c.t, cmd)
	if code != 0 {
		output += problems.String()
	}
	return output, code
}

// mustRun is run for a command that must succeed.
func (c *cli) mustRun(args ...string) {
	c.t.Helper()
	if output, code := c.run(args...); code != 0 {
		c.t.Fatalf("%s: exit code %d\n%s", args[0], code, output)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
