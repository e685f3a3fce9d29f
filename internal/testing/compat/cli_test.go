package compat_test

import (
	"context"
	"fmt"
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
	c := &cli{t: t, program: acctest.CLI(t), dir: t.TempDir()}
	plugins := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(plugins, "terraform-provider-kuscia"), "../../..")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	c.write("cli.rc", fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"terraform-kuscia/kuscia\" = %q\n  }\n  direct {}\n}\n", plugins))
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "KUSCIA_") && !strings.HasPrefix(variable, "TF_") {
			c.environment = append(c.environment, variable)
		}
	}
	c.environment = append(c.environment, "TF_CLI_CONFIG_FILE="+filepath.Join(c.dir, "cli.rc"), "TF_IN_AUTOMATION=1", "CHECKPOINT_DISABLE=1")
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
	var output, problems strings.Builder
	cmd := exec.CommandContext(context.WithoutCancel(c.t.Context()), c.program, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = c.dir, c.environment, &output, &problems
	err := cmd.Run()
	if cmd.ProcessState == nil {
		c.t.Fatal(err)
	}
	if err != nil {
		return output.String() + problems.String(), cmd.ProcessState.ExitCode()
	}
	return output.String(), 0
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
